//! The evaluation: a small network that learned from games which positions are won.
//!
//! Every free square adds a row of numbers for where it lies from a piece and one for the pattern of free squares around it,
//! both by who reaches it first. The sums, once from each piece's point of view, and the counts of
//! [`super::features`] go through a layer of rectified units. The result says by how much the side to move is ahead, in
//! the logarithm of the odds. Owns the layout and the arithmetic. (The sums are of integers, the layer's numbers are
//! floating-point and added in a fixed order, so that every processor gets the same value.)
// Loops by index: several arrays go side by side, and that is what compilers turn into vector code.
#![allow(clippy::needless_range_loop)]

use super::board::{Board, Set, Square, Squares};
use super::features::{Features, CLASSES, FIRST, INPUTS, TURNED};
use crate::coder::{Coder, Context, Decoder, Encoder};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Numbers in a row.
pub const CHANNELS: usize = 16;

/// Rectified units.
pub const HIDDEN: usize = 16;

/// What the layer sees: the counts, then the sums of the piece to move, then those of the other.
pub const LAYER_INPUTS: usize = INPUTS + 2 * CHANNELS;

/// Who reaches a square first; see [`FIRST`].
pub const FIRSTS: usize = 3;

/// Columns, and rows, that a square can be away from a piece, either way.
const REACH: usize = 8;

/// Differences of columns and rows between a piece and a square.
pub const OFFSETS: usize = (2 * REACH + 1) * (2 * REACH + 1);

/// Patterns of eight neighbours that no symmetry of the square turns into one another.
pub const PATTERNS: usize = 51;

/// Whole numbers to one of the trainer's units, for sums and for the layer.
pub const ROW_UNIT: f32 = 32.0;
/// The same for the layer's numbers.
pub const LAYER_UNIT: f32 = 1024.0;

/// Sums are cut off here, in the trainer's units.
pub const MOST_SUM: f32 = 4.0;

/// What a count of one is worth as the layer's input, in the trainer's units.
pub const COUNT: f32 = 0.1;

/// The value that stands for odds of `e` to one.
pub const VALUE_UNIT: f32 = 400.0;

/// The most that the evaluation says, either way.
const MOST_VALUE: i32 = 9_999;

/// The place of a difference between two squares: add the place of the square and take away that of the piece.
const PLACES: [u16; 128] = {
    let mut places = [0; 128];
    let mut square = 0;
    while square < 90 {
        places[square] = (square / 10 * (2 * REACH + 1) + square % 10) as u16;
        square += 1;
    }
    places
};

/// The place of no difference.
const CENTRE: usize = REACH * (2 * REACH + 1) + REACH;

/// The place of the difference from a piece to a square in tables of [`OFFSETS`].
#[inline(always)]
pub fn offset(piece: Square, square: Square) -> usize {
    let most = OFFSETS - 1;
    (CENTRE + PLACES[square.index()] as usize - PLACES[piece.index()] as usize).min(most)
}

/// The number of a pattern of three rows of three squares, nine bits, the middle one not looked at; the same for
/// patterns that symmetries turn into one another.
pub const PATTERN_OF: [u8; 512] = {
    let mut numbers = [u8::MAX; 512];
    let mut next = 0;
    let mut pattern = 0;
    while pattern < 512 {
        if numbers[pattern] == u8::MAX {
            let mut turned = pattern;
            let mut symmetry = 0;
            while symmetry < 8 {
                numbers[turned | 16] = next;
                numbers[turned & !16] = next;
                turned = if symmetry == 3 {
                    mirrored(turned)
                } else {
                    quarter_turned(turned)
                };
                symmetry += 1;
            }
            next += 1;
        }
        pattern += 1;
    }
    assert!(next as usize == PATTERNS);
    numbers
};

/// A pattern with its columns in the other order.
const fn mirrored(pattern: usize) -> usize {
    (pattern & 0o111) << 2 | pattern & 0o222 | (pattern & 0o444) >> 2
}

/// A pattern turned by a quarter.
const fn quarter_turned(pattern: usize) -> usize {
    let mut turned = 0;
    let mut square = 0;
    while square < 9 {
        let (x, y) = (square % 3, square / 3);
        turned |= (pattern >> square & 1) << (3 * x + 2 - y);
        square += 1;
    }
    turned
}

