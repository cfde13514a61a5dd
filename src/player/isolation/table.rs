//! The transposition table of Isolation: one slot a position, the deeper entry stays within a search.

use super::board::{Board, Square};
use crate::isa;
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
    /// Tells positions of one slot apart; never 0 but in empty slots.
    key: u64,
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

impl Entry {
    const EMPTY: Entry = Entry {
        key: 0,
        depth: 0,
        kind: Kind::Exact,
        age: 0,
        value: 0,
        best: Square::FIRST,
    };
}

/// The usual number of slots as a power of two: 2^18 of 16 bytes, 4 MiB.
pub const BITS: u32 = 18;

/// The table.
pub struct Table {
    slots: Vec<Entry>,
    bits: u32,
    age: u8,
}

impl Table {
    /// An empty table of `2^bits` slots.
    pub fn new(bits: u32) -> Table {
        Table {
            slots: vec![Entry::EMPTY; 1 << bits],
            bits,
            age: 0,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Entry::EMPTY);
        self.age = 0;
    }

    /// What is there from now on makes way first.
    pub fn grow_old(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The hash of a board, never 0. It stands for the board: two of a game's positions share one with a probability of
    /// 2^-60 or so.
    #[inline(always)]
    pub fn key(board: &Board) -> u64 {
        let pieces = (board.own.index() << 7 | board.other.index()) as u64;
        let high = (board.free >> 64) as u64 ^ pieces << 32;
        let product = u128::from(board.free as u64 ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(high ^ 0xc2b2_ae3d_27d4_eb4f);
        let mixed = (product as u64 ^ (product >> 64) as u64 ^ board.free as u64)
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed ^ mixed >> 32) | 1
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        (key >> (64 - self.bits)) as usize
    }

    /// Fetches the slot of a key into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        isa::prefetch(&self.slots[self.slot(key)]);
    }

    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<Entry> {
        Some(self.slots[self.slot(key)]).filter(|entry| entry.key == key)
    }

    #[inline(always)]
    pub fn put(&mut self, key: u64, depth: i32, kind: Kind, value: i32, best: Square) {
        let slot = self.slot(key);
        let old = &mut self.slots[slot];
        if old.age == self.age && old.key != key && i32::from(old.depth) > depth + 2 {
            return;
        }
        *old = Entry {
            key,
            depth: depth.clamp(0, 127) as i8,
            kind,
            age: self.age,
            value: value as i16,
            best,
        };
    }
}
