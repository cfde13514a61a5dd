//! The board: free squares and two pieces, seen from the side to move.
//!
//! Owns the rules: a piece moves like a chess queen over free squares, and the square that it leaves is gone. Rows
//! are ten squares apart in a set, so that the tenth, which is never free, keeps shifted sets from wrapping.

use crate::isa::Isa;
use core::fmt;

/// A set of squares: bit `10 * y + x` stands for column `x` of row `y`.
pub type Set = u128;

/// The distance between rows.
const STRIDE: u32 = 10;

/// The least width and height of a board that the statement allows, and the most.
pub const SIDES: core::ops::RangeInclusive<usize> = 7..=9;

/// A square by its bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in column `x` and row `y`, both counted from 0. `None` off any board.
    pub const fn new(x: usize, y: usize) -> Option<Square> {
        if x < 9 && y < 9 {
            Some(Square((y * STRIDE as usize + x) as u8))
        } else {
            None
        }
    }

    /// The square of the lowest bit of a set that is not empty.
    #[inline(always)]
    pub(crate) const fn first(set: Set) -> Square {
        Square((set.trailing_zeros() & 127) as u8)
    }

    /// The column, from 0.
    pub const fn x(self) -> usize {
        self.0 as usize % STRIDE as usize
    }

    /// The row, from 0.
    pub const fn y(self) -> usize {
        self.0 as usize / STRIDE as usize
    }

    /// The number of the bit.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// The set that holds this square alone.
    #[inline(always)]
    pub const fn set(self) -> Set {
        1 << (self.0 & 127)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.x(), self.y())
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub Set);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::first(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// The free squares and both pieces. The pieces' own squares are not free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// Squares that may be moved to or over.
    pub free: Set,
    /// The piece of the side to move.
    pub own: Square,
    /// The other piece.
    pub other: Square,
}

/// The steps of the eight directions in bits; each goes up as well as down.
const STEPS: [u32; 4] = [1, STRIDE - 1, STRIDE, STRIDE + 1];

/// The squares that a queen on `from` can move to over `free` squares.
#[inline(always)]
pub fn queen_moves(free: Set, from: Square) -> Set {
    let from = from.set();
    let mut found = 0;
    for step in STEPS {
        let (mut up, mut down) = ((from << step) & free, (from >> step) & free);
        while up | down != 0 {
            found |= up | down;
            up = (up << step) & free;
            down = (down >> step) & free;
        }
    }
    found
}

/// All squares that queens on `from` can move to over `free` squares, and `from` itself.
#[inline(always)]
pub fn queen_spread(free: Set, from: Set) -> Set {
    let mut found = from;
    for step in STEPS {
        // Kogge-Stone: one, two and four steps make seven, and one more the eight that fit on a board.
        let (mut up, mut down) = (from, from);
        let (mut open_up, mut open_down) = (free, free);
        for length in [step, 2 * step, 4 * step] {
            up |= open_up & (up << length);
            down |= open_down & (down >> length);
            open_up &= open_up << length;
            open_down &= open_down >> length;
        }
        found |= up | down | (free & (up << step)) | (free & (down >> step));
    }
    found
}

/// The squares next to a set, and the set itself.
#[inline(always)]
pub fn king_spread(from: Set) -> Set {
    let row = from | from << 1 | from >> 1;
    row | row << STRIDE | row >> STRIDE
}

/// The free squares that can be reached from `from` in any number of moves.
#[inline(always)]
pub fn region(free: Set, from: Square) -> Set {
    let mut found = king_spread(from.set()) & free;
    loop {
        let more = found | (king_spread(found) & free);
        if more == found {
            return found;
        }
        found = more;
    }
}

/// Sorts a short list, greatest first. The library's sorts are made for long ones and take more room in a submission
/// than this whole game.
#[inline(always)]
pub(super) fn sort_short<T: Copy + PartialOrd>(list: &mut [T]) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && list[at - 1] < list[at] {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

impl Board {
    /// Where the side to move can go.
    #[inline(always)]
    pub fn moves<I: Isa>(&self, isa: I) -> Set {
        let _ = isa;
        queen_moves(self.free, self.own)
    }

    /// The board after a legal move to `to`, seen from the other side.
    #[inline(always)]
    pub fn after(&self, to: Square) -> Board {
        // The square that the piece leaves was not free and stays so.
        Board {
            free: self.free & !to.set(),
            own: self.other,
            other: to,
        }
    }

    /// The same board with the other side to move.
    #[inline(always)]
    pub fn turned(&self) -> Board {
        Board {
            own: self.other,
            other: self.own,
            ..*self
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::vec::Vec;

    /// Boards of every size with random walls and pieces.
    pub(crate) fn boards(count: usize, walls_in_ten: u64) -> Vec<Board> {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut random = move |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % below
        };
        let mut boards = Vec::new();
        while boards.len() < count {
            let (width, height) = (7 + random(3), 7 + random(3));
            let mut free = 0;
            for y in 0..height {
                for x in 0..width {
                    if random(10) >= walls_in_ten {
                        free |= Square::new(x as usize, y as usize).unwrap().set();
                    }
                }
            }
            let all: Vec<Square> = Squares(free).collect();
            if all.len() < 4 {
                continue;
            }
            let own = all[random(all.len() as u64) as usize];
            let other = all[random(all.len() as u64) as usize];
            if own != other {
                let free = free & !own.set() & !other.set();
                boards.push(Board { free, own, other });
            }
        }
        boards
    }

    /// Queen moves step by step.
    fn moves_by_the_rules(free: Set, from: Square) -> Set {
        let mut found = 0;
        for (down, right) in [
            (-1, -1),
            (-1, 0),
            (-1, 1),
            (0, -1),
            (0, 1),
            (1, -1),
            (1, 0),
            (1, 1),
        ] {
            let (mut x, mut y) = (from.x() as isize, from.y() as isize);
            loop {
                (x, y) = (x + right, y + down);
                let square = usize::try_from(x).ok().zip(usize::try_from(y).ok());
                let square = square.and_then(|(x, y)| Square::new(x, y));
                match square {
                    Some(square) if free & square.set() != 0 => found |= square.set(),
                    _ => break,
                }
            }
        }
        found
    }

    #[test]
    fn queens_move_as_the_rules_say() {
        for board in boards(500, 3).into_iter().chain(boards(50, 0)) {
            let moves = queen_moves(board.free, board.own);
            assert_eq!(moves, moves_by_the_rules(board.free, board.own));
            let both = board.own.set() | board.other.set();
            let spread = moves | queen_moves(board.free, board.other) | both;
            assert_eq!(queen_spread(board.free, both), spread);
        }
    }

    #[test]
    fn a_region_is_what_kings_reach() {
        for board in boards(300, 6) {
            let mut expected = 0;
            let mut fresh = board.own.set();
            while fresh != 0 {
                let near =
                    Squares(fresh).fold(0, |near, square| near | queen_moves(board.free, square));
                fresh = near & !expected;
                expected |= near;
            }
            assert_eq!(region(board.free, board.own), expected & !board.own.set());
        }
    }
}
