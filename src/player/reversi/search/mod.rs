//! The search: how good a position is, and which move is best.
//!
//! From the outside in: [`Searcher`] owns what outlives a move (the table, the weights); [`iterate`] deepens
//! step by step under [`limits`]; [`root`] searches the moves of one position; [`midgame`] searches with
//! the evaluation at its leaves and [`endgame`] to the end of the game, down to [`shallow`] and [`last`];
//! [`children`] holds what the two do alike; [`hardest`] chooses between moves that lose alike. Scores are
//! whole discs for the side to move throughout. The search never reads, prints or decides about time: it
//! reports to a callback and obeys its limits.

pub mod iterate;
pub mod limits;
pub mod probcut;
pub mod probcut_errors;
pub mod stability;
pub mod table;

mod children;
mod context;
mod endgame;
mod hardest;
mod last;
mod local;
mod midgame;
mod order;
mod root;
mod shallow;
#[cfg(test)]
pub(crate) mod tests;

pub use context::{Searcher, Stopped};

/// The best score there is, in discs.
pub const MAX_SCORE: i32 = 64;

/// How far a search looks and how sure it is of what it prunes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Plies; as many as there are empty squares for a search to the end of the game.
    pub depth: u8,
    /// Index of a pruning threshold in [`probcut::THRESHOLDS`], or [`CERTAIN`].
    pub confidence: u8,
}

/// The confidence of a search that prunes nothing on a guess.
pub const CERTAIN: u8 = probcut::THRESHOLDS.len() as u8;

impl Level {
    /// An exact search of all that is left.
    #[inline(always)]
    pub const fn exact(empties: u32) -> Level {
        Level {
            depth: empties as u8,
            confidence: CERTAIN,
        }
    }

    /// Whether a result of this level serves where one of `wanted` is asked for.
    #[inline(always)]
    pub const fn serves(self, wanted: Level) -> bool {
        self.depth >= wanted.depth && self.confidence >= wanted.confidence
    }

    /// What is worth more to keep: depth first, then confidence.
    #[inline(always)]
    pub(crate) const fn rank(self) -> u32 {
        (self.depth as u32) << 8 | self.confidence as u32
    }
}
