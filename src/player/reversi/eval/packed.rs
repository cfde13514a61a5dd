//! The weights as the program carries them: whole numbers, squeezed by [`crate::coder`].
//!
//! Rows first, shape by shape and configuration by configuration, with models chosen by the rows of
//! configurations with a disc less; then the heads, each number by its difference from that of two empty squares less.
//! Configurations that share a row are stored once. Owns the format; [`pack`] and [`unpack`] are one
//! traversal.

use super::pattern::SHAPES;
use super::weights::{derived, Head, Row, Weights, CHANNELS, HEADS, MOST_WEIGHT, SHAPE_OFFSETS};
use crate::coder::{Coder, Context, Decoder, Encoder, Model};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The weights, made by `reversi-bot train`.
pub static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The most that a number in a row may be: keeps sums far from overflow.
pub const MOST_IN_ROW: i16 = 500;

/// The row that the rows known already let expect, and how many of them hold something: the mean over those
/// that have one disc less.
fn expected(known: &[Row], configuration: usize) -> (Row, usize) {
    let mut sums = [0i32; CHANNELS];
    let mut count = 0;
    let mut power = 1;
    while power <= configuration {
        let digit = configuration / power % 3;
        let row = &known[configuration - digit * power..];
        if let (true, Some(row)) = (digit > 0, row.first()) {
            count += i32::from(*row != [0; CHANNELS]);
            for channel in 0..CHANNELS {
                sums[channel] += i32::from(row[channel]);
            }
        }
        power *= 3;
    }
    (sums.map(|sum| (sum / count.max(1)) as i16), count as usize)
}

/// Classes of expected numbers.
const CLASSES: usize = 13;

/// The class of an expected number: its sign and about how large it is.
#[inline(always)]
fn class(expected: i16) -> usize {
    let size = (16 - expected.unsigned_abs().leading_zeros()).min(6) as usize;
    if expected < 0 {
        CLASSES / 2 - size
    } else {
        CLASSES / 2 + size
    }
}

/// Classes of the numbers before in a row.
const SIZES: usize = 4;

/// Models for rows.
struct Models {
    numbers: Box<[Context]>,
    /// Whether a row holds anything, by whether the last three did and by how many of the known rows do.
    any: [[Model; 8]; 8],
    history: usize,
}

impl Models {
    fn new() -> Models {
        Models {
            numbers: vec![Context::NEW; CHANNELS * CLASSES * SIZES].into_boxed_slice(),
            any: [[Model::NEW; 8]; 8],
            history: 0,
        }
    }

    /// Codes the row of a configuration, given those before it.
    #[inline(always)]
    fn row<C: Coder>(&mut self, coder: &mut C, row: &mut Row, known: &[Row]) {
        let (expected, holding) = expected(known, known.len());
        let any = &mut self.any[holding.min(7)][self.history];
        let any = coder.bit(any, *row != [0; CHANNELS]);
        self.history = (self.history << 1 | usize::from(any)) & 7;
        if !any {
            *row = [0; CHANNELS];
            return;
        }
        let mut size = 0;
        for channel in 0..CHANNELS {
            let context = (channel * CLASSES + class(expected[channel])) * SIZES + size;
            let number = self.numbers[context].number(coder, row[channel].into());
            row[channel] = number.clamp(-i32::from(MOST_IN_ROW), MOST_IN_ROW.into()) as i16;
            size = (size + usize::from(row[channel].unsigned_abs())).div_ceil(2);
            size = size.min(SIZES - 1);
        }
    }
}

/// Codes all weights.
fn traverse<C: Coder>(coder: &mut C, weights: &mut Weights) {
    let mut models = Models::new();
    for (shape, &offset) in SHAPES.iter().zip(&SHAPE_OFFSETS) {
        let rows = &mut weights.rows()[offset..offset + shape.configurations()];
        for (at, source) in shape.sources().into_iter().enumerate() {
            let from = source.configuration as usize;
            if from == at {
                let (known, rest) = rows.split_at_mut(at);
                models.row(coder, &mut rest[0], known);
            } else {
                rows[at] = derived(rows[from], source.exchanged);
            }
        }
    }
    let mut models = vec![Context::NEW; Head::<i16>::NUMBERS];
    let mut before = [Head::filled(0); 2];
    for number in 0..HEADS {
        let head = &mut weights.heads()[number];
        let earlier = &mut before[number % 2];
        for ((number, earlier), model) in head.numbers().zip(earlier.numbers()).zip(&mut models) {
            let difference = model.number(coder, i32::from(*number) - i32::from(*earlier));
            let most = i32::from(MOST_WEIGHT);
            *number = (i32::from(*earlier) + difference).clamp(-most, most) as i16;
        }
        before[number % 2] = *head;
    }
}

/// Packs weights.
pub fn pack(weights: &Weights) -> Vec<u8> {
    let mut encoder = Encoder::default();
    traverse(&mut encoder, &mut weights.clone());
    encoder.finish()
}

/// Unpacks weights. Any bytes give some weights that are safe to use.
pub fn unpack(bytes: &[u8]) -> Weights {
    let mut weights = Weights::zero();
    traverse(&mut Decoder::new(bytes), &mut weights);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_round_trips_bit_for_bit() {
        let mut weights = unpack(WEIGHTS);
        let rows = weights.rows().iter();
        assert!(rows.filter(|&&row| row != [0; CHANNELS]).count() > 10_000);
        assert_eq!(pack(&weights), WEIGHTS);
    }

    #[test]
    fn extreme_numbers_survive() {
        let mut weights = Weights::zero();
        weights.rows()[5] = [MOST_IN_ROW; CHANNELS];
        weights.rows()[20_000] = [-MOST_IN_ROW; CHANNELS];
        for (place, head) in weights.heads().iter_mut().enumerate() {
            for number in head.numbers() {
                *number = if place % 3 == 0 {
                    MOST_WEIGHT
                } else {
                    -MOST_WEIGHT
                };
            }
        }
        // Rows that are shared come back equal, whatever they were.
        let once = unpack(&pack(&weights));
        assert!(once == unpack(&pack(&once)));
        let mut once = once;
        assert_eq!(once.heads(), weights.heads());
    }

    #[test]
    fn garbage_unpacks_to_something() {
        for seed in 0..3u8 {
            let bytes: Vec<u8> = (0..5_000u32)
                .map(|i| (i.wrapping_mul(i) >> 3) as u8 ^ seed)
                .collect();
            let mut weights = unpack(&bytes);
            let most = |row: &Row| row.iter().all(|number| number.abs() <= MOST_IN_ROW);
            assert!(weights.rows().iter().all(most));
        }
    }
}
