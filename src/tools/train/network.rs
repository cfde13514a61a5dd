//! The evaluation with real numbers: values, gradients, and the way to the player's whole numbers.
//!
//! Owns the arithmetic of [`player::reversi::eval::weights`] as the trainer needs it. Values are in
//! units of [`VALUE_DISCS`].
// Loops by index: several arrays go side by side, and that is what compilers turn into vector code.
#![allow(clippy::needless_range_loop)]

use super::super::random::Random;
use super::data::{Numbering, Sample, EXCHANGED};
use player::reversi::eval::packed::MOST_IN_ROW;
use player::reversi::eval::weights::{
    Head, Weights, BIAS_INPUT, CHANNELS, HEADS, HIDDEN, HIDDEN_SHIFT, INPUTS, MOST_WEIGHT,
    MOVE_UNITS, ODD_CHANNELS, VALUE_SHIFT,
};
use player::reversi::eval::SCALE;

/// Discs in one unit of value: keeps all numbers of the network near one.
pub const VALUE_DISCS: f32 = 16.0;

/// A move more is worth this much as an input.
const MOVE: f32 = 0.1;

/// The player's units have this many whole numbers for one of ours.
const UNIT_SCALE: f32 = 128.0;

/// A row's numbers.
pub type Row = [f32; CHANNELS];

/// What a head sees.
pub type Inputs = [f32; INPUTS];

/// The whole network.
pub struct Network {
    /// By number in the [`Numbering`].
    pub rows: Vec<Row>,
    /// By empty squares.
    pub heads: Vec<Head<f32>>,
}

/// The place of a row, from its number in a sample, and the signs of its channels.
#[inline(always)]
pub fn located(number: u32) -> (usize, &'static Row) {
    static SIGNS: [Row; 2] = [[1.0; CHANNELS], {
        let mut signs = [1.0; CHANNELS];
        let mut channel = 0;
        while channel < ODD_CHANNELS {
            signs[channel] = -1.0;
            channel += 1;
        }
        signs
    }];
    let exchanged = number & EXCHANGED != 0;
    (
        (number & !EXCHANGED) as usize,
        &SIGNS[usize::from(exchanged)],
    )
}

/// The head of a position.
pub fn head_of(empties: u8) -> usize {
    usize::from(empties).min(HEADS - 1)
}

/// The value of a head's inputs; the units' outputs are left in `units`.
#[inline(always)]
pub fn value(head: &Head<f32>, inputs: &Inputs, units: &mut [f32; HIDDEN]) -> f32 {
    *units = head.hidden_bias;
    let mut value = head.bias;
    for i in 0..INPUTS {
        value += inputs[i] * head.linear[i];
        for j in 0..HIDDEN {
            units[j] += inputs[i] * head.hidden[i][j];
        }
    }
    for j in 0..HIDDEN {
        units[j] = units[j].max(0.0);
        value += units[j] * head.out[j];
    }
    value
}

/// Adds the gradient of `head`'s numbers, for an error of `error`, to `gradient`. Returns that of the inputs.
#[inline(always)]
pub fn backward(
    head: &Head<f32>,
    inputs: &Inputs,
    units: &[f32; HIDDEN],
    error: f32,
    gradient: &mut Head<f32>,
) -> Inputs {
    gradient.bias += error;
    let mut of_units = [0.0; HIDDEN];
    for j in 0..HIDDEN {
        gradient.out[j] += error * units[j];
        of_units[j] = if units[j] > 0.0 {
            error * head.out[j]
        } else {
            0.0
        };
        gradient.hidden_bias[j] += of_units[j];
    }
    let mut of_inputs = [0.0; INPUTS];
    for i in 0..INPUTS {
        gradient.linear[i] += error * inputs[i];
        of_inputs[i] = error * head.linear[i];
        for j in 0..HIDDEN {
            gradient.hidden[i][j] += of_units[j] * inputs[i];
            of_inputs[i] += of_units[j] * head.hidden[i][j];
        }
    }
    of_inputs
}

