//! Legal moves and flipped discs: one front door, a portable version behind it, and AVX2 beside that.
//!
//! The portable functions are called, not inlined: a submission must hold the search twice, and processors
//! without AVX2 are rare. Both versions are always compiled and tested against each other and against a slow reference. All
//! functions take the discs of the side that moves and of the other side; the sets must not overlap.

use super::square::{Set, Square};
use crate::isa::Isa;

/// The columns b to g: discs there can be flipped along a row or a diagonal.
const INNER_COLUMNS: Set = 0x7e7e_7e7e_7e7e_7e7e;

/// Where the side to move may put a disc.
#[inline(always)]
pub fn moves<I: Isa>(isa: I, player: Set, opponent: Set) -> Set {
    let _ = isa;
    #[cfg(target_arch = "x86_64")]
    if I::AVX2 {
        return super::flip_avx2::moves(isa, player, opponent);
    }
    moves_portable(player, opponent)
}

/// The discs that a disc of the side to move on the empty `square` would turn over; none if the move is
/// not legal.
#[inline(always)]
pub fn flips<I: Isa>(isa: I, player: Set, opponent: Set, square: Square) -> Set {
    let _ = isa;
    #[cfg(target_arch = "x86_64")]
    if I::AVX2 {
        return super::flip_avx2::flips(isa, player, opponent, square);
    }
    flips_portable(player, opponent, square)
}

/// Legal moves by parallel-prefix fills in the four pairs of directions.
#[inline(never)]
pub fn moves_portable(player: Set, opponent: Set) -> Set {
    let inner = opponent & INNER_COLUMNS;
    let found = along::<1>(player, inner)
        | along::<7>(player, inner)
        | along::<9>(player, inner)
        | along::<8>(player, opponent);
    found & !(player | opponent)
}

/// The squares just behind runs of `between` that start beside `player`, both ways in steps of `STEP`.
#[inline(always)]
fn along<const STEP: u32>(player: Set, between: Set) -> Set {
    let mut up = between & (player << STEP);
    let mut down = between & (player >> STEP);
    up |= between & (up << STEP);
    down |= between & (down >> STEP);
    let pairs_up = between & (between << STEP);
    let pairs_down = pairs_up >> STEP;
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    up |= pairs_up & (up << (2 * STEP));
    down |= pairs_down & (down >> (2 * STEP));
    (up << STEP) | (down >> STEP)
}

/// Flipped discs, ray by ray: a carry finds the end of a run upwards, the highest bit downwards.
#[inline(never)]
pub fn flips_portable(player: Set, opponent: Set, square: Square) -> Set {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    for &ray in &rays.up {
        let end = (opponent | !ray).wrapping_add(1) & ray & player;
        flipped |= end.wrapping_sub((end != 0).into()) & ray;
    }
    for &ray in &rays.down {
        // Bit 0 stands in for an empty set; it is no part of a run, so it changes nothing.
        let stop = (1 << 63) >> ((ray & !opponent) | 1).leading_zeros();
        let end = stop & ray & player;
        flipped |= (end << 1).wrapping_neg() & ray;
    }
    flipped
}

/// The squares in each of the eight directions from a square.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Rays {
    /// Towards higher numbers: right, down left, down right, down.
    pub up: [Set; 4],
    /// Towards lower numbers: left, up right, up left, up.
    pub down: [Set; 4],
}

/// [`Rays`] of every square.
pub(super) static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    const UP: [(isize, isize); 4] = [(0, 1), (1, -1), (1, 1), (1, 0)];
    let mut table = [Rays {
        up: [0; 4],
        down: [0; 4],
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (row, column) = UP[direction];
            table[square].up[direction] = ray(square, row, column);
            table[square].down[direction] = ray(square, -row, -column);
            direction += 1;
        }
        square += 1;
    }
    table
}

const fn ray(square: usize, row_step: isize, column_step: isize) -> Set {
    let mut row = (square / 8) as isize + row_step;
    let mut column = (square % 8) as isize + column_step;
    let mut set = 0;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        set |= 1 << (row * 8 + column);
        row += row_step;
        column += column_step;
    }
    set
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::square::{symmetry, Squares, SYMMETRIES};
    use super::*;
    use crate::isa::{Level, Portable};

    /// The rules as the statement words them, one square at a time.
    pub(crate) fn flips_by_the_rules(player: Set, opponent: Set, square: Square) -> Set {
        let mut flipped = 0;
        for (row_step, column_step) in [
            (-1, -1),
            (-1, 0),
            (-1, 1),
            (0, -1),
            (0, 1),
            (1, -1),
            (1, 0),
            (1, 1),
        ] {
            let (mut row, mut column) = (square.row() as isize, square.column() as isize);
            let mut run = 0;
            loop {
                row += row_step;
                column += column_step;
                if !(0..8).contains(&row) || !(0..8).contains(&column) {
                    break;
                }
                let here = 1u64 << (row * 8 + column);
                if player & here != 0 {
                    flipped |= run;
                }
                if opponent & here == 0 {
                    break;
                }
                run |= here;
            }
        }
        flipped
    }

    /// Random boards from nearly empty to nearly full.
    pub(crate) fn boards(count: usize) -> impl Iterator<Item = (Set, Set)> {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..count).map(move |i| {
            let colour = random();
            let occupied = match i % 4 {
                0 => random() & random(),
                1 => random(),
                2 => random() | random(),
                _ => random() | random() | random() | random(),
            };
            (occupied & colour, occupied & !colour)
        })
    }

    #[test]
    fn every_version_follows_the_rules_under_all_symmetries() {
        let level = Level::detect();
        for (player, opponent) in boards(4_000) {
            for index in 0..SYMMETRIES {
                let (player, opponent) = (symmetry(player, index), symmetry(opponent, index));
                let mut legal = 0;
                for square in Squares(!(player | opponent)) {
                    let expected = flips_by_the_rules(player, opponent, square);
                    legal |= if expected != 0 { square.set() } else { 0 };
                    assert_eq!(flips(Portable, player, opponent, square), expected);
                    if let Level::V3(v3) = level {
                        assert_eq!(flips(v3, player, opponent, square), expected);
                    }
                }
                assert_eq!(moves(Portable, player, opponent), legal);
                if let Level::V3(v3) = level {
                    assert_eq!(moves(v3, player, opponent), legal);
                }
            }
        }
    }
}
