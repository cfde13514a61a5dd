//! The last four empty squares: no hashing, no ordering but parity, the very last move only counted.
//!
//! All functions take a null window `(alpha, alpha + 1)` and return a bound in discs for the side to move
//! that is right about which side of the window the score lies on. They cannot be interrupted and need
//! not be: each is done in well under a millisecond.

use super::super::board::Position;
use super::super::flip;
use super::super::square::{Set, Square};
use crate::isa::{Isa, Portable};

/// Lower than any score: no move has been tried yet.
const NONE: i32 = -127;

/// `COUNT[at][discs]`: how many discs a disc at place `at` of a line of eight turns over, both ways, if
/// the line holds `discs` of the same colour and every other square is the other colour's.
static COUNT: [[u8; 256]; 8] = count_table();

const fn count_table() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut discs = 0;
        while discs < 256 {
            let above = (discs >> at) >> 1;
            let below = discs & ((1 << at) - 1);
            let mut flips = 0;
            if above != 0 {
                flips += (above as u32).trailing_zeros();
            }
            if below != 0 {
                flips += at as u32 - 1 - (below as u32).ilog2();
            }
            table[at][discs] = flips as u8;
            discs += 1;
        }
        at += 1;
    }
    table
}

/// The two diagonals through each square, without the square.
static DIAGONALS: [[Set; 2]; 64] = diagonals();

const fn diagonals() -> [[Set; 2]; 64] {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &flip::RAYS[square];
        table[square] = [rays.up[2] | rays.down[2], rays.up[1] | rays.down[1]];
        square += 1;
    }
    table
}

/// The squares around each square: an empty square is worth a try only with an opponent's disc there.
static NEIGHBOURS: [Set; 64] = neighbours();

