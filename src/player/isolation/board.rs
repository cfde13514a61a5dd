//! The board: free squares and two pieces, seen from the side to move.
//!
//! Owns the rules: a piece moves like a chess queen over free squares, and the square that it leaves is gone. Rows
//! are ten squares apart in a set, so that the tenth, which is never free, keeps shifted sets from wrapping.

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
    /// The square of column 0 and row 0.
    pub(crate) const FIRST: Square = Square(0);

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

/// The lines of the board: nine rows, nine columns, seventeen diagonals of either kind. The largest board's lines serve for
/// all, since squares off a board are never free.
const LINES: [Set; 52] = {
    let mut lines = [0; 52];
    let mut square = 0;
    while square < 90 {
        if square % STRIDE < 9 {
            let mut kind = 0;
            while kind < 4 {
                lines[lines_through(square)[kind]] |= 1 << square;
                kind += 1;
            }
        }
        square += 1;
    }
    lines
};

/// The numbers of the lines through a square.
const fn lines_through(square: u32) -> [usize; 4] {
    let (x, y) = (square as usize % 10, square as usize / 10);
    // The tenth column is on no line that counts.
    let x = if x < 9 { x } else { 0 };
    [y, 9 + x, 18 + 8 + x - y, 35 + x + y]
}

/// The numbers of the lines through each square.
const LINES_THROUGH: [[u8; 4]; 90] = {
    let mut through = [[0; 4]; 90];
    let mut square = 0;
    while square < 90 {
        let lines = lines_through(square);
        let mut kind = 0;
        while kind < 4 {
            through[square as usize][kind] = lines[kind] as u8;
            kind += 1;
        }
        square += 1;
    }
    through
};

/// The squares that a queen on `from` can move to over `free` squares. (Not inlined: there are many calls, the code is long, and
/// every submission carries it.)
#[inline(never)]
pub fn queen_moves(free: Set, from: Square) -> Set {
    let mut found = 0;
    let through = LINES_THROUGH.get(from.index()).copied();
    let below = from.set() - 1;
    let above = !(below | from.set());
    for line in through.unwrap_or_default() {
        let line = LINES.get(usize::from(line)).copied().unwrap_or(0);
        let blocked = line & !free;
        // A borrow runs up to the first square in the way, or through if there is none.
        let up = blocked & above;
        found |= line & above & (up ^ up.wrapping_sub(1));
        // Everything from the last square in the way on; nothing may be shifted out.
        let down = blocked & below;
        found |= line & below & (Set::MAX << (Set::BITS - 1 - (down | 1).leading_zeros()));
    }
    found & free
}

/// For spreading queens over free squares by Kogge and Stone's method: from where one, two and four steps up, and down,
/// lead over free squares only. One step more makes the eight that fit on a board.
#[derive(Clone, Copy)]
pub struct Spread {
    free: Set,
    /// For each direction: up by one, two and four steps, down by the same.
    open: [[Set; 4]; STEPS.len()],
}

impl Spread {
    /// For these free squares.
    #[inline(always)]
    pub fn new(free: Set) -> Spread {
        let open = STEPS.map(|step| {
            let up = free & free << step;
            let down = free & free >> step;
            [up, up & up << (2 * step), down, down & down >> (2 * step)]
        });
        Spread { free, open }
    }

    /// All squares that queens on `from` can move to, and `from` itself.
    #[inline(always)]
    pub fn from(&self, from: Set) -> Set {
        let mut found = from;
        for (step, open) in STEPS.iter().zip(&self.open) {
            let (mut up, mut down) = (from, from);
            up |= self.free & up << step;
            down |= self.free & down >> step;
            up |= open[0] & up << (2 * step);
            down |= open[2] & down >> (2 * step);
            up |= open[1] & up << (4 * step);
            down |= open[3] & down >> (4 * step);
            found |= up | down | self.free & (up << step | down >> step);
        }
        found
    }
}

/// All squares that queens on `from` can move to over `free` squares, and `from` itself.
#[inline(always)]
pub fn queen_spread(free: Set, from: Set) -> Set {
    Spread::new(free).from(from)
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
    pub fn moves(&self) -> Set {
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
