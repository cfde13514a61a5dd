//! Squares and sets of squares.
//!
//! A square is a number from 0 (a1, the judge's row 1 column 1) to 63 (h8), row by row; in a set it is the
//! bit of that number. Owns names and symmetries; knows nothing of discs.

use core::fmt;

/// A set of squares, or of discs: bit `i` stands for square `i`.
pub type Set = u64;

/// A square of the board, 0 for a1, 1 for b1, 63 for h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in `row` and `column`, both counted from 0. `None` off the board.
    pub const fn new(row: usize, column: usize) -> Option<Square> {
        if row < 8 && column < 8 {
            Some(Square((row * 8 + column) as u8))
        } else {
            None
        }
    }

    /// The square of this number; only the low six bits count.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// The square's number, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set that holds this square alone.
    #[inline(always)]
    pub const fn set(self) -> Set {
        1 << (self.0 & 63)
    }

    /// The row, counted from 0 at the top.
    pub const fn row(self) -> usize {
        self.index() / 8
    }

    /// The column, counted from 0 at the left.
    pub const fn column(self) -> usize {
        self.index() % 8
    }

    /// Reads a name such as `f5`, in either case. `None` if it is not one.
    pub fn parse(name: &str) -> Option<Square> {
        let &[column, row] = name.as_bytes() else {
            return None;
        };
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        Square::new(row.checked_sub(b'1')?.into(), column.into())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        let row = char::from(b'1' + self.row() as u8);
        write!(f, "{column}{row}")
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The squares of a set, lowest number first.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub Set);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// How many symmetries the board has.
pub const SYMMETRIES: usize = 8;

/// Maps a set by symmetry `index` (0 to 7; 0 changes nothing): bit 0 mirrors left to right, bit 1 top to
/// bottom, bit 2 swaps rows and columns, in that order.
pub const fn symmetry(set: Set, index: usize) -> Set {
    let mut set = set;
    if index & 1 != 0 {
        set = mirror_columns(set);
    }
    if index & 2 != 0 {
        set = set.swap_bytes();
    }
    if index & 4 != 0 {
        set = transpose(set);
    }
    set
}

/// Swaps bits `shift` apart under `mask`.
const fn delta_swap(set: Set, mask: Set, shift: u32) -> Set {
    let difference = (set ^ (set >> shift)) & mask;
    set ^ difference ^ (difference << shift)
}

/// a1 becomes h1.
const fn mirror_columns(set: Set) -> Set {
    let set = delta_swap(set, 0x5555_5555_5555_5555, 1);
    let set = delta_swap(set, 0x3333_3333_3333_3333, 2);
    delta_swap(set, 0x0f0f_0f0f_0f0f_0f0f, 4)
}

/// b1 becomes a2.
const fn transpose(set: Set) -> Set {
    let set = delta_swap(set, 0x00aa_00aa_00aa_00aa, 7);
    let set = delta_swap(set, 0x0000_cccc_0000_cccc, 14);
    delta_swap(set, 0x0000_0000_f0f0_f0f0, 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        assert_eq!(Square::parse("a1").unwrap().index(), 0);
        assert_eq!(Square::parse("H8").unwrap().index(), 63);
        assert_eq!(Square::parse("f5").unwrap(), Square::new(4, 5).unwrap());
        for bad in ["", "a", "a9", "i1", "a0", "5f", "a11", "é1"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
        for square in Squares(!0) {
            assert_eq!(Square::parse(&std::format!("{square}")), Some(square));
        }
    }

    #[test]
    fn symmetries_map_squares_as_they_say() {
        for square in Squares(!0) {
            let (row, column) = (square.row(), square.column());
            let at = |row, column| Square::new(row, column).unwrap().set();
            assert_eq!(symmetry(square.set(), 0), square.set());
            assert_eq!(symmetry(square.set(), 1), at(row, 7 - column));
            assert_eq!(symmetry(square.set(), 2), at(7 - row, column));
            assert_eq!(symmetry(square.set(), 4), at(column, row));
            assert_eq!(symmetry(square.set(), 7), at(7 - column, 7 - row));
        }
    }
}
