//! The static evaluation: what a position is worth without search.
//!
//! A sum of learned weights: one for the configuration of each pattern instance, one for each side's number
//! of moves, one for the number of empty squares; a set of weights for each stage of the game. The search
//! sees only [`Features`] (kept up to date move by move) and [`Weights::evaluate`]. Scores here are scaled:
//! [`SCALE`] units make a disc.

pub mod coder;
mod features;
pub mod packed;
pub mod pattern;
pub mod weights;

pub use features::Features;
pub use weights::Weights;

/// Units of a scaled score in one disc.
pub const SCALE: i32 = 32;
