//! The weights as the program carries them: whole numbers, squeezed by [`super::coder`].
//!
//! Rows first, shape by shape and configuration by configuration, with models chosen by what is known
//! of similar rows; then the heads, each number by its difference from that of two empty squares less.
//! Configurations that share a row are stored once. Owns the format; [`pack`] and [`unpack`] are one
//! traversal.

use super::coder::{Coder, Decoder, Encoder, Model};
use super::pattern::SHAPES;
use super::weights::{Head, Row, Weights, CHANNELS, HEADS, MOST_WEIGHT, SHAPE_OFFSETS};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The weights, made by `reversi-bot train`.
pub static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The most that a number in a row may be: keeps sums far from overflow.
pub const MOST_IN_ROW: i16 = 500;

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
        let mut ended = false;
        for model in &mut self.more {
            if !coder.bit(model, size > coded) {
                ended = true;
                break;
            }
            coded += 1;
        }
        if !ended {
            coded += self.gamma(coder, size.saturating_sub(coded));
        }
        let coded = coded as i32;
        if negative {
            -coded
        } else {
            coded
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

/// What is known of the same channel in the row of the configuration with the colours exchanged: its
/// value if small, or nothing yet.
const EXCHANGED: usize = 8;
/// How large the numbers before in this row were.
const BEFORE: usize = 3;
/// How large the number was in the row before.
const NEIGHBOUR: usize = 3;

/// Models for rows.
struct Models {
    numbers: Box<[Context]>,
    /// Whether a row has any number, by whether the last two had and the exchanged one has.
    any: [Model; 12],
    history: usize,
}

impl Models {
    fn new() -> Models {
        Models {
            numbers: vec![NEW; CHANNELS * EXCHANGED * BEFORE * NEIGHBOUR].into_boxed_slice(),
            any: [Model::NEW; 12],
            history: 0,
        }
    }

    /// Codes a row, given the row before and that of the exchanged colours if it is known.
    #[inline(always)]
    fn row<C: Coder>(
        &mut self,
        coder: &mut C,
        row: &mut Row,
        before: &Row,
        exchanged: Option<&Row>,
    ) {
        let known = exchanged.map_or(0, |row| 1 + usize::from(*row != [0; CHANNELS]));
        let any = coder.bit(
            &mut self.any[known * 4 + self.history],
            *row != [0; CHANNELS],
        );
        self.history = (self.history << 1 | usize::from(any)) & 3;
        if !any {
            *row = [0; CHANNELS];
            return;
        }
        let mut size = 0;
        for channel in 0..CHANNELS {
            let exchanged = exchanged.map_or(7, |row| (row[channel].clamp(-3, 3) + 3) as usize);
            let neighbour = before[channel].unsigned_abs().min(2) as usize;
            let context =
                ((channel * EXCHANGED + exchanged) * BEFORE + size) * NEIGHBOUR + neighbour;
            let number = self.numbers[context].number(coder, row[channel].into());
            row[channel] = number.clamp(-i32::from(MOST_IN_ROW), MOST_IN_ROW.into()) as i16;
            size = (size + usize::from(row[channel].unsigned_abs())).div_ceil(2);
            size = size.min(BEFORE - 1);
        }
    }
}

/// Codes all weights.
fn traverse<C: Coder>(coder: &mut C, weights: &mut Weights) {
    let mut models = Models::new();
    for (shape, &offset) in SHAPES.iter().zip(&SHAPE_OFFSETS) {
        let rows = &mut weights.rows()[offset..offset + shape.configurations()];
        let least = shape.representatives();
        let exchanged = shape.exchanged();
        let mut before = [0; CHANNELS];
        for (at, &representative) in least.iter().enumerate() {
            if representative as usize != at {
                rows[at] = rows[representative as usize];
                continue;
            }
            let exchanged = least[exchanged[at] as usize] as usize;
            let (known, rest) = rows.split_at_mut(at);
            models.row(coder, &mut rest[0], &before, known.get(exchanged));
            before = rest[0];
        }
    }
    let mut models = vec![NEW; Head::<i16>::NUMBERS];
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
