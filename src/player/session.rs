//! One run of the bot: the first line decides which judge is talking, and that game's side takes over.

use crate::host::Host;
use crate::input::Input;
use crate::isa::Level;
use crate::reversi;

/// What the user chose when the bot was started; [`Options::default`] is what a judge gets.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Reversi: wall time, and CPU time, for a whole game, in milliseconds.
    pub time_ms: u64,
    /// Reversi: search this many nodes a move, whatever the clocks say. For reproducible play.
    pub nodes: Option<u64>,
    /// Whether to log what the search thought, one line a move.
    pub verbose: bool,
    /// The instructions that the searches may use.
    pub level: Level,
}

/// The Reversi judge's allowance for a whole game, of wall time and of CPU time, in milliseconds.
pub const GAME_MS: u64 = 5_000;

impl Default for Options {
    fn default() -> Options {
        Options {
            time_ms: GAME_MS,
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

/// Plays until the input ends, or the judge says that it is over.
pub fn run(host: &mut impl Host, options: &Options) -> Outcome {
    let mut input = Input::new();
    reversi::bot::run(host, &mut input, options)
}
