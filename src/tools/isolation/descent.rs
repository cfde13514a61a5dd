//! Gradient descent on the numbers of Isolation's evaluation network, in floating point.
//!
//! The numbers lie in one list, in the order in which [`player::isolation::network`] stores them; that module owns the
//! layout. The steps are Adam's (Kingma and Ba 2015).
// Loops by index: several arrays go side by side, and that is what compilers turn into vector code.
#![allow(clippy::needless_range_loop)]

use super::super::random::Random;
use player::isolation::board::{Board, Square, Squares};
use player::isolation::features::{Features, CLASSES, FIRST, INPUTS, TURNED};
use player::isolation::network::{
    offset, pattern, CHANNELS, COUNT, FIRSTS, HIDDEN, LAYER_INPUTS, LAYER_UNIT, MOST_SUM, NUMBERS,
    OFFSETS, PATTERNS, ROWS, ROW_UNIT,
};

/// Where the parts of the network begin in the list.
const RELATIVE: usize = 0;
const OPPONENT: usize = RELATIVE + FIRSTS * OFFSETS * CHANNELS;
const PATTERN: usize = OPPONENT + OFFSETS * CHANNELS;
const BIAS: usize = PATTERN + CLASSES * PATTERNS * CHANNELS;
const HIDDEN_AT: usize = ROWS * CHANNELS;
const HIDDEN_BIAS: usize = HIDDEN_AT + LAYER_INPUTS * HIDDEN;
const OUT: usize = HIDDEN_BIAS + HIDDEN;
const LINEAR: usize = OUT + HIDDEN;
const VALUE: usize = LINEAR + LAYER_INPUTS;

/// Symmetries of the square.
const SYMMETRIES: u64 = 8;

/// A position as the descent sees it.
#[derive(Clone)]
pub struct Sample {
    board: Board,
    features: Features,
    /// The probability that the side to move wins.
    pub target: f32,
}

impl Sample {
    /// `None` if no square is left that both can reach: the search counts such positions out.
    pub fn new(board: Board, target: f32) -> Option<Sample> {
        let features = Features::of(&board);
        (!features.are_apart()).then_some(Sample {
            board,
            features,
            target,
        })
    }

    /// Free squares.
    pub fn free(&self) -> usize {
        self.board.free.count_ones() as usize
    }
}

/// The network while it learns.
pub struct Descent {
    numbers: Vec<f32>,
    /// Means of gradients and of their squares.
    means: [Vec<f32>; 2],
    steps: i32,
}

/// What a forward pass leaves for the backward pass.
struct Pass {
    /// Where the rows begin that were added up, from the point of view of either piece.
    rows: [Vec<u32>; 2],
    sums: [[f32; CHANNELS]; 2],
    inputs: [f32; LAYER_INPUTS],
    units: [f32; HIDDEN],
}

impl Pass {
    fn new() -> Pass {
        Pass {
            rows: [Vec::new(), Vec::new()],
            sums: [[0.0; CHANNELS]; 2],
            inputs: [0.0; LAYER_INPUTS],
            units: [0.0; HIDDEN],
        }
    }
}

/// The probability of odds given by their logarithm.
pub fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Cross entropy: what a prediction costs.
pub fn cost(predicted: f32, target: f32) -> f32 {
    let predicted = predicted.clamp(1e-6, 1.0 - 1e-6);
    -target * predicted.ln() - (1.0 - target) * (1.0 - predicted).ln()
}

/// A square as a symmetry of the largest board sees it: differences between squares turn with it.
fn turned(square: Square, symmetry: u64) -> Square {
    let (mut x, mut y) = (square.x(), square.y());
    if symmetry & 1 != 0 {
        x = 8 - x;
    }
    if symmetry & 2 != 0 {
        y = 8 - y;
    }
    if symmetry & 4 != 0 {
        (x, y) = (y, x);
    }
    Square::new(x, y).unwrap_or(square)
}

impl Descent {
    /// Random numbers for the layer, and rows of nothing: those that no position uses cost nothing to store.
    pub fn new(random: &mut Random) -> Descent {
        let mut numbers = vec![0.0; NUMBERS];
        let mut fill = |part: &mut [f32], most: f32| {
            for number in part {
                let fraction = (random.next() >> 40) as f32 / (1u64 << 24) as f32;
                *number = (2.0 * fraction - 1.0) * most;
            }
        };
        numbers[BIAS..HIDDEN_AT].fill(0.3);
        fill(&mut numbers[HIDDEN_AT..HIDDEN_BIAS], 0.3);
        fill(&mut numbers[OUT..LINEAR], 0.2);
        Descent {
            numbers,
            means: [vec![0.0; NUMBERS], vec![0.0; NUMBERS]],
            steps: 0,
        }
    }

