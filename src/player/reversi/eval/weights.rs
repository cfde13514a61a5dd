//! The weights, and the evaluation: a small network on top of the patterns.
//!
//! Every configuration of a pattern has a row of [`CHANNELS`] numbers, the same throughout the game. The rows
//! of all instances are added up, channel by channel; a [`Head`], one for each number of empty squares, turns
//! the sums and both sides' numbers of moves into a value: a linear part and [`HIDDEN`] rectified units.
//! Learning a row for all phases together needs far fewer numbers than a table for each phase, and the
//! units see what no sum over patterns can, such as mobility that only counts while corners are open.
//!
//! Owns the layout and the arithmetic, all in integers, so that every processor gets the same value. How
//! weights are stored is [`super::packed`]'s.
// Loops by index: several arrays go side by side, and that is what compilers turn into vector code.
#![allow(clippy::needless_range_loop)]

use super::super::board::Position;
use super::super::flip;
#[cfg(target_arch = "x86_64")]
use super::network_avx2;
use super::pattern::{ALL, INSTANCES, SHAPES};
use super::{packed, Features, SCALE};
use crate::isa::Isa;
use alloc::boxed::Box;
use alloc::vec;

/// Numbers in a configuration's row.
pub const CHANNELS: usize = 8;

/// The first channels change their sign when the colours are exchanged; the others do not. So a configuration and
/// the one with the colours exchanged share a row, and nothing is lost: whatever a channel without such a
/// bond could say is the sum of one of each kind.
pub const ODD_CHANNELS: usize = 6;

/// Rectified units of a head.
pub const HIDDEN: usize = 16;

/// Numbers that a head sees; see [`Inputs`].
pub const INPUTS: usize = CHANNELS + 2;

/// Heads: one for each number of empty squares, the last for this many and more.
pub const HEADS: usize = 61;

/// A number of moves is worth this many units as an input.
pub const MOVE_UNITS: i32 = 16;

/// The most that an input may be, or a unit's output.
pub const MOST: i32 = (1 << 13) - 1;

/// The most that a weight of a head may be.
pub const MOST_WEIGHT: i16 = (1 << 13) - 1;

/// A unit's output is its sum of products divided by two to this power.
pub const HIDDEN_SHIFT: u32 = 7;

/// A value is its sum of products divided by two to this power.
pub const VALUE_SHIFT: u32 = 6;

/// Biases are weights of an input that always has this value.
pub const BIAS_INPUT: i32 = 32;

/// The network for one number of empty squares; of `i16` for the player, of `f32` for the trainer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<T> {
    /// From each input to each unit.
    pub hidden: [[T; HIDDEN]; INPUTS],
    /// What each unit gets always.
    pub hidden_bias: [T; HIDDEN],
    /// From each unit to the value.
    pub out: [T; HIDDEN],
    /// From each input to the value.
    pub linear: [T; INPUTS],
    /// The value of nothing.
    pub bias: T,
}

impl<T: Copy> Head<T> {
    /// How many numbers a head has.
    pub const NUMBERS: usize = (INPUTS + 2) * HIDDEN + INPUTS + 1;

    /// A head with the same number everywhere.
    pub const fn filled(number: T) -> Head<T> {
        Head {
            hidden: [[number; HIDDEN]; INPUTS],
            hidden_bias: [number; HIDDEN],
            out: [number; HIDDEN],
            linear: [number; INPUTS],
            bias: number,
        }
    }

    /// All its numbers, always in the same order.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut T> {
        let hidden = self.hidden.as_flattened_mut().iter_mut();
        let more = self.hidden_bias.iter_mut().chain(&mut self.out);
        let linear = self.linear.iter_mut().chain([&mut self.bias]);
        hidden.chain(more).chain(linear)
    }
}

impl Head<i16> {
    /// The sum of products that makes the value of these inputs.
    #[inline(always)]
    fn product_sum(&self, inputs: &Inputs) -> i32 {
        let mut units = self.hidden_bias.map(|bias| i32::from(bias) * BIAS_INPUT);
        let mut sum = i32::from(self.bias) * BIAS_INPUT;
        for i in 0..INPUTS {
            let input = i32::from(inputs[i]);
            sum += input * i32::from(self.linear[i]);
            for j in 0..HIDDEN {
                units[j] += input * i32::from(self.hidden[i][j]);
            }
        }
        for j in 0..HIDDEN {
            sum += (units[j] >> HIDDEN_SHIFT).clamp(0, MOST) * i32::from(self.out[j]);
        }
        sum
    }
}

