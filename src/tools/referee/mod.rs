//! `match`: plays bots against each other as strictly as the contest's judge does.
//!
//! Owns the schedule: which game is played next by whom, several side by side, until all are done, a
//! sequential test is decided, or somebody interrupts. Every finished game is kept at once.

mod bot;
mod game;
pub mod isolation;
mod options;
mod play;
mod record;
mod report;
pub mod reversi;
mod stats;
mod study;

use super::args::{Args, UsageError};
use crate::os::process;
use game::{Clock, Game};
use isolation::Isolation;
use options::{options, Options};
use play::{Contestant, Limits};
use record::{Archive, Record};
use reversi::Reversi;
use stats::{Sprt, Verdict};
use std::collections::HashSet;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

/// Where the game of a record line began if its moves do not tell, its moves, and the wall time of each answer in
/// microseconds.
pub fn start_moves_and_times(line: &str) -> Option<(Option<String>, String, Vec<u64>)> {
    let record = Record::parse(line)?;
    Some((record.start, record.moves, record.answer_us))
}

pub use record::quoted;

/// Plays a match, or computes the figures of one that is given.
pub fn run(args: Args) -> Result<ExitCode, UsageError> {
    let options = match options(args)? {
        Ok(options) => options,
        Err(score) => {
            println!("{}", report::score_line(&score));
            return Ok(ExitCode::SUCCESS);
        }
    };
    if !options.merge.is_empty() {
        return Ok(merge(&options));
    }
    match options.game.as_str() {
        Reversi::NAME => start::<Reversi>(&options),
        Isolation::NAME => start::<Isolation>(&options),
        other => Err(UsageError(format!("there is no game '{other}'"))),
    }
}

