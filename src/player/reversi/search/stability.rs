//! Stable discs: discs that nobody can ever turn over, and what they say about the final score.
//!
//! The count is a lower bound (edges by exhaustive look-ahead, then discs held in all four lines), as is
//! usual in the field.

use super::super::square::Set;
use alloc::boxed::Box;
use alloc::vec;

/// For every edge, the stable discs of one side: index `own + 256 * other`.
pub struct Edges {
    stable: Box<[u8]>,
}

impl Default for Edges {
    fn default() -> Edges {
        Edges::new()
    }
}

impl Edges {
    /// Works out all 6,561 edges, fullest first.
    pub fn new() -> Edges {
        let mut stable = vec![0u8; 1 << 16].into_boxed_slice();
        // A full edge is stable. Filling one more square leads to an edge already worked out.
        for empties in 0..=8 {
            for own in 0..=255u8 {
                let rest = !own;
                let mut other = rest;
                loop {
                    if (rest & !other).count_ones() == empties {
                        stable[index(own, other)] = stable_on_edge(&stable, own, other);
                    }
                    if other == 0 {
                        break;
                    }
                    other = (other - 1) & rest;
                }
            }
        }
        Edges { stable }
    }

    /// Discs of `own` that can never be turned over.
    #[inline]
    pub fn stable(&self, own: Set, other: Set) -> Set {
        let filled = own | other;
        let full = [
            full_along::<1>(filled, &OFF_BOARD[0]),
            full_along::<7>(filled, &OFF_BOARD[1]),
            full_along::<8>(filled, &OFF_BOARD[2]),
            full_along::<9>(filled, &OFF_BOARD[3]),
        ];
        let everywhere = full[0] & full[1] & full[2] & full[3];
        let mut stable = (self.on_edges(own, other) | everywhere) & own;
        if stable == 0 {
            return 0;
        }
        let inner = own & 0x007e_7e7e_7e7e_7e00;
        loop {
            // Held along each line: the line is full, or a stable neighbour of the same colour.
            let held = (full[0] | stable << 1 | stable >> 1)
                & (full[1] | stable << 7 | stable >> 7)
                & (full[2] | stable << 8 | stable >> 8)
                & (full[3] | stable << 9 | stable >> 9);
            let more = stable | (held & inner);
            if more == stable {
                return stable;
            }
            stable = more;
        }
    }

