//! The weights: one table a stage, and the evaluation as a sum over it.
//!
//! Owns the layout of a table, which the trainer shares. How tables are stored is [`super::packed`]'s.

use super::super::board::Position;
use super::super::flip;
use super::pattern::{ALL, INSTANCES, SHAPES};
use super::{packed, Features, SCALE};
use crate::isa::Isa;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Stages of the game, four empty squares each, the last the nearest to the start.
pub const STAGES: usize = 13;

/// The stage of a position.
#[inline(always)]
pub const fn stage(empties: u32) -> usize {
    let group = empties as usize / 4;
    if group < 1 {
        0
    } else if group > STAGES {
        STAGES - 1
    } else {
        group - 1
    }
}

/// The stage that is learned and stored first; each other one starts from its neighbour on this side.
pub const FIRST_STAGE: usize = 6;

/// The stage that `stage` starts from: neighbours are alike.
#[inline(always)]
pub const fn parent(stage: usize) -> Option<usize> {
    if stage < FIRST_STAGE {
        Some(stage + 1)
    } else if stage > FIRST_STAGE {
        Some(stage - 1)
    } else {
        None
    }
}

/// All stages, each after its parent.
pub fn stages_in_order() -> impl Iterator<Item = usize> {
    (FIRST_STAGE..STAGES).chain((0..FIRST_STAGE).rev())
}

/// Numbers of moves from this on share a weight.
pub const MOST_MOVES: usize = 31;

/// Where each shape's configurations begin in a stage's table.
pub static SHAPE_OFFSETS: [usize; SHAPES.len()] = shape_offsets();

const fn shape_offsets() -> [usize; SHAPES.len()] {
    let mut offsets = [0; SHAPES.len()];
    let mut sum = 0;
    let mut i = 0;
    while i < SHAPES.len() {
        offsets[i] = sum;
        sum += SHAPES[i].configurations();
        i += 1;
    }
    offsets
}

/// Where the weights of the mover's number of moves begin; all before belongs to patterns.
pub const MOVES: usize =
    SHAPE_OFFSETS[SHAPES.len() - 1] + SHAPES[SHAPES.len() - 1].configurations();

/// Where the weights of the other side's number of moves begin.
pub const REPLIES: usize = MOVES + MOST_MOVES + 1;

/// Where the weights of the number of empty squares begin.
pub const EMPTIES: usize = REPLIES + MOST_MOVES + 1;

/// Weights in a stage's table.
pub const STAGE_SIZE: usize = EMPTIES + 64;

/// Where the configurations of each instance begin.
static INSTANCE_OFFSETS: [u32; INSTANCES] = instance_offsets();

const fn instance_offsets() -> [u32; INSTANCES] {
    let mut offsets = [0; INSTANCES];
    let mut i = 0;
    while i < INSTANCES {
        offsets[i] = SHAPE_OFFSETS[ALL[i].shape] as u32;
        i += 1;
    }
    offsets
}

/// What a position activates: an index into its stage's table for every term of the sum.
pub type Active = [u32; INSTANCES + 3];

/// The terms of a position.
#[inline(always)]
pub fn active<I: Isa>(isa: I, position: &Position, features: &Features) -> Active {
    let count = |own, other| {
        flip::moves(isa, own, other)
            .count_ones()
            .min(MOST_MOVES as u32)
    };
    let configurations = features.configurations();
    let mut active = [0; INSTANCES + 3];
    for i in 0..INSTANCES {
        active[i] = INSTANCE_OFFSETS[i] + u32::from(configurations[i]);
    }
    active[INSTANCES] = MOVES as u32 + count(position.player, position.opponent);
    active[INSTANCES + 1] = REPLIES as u32 + count(position.opponent, position.player);
    active[INSTANCES + 2] = EMPTIES as u32 + (position.empty_count() & 63);
    active
}

/// The tables of all stages, in scaled units.
pub struct Weights {
    tables: Vec<i16>,
}

impl Weights {
    /// Unpacks the weights that the program carries.
    pub fn load() -> Box<Weights> {
        Box::new(Weights {
            tables: packed::unpack(packed::WEIGHTS),
        })
    }

    /// Weights from tables of [`STAGE_SIZE`] for each stage, shorter ones filled up with zeros.
    pub fn from_tables(mut tables: Vec<i16>) -> Weights {
        tables.resize(STAGES * STAGE_SIZE, 0);
        Weights { tables }
    }

    /// Weights of nothing: every position is worth the same.
    pub fn zero() -> Weights {
        Weights::from_tables(vec![])
    }

    /// The value of a position for the side to move, in units of 1/[`SCALE`] disc, within 64 discs.
    #[inline(always)]
    pub fn evaluate<I: Isa>(&self, isa: I, position: &Position, features: &Features) -> i32 {
        let first = stage(position.empty_count()) * STAGE_SIZE;
        let table = &self.tables[first..first + STAGE_SIZE];
        let mut sum = 0;
        for index in active(isa, position, features) {
            sum += i32::from(table[index as usize]);
        }
        sum.clamp(-64 * SCALE, 64 * SCALE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::square::SYMMETRIES;
    use super::*;
    use crate::isa::{Level, Portable};
    use crate::reversi::search::tests::random_positions;

    #[test]
    fn stages_hold_four_empties_each() {
        assert_eq!(
            [0, 4, 7, 8, 51, 52, 55, 60].map(stage),
            [0, 0, 0, 1, 11, 12, 12, 12]
        );
    }

    #[test]
    fn positions_are_worth_the_same_under_all_symmetries_and_on_all_processors() {
        let weights = Weights::load();
        let mut different = 0;
        for empties in [52, 44, 30, 20, 9, 3] {
            for position in random_positions(empties, 10) {
                let value = weights.evaluate(Portable, &position, &Features::of(position));
                different += i32::from(value != 0);
                for map in 1..SYMMETRIES {
                    let mapped = position.symmetry(map);
                    let features = Features::of(mapped);
                    assert_eq!(weights.evaluate(Portable, &mapped, &features), value);
                    if let Level::V3(v3) = Level::detect() {
                        assert_eq!(weights.evaluate(v3, &mapped, &features), value);
                    }
                }
            }
        }
        assert!(different > 50, "the weights must say something");
    }
}
