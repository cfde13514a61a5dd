//! The static evaluation: what a position is worth without search.
//!
//! The search sees only [`Features`] (kept up to date move by move) and [`Weights::evaluate`]. Whatever is
//! behind them, by hand or learned, may change without the search knowing. Scores here are scaled:
//! [`SCALE`] units make a disc.

mod hand;

use super::board::Position;
use super::square::{Set, Square};
use crate::isa::Isa;
use alloc::boxed::Box;

/// Units of a scaled score in one disc.
pub const SCALE: i32 = 32;

/// What the evaluation keeps up to date from move to move. The hand-made one needs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features;

impl Features {
    /// The features of a position, from nothing.
    pub fn of(_position: Position) -> Features {
        Features
    }

    /// The features after a move on `square` that turned `flips`, seen from the other side.
    #[inline(always)]
    pub fn after<I: Isa>(&self, _isa: I, _square: Square, _flips: Set) -> Features {
        Features
    }

    /// The features after a pass.
    #[inline(always)]
    pub fn pass(&self) -> Features {
        Features
    }
}

/// The evaluation's numbers.
pub struct Weights;

impl Weights {
    /// Makes the weights ready for use.
    pub fn load() -> Box<Weights> {
        Box::new(Weights)
    }

    /// The value of a position for the side to move, in units of 1/[`SCALE`] disc, within 64 discs.
    #[inline(always)]
    pub fn evaluate<I: Isa>(&self, isa: I, position: &Position, _features: &Features) -> i32 {
        hand::evaluate(isa, position).clamp(-64 * SCALE, 64 * SCALE)
    }
}
