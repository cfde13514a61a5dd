//! One run of the bot: the first line decides which judge is talking, and that game's side takes over.

use crate::host::Host;
use crate::input::Input;
use crate::isa::Level;
use crate::isolation;
use crate::reversi;
use alloc::format;

/// What the user chose when the bot was started; [`Options::default`] is what a judge gets.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Reversi: wall time, and CPU time, for a whole game, in milliseconds.
    pub time_ms: u64,
    /// Isolation: wall time for a turn, from its first line to the answer, in milliseconds.
    pub turn_ms: u64,
    /// Search this many nodes a move, whatever the clocks say. For reproducible play.
    pub nodes: Option<u64>,
    /// Whether to log what the search thought, one line a move.
    pub verbose: bool,
    /// The instructions that the searches may use.
    pub level: Level,
}

/// The Reversi judge's allowance for a whole game, of wall time and of CPU time, in milliseconds.
pub const GAME_MS: u64 = 5_000;

/// The time for a turn of Isolation when no other is given, in milliseconds. The judge's own is not known.
pub const TURN_MS: u64 = 80;

impl Default for Options {
    fn default() -> Options {
        Options {
            time_ms: GAME_MS,
            turn_ms: TURN_MS,
            nodes: None,
            verbose: false,
            level: Level::detect(),
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How many lines were malformed. Each was logged with its number and reason, and then ignored.
    pub bad_lines: u64,
}

/// Plays Reversi only.
pub fn run_reversi(host: &mut impl Host, options: &Options) -> Outcome {
    reversi::bot::run(host, &mut Input::new(), options)
}

/// Plays Isolation only.
pub fn run_isolation(host: &mut impl Host, options: &Options) -> Outcome {
    isolation::bot::run(host, &mut Input::new(), options)
}

/// Plays the game of the judge that the first line comes from, until the input ends.
pub fn run(host: &mut impl Host, options: &Options) -> Outcome {
    let mut input = Input::new();
    let mut bad_lines = 0;
    let is_isolation = loop {
        match input.next(host) {
            None => return Outcome { bad_lines },
            Some(Ok(line)) => break isolation::protocol::is_header(line),
            Some(Err(reason)) => {
                bad_lines += 1;
                host.log(&format!("line {}: {reason}", input.line_number()));
            }
        }
    };
    input.unread();
    let mut outcome = if is_isolation {
        isolation::bot::run(host, &mut input, options)
    } else {
        reversi::bot::run(host, &mut input, options)
    };
    outcome.bad_lines += bad_lines;
    outcome
}