/// The pattern around a free square.
#[inline(always)]
pub fn pattern(free: Set, square: Square) -> usize {
    let around = ((free << 11) >> square.index()) as usize;
    PATTERN_OF[around & 0o7 | around >> 7 & 0o70 | around >> 14 & 0o700] as usize
}

/// A row of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Row(pub [i16; CHANNELS]);

impl Row {
    #[inline(always)]
    fn add(&mut self, row: &Row) {
        for k in 0..CHANNELS {
            self.0[k] = self.0[k].saturating_add(row.0[k]);
        }
    }
}

/// What a layer's input gives to each unit.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(32))]
struct Units([f32; HIDDEN]);

/// The network.
pub struct Network {
    /// By who reaches a square first and where it lies from the piece.
    relative: [[Row; OFFSETS]; FIRSTS],
    /// By where the other piece lies from the piece.
    opponent: [Row; OFFSETS],
    /// By the class of a square and the pattern around it.
    pattern: [[Row; PATTERNS]; CLASSES],
    /// What the sums begin with.
    bias: Row,
    hidden: [Units; LAYER_INPUTS],
    hidden_bias: Units,
    out: Units,
    linear: [f32; LAYER_INPUTS],
    value: f32,
}

/// Rows in the order in which they are stored.
pub const ROWS: usize = FIRSTS * OFFSETS + OFFSETS + CLASSES * PATTERNS + 1;

/// The layer's numbers in the order in which they are stored: from every input to every unit, the units' biases, from
/// every unit to the value, from every input to the value, the value's bias.
pub const LAYER: usize = LAYER_INPUTS * HIDDEN + 2 * HIDDEN + LAYER_INPUTS + 1;

/// All numbers as they are stored.
pub const NUMBERS: usize = ROWS * CHANNELS + LAYER;

/// The numbers, made by `reversi-bot train --game isolation`.
pub static WEIGHTS: &[u8] = include_bytes!("weights.bin");

impl Network {
    /// The network that the program carries.
    pub fn new() -> Box<Network> {
        Network::from_numbers(&unpack(WEIGHTS))
    }

    /// A network of [`NUMBERS`] numbers, as [`unpack`] gives them.
    pub fn from_numbers(numbers: &[i16]) -> Box<Network> {
        let zero = Row([0; CHANNELS]);
        let units = Units([0.0; HIDDEN]);
        let mut network = Box::new(Network {
            relative: [[zero; OFFSETS]; FIRSTS],
            opponent: [zero; OFFSETS],
            pattern: [[zero; PATTERNS]; CLASSES],
            bias: zero,
            hidden: [units; LAYER_INPUTS],
            hidden_bias: units,
            out: units,
            linear: [0.0; LAYER_INPUTS],
            value: 0.0,
        });
        let (rows, layer) = numbers.split_at(ROWS * CHANNELS);
        let to = network.relative.as_flattened_mut().iter_mut();
        let to = to.chain(&mut network.opponent);
        let to = to.chain(network.pattern.as_flattened_mut());
        let to = to.chain([&mut network.bias]);
        for (to, from) in to.zip(rows.as_chunks().0) {
            to.0 = *from;
        }
        // Inputs are counts and sums as they are; what they are worth is in the numbers.
        let worth = |input: usize| match input {
            0..INPUTS => COUNT / LAYER_UNIT,
            _ => 1.0 / (ROW_UNIT * LAYER_UNIT),
        };
        let mut layer = layer.iter();
        for (input, units) in network.hidden.iter_mut().enumerate() {
            fill(&mut units.0, &mut layer, worth(input));
        }
        fill(&mut network.hidden_bias.0, &mut layer, 1.0 / LAYER_UNIT);
        fill(&mut network.out.0, &mut layer, VALUE_UNIT / LAYER_UNIT);
        for (input, linear) in network.linear.chunks_mut(1).enumerate() {
            fill(linear, &mut layer, VALUE_UNIT * worth(input));
        }
        let value = core::slice::from_mut(&mut network.value);
        fill(value, &mut layer, VALUE_UNIT / LAYER_UNIT);
        network
    }

