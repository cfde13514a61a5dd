//! The transposition table of Isolation: one slot a position, the deeper entry stays within a search.

use super::board::{Board, Square};
use alloc::vec;
use alloc::vec::Vec;

/// How an entry's value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// At least the value.
    Lower,
    /// At most the value.
    Upper,
    /// The value itself.
    Exact,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    board: Board,
    /// Plies searched.
    pub depth: i8,
    /// The kind of `value`.
    pub kind: Kind,
    age: u8,
    /// In hundredths of a square for the side to move.
    pub value: i16,
    /// The best move known.
    pub best: Square,
}

/// Slots: 2^18 of 48 bytes or less, 12 MiB.
const BITS: u32 = 18;

/// The table.
pub struct Table {
    slots: Vec<Option<Entry>>,
    age: u8,
}

impl Table {
    pub fn new() -> Table {
        Table {
            slots: vec![None; 1 << BITS],
            age: 0,
        }
    }

    /// What is there from now on makes way first.
    pub fn grow_old(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline(always)]
    fn slot(board: &Board) -> usize {
        let pieces = (board.own.index() << 7 | board.other.index()) as u64;
        let mixed = (board.free as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ ((board.free >> 64) as u64 ^ pieces << 32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let hash = (mixed ^ mixed >> 29).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (hash >> (64 - BITS)) as usize
    }

    #[inline(always)]
    pub fn get(&self, board: &Board) -> Option<Entry> {
        self.slots[Table::slot(board)].filter(|entry| entry.board == *board)
    }

    #[inline(always)]
    pub fn put(&mut self, board: &Board, depth: i32, kind: Kind, value: i32, best: Square) {
        let age = self.age;
        let slot = &mut self.slots[Table::slot(board)];
        let keeps =
            |old: &Entry| old.age == age && old.board != *board && i32::from(old.depth) > depth + 2;
        if !slot.as_ref().is_some_and(keeps) {
            *slot = Some(Entry {
                board: *board,
                depth: depth.clamp(0, 127) as i8,
                kind,
                age,
                value: value as i16,
                best,
            });
        }
    }
}