    /// The logarithm of the odds that the side to move wins.
    fn forward(&self, sample: &Sample, symmetry: u64, pass: &mut Pass) -> f32 {
        let numbers = &self.numbers;
        for i in 0..INPUTS {
            pass.inputs[i] = f32::from(sample.features.inputs[i]) * COUNT;
        }
        let pieces = [sample.board.own, sample.board.other].map(|piece| turned(piece, symmetry));
        for (side, rows) in pass.rows.iter_mut().enumerate() {
            let (piece, other) = (pieces[side], pieces[1 - side]);
            rows.clear();
            rows.push((OPPONENT + offset(piece, other) * CHANNELS) as u32);
            for (class, set) in sample.features.classes.iter().enumerate() {
                let class = [class, TURNED[class]][side];
                let first = FIRST[class];
                for square in Squares(*set) {
                    let offset = offset(piece, turned(square, symmetry));
                    let pattern = pattern(sample.board.free, square);
                    rows.push((RELATIVE + (first * OFFSETS + offset) * CHANNELS) as u32);
                    rows.push((PATTERN + (class * PATTERNS + pattern) * CHANNELS) as u32);
                }
            }
            let mut sums = [0.0; CHANNELS];
            sums.copy_from_slice(&numbers[BIAS..HIDDEN_AT]);
            for &at in rows.iter() {
                let row = &numbers[at as usize..at as usize + CHANNELS];
                for k in 0..CHANNELS {
                    sums[k] += row[k];
                }
            }
            pass.sums[side] = sums;
            for k in 0..CHANNELS {
                pass.inputs[INPUTS + side * CHANNELS + k] = sums[k].clamp(0.0, MOST_SUM);
            }
        }
        let mut value = numbers[VALUE];
        pass.units.copy_from_slice(&numbers[HIDDEN_BIAS..OUT]);
        for i in 0..LAYER_INPUTS {
            let input = pass.inputs[i];
            let row = &numbers[HIDDEN_AT + i * HIDDEN..HIDDEN_AT + (i + 1) * HIDDEN];
            value += input * numbers[LINEAR + i];
            for k in 0..HIDDEN {
                pass.units[k] += input * row[k];
            }
        }
        for k in 0..HIDDEN {
            pass.units[k] = pass.units[k].max(0.0);
            value += pass.units[k] * numbers[OUT + k];
        }
        value
    }

    /// Adds the gradient of a sample whose prediction was off by `error`.
    fn backward(&self, pass: &Pass, error: f32, gradient: &mut [f32]) {
        let numbers = &self.numbers;
        gradient[VALUE] += error;
        let mut of_units = [0.0; HIDDEN];
        for k in 0..HIDDEN {
            gradient[OUT + k] += error * pass.units[k];
            if pass.units[k] > 0.0 {
                of_units[k] = error * numbers[OUT + k];
            }
            gradient[HIDDEN_BIAS + k] += of_units[k];
        }
        let mut of_inputs = [0.0; LAYER_INPUTS];
        for i in 0..LAYER_INPUTS {
            let input = pass.inputs[i];
            let at = HIDDEN_AT + i * HIDDEN;
            let row = &numbers[at..at + HIDDEN];
            let to = &mut gradient[at..at + HIDDEN];
            let mut products = [0.0; HIDDEN];
            for k in 0..HIDDEN {
                products[k] = of_units[k] * row[k];
                to[k] += of_units[k] * input;
            }
            of_inputs[i] = error * numbers[LINEAR + i] + products.iter().sum::<f32>();
            gradient[LINEAR + i] += error * input;
        }
        for side in 0..2 {
            let mut of_sums = [0.0; CHANNELS];
            for k in 0..CHANNELS {
                if (0.0..MOST_SUM).contains(&pass.sums[side][k]) {
                    of_sums[k] = of_inputs[INPUTS + side * CHANNELS + k];
                }
            }
            for at in pass.rows[side].iter().map(|&at| at as usize).chain([BIAS]) {
                let row = &mut gradient[at..at + CHANNELS];
                for k in 0..CHANNELS {
                    row[k] += of_sums[k];
                }
            }
        }
    }

    /// The gradient of some samples, and what their predictions cost. Each is turned by a symmetry of the square that
    /// its place in the list and `seed` draw.
    fn gradient(&self, samples: &[&Sample], seed: u64) -> (Vec<f32>, f64) {
        let mut random = Random::new(seed);
        let mut gradient = vec![0.0; NUMBERS];
        let mut pass = Pass::new();
        let mut sum = 0.0;
        for sample in samples {
            let value = self.forward(sample, random.below(SYMMETRIES), &mut pass);
            let predicted = probability(value);
            sum += f64::from(cost(predicted, sample.target));
            self.backward(&pass, predicted - sample.target, &mut gradient);
        }
        (gradient, sum)
    }

    /// A step along the mean gradient of some samples. Returns the sum of what the predictions cost.
    pub fn step(&mut self, samples: &[&Sample], rate: f32, seed: u64) -> f64 {
        let (first, second) = samples.split_at(samples.len() / 2);
        let this = &*self;
        let (one, two) = std::thread::scope(|scope| {
            let one = scope.spawn(move || this.gradient(first, 2 * seed));
            let two = this.gradient(second, 2 * seed + 1);
            (one.join().expect("a gradient does not panic"), two)
        });
        self.steps += 1;
        let share = 1.0 / samples.len().max(1) as f32;
        let unbiased = [0.9f32, 0.999].map(|keep| 1.0 - keep.powi(self.steps));
        let [mean, square] = &mut self.means;
        for i in 0..NUMBERS {
            let gradient = (one.0[i] + two.0[i]) * share;
            mean[i] = 0.9 * mean[i] + 0.1 * gradient;
            square[i] = 0.999 * square[i] + 0.001 * gradient * gradient;
            let size = (square[i] / unbiased[1]).sqrt() + 1e-8;
            self.numbers[i] -= rate * mean[i] / unbiased[0] / size;
        }
        one.1 + two.1
    }

    /// The probabilities that the side to move wins.
    pub fn predict(&self, samples: &[Sample]) -> Vec<f32> {
        let mut pass = Pass::new();
        let value = |sample| probability(self.forward(sample, 0, &mut pass));
        samples.iter().map(value).collect()
    }

    /// The whole numbers that the player carries.
    pub fn quantised(&self) -> Vec<i16> {
        let whole = |(i, &number): (usize, &f32)| {
            let unit = if i < HIDDEN_AT { ROW_UNIT } else { LAYER_UNIT };
            (number * unit).round().clamp(-8_191.0, 8_191.0) as i16
        };
        self.numbers.iter().enumerate().map(whole).collect()
    }
}