const fn neighbours() -> [Set; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = ((square / 8) as isize, (square % 8) as isize);
        let mut other = 0;
        while other < 64 {
            let down = (other / 8) as isize - row;
            let right = (other % 8) as isize - column;
            let near = down >= -1 && down <= 1 && right >= -1 && right <= 1;
            if near && other != square {
                table[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

/// How many discs the side that owns `player` turns over on the only empty square.
#[inline(always)]
fn count_last_flips(player: Set, square: Square) -> i32 {
    const FILE: Set = 0x0101_0101_0101_0101;
    let (row, column) = (square.row(), square.column());
    let [rising, falling] = DIAGONALS[square.index()];
    // Multiplications gather a line's discs into the top byte (kindergarten bitboards).
    let gather = |line: Set| ((player & line).wrapping_mul(FILE) >> 56) as usize;
    let in_column = ((player >> column) & FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let in_row = (player >> (row * 8)) as u8;
    let by_column = &COUNT[column];
    i32::from(COUNT[row][in_column as usize])
        + i32::from(by_column[usize::from(in_row)])
        + i32::from(by_column[gather(rising)])
        + i32::from(by_column[gather(falling)])
}

/// One empty square.
#[inline(always)]
fn last1(nodes: &mut u64, player: Set, alpha: i32, square: Square) -> i32 {
    *nodes += 1;
    let twice = 2 * player.count_ones() as i32;
    let flips = count_last_flips(player, square);
    if flips != 0 {
        return twice - 62 + 2 * flips;
    }
    // The most that is left without a move: the empty square goes to the winner.
    let most = twice - 62;
    if most <= alpha {
        return most;
    }
    let others = !(player | square.set());
    let flips = count_last_flips(others, square);
    if flips != 0 {
        return twice - 64 - 2 * flips;
    }
    if twice > 63 {
        most
    } else {
        twice - 64
    }
}

/// Two empty squares.
#[inline(always)]
fn last2<I: Isa>(isa: I, nodes: &mut u64, at: Position, alpha: i32, squares: [Square; 2]) -> i32 {
    *nodes += 1;
    let best = try_last2(isa, nodes, at, alpha, squares);
    if best != NONE {
        return best;
    }
    let best = try_last2(isa, nodes, at.pass(), -alpha - 1, squares);
    if best != NONE {
        return -best;
    }
    at.final_score()
}

#[inline(always)]
fn try_last2<I: Isa>(
    isa: I,
    nodes: &mut u64,
    at: Position,
    alpha: i32,
    squares: [Square; 2],
) -> i32 {
    let [first, second] = squares;
    let mut best = NONE;
    for (square, left) in [(first, second), (second, first)] {
        if NEIGHBOURS[square.index()] & at.opponent == 0 {
            continue;
        }
        let flips = flip::flips(isa, at.player, at.opponent, square);
        if flips != 0 {
            let score = -last1(nodes, at.opponent ^ flips, -alpha - 1, left);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}

/// Not inlined, as all that only processors without AVX2 run: a submission has little room.
#[inline(never)]
fn last2_portable(nodes: &mut u64, at: Position, alpha: i32, squares: [Square; 2]) -> i32 {
    last2(Portable, nodes, at, alpha, squares)
}

#[inline(never)]
fn last3_portable(nodes: &mut u64, at: Position, alpha: i32, squares: [Square; 3]) -> i32 {
    last3(Portable, nodes, at, alpha, squares)
}

/// Three empty squares, the one alone in its quadrant first.
#[inline(always)]
fn last3<I: Isa>(isa: I, nodes: &mut u64, at: Position, alpha: i32, squares: [Square; 3]) -> i32 {
    *nodes += 1;
    let [a, b, c] = squares;
    let [qa, qb, qc] = squares.map(quadrant);
    let squares = if qa == qb && qb != qc {
        [c, a, b]
    } else if qa == qc && qa != qb {
        [b, a, c]
    } else {
        squares
    };
    let best = try_last3(isa, nodes, at, alpha, squares);
    if best != NONE {
        return best;
    }
    let best = try_last3(isa, nodes, at.pass(), -alpha - 1, squares);
    if best != NONE {
        return -best;
    }
    at.final_score()
}

#[inline(always)]
fn try_last3<I: Isa>(
    isa: I,
    nodes: &mut u64,
    at: Position,
    alpha: i32,
    squares: [Square; 3],
) -> i32 {
    let [a, b, c] = squares;
    let mut best = NONE;
    for (square, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        if NEIGHBOURS[square.index()] & at.opponent == 0 {
            continue;
        }
        let flips = flip::flips(isa, at.player, at.opponent, square);
        if flips != 0 {
            let next = at.after(square, flips);
            let score = if I::AVX2 {
                -last2(isa, nodes, next, -alpha - 1, left)
            } else {
                -last2_portable(nodes, next, -alpha - 1, left)
            };
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}

/// Four empty squares. `squares` should have those in odd quadrants first.
#[inline(always)]
pub fn last4<I: Isa>(
    isa: I,
    nodes: &mut u64,
    at: Position,
    alpha: i32,
    squares: [Square; 4],
) -> i32 {
    *nodes += 1;
    let best = try_last4(isa, nodes, at, alpha, squares);
    if best != NONE {
        return best;
    }
    let best = try_last4(isa, nodes, at.pass(), -alpha - 1, squares);
    if best != NONE {
        return -best;
    }
    at.final_score()
}

fn try_last4<I: Isa>(
    isa: I,
    nodes: &mut u64,
    at: Position,
    alpha: i32,
    squares: [Square; 4],
) -> i32 {
    isa.run(
        #[inline(always)]
        || {
            let [a, b, c, d] = squares;
            let mut best = NONE;
            for (square, left) in [
                (a, [b, c, d]),
                (b, [a, c, d]),
                (c, [a, b, d]),
                (d, [a, b, c]),
            ] {
                if NEIGHBOURS[square.index()] & at.opponent == 0 {
                    continue;
                }
                let flips = flip::flips(isa, at.player, at.opponent, square);
                if flips != 0 {
                    let next = at.after(square, flips);
                    let score = if I::AVX2 {
                        -last3(isa, nodes, next, -alpha - 1, left)
                    } else {
                        -last3_portable(nodes, next, -alpha - 1, left)
                    };
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
            best
        },
    )
}

/// Which quarter of the board a square is in.
#[inline(always)]
fn quadrant(square: Square) -> usize {
    (square.index() >> 4 & 2) | (square.index() >> 2 & 1)
}

#[cfg(test)]
mod tests {
    use super::super::super::flip::tests::{boards, flips_by_the_rules};
    use super::*;

    #[test]
    fn the_last_flips_are_counted_as_the_rules_say() {
        for (player, _) in boards(2_000) {
            for index in 0..64 {
                let square = Square::from_index(index);
                let player = player & !square.set();
                let opponent = !player & !square.set();
                let expected = flips_by_the_rules(player, opponent, square).count_ones();
                assert_eq!(count_last_flips(player, square), expected as i32);
            }
        }
    }
}