impl Network {
    /// Rows of nothing, and heads with random numbers, the same for all phases.
    pub fn new(rows: usize, random: &mut Random) -> Network {
        let mut within = |most: f32| {
            let fraction = (random.next() >> 40) as f32 / (1u64 << 24) as f32;
            (2.0 * fraction - 1.0) * most
        };
        let mut head = Head::filled(0.0);
        head.linear[..CHANNELS].fill_with(|| within(0.3));
        for (i, hidden) in head.hidden.iter_mut().enumerate() {
            hidden.fill_with(|| within(if i < CHANNELS { 1.0 } else { 0.3 }));
        }
        head.out.fill_with(|| within(0.2));
        Network {
            rows: vec![[0.0; CHANNELS]; rows],
            heads: vec![head; HEADS],
        }
    }

    /// What the head sees of a position.
    #[inline(always)]
    pub fn inputs(&self, sample: &Sample) -> Inputs {
        let mut inputs = [0.0; INPUTS];
        for &number in &sample.rows {
            let (row, signs) = located(number);
            let row = &self.rows[row];
            for channel in 0..CHANNELS {
                inputs[channel] += signs[channel] * row[channel];
            }
        }
        for (input, &moves) in inputs[CHANNELS..].iter_mut().zip(&sample.moves) {
            *input = f32::from(moves) * MOVE;
        }
        inputs
    }

    /// The value of a position.
    pub fn value(&self, sample: &Sample) -> f32 {
        let head = &self.heads[head_of(sample.empties)];
        value(head, &self.inputs(sample), &mut [0.0; HIDDEN])
    }

    /// By how many discs the value changes with each channel: root mean square over samples.
    pub fn sensitivities<'a>(&self, samples: impl Iterator<Item = &'a Sample>) -> Row {
        let mut squares = [0.0f64; CHANNELS];
        let mut count = 0.0;
        for sample in samples {
            let head = &self.heads[head_of(sample.empties)];
            let inputs = self.inputs(sample);
            let mut units = [0.0; HIDDEN];
            value(head, &inputs, &mut units);
            let slopes = backward(head, &inputs, &units, VALUE_DISCS, &mut Head::filled(0.0));
            for channel in 0..CHANNELS {
                squares[channel] += f64::from(slopes[channel] * slopes[channel]);
            }
            count += 1.0;
        }
        squares.map(|square| (square / f64::max(count, 1.0)).sqrt() as f32)
    }

    /// The player's whole numbers; `scales` are how many make one of ours in each channel.
    pub fn quantised(&self, scales: &Row, numbering: &Numbering) -> Weights {
        let mut weights = Weights::zero();
        for (to, &number) in weights.rows().iter_mut().zip(&numbering.numbers) {
            let (row, signs) = located(number);
            let row = &self.rows[row];
            let most = f32::from(MOST_IN_ROW);
            for channel in 0..CHANNELS {
                let number = signs[channel] * row[channel] * scales[channel];
                to[channel] = number.round().clamp(-most, most) as i16;
            }
        }
        let mut input_scales = [MOVE_UNITS as f32 / MOVE; INPUTS];
        input_scales[..CHANNELS].copy_from_slice(scales);
        for (to, head) in weights.heads().iter_mut().zip(&self.heads) {
            *to = quantised_head(head, &input_scales);
        }
        weights
    }
}

fn quantised_head(head: &Head<f32>, input_scales: &Inputs) -> Head<i16> {
    let whole = |number: f32| {
        let most = f32::from(MOST_WEIGHT);
        number.round().clamp(-most, most) as i16
    };
    let to_units = UNIT_SCALE * (1 << HIDDEN_SHIFT) as f32;
    let to_value = VALUE_DISCS * SCALE as f32 * (1 << VALUE_SHIFT) as f32;
    let mut to = Head::filled(0);
    for i in 0..INPUTS {
        to.linear[i] = whole(head.linear[i] * to_value / input_scales[i]);
        for j in 0..HIDDEN {
            to.hidden[i][j] = whole(head.hidden[i][j] * to_units / input_scales[i]);
        }
    }
    to.hidden_bias = head
        .hidden_bias
        .map(|bias| whole(bias * to_units / BIAS_INPUT as f32));
    to.out = head.out.map(|out| whole(out * to_value / UNIT_SCALE));
    to.bias = whole(head.bias * to_value / BIAS_INPUT as f32);
    to
}
