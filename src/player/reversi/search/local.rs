//! A small table for the last few plies: bounds of exact null-window searches, without moves.
//!
//! It fits the processor's second-level cache, where the transposition table does not, so that a look costs less
//! than the search it may save. Each position has one slot; the newest stays. Edax's authors found that
//! a table of its own pays for these plies.

use super::super::board::Position;
use super::{table, MAX_SCORE};
use alloc::vec;
use alloc::vec::Vec;

/// The size: 2^12 slots of 24 bytes, 96 KiB.
const BITS: u32 = 12;

/// What is known about a position, in discs for the side to move.
#[derive(Clone, Copy)]
struct Slot {
    position: Position,
    lower: i8,
    upper: i8,
}

const _: () = assert!(size_of::<Slot>() == 24, "slots must stay small");

/// Where a position's bounds are kept.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

/// The table.
pub(super) struct Local {
    slots: Vec<Slot>,
}

impl Local {
    pub fn new() -> Local {
        Local {
            slots: vec![NOTHING; 1 << BITS],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(NOTHING);
    }

    #[inline(always)]
    pub fn place(&self, position: &Position) -> Place {
        Place((table::hash(position) >> (64 - BITS)) as usize)
    }

    /// The bound that settles the null window above `alpha`, if one is known.
    #[inline(always)]
    pub fn cutoff(&self, place: Place, position: &Position, alpha: i32) -> Option<i32> {
        let slot = &self.slots[place.0];
        if slot.position == *position {
            table::settled(slot.lower, slot.upper, alpha)
        } else {
            None
        }
    }

    /// Remembers what a null-window search above `alpha` found.
    #[inline(always)]
    pub fn put(&mut self, place: Place, position: Position, alpha: i32, score: i32) {
        let (lower, upper) = if score > alpha {
            (score, MAX_SCORE)
        } else {
            (-MAX_SCORE, score)
        };
        self.slots[place.0] = Slot {
            position,
            lower: lower as i8,
            upper: upper as i8,
        };
    }
}

/// A slot without a position: a board without discs is none that a search sees.
const NOTHING: Slot = Slot {
    position: Position {
        player: 0,
        opponent: 0,
    },
    lower: -MAX_SCORE as i8,
    upper: MAX_SCORE as i8,
};