    #[inline]
    fn on_edges(&self, own: Set, other: Set) -> Set {
        const FILE: Set = 0x0101_0101_0101_0101;
        let lookup = |own: u64, other: u64| Set::from(self.stable[index(own as u8, other as u8)]);
        let column = |set: Set| (set & FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        // Bit 7 apart: with all eight bits the copies would overlap and carry.
        let spread = |line: Set| {
            ((line & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & FILE) | (line & 0x80) << 49
        };
        let top = lookup(own, other);
        let bottom = lookup(own >> 56, other >> 56) << 56;
        let left = spread(lookup(column(own), column(other)));
        let right = spread(lookup(column(own >> 7), column(other >> 7))) << 7;
        top | bottom | left | right
    }

    /// An upper bound on the score of the side to move, from the other side's stable discs.
    #[inline]
    pub fn upper_bound(&self, player: Set, opponent: Set) -> i32 {
        64 - 2 * self.stable(opponent, player).count_ones() as i32
    }
}

#[inline(always)]
const fn index(own: u8, other: u8) -> usize {
    own as usize | (other as usize) << 8
}

/// Own discs of an edge that survive every sequence of moves on it, given all fuller edges.
fn stable_on_edge(stable: &[u8], own: u8, other: u8) -> u8 {
    let mut kept = own;
    let mut empties = !(own | other);
    while empties != 0 && kept != 0 {
        let square = empties & empties.wrapping_neg();
        empties &= empties - 1;
        // Either side may come there; on the edge itself the move turns what it encloses.
        let flipped = edge_flips(own, other, square);
        kept &= stable[index(own | square | flipped, other & !flipped)];
        let flipped = edge_flips(other, own, square);
        kept &= stable[index(own & !flipped, other | square | flipped)];
    }
    kept
}

/// The discs of `other` that `own` encloses along an edge by moving to `square`.
fn edge_flips(own: u8, other: u8, square: u8) -> u8 {
    let mut flipped = 0;
    let mut run = 0;
    let mut here = square << 1;
    while here & other != 0 {
        run |= here;
        here <<= 1;
    }
    if here & own != 0 {
        flipped |= run;
    }
    run = 0;
    here = square >> 1;
    while here & other != 0 {
        run |= here;
        here >>= 1;
    }
    if here & own != 0 {
        flipped |= run;
    }
    flipped
}

/// For a direction: the squares whose neighbour one, two and four steps down, and up, is off the board.
type OffBoard = [[Set; 2]; 3];

/// [`OffBoard`] for steps of 1, 7, 8 and 9.
static OFF_BOARD: [OffBoard; 4] = [
    off_board(0, 1),
    off_board(1, -1),
    off_board(1, 0),
    off_board(1, 1),
];

const fn off_board(row_step: isize, column_step: isize) -> OffBoard {
    let mut masks = [[0; 2]; 3];
    let mut doubling = 0;
    while doubling < 3 {
        let distance = 1 << doubling;
        let mut square = 0;
        while square < 64 {
            let (row, column) = (square / 8, square % 8);
            let (rows, columns) = (row_step * distance, column_step * distance);
            if !on_board(row - rows, column - columns) {
                masks[doubling][0] |= 1 << square;
            }
            if !on_board(row + rows, column + columns) {
                masks[doubling][1] |= 1 << square;
            }
            square += 1;
        }
        doubling += 1;
    }
    masks
}

const fn on_board(row: isize, column: isize) -> bool {
    row >= 0 && row < 8 && column >= 0 && column < 8
}

/// The squares whose whole line in steps of `STEP` is filled, by doubling in both directions.
#[inline(always)]
fn full_along<const STEP: u32>(filled: Set, off_board: &OffBoard) -> Set {
    let mut down = filled;
    let mut up = filled;
    for (doubling, &[off_down, off_up]) in (0..).zip(off_board) {
        let distance = STEP << doubling;
        down &= off_down | down << distance;
        up &= off_up | up >> distance;
    }
    down & up
}

#[cfg(test)]
mod tests {
    use super::super::super::flip::tests::boards;
    use super::super::super::square::{symmetry, Squares};
    use super::super::super::{board::Position, square::SYMMETRIES};
    use super::*;

    #[test]
    fn corners_and_full_boards_are_stable() {
        let edges = Edges::new();
        assert_eq!(edges.stable(1, 0), 1);
        assert_eq!(edges.stable(2, 0), 0);
        assert_eq!(edges.stable(0b111, 0), 0b111);
        assert_eq!(edges.stable(!0, 0), !0);
        assert_eq!(edges.stable(0b1011, 0b0100), 0b0011);
        assert_eq!(edges.stable(0x0101, 0), 0x0101);
    }

    #[test]
    fn stable_discs_survive_random_play() {
        let edges = Edges::new();
        let mut seed = 1u64;
        for (player, opponent) in boards(3_000) {
            let start = Position { player, opponent };
            let stable = edges.stable(player, opponent);
            let (mut position, mut ours) = (start, true);
            while !position.is_over() {
                let moves: std::vec::Vec<_> = Squares(position.moves()).collect();
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = match moves.len() {
                    0 => position.pass(),
                    count => position.play(moves[(seed >> 33) as usize % count]).unwrap(),
                };
                ours = !ours;
                let own = if ours {
                    position.player
                } else {
                    position.opponent
                };
                assert_eq!(own & stable, stable, "{start:?}");
            }
        }
    }

    #[test]
    fn symmetric_boards_have_symmetric_stable_discs() {
        let edges = Edges::new();
        for (own, other) in boards(1_000) {
            for map in 0..SYMMETRIES {
                let mapped = edges.stable(symmetry(own, map), symmetry(other, map));
                assert_eq!(mapped, symmetry(edges.stable(own, other), map));
            }
        }
    }
}
