//! `selfplay`: plays games against itself and writes their positions with values, to learn from.
//!
//! A game starts with random moves; after that now and then a move is random, so that odd positions
//! occur too. Every position is valued by a search, from some number of empty squares on by the exact score. A
//! game depends on the seed and its number alone, so shards can run anywhere, and a run that was stopped
//! goes on where it was. The file's format is [`super::labels`]'s.

use super::args::{Args, Kind, UsageError};
use super::labels::{self, Label, EXACT};
use super::random::Random;
use crate::os::SystemClock;
use player::isa::Level;
use player::reversi::board::Position;
use player::reversi::search::limits::Limits;
use player::reversi::search::Searcher;
use player::reversi::square::{Square, Squares};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Random moves at the start: at least this many, and fewer than the sum.
const OPENING: (u64, u64) = (6, 16);

/// One move in this many is random, and one in [`LATE_RANDOM`] from [`LATE`] empty squares on.
const RANDOM: u64 = 10;
const LATE: u32 = 12;
const LATE_RANDOM: u64 = 5;

/// Beyond this many discs a game is decided: such positions before the exact phase are left out.
const DECIDED: i32 = 40;

/// Games between two lines of progress.
const PROGRESS: u64 = 50;

struct Options {
    out: String,
    games: u64,
    seed: u64,
    shard: (u64, u64),
    depth: u32,
    exact: u32,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        out: String::new(),
        games: 0,
        seed: 1,
        shard: (0, 1),
        depth: 9,
        exact: 16,
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--out" => options.out = args.value(&word)?,
            "--games" => options.games = args.value(&word)?,
            "--seed" => options.seed = args.value(&word)?,
            "--shard" => options.shard = args.shard(&word)?,
            "--depth" => options.depth = args.value::<u32>(&word)?.clamp(1, 60),
            "--exact" => options.exact = args.value::<u32>(&word)?.min(30),
            _ => return Args::unknown(&word),
        }
    }
    if options.out.is_empty() || options.games == 0 {
        return Err(UsageError("selfplay needs --games N and --out FILE".into()));
    }
    Ok(options)
}

/// Plays the games that are missing in the file.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    if args.take_game()? == Kind::Isolation {
        return super::isolation::selfplay::run(args);
    }
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
    let mut searcher = Searcher::new(Level::detect());
    let start = Instant::now();
    let (shard, shards) = options.shard;
    let mut positions = 0;
    let missing = (0..options.games)
        .filter(|game| game % shards == shard)
        .skip(done);
    for (number, game) in (1..).zip(missing) {
        let labels = play(&mut searcher, options, game);
        positions += labels.len();
        let records: Vec<u8> = labels.iter().flat_map(|label| label.to_bytes()).collect();
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

/// Opens the file for more games, and counts those in it. The last one may not be whole: it is cut off and
/// will be played again.
fn resume(path: &str) -> io::Result<(File, usize)> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .read(true)
        .open(path)?;
    let length = file.metadata()?.len();
    if length < labels::HEADER.len() as u64 {
        file.set_len(0)?;
        file.write_all(labels::HEADER)?;
        return Ok((file, 0));
    }
    let whole = length - length % labels::RECORD as u64;
    file.set_len(whole)?;
    let found = labels::read(path)?;
    let games: Vec<&[Label]> = labels::games(&found).collect();
    let last = games.last().map_or(0, |game| game.len());
    file.set_len(whole - (last * labels::RECORD) as u64)?;
    Ok((file, games.len().saturating_sub(1)))
}

/// Plays a game. It has at least one position.
fn play(searcher: &mut Searcher, options: &Options, game: u64) -> Vec<Label> {
    let mut random = Random::new(options.seed << 40 ^ game);
    searcher.clear();
    loop {
        let labels = play_once(searcher, options, &mut random);
        if !labels.is_empty() {
            return labels;
        }
    }
}

fn play_once(searcher: &mut Searcher, options: &Options, random: &mut Random) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut position = Position::START;
    let mut sides_changed = false;
    let mut side_of = Vec::new();
    let opening = 60 - (OPENING.0 + random.below(OPENING.1)) as u32;
    while !position.is_over() {
        let moves: Vec<Square> = Squares(position.moves()).collect();
        sides_changed = !sides_changed;
        let Some(mut square) = random.pick(&moves) else {
            position = position.pass();
            continue;
        };
        let empties = position.empty_count();
        if empties <= opening {
            let one_in = if empties > LATE { RANDOM } else { LATE_RANDOM };
            let stray = random.below(one_in) == 0;
            if let Some((best, label)) = value(searcher, options, position) {
                if label.depth == EXACT || i32::from(label.value).abs() <= 100 * DECIDED {
                    labels.push(label);
                    side_of.push(sides_changed);
                }
                square = if stray { square } else { best };
            }
        }
        position = position.play(square).unwrap_or(position);
    }
    let score = position.final_score();
    let ended = !sides_changed;
    for (label, side) in labels.iter_mut().zip(side_of) {
        label.final_score = Some(if side == ended { score } else { -score } as i8);
    }
    labels
}

/// The best move and the label of a position, by search.
fn value(
    searcher: &mut Searcher,
    options: &Options,
    position: Position,
) -> Option<(Square, Label)> {
    let limits = Limits {
        depth: if position.empty_count() <= options.exact {
            Limits::NONE.depth
        } else {
            options.depth
        },
        ..Limits::NONE
    };
    let found = searcher.search(position, limits, &SystemClock::new(), &mut |_| {})?;
    let depth = if found.is_exact() {
        EXACT
    } else {
        found.level.depth
    };
    let label = Label {
        position,
        value: (found.score * 100) as i16,
        depth,
        final_score: None,
    };
    Some((found.best, label))
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
            depth: 2,
            exact: 6,
        }
    }

    #[test]
    fn a_stopped_run_goes_on_where_it_was() {
        let directory = std::env::temp_dir();
        let name = |kind| format!("reversi-bot-selfplay-{}-{kind}", std::process::id());
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
        let labels = labels::read(&whole).unwrap();
        for path in [whole, cut] {
            std::fs::remove_file(path).unwrap();
        }
        assert!(bytes[0] == bytes[1]);
        assert_eq!(labels::games(&labels).count(), 4);
        for game in labels::games(&labels) {
            let last = game.last().unwrap();
            assert_eq!(last.depth, EXACT);
            assert!(game.iter().all(|label| label.final_score.is_some()));
        }
    }
}
