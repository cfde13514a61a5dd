//! Lists of moves, and handing them out best first.

use super::super::square::{Set, Square};

/// More moves than any position has (the most known is 33).
const CAPACITY: usize = 36;

/// A legal move with what it turns over. A greater key is tried earlier.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub square: Square,
    pub flips: Set,
    /// The opponent's moves after it, where the ordering looked at them.
    pub replies: Set,
    pub key: i32,
}

impl Move {
    /// A move without a key.
    #[inline(always)]
    pub fn new(square: Square, flips: Set) -> Move {
        Move {
            square,
            flips,
            replies: 0,
            key: 0,
        }
    }
}

/// The moves of one position.
pub(super) struct MoveList {
    moves: [Move; CAPACITY],
    count: usize,
    next: usize,
}

impl MoveList {
    #[inline(always)]
    pub fn new() -> MoveList {
        let none = Move::new(Square::from_index(0), 0);
        MoveList {
            moves: [none; CAPACITY],
            count: 0,
            next: 0,
        }
    }

    /// Adds a move; one beyond the capacity cannot occur and would be dropped.
    #[inline(always)]
    pub fn push(&mut self, added: Move) {
        if let Some(slot) = self.moves.get_mut(self.count) {
            *slot = added;
            self.count += 1;
        }
    }

    /// The moves not yet handed out, in no particular order.
    #[inline(always)]
    pub fn rest(&mut self) -> &mut [Move] {
        &mut self.moves[self.next..self.count]
    }

    /// Gives the move on this square the greatest key.
    #[inline(always)]
    pub fn prefer(&mut self, square: Square) {
        for listed in self.rest() {
            if listed.square == square {
                listed.key = i32::MAX;
            }
        }
    }

    /// Hands out the move on this square, if it is there, before any other.
    #[inline(always)]
    pub fn take(&mut self, square: Square) -> Option<Move> {
        let at = self.rest().iter().position(|one| one.square == square)?;
        let rest = self.rest();
        rest.swap(0, at);
        let taken = rest[0];
        self.next += 1;
        Some(taken)
    }

    /// The best move not yet handed out: selection sort, one step a call, since few moves are needed.
    #[inline(always)]
    pub fn next_best(&mut self) -> Option<Move> {
        let (first, others) = self.moves[self.next..self.count].split_first_mut()?;
        for other in others {
            if other.key > first.key {
                core::mem::swap(first, other);
            }
        }
        self.next += 1;
        Some(*first)
    }
}

/// A fixed preference among squares for ties: corners, then edges, then the rest, X squares last.
pub(super) static SQUARE_KEY: [i8; 64] = square_keys();

const fn square_keys() -> [i8; 64] {
    const QUARTER: [[i8; 4]; 4] = [[9, 2, 7, 6], [2, 0, 3, 3], [7, 3, 6, 5], [6, 3, 5, 4]];
    let mut keys = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        keys[square] = QUARTER[row][column];
        square += 1;
    }
    keys
}
