//! Up to [`SHALLOW`] empty squares: moves ordered by parity alone, down to [`last`].
//!
//! Null windows only. Nothing here can be interrupted; it is all done in a few milliseconds at most.

use super::super::board::Position;
use super::super::flip;
use super::super::square::{Set, Square, Squares};
use super::last;
use super::local::Local;
use super::MAX_SCORE;
use crate::isa::Isa;

/// Up to this many empty squares the search orders by parity.
pub(super) const SHALLOW: u32 = 6;

/// From this many empty squares on, positions are remembered in the local table.
const REMEMBERED_EMPTIES: u32 = 6;

/// The squares of the quadrants with an odd number of empty squares: the side that moves there first can
/// move there last.
#[inline(always)]
pub(super) fn odd_quadrants(empties: Set) -> Set {
    let mut fold = empties ^ (empties >> 1);
    fold ^= fold >> 2;
    fold ^= fold >> 8;
    fold ^= fold >> 16;
    (fold & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

/// Up to [`SHALLOW`] empty squares: moves into odd quadrants first.
pub(super) fn few_left<I: Isa>(
    isa: I,
    nodes: &mut u64,
    local: &mut Local,
    at: Position,
    empties: u32,
    moves: Set,
    alpha: i32,
) -> i32 {
    isa.run(
        #[inline(always)]
        || {
            if empties <= 4 {
                return four_or_fewer(isa, nodes, at, alpha);
            }
            *nodes += 1;
            if moves == 0 {
                let replies = flip::moves(isa, at.opponent, at.player);
                if replies == 0 {
                    return at.final_score();
                }
                let passed = at.pass();
                return -few_left(isa, nodes, local, passed, empties, replies, -alpha - 1);
            }
            if empties < REMEMBERED_EMPTIES {
                return by_parity(isa, nodes, local, at, empties, moves, alpha);
            }
            let place = local.place(&at);
            if let Some(bound) = local.cutoff(place, &at, alpha) {
                return bound;
            }
            let score = by_parity(isa, nodes, local, at, empties, moves, alpha);
            local.put(place, at, alpha, score);
            score
        },
    )
}

/// Tries the moves of [`few_left`], of which there are some.
#[inline(always)]
fn by_parity<I: Isa>(
    isa: I,
    nodes: &mut u64,
    local: &mut Local,
    at: Position,
    empties: u32,
    moves: Set,
    alpha: i32,
) -> i32 {
    let odd = odd_quadrants(at.empties());
    let mut best = -MAX_SCORE - 1;
    for set in [moves & odd, moves & !odd] {
        for square in Squares(set) {
            let flips = flip::flips(isa, at.player, at.opponent, square);
            let next = at.after(square, flips);
            let score = if empties == 5 {
                -last::last4(isa, nodes, next, -alpha - 1, four_empties(next.empties()))
            } else {
                let replies = flip::moves(isa, next.player, next.opponent);
                -few_left(isa, nodes, local, next, empties - 1, replies, -alpha - 1)
            };
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}

/// The four squares of `empties`: one alone in its quadrant first, those in odd quadrants before others.
#[inline(always)]
fn four_empties(empties: Set) -> [Square; 4] {
    let odd = odd_quadrants(empties);
    let (mut front, mut back) = (empties & odd, empties & !odd);
    if back == 0 {
        // One and three, or one in each quadrant.
        let alone = alone_in_quadrant(front);
        (front, back) = (alone, front ^ alone);
    }
    let mut next = || {
        let set = if front != 0 { &mut front } else { &mut back };
        let square = Square::from_index(set.trailing_zeros() as usize);
        *set &= set.wrapping_sub(1);
        square
    };
    [next(), next(), next(), next()]
}

/// A square of four in odd quadrants that shares its quadrant with none.
#[inline(always)]
fn alone_in_quadrant(squares: Set) -> Set {
    const QUADRANTS: [Set; 3] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32];
    for quadrant in QUADRANTS {
        if (squares & quadrant).is_power_of_two() {
            return squares & quadrant;
        }
    }
    squares & 0xf0f0_f0f0_0000_0000
}

/// Up to four empty squares, for callers that come in from above rather than from five.
fn four_or_fewer<I: Isa>(isa: I, nodes: &mut u64, at: Position, alpha: i32) -> i32 {
    if at.empty_count() == 4 {
        return last::last4(isa, nodes, at, alpha, four_empties(at.empties()));
    }
    *nodes += 1;
    let moves = at.moves();
    if moves == 0 {
        if at.pass().moves() == 0 {
            return at.final_score();
        }
        return -four_or_fewer(isa, nodes, at.pass(), -alpha - 1);
    }
    let mut best = -MAX_SCORE - 1;
    for square in Squares(moves) {
        let flips = flip::flips(isa, at.player, at.opponent, square);
        best = best.max(-four_or_fewer(
            isa,
            nodes,
            at.after(square, flips),
            -alpha - 1,
        ));
        if best > alpha {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_quadrants_hold_odd_numbers_of_empty_squares() {
        for (empties, _) in super::super::super::flip::tests::boards(1_000) {
            for quadrant in [
                0x0f0f_0f0fu64,
                0xf0f0_f0f0,
                0x0f0f_0f0f << 32,
                0xf0f0_f0f0 << 32,
            ] {
                let odd = (empties & quadrant).count_ones() % 2 == 1;
                let expected = if odd { quadrant } else { 0 };
                assert_eq!(odd_quadrants(empties) & quadrant, expected);
            }
        }
    }
}
