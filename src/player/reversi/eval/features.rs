//! The configurations of all pattern instances at a position, kept up to date move by move.
//!
//! The sum of the digits' worths is kept apart for each side, so that a change of sides swaps two
//! arrays and nothing else. Plain loops over lanes: compilers turn them into vector code.

use super::super::board::Position;
use super::super::square::{Set, Square, Squares};
use super::pattern::{LANES, POWERS};
use crate::isa::Isa;

/// One number for each pattern instance.
type Lanes = [u16; LANES];

/// The configurations at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Features {
    /// Worths of the squares that hold discs of the side to move.
    player: Lanes,
    /// Worths of the squares that hold discs of the other side.
    opponent: Lanes,
}

#[inline(always)]
fn worths(set: Set) -> Lanes {
    let mut sum = [0; LANES];
    for square in Squares(set) {
        let powers = &POWERS[square.index()];
        for lane in 0..LANES {
            sum[lane] += powers[lane];
        }
    }
    sum
}

impl Features {
    /// The features of a position, from nothing.
    pub fn of(position: Position) -> Features {
        Features {
            player: worths(position.player),
            opponent: worths(position.opponent),
        }
    }

    /// The features after a move on `square` that turned `flips`, seen from the other side.
    #[inline(always)]
    pub fn after<I: Isa>(&self, isa: I, square: Square, flips: Set) -> Features {
        isa.run(
            #[inline(always)]
            || {
                let turned = worths(flips);
                let placed = &POWERS[square.index()];
                let mut after = *self;
                for lane in 0..LANES {
                    after.player[lane] = self.opponent[lane] - turned[lane];
                    after.opponent[lane] = self.player[lane] + turned[lane] + placed[lane];
                }
                after
            },
        )
    }

    /// The features after a pass.
    #[inline(always)]
    pub fn pass(&self) -> Features {
        Features {
            player: self.opponent,
            opponent: self.player,
        }
    }

    /// The configuration of each instance, by the numbering of [`super::pattern`].
    #[inline(always)]
    pub fn configurations(&self) -> Lanes {
        let mut all = self.player;
        for (lane, opponent) in all.iter_mut().zip(&self.opponent) {
            *lane += 2 * opponent;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::ALL;
    use super::*;
    use crate::isa::{Level, Portable};
    use crate::reversi::search::tests::random_positions;

    #[test]
    fn incremental_features_equal_a_full_rebuild() {
        for empties in [55, 40, 25, 10] {
            for position in random_positions(empties, 20) {
                let features = Features::of(position);
                assert_eq!(features.pass(), Features::of(position.pass()));
                for square in Squares(position.moves()) {
                    let flips = position.flips(square);
                    let rebuilt = Features::of(position.after(square, flips));
                    assert_eq!(features.after(Portable, square, flips), rebuilt);
                    if let Level::V3(v3) = Level::detect() {
                        assert_eq!(features.after(v3, square, flips), rebuilt);
                    }
                }
            }
        }
    }

    #[test]
    fn configurations_are_ternary_numbers() {
        for position in random_positions(30, 5) {
            let found = Features::of(position).configurations();
            for (instance, found) in ALL.iter().zip(found) {
                let digits: std::vec::Vec<_> = instance.squares().collect();
                let expected = digits.iter().rev().fold(0, |number, square| {
                    let own = u16::from(position.player & square.set() != 0);
                    let other = u16::from(position.opponent & square.set() != 0);
                    number * 3 + own + 2 * other
                });
                assert_eq!(found, expected);
            }
        }
    }
}
