//! The weights as the program carries them: quantised, and squeezed by [`super::coder`].
//!
//! Configuration by configuration, all stages in a row, since neighbouring stages are alike: a flag says
//! whether any stage has a weight, then each stage gives its difference from its parent, with models
//! chosen by the parent, its parent, and the same stage's weight of the configuration before. Configurations
//! that share a weight are stored once. Owns the format; [`pack`] and [`unpack`] are one traversal.

use super::coder::{Coder, Decoder, Encoder, Model};
use super::pattern::SHAPES;
use super::weights::{parent, stages_in_order, MOVES, SHAPE_OFFSETS, STAGES, STAGE_SIZE};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The weights, made by `reversi-bot train`.
pub static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// Pattern weights are multiples of this many scaled units.
pub const STEP: i16 = 8;

/// The most that a pattern weight may be, in steps: keeps all arithmetic far from overflow.
pub const MOST_STEPS: i16 = 2_000;

/// Unary digits of a magnitude before it goes on in Elias's gamma code.
const UNARY: usize = 12;

/// The models of one context.
#[derive(Clone, Copy)]
struct Context {
    zero: Model,
    negative: Model,
    more: [Model; UNARY],
    length: [Model; 16],
    digits: Model,
}

const NEW: Context = Context {
    zero: Model::NEW,
    negative: Model::NEW,
    more: [Model::NEW; UNARY],
    length: [Model::NEW; 16],
    digits: Model::NEW,
};

impl Context {
    /// Codes a number.
    #[inline(always)]
    fn number<C: Coder>(&mut self, coder: &mut C, value: i32) -> i32 {
        if !coder.bit(&mut self.zero, value != 0) {
            return 0;
        }
        let negative = coder.bit(&mut self.negative, value < 0);
        let size = value.unsigned_abs();
        let mut coded = 1;
        for model in &mut self.more {
            if !coder.bit(model, size > coded) {
                return if negative {
                    -(coded as i32)
                } else {
                    coded as i32
                };
            }
            coded += 1;
        }
        let coded = coded + self.gamma(coder, size.saturating_sub(coded));
        if negative {
            -(coded as i32)
        } else {
            coded as i32
        }
    }

    /// Codes a large number from 0 on: its length in binary, then its digits.
    #[cold]
    fn gamma<C: Coder>(&mut self, coder: &mut C, value: u32) -> u32 {
        let digits = (value + 1).ilog2();
        let mut length = 0;
        for (model, tried) in self.length.iter_mut().zip(0..) {
            if !coder.bit(model, digits > tried) {
                break;
            }
            length += 1;
        }
        let mut coded = 1;
        for place in (0..length).rev() {
            let digit = coder.bit(&mut self.digits, (value + 1) >> place & 1 != 0);
            coded = coded << 1 | u32::from(digit);
        }
        coded - 1
    }
}

const EARLIER: usize = 9;
const BEFORE_THAT: usize = 5;
const NEIGHBOUR: usize = 4;

/// Models for numbers, by what surrounds them.
struct Models {
    contexts: Box<[Context]>,
    /// Whether a configuration has a weight, by whether the last three had.
    any: [Model; 8],
    history: usize,
}

impl Models {
    fn new() -> Models {
        Models {
            contexts: vec![NEW; EARLIER * BEFORE_THAT * NEIGHBOUR].into_boxed_slice(),
            any: [Model::NEW; 8],
            history: 0,
        }
    }

    /// The weights of one configuration in all stages.
    #[inline(always)]
    fn column<C: Coder>(
        &mut self,
        coder: &mut C,
        column: &mut [i32; STAGES],
        before: &[i32; STAGES],
    ) {
        let any = coder.bit(
            &mut self.any[self.history],
            column.iter().any(|&weight| weight != 0),
        );
        self.history = (self.history << 1 | usize::from(any)) & 7;
        if !any {
            *column = [0; STAGES];
            return;
        }
        let limited = |value: i32, limit: i32| (value.clamp(-limit, limit) + limit) as usize;
        for stage in stages_in_order() {
            let at = |stage: Option<usize>| stage.map_or(0, |stage| column[stage]);
            let earlier = at(parent(stage));
            let before_that = at(parent(stage).and_then(parent));
            let context = (limited(earlier, 4) * BEFORE_THAT + limited(before_that, 2)) * NEIGHBOUR
                + before[stage].unsigned_abs().min(3) as usize;
            let difference = self.contexts[context].number(coder, column[stage] - earlier);
            column[stage] = (earlier + difference).clamp(i16::MIN.into(), i16::MAX.into());
        }
    }
}