/// Prints the figures of record files.
fn merge(options: &Options) -> ExitCode {
    let mut records = Vec::new();
    for path in &options.merge {
        match record::read(path) {
            Ok(more) => records.extend(more),
            Err(error) => {
                eprintln!("reversi-bot: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let read = records.len();
    let mut seen = HashSet::new();
    records.retain(|record| seen.insert((record.pair, record.names.clone())));
    if records.len() < read {
        let again = read - records.len();
        eprintln!("reversi-bot: {again} games are in the files more than once and count once");
    }
    let mut names: Vec<String> = Vec::new();
    for name in records.iter().flat_map(|record| &record.names) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names.sort();
    print!("{}", report::summary(&records, &names, options.sprt));
    ExitCode::SUCCESS
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fixture {
    /// The number of the opening.
    pair: u64,
    /// The contestants on sides 0 and 1.
    seats: [usize; 2],
}

/// All games of a shard: every pairing plays each opening from both sides.
fn fixtures(bots: usize, games: u64, (shard, shards): (u64, u64)) -> Vec<Fixture> {
    let mut all = Vec::new();
    for pair in (0..games.div_ceil(2)).filter(|pair| pair % shards == shard) {
        for a in 0..bots {
            for b in a + 1..bots {
                all.push(Fixture {
                    pair,
                    seats: [a, b],
                });
                all.push(Fixture {
                    pair,
                    seats: [b, a],
                });
            }
        }
    }
    all
}

/// Reads openings from the options, or leaves them to be drawn.
fn starts<G: Game>(options: &Options) -> Result<Vec<G>, UsageError> {
    let Some(path) = &options.openings else {
        return Ok(Vec::new());
    };
    let text =
        std::fs::read_to_string(path).map_err(|error| UsageError(format!("{path}: {error}")))?;
    let mut starts = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim().is_empty() && !line.starts_with('#') {
            let start = G::parse_start(line);
            starts.push(
                start.map_err(|reason| UsageError(format!("{path}: line {number}: {reason}")))?,
            );
        }
    }
    if starts.is_empty() {
        return Err(UsageError(format!("{path} holds no opening")));
    }
    Ok(starts)
}

/// The contestant that a command stands for: `self` with its options is this program. If it does not say what time it
/// has for a game, it is told the match's limit.
fn contestant<G: Game>(command: &str, time_ms: Option<u64>) -> Contestant {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words[..] {
        ["self", ..] => {
            let mut command = command.to_owned();
            if let (Some(time_ms), Clock::Game) = (time_ms, G::CLOCK) {
                if !words.contains(&"--time-ms") {
                    command += &format!(" --time-ms {time_ms}");
                }
            }
            let program = std::env::current_exe().unwrap_or_else(|_| "reversi-bot".into());
            let program = format!("'{}'", program.display().to_string().replace('\'', "'\\''"));
            Contestant::Command(command.replacen("self", &program, 1))
        }
        [name] if G::built_in(name, 0).is_some() => Contestant::BuiltIn(name.into()),
        _ => Contestant::Command(command.into()),
    }
}

/// A match under way.
struct Match<'a, G: Game> {
    options: &'a Options,
    names: Vec<String>,
    contestants: Vec<Contestant>,
    starts: Vec<G>,
    fixtures: Vec<Fixture>,
    archive: Option<Archive>,
    next: AtomicUsize,
    stop: AtomicBool,
    records: Mutex<Vec<Record>>,
}

fn start<G: Game>(options: &Options) -> Result<ExitCode, UsageError> {
    let names: Vec<String> = options.bots.iter().map(|(name, _)| name.clone()).collect();
    let failed = |error: std::io::Error| UsageError(format!("--out: {error}"));
    let archive = options
        .out
        .as_deref()
        .map(Archive::open)
        .transpose()
        .map_err(failed)?;
    let records = match &archive {
        Some(archive) => {
            let terms = options.terms();
            archive.check(&terms).map_err(failed)?;
            archive.resume().map_err(failed)?
        }
        None => Vec::new(),
    };
    if options.games % 2 == 1 {
        let games = options.games + 1;
        eprintln!("reversi-bot: openings are played from both sides: {games} games");
    }
    let played = |fixture: &Fixture| {
        let seat = |side: usize| &names[fixture.seats[side]];
        let is = |record: &Record| {
            record.pair == fixture.pair && record.names.iter().eq([seat(0), seat(1)])
        };
        records.iter().any(is)
    };
    let mut fixtures = fixtures(options.bots.len(), options.games, options.shard);
    fixtures.retain(|fixture| !played(fixture));
    let contest = Match::<G> {
        options,
        contestants: options
            .bots
            .iter()
            .map(|(_, command)| contestant::<G>(command, options.time_ms))
            .collect(),
        starts: starts(options)?,
        names,
        fixtures,
        archive,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        records: Mutex::new(records),
    };
    Ok(contest.run())
}

impl<G: Game> Match<'_, G> {
    fn run(self) -> ExitCode {
        process::catch_interruptions();
        std::thread::scope(|scope| {
            for _ in 0..self.options.jobs {
                scope.spawn(|| self.work());
            }
        });
        let Ok(records) = self.records.into_inner() else {
            return ExitCode::FAILURE;
        };
        progress("");
        print!(
            "{}",
            report::summary(&records, &self.names, self.options.sprt)
        );
        if process::interrupted() {
            eprintln!("reversi-bot: interrupted");
            return ExitCode::from(130);
        }
        if self.stop.load(Ordering::Relaxed) && self.options.stop_on_forfeit {
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }

    /// Plays games until there are none left or somebody says stop.
    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) && !process::interrupted() {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&fixture) = self.fixtures.get(next) else {
                return;
            };
            let seed = self.options.seed;
            let start = match self.starts.len() as u64 {
                0 => G::random_start(seed, fixture.pair, self.options.plies),
                count => self.starts[(fixture.pair % count) as usize].clone(),
            };
            let wall_ms = self.options.time_ms.unwrap_or(G::TIME_MS);
            let same_as_wall = (G::CLOCK == Clock::Game).then_some(wall_ms);
            let limits = Limits {
                wall_ms,
                cpu_ms: self.options.cpu_ms.or(same_as_wall),
            };
            let seats = fixture.seats.map(|seat| &self.contestants[seat]);
            let played = play::play(start, seats, limits, seed.wrapping_add(fixture.pair));
            if process::interrupted() {
                return;
            }
            self.finished(fixture, &played);
        }
    }

    /// Keeps a game, and tells how the match stands.
    fn finished(&self, fixture: Fixture, played: &play::Played) {
        let names = fixture.seats.map(|seat| self.names[seat].as_str());
        let record = Record::new(fixture.pair, names, played);
        if let Some((side, fault, lines)) = &played.forfeit {
            progress("");
            eprintln!(
                "opening {}: {} forfeits ({}): {}",
                fixture.pair,
                names[*side],
                fault.cause.name(),
                fault.what
            );
            lines.iter().for_each(|line| eprintln!("    {line}"));
            if self.options.stop_on_forfeit {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        let Ok(mut records) = self.records.lock() else {
            return;
        };
        if let Some(Err(error)) = self
            .archive
            .as_ref()
            .map(|archive| archive.keep(&record, played))
        {
            eprintln!("reversi-bot: the game was not kept: {error}");
        }
        records.push(record);
        let done = records.len();
        let left = self
            .fixtures
            .len()
            .saturating_sub(self.next.load(Ordering::Relaxed));
        if let [a, b] = &self.names[..] {
            let score = report::score(&records, a, Some(b));
            let [won, drawn, lost] = score.games;
            let standing = format!("{a} {won}, drawn {drawn}, {b} {lost}");
            progress(&format!("{done} games, {left} to come: {standing}"));
            let decided = |sprt: &Sprt| sprt.verdict(&score) != Verdict::Open;
            if self.options.sprt.as_ref().is_some_and(decided) {
                self.stop.store(true, Ordering::Relaxed);
            }
        } else {
            progress(&format!("{done} games, {left} to come"));
        }
    }
}

/// Writes the live line over the one before, where somebody watches.
fn progress(line: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn self_is_told_the_limit_unless_it_has_its_own() {
        let command = |text, time_ms| match contestant::<Reversi>(text, time_ms) {
            Contestant::Command(command) => command,
            Contestant::BuiltIn(name) => name,
        };
        assert!(command("self", Some(500)).ends_with(" --time-ms 500"));
        assert!(command("self --time-ms 300", Some(500)).ends_with("' --time-ms 300"));
        assert!(!command("self", None).contains("--time-ms"));
        assert_eq!(command("random", Some(500)), "random");
    }

    #[test]
    fn shards_share_the_games_and_none_is_played_twice() {
        let whole = fixtures(3, 10, (0, 1));
        assert_eq!(whole.len(), 5 * 3 * 2);
        let parts: Vec<_> = (0..3)
            .flat_map(|shard| fixtures(3, 10, (shard, 3)))
            .collect();
        assert_eq!(parts.len(), whole.len());
        assert!(whole.iter().all(|fixture| parts.contains(fixture)));
    }
}
