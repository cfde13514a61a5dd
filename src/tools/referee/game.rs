//! What the referee needs to know of a game: its lines, its rules, its clock.

use std::fmt;

/// Why an answer loses at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadAnswer {
    /// The line is not of the form that the judge asks for.
    Format,
    /// It is, but the move is against the rules. What is wrong with it.
    Illegal(String),
}

/// How long a side may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// So many milliseconds of wall time, and of CPU time, for the whole game, the start included.
    Game,
    /// So many milliseconds of wall time for each turn.
    Turn,
}

/// A game in progress between sides 0 and 1.
pub trait Game: Clone + Send + Sync + 'static {
    /// Its name on the command line.
    const NAME: &'static str;
    /// What the time limit is for.
    const CLOCK: Clock;
    /// The time limit when none is given, in milliseconds.
    const TIME_MS: u64;

    /// The lines that a side is sent before its first turn, and the answer that it must give to them.
    fn greeting(&self, side: usize) -> (String, Option<&'static str>);

    /// The side to answer next; `None` when the game is over.
    fn to_move(&self) -> Option<usize>;

    /// What the side to move is sent.
    fn request(&self) -> String;

    /// Plays the answer of the side to move.
    fn play(&mut self, answer: &str) -> Result<(), BadAnswer>;

    /// How far side 0 is ahead at the end: above 0 it has won.
    fn margin(&self) -> i32;

    /// The margin of a side that wins by the other's forfeit.
    fn forfeit_margin(&self) -> i32;

    /// All moves so far, in the game's usual notation.
    fn moves(&self) -> String;

    /// Where the game began, as [`Game::parse_start`] reads it, if the moves do not tell. To be asked before the first
    /// move.
    fn start(&self) -> Option<String>;

    /// A player that is built in, by its name on the command line.
    fn built_in(name: &str, seed: u64) -> Option<Box<dyn Player<Self>>>;

    /// The start of game number `pair`, drawn at random with `plies` moves played.
    fn random_start(seed: u64, pair: u64, plies: u32) -> Self;

    /// A start as a line of a file gives it.
    fn parse_start(line: &str) -> Result<Self, String>;
}

/// A player inside the program.
pub trait Player<G: Game>: Send {
    /// The answer to a request, without its line feed.
    fn answer(&mut self, game: &G) -> String;
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BadAnswer::Format => f.write_str("not of the form that is asked for"),
            BadAnswer::Illegal(what) => f.write_str(what),
        }
    }
}