/// Codes all tables, which hold steps for patterns and scaled units for the rest.
fn traverse<C: Coder>(coder: &mut C, tables: &mut [i16]) {
    for (shape, &offset) in SHAPES.iter().zip(&SHAPE_OFFSETS) {
        let mut models = Models::new();
        let mut before = [0; STAGES];
        for (configuration, &least) in shape.representatives().iter().enumerate() {
            let to = offset + configuration;
            if least as usize != configuration {
                for stage in 0..STAGES {
                    tables[stage * STAGE_SIZE + to] =
                        tables[stage * STAGE_SIZE + offset + least as usize];
                }
                continue;
            }
            weights_at(coder, &mut models, tables, to, &mut before);
        }
    }
    let mut models = Models::new();
    let mut before = [0; STAGES];
    for at in MOVES..STAGE_SIZE {
        weights_at(coder, &mut models, tables, at, &mut before);
    }
}

/// Codes the weights at one place of every stage's table. `before` are those of the place before.
#[inline(always)]
fn weights_at<C: Coder>(
    coder: &mut C,
    models: &mut Models,
    tables: &mut [i16],
    at: usize,
    before: &mut [i32; STAGES],
) {
    let mut column = core::array::from_fn(|stage| i32::from(tables[stage * STAGE_SIZE + at]));
    models.column(coder, &mut column, before);
    for (stage, weight) in column.iter().enumerate() {
        tables[stage * STAGE_SIZE + at] = *weight as i16;
    }
    *before = column;
}

/// Packs tables in scaled units, as [`unpack`] gives them.
pub fn pack(tables: &[i16]) -> Vec<u8> {
    let mut tables = tables.to_vec();
    tables.resize(STAGES * STAGE_SIZE, 0);
    for table in tables.chunks_exact_mut(STAGE_SIZE) {
        table[..MOVES].iter_mut().for_each(|weight| *weight /= STEP);
    }
    let mut encoder = Encoder::default();
    traverse(&mut encoder, &mut tables);
    encoder.finish()
}

/// Unpacks the tables of all stages, in scaled units.
pub fn unpack(bytes: &[u8]) -> Vec<i16> {
    let mut tables = vec![0i16; STAGES * STAGE_SIZE];
    traverse(&mut Decoder::new(bytes), &mut tables);
    for table in tables.chunks_exact_mut(STAGE_SIZE) {
        for weight in &mut table[..MOVES] {
            *weight = (*weight).clamp(-MOST_STEPS, MOST_STEPS) * STEP;
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_round_trips_bit_for_bit() {
        let tables = unpack(WEIGHTS);
        assert!(tables.iter().filter(|&&weight| weight != 0).count() > 10_000);
        assert_eq!(pack(&tables), WEIGHTS);
    }

    #[test]
    fn extreme_weights_survive() {
        let mut tables = vec![0i16; STAGES * STAGE_SIZE];
        tables[5] = MOST_STEPS * STEP;
        tables[STAGE_SIZE + 5] = -MOST_STEPS * STEP;
        tables[3 * STAGE_SIZE + 5] = 13 * STEP;
        tables[STAGE_SIZE * 4 - 1] = 2_047;
        let unpacked = unpack(&pack(&tables));
        for at in [5, STAGE_SIZE + 5, 3 * STAGE_SIZE + 5, STAGE_SIZE * 4 - 1] {
            assert_eq!(unpacked[at], tables[at]);
        }
    }

    #[test]
    fn garbage_unpacks_to_something() {
        for seed in 0..3u8 {
            let bytes: Vec<u8> = (0..5_000u32)
                .map(|i| (i.wrapping_mul(i) >> 3) as u8 ^ seed)
                .collect();
            assert_eq!(unpack(&bytes).len(), STAGES * STAGE_SIZE);
        }
    }
}
