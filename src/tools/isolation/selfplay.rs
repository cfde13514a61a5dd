//! `selfplay --game isolation`: games on random maps whose positions are kept with the search's value and the
//! game's end.
//!
//! A game begins with some random moves, as many as are drawn, and is played out as well as the nodes allow until
//! the search knows who wins. A game depends on the seed and its number alone.

use super::super::args::{Args, UsageError};
use super::super::random::Random;
use super::super::referee::isolation::Isolation;
use super::samples::{self, Sample};
use crate::os::SystemClock;
use player::isa::Level;
use player::isolation::board::{queen_moves, Board, Square, Squares};
use player::isolation::search::{Limits, Searcher, WON};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Fewer random moves than this begin a game.
const RANDOM_PLIES: u64 = 20;

/// Slots of the searcher's table, as a power of two: few, since it is cleared for every game.
const TABLE_BITS: u32 = 14;

/// Games between two lines of progress.
const PROGRESS: u64 = 500;

struct Options {
    out: String,
    games: u64,
    seed: u64,
    shard: (u64, u64),
    nodes: u64,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        out: String::new(),
        games: 0,
        seed: 1,
        shard: (0, 1),
        nodes: 1_000,
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--out" => options.out = args.value(&word)?,
            "--games" => options.games = args.value(&word)?,
            "--seed" => options.seed = args.value(&word)?,
            "--shard" => options.shard = args.shard(&word)?,
            "--nodes" => options.nodes = args.value::<u64>(&word)?.max(100),
            _ => return Args::unknown(&word),
        }
    }
    if options.out.is_empty() || options.games == 0 {
        return Err(UsageError("selfplay needs --games N and --out FILE".into()));
    }
    Ok(options)
}

/// Plays the games that are missing in the file.
pub fn run(args: Args) -> Result<ExitCode, UsageError> {
    let options = options(args)?;
    Ok(match play_all(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("reversi-bot: {}: {error}", options.out);
            ExitCode::FAILURE
        }
    })
}

fn play_all(options: &Options) -> io::Result<()> {
    let (mut file, done) = resume(&options.out)?;
    let start = Instant::now();
    let (shard, shards) = options.shard;
    let mut positions = 0;
    let missing = (0..options.games)
        .filter(|game| game % shards == shard)
        .skip(done);
    let mut searcher = Searcher::with_table_bits(Level::detect(), TABLE_BITS);
    for (number, game) in (1..).zip(missing) {
        searcher.clear();
        let samples = play(&mut searcher, options, game);
        positions += samples.len();
        let records: Vec<u8> = samples
            .iter()
            .flat_map(|sample| sample.to_bytes())
            .collect();
        file.write_all(&records)?;
        if number % PROGRESS == 0 {
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{seconds:6.0} s  game {game} of {}, {positions} positions, {:.0} a second",
                options.games,
                positions as f64 / seconds
            );
        }
    }
    Ok(())
}

/// Opens the file for more games, and counts those in it. The last one may not be whole: it is cut off and will be
/// played again.
fn resume(path: &str) -> io::Result<(File, usize)> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .read(true)
        .open(path)?;
    let length = file.metadata()?.len();
    let header = samples::HEADER.len() as u64;
    if length < header {
        file.set_len(0)?;
        file.write_all(samples::HEADER)?;
        return Ok((file, 0));
    }
    let whole = length - (length - header) % samples::RECORD as u64;
    file.set_len(whole)?;
    let found = samples::read(path)?;
    let games: Vec<&[Sample]> = samples::games(&found).collect();
    let last = games.last().map_or(0, |game| game.len());
    file.set_len(whole - (last * samples::RECORD) as u64)?;
    Ok((file, games.len().saturating_sub(1)))
}

/// Plays a game with at least one position.
fn play(searcher: &mut Searcher, options: &Options, game: u64) -> Vec<Sample> {
    let mut random = Random::new(options.seed << 40 ^ game);
    loop {
        let samples = play_once(searcher, options, &mut random);
        if !samples.is_empty() {
            return samples;
        }
    }
}

fn play_once(searcher: &mut Searcher, options: &Options, random: &mut Random) -> Vec<Sample> {
    let mut board = *Isolation::random_map(random).board();
    for _ in 0..random.below(RANDOM_PLIES) {
        match stray(&board, random) {
            Some(to) => board = board.after(to),
            None => return Vec::new(),
        }
    }
    let limits = Limits {
        deadline_us: u64::MAX,
        depth: i32::MAX,
        nodes: options.nodes,
    };
    let mut samples = Vec::new();
    let mut own_turn = true;
    // Whether who began wins.
    let won = loop {
        let found = searcher.search(board, limits, &SystemClock::new());
        let value = found.map_or(-WON - 1, |found| found.value);
        if let Some(best) = found.map(|found| found.best) {
            samples.push(Sample {
                board,
                value: value as i16,
                won: own_turn,
                first: samples.is_empty(),
            });
            if value.abs() <= WON {
                board = board.after(best);
                own_turn = !own_turn;
                continue;
            }
        }
        break own_turn == (value > 0);
    };
    for sample in &mut samples {
        sample.won = sample.won == won;
    }
    samples
}

/// A random move that leaves a way on where there is one.
pub fn stray(board: &Board, random: &mut Random) -> Option<Square> {
    let moves = || Squares(queen_moves(board.free, board.own));
    let safe: Vec<Square> = moves()
        .filter(|to| queen_moves(board.free & !to.set(), *to) != 0)
        .collect();
    random.pick(&safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(out: &str, games: u64) -> Options {
        Options {
            out: out.into(),
            games,
            seed: 7,
            shard: (1, 2),
            nodes: 200,
        }
    }

    #[test]
    fn a_stopped_run_goes_on_where_it_was() {
        let directory = std::env::temp_dir();
        let name = |kind| format!("reversi-bot-isolation-{}-{kind}", std::process::id());
        let [whole, cut] = ["whole", "cut"].map(|kind| {
            let path = directory.join(name(kind));
            path.to_string_lossy().into_owned()
        });
        play_all(&options(&whole, 8)).unwrap();
        play_all(&options(&cut, 4)).unwrap();
        let file = OpenOptions::new().write(true).open(&cut).unwrap();
        file.set_len(file.metadata().unwrap().len() - 27).unwrap();
        play_all(&options(&cut, 8)).unwrap();
        let bytes = [&whole, &cut].map(|path| std::fs::read(path).unwrap());
        let found = samples::read(&whole).unwrap();
        for path in [whole, cut] {
            std::fs::remove_file(path).unwrap();
        }
        assert!(bytes[0] == bytes[1]);
        assert_eq!(samples::games(&found).count(), 4);
        for game in samples::games(&found) {
            // Turns alternate, and the last search knows who wins.
            assert!(game.windows(2).all(|two| two[0].won != two[1].won));
            let last = game.last().unwrap();
            assert_eq!(last.won, last.value > 0);
        }
    }
}