/// The sums of rows, clamped to [`MOST`], then the moves of the side to move and of the other side.
#[inline(always)]
fn inputs(rows: &[Row; ROWS], at: &[u32; INSTANCES], moves: [i16; 2]) -> Inputs {
    let mut inputs = [0i16; INPUTS];
    for &row in at {
        let row = &rows[row as usize % ROWS];
        for channel in 0..CHANNELS {
            inputs[channel] = inputs[channel].wrapping_add(row[channel]);
        }
    }
    let most = MOST as i16;
    let mut inputs = inputs.map(|sum| sum.clamp(-most, most));
    inputs[CHANNELS..].copy_from_slice(&moves);
    inputs
}

/// What a head sees: the channels' sums, then the number of moves of the side to move and of the other side,
/// in units of `1 / `[`MOVE_UNITS`] moves.
pub type Inputs = [i16; INPUTS];

/// A configuration's numbers.
pub type Row = [i16; CHANNELS];

/// The row of a configuration whose source has this row; see [`super::pattern::Source`].
#[inline(always)]
pub fn derived(mut row: Row, exchanged: bool) -> Row {
    if exchanged {
        for number in &mut row[..ODD_CHANNELS] {
            *number = -*number;
        }
    }
    row
}

/// Where each shape's configurations begin among the rows.
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
    assert!(sum <= ROWS);
    offsets
}

/// Rows in memory: a power of two, so that a masked index needs no check. Those at the end are not used.
pub const ROWS: usize = 1 << 19;

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

/// The row of every instance's configuration.
#[inline(always)]
pub fn rows_of(features: &Features) -> [u32; INSTANCES] {
    let configurations = features.configurations();
    let mut rows = [0; INSTANCES];
    for i in 0..INSTANCES {
        rows[i] = INSTANCE_OFFSETS[i] + u32::from(configurations[i]);
    }
    rows
}

/// All weights.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    rows: Box<[Row; ROWS]>,
    heads: Box<[Head<i16>; HEADS]>,
}

impl Weights {
    /// Unpacks the weights that the program carries.
    pub fn load() -> Box<Weights> {
        Box::new(packed::unpack(packed::WEIGHTS))
    }

    /// Weights of nothing: every position is even.
    pub fn zero() -> Weights {
        let rows = vec![[0; CHANNELS]; ROWS].into_boxed_slice();
        Weights {
            // The conversion cannot fail, as the length is right; an allocation in place of a panic.
            rows: rows
                .try_into()
                .unwrap_or_else(|_| Box::new([[0; CHANNELS]; ROWS])),
            heads: Box::new([Head::filled(0); HEADS]),
        }
    }

    /// The rows, shape by shape.
    pub fn rows(&mut self) -> &mut [Row] {
        &mut self.rows[..]
    }

    /// The heads, by empty squares.
    pub fn heads(&mut self) -> &mut [Head<i16>] {
        &mut self.heads[..]
    }

    /// The value of a position for the side to move, in units of 1/[`SCALE`] disc, within 64 discs.
    #[inline(always)]
    pub fn evaluate<I: Isa>(&self, isa: I, position: &Position, features: &Features) -> i32 {
        let moves = |own, other| {
            let count = flip::moves(isa, own, other).count_ones() as i32;
            (count * MOVE_UNITS) as i16
        };
        let moves = [
            moves(position.player, position.opponent),
            moves(position.opponent, position.player),
        ];
        let at = rows_of(features);
        let head = &self.heads[(position.empty_count() as usize).min(HEADS - 1)];
        #[cfg(target_arch = "x86_64")]
        if I::AVX2 {
            let inputs = network_avx2::inputs(isa, &self.rows, &at, moves);
            return in_scaled_units(network_avx2::product_sum(isa, head, &inputs));
        }
        in_scaled_units(head.product_sum(&inputs(&self.rows, &at, moves)))
    }
}

/// A value from its sum of products.
#[inline(always)]
fn in_scaled_units(sum: i32) -> i32 {
    (sum >> VALUE_SHIFT).clamp(-64 * SCALE, 64 * SCALE)
}

#[cfg(test)]
mod tests {
    use super::super::super::square::SYMMETRIES;
    use super::*;
    use crate::isa::{Level, Portable};
    use crate::reversi::search::tests::random_positions;

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

    #[test]
    fn the_largest_weights_do_not_overflow() {
        for sign in [-1, 1] {
            let most = sign * MOST_WEIGHT;
            let head = Head {
                hidden: [[MOST_WEIGHT; HIDDEN]; INPUTS],
                ..Head::filled(most)
            };
            let inputs = [MOST as i16; INPUTS];
            let sum = head.product_sum(&inputs);
            assert_eq!(in_scaled_units(sum), i32::from(sign) * 64 * SCALE);
            #[cfg(target_arch = "x86_64")]
            if let Level::V3(v3) = Level::detect() {
                assert_eq!(network_avx2::product_sum(v3, &head, &inputs), sum);
            }
        }
    }
}