    /// The value of a board for the side to move.
    #[inline(always)]
    pub fn evaluate(&self, board: &Board) -> i32 {
        let features = Features::of(board);
        let mut inputs = [0.0; LAYER_INPUTS];
        for i in 0..INPUTS {
            inputs[i] = f32::from(features.inputs[i]);
        }
        let sums = self.sums(board, &features);
        let most = (MOST_SUM * ROW_UNIT) as i16;
        for (side, sum) in sums.iter().enumerate() {
            for k in 0..CHANNELS {
                inputs[INPUTS + side * CHANNELS + k] = f32::from(sum.0[k].clamp(0, most));
            }
        }
        (self.layer(&inputs) as i32).clamp(-MOST_VALUE, MOST_VALUE)
    }

    /// The sums of rows from the point of view of the piece to move, and of the other.
    #[inline(always)]
    fn sums(&self, board: &Board, features: &Features) -> [Row; 2] {
        let (own, other) = (board.own, board.other);
        let zero = Row([0; CHANNELS]);
        let mut sums = [self.bias, self.bias];
        let mut more = [zero; 2];
        sums[0].add(&self.opponent[offset(own, other)]);
        sums[1].add(&self.opponent[offset(other, own)]);
        for (class, set) in features.classes.iter().enumerate() {
            let turned = TURNED[class];
            let relative = &self.relative[FIRST[class]];
            let relative_turned = &self.relative[FIRST[turned]];
            for square in Squares(*set) {
                let pattern = pattern(board.free, square);
                sums[0].add(&relative[offset(own, square)]);
                sums[1].add(&relative_turned[offset(other, square)]);
                more[0].add(&self.pattern[class][pattern]);
                more[1].add(&self.pattern[turned][pattern]);
            }
        }
        sums[0].add(&more[0]);
        sums[1].add(&more[1]);
        sums
    }

    #[inline(always)]
    fn layer(&self, inputs: &[f32; LAYER_INPUTS]) -> f32 {
        // Two chains of additions, since one would wait for itself.
        let mut units = [self.hidden_bias, Units([0.0; HIDDEN])];
        let mut values = [self.value, 0.0];
        for i in 0..LAYER_INPUTS {
            for k in 0..HIDDEN {
                units[i & 1].0[k] += inputs[i] * self.hidden[i].0[k];
            }
            values[i & 1] += inputs[i] * self.linear[i];
        }
        let mut value = values[0] + values[1];
        for k in 0..HIDDEN {
            let unit = units[0].0[k] + units[1].0[k];
            value += if unit > 0.0 { unit } else { 0.0 } * self.out.0[k];
        }
        value
    }
}

/// Takes the next numbers, each worth so much.
#[inline(never)]
fn fill(to: &mut [f32], numbers: &mut core::slice::Iter<i16>, worth: f32) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to = f32::from(*number) * worth;
    }
}

/// Codes all numbers.
fn traverse<C: Coder>(coder: &mut C, numbers: &mut [i16]) {
    let (rows, layer) = numbers.split_at_mut(ROWS * CHANNELS);
    // Rows by offsets and rows by patterns differ in what numbers they hold.
    let (by_offset, by_pattern) = rows.split_at_mut((FIRSTS + 1) * OFFSETS * CHANNELS);
    for rows in [by_offset, by_pattern] {
        let mut models = [Context::NEW; CHANNELS];
        for row in rows.chunks_mut(CHANNELS) {
            for (number, model) in row.iter_mut().zip(&mut models) {
                code(coder, model, number);
            }
        }
    }
    let mut model = Context::NEW;
    for number in layer {
        code(coder, &mut model, number);
    }
}

/// Codes a number. On its own, since the coder's code is long and time does not matter.
#[inline(never)]
fn code<C: Coder>(coder: &mut C, model: &mut Context, number: &mut i16) {
    *number = model.number(coder, i32::from(*number)) as i16;
}

/// Packs [`NUMBERS`] numbers, each less than 2^13 either way.
pub fn pack(numbers: &[i16]) -> Vec<u8> {
    let mut encoder = Encoder::default();
    traverse(&mut encoder, &mut numbers.to_vec());
    encoder.finish()
}

/// Unpacks numbers. Any bytes give some that are safe to use.
pub fn unpack(bytes: &[u8]) -> Vec<i16> {
    let mut numbers = vec![0; NUMBERS];
    traverse(&mut Decoder::new(bytes), &mut numbers);
    numbers
}
