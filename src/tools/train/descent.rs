//! Gradient descent in batches on two threads, with the same result on any machine.
//!
//! The first half of a batch's work is split by samples, the second (changing the rows) by the shapes
//! that rows belong to, so no number is ever written by two threads and sums have a fixed order. Rows learn
//! by AdaGrad (Duchi, Hazan and Singer 2011), which makes rare configurations careful; heads by Adam
//! (Kingma and Ba 2015).
// Loops by index: several arrays go side by side, and that is what compilers turn into vector code.
#![allow(clippy::needless_range_loop)]

use super::super::random::Random;
use super::data::{Data, Numbering, Sample};
use super::network::{backward, head_of, located, value, Inputs, Network, Row};
use player::isa::{Isa, Level};
use player::reversi::eval::pattern::{ALL, INSTANCES};
use player::reversi::eval::weights::{Head, CHANNELS, HEADS, HIDDEN};

/// The numbers of the descent.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// The rate of the rows.
    pub rows: f32,
    /// The rate of the heads.
    pub heads: f32,
    /// Squared gradients that every row is treated as having seen before the first: makes rare
    /// configurations learn slowly.
    pub caution: f32,
    /// Samples in a batch.
    pub batch: usize,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            rows: 0.03,
            heads: 0.003,
            caution: 20.0,
            batch: 4_096,
        }
    }
}

/// What Adam remembers of a head.
struct Moments {
    mean: Head<f32>,
    square: Head<f32>,
    steps: i32,
}

/// A training in progress.
pub struct Descent<'a> {
    data: &'a Data,
    /// What has been learned so far.
    pub network: Network,
    /// Sums of the rows' squared gradients; infinite where a number is frozen.
    seen: Vec<Row>,
    gradients: Vec<Row>,
    touched: Vec<bool>,
    moments: Vec<Moments>,
    order: Vec<u32>,
    random: Random,
    rates: Rates,
    /// The first instance, and the first row, of the second thread.
    split: (usize, usize),
    level: Level,
}

/// What one thread found on its samples.
struct Found {
    heads: Vec<Option<Box<Head<f32>>>>,
    loss: f64,
    weight: f64,
}

impl<'a> Descent<'a> {
    /// A descent that has learned nothing.
    pub fn new(data: &'a Data, numbering: &Numbering, seed: u64, rates: Rates) -> Descent<'a> {
        let rows = numbering.count;
        let mut random = Random::new(seed);
        let network = Network::new(rows, &mut random);
        let border = |i: usize| ALL[i].shape != ALL[i - 1].shape;
        let instance = (1..INSTANCES)
            .filter(|&i| border(i))
            .min_by_key(|&i| i.abs_diff(INSTANCES / 2))
            .unwrap_or(0);
        Descent {
            data,
            network,
            seen: vec![[rates.caution; CHANNELS]; rows],
            gradients: vec![[0.0; CHANNELS]; rows],
            touched: vec![false; rows],
            moments: (0..HEADS).map(|_| Moments::new()).collect(),
            order: (0..data.training.len() as u32).collect(),
            random,
            rates,
            split: (instance, numbering.first_of_shape[ALL[instance].shape]),
            level: Level::detect(),
        }
    }

    /// Goes through `part` of the samples, all if it is one, in random order; the rates fall in a line from
    /// the fraction `rates[0]` of themselves to `rates[1]`. Returns the weighted mean square error before
    /// learning each batch.
    pub fn epoch(&mut self, part: f64, rates: [f32; 2]) -> f64 {
        for i in (1..self.order.len()).rev() {
            let j = self.random.below(i as u64 + 1) as usize;
            self.order.swap(i, j);
        }
        let order = std::mem::take(&mut self.order);
        let samples = (order.len() as f64 * part) as usize;
        let batches = samples.div_ceil(self.rates.batch) as f32;
        let (mut loss, mut weight) = (0.0, 0.0);
        for (number, batch) in order[..samples].chunks(self.rates.batch).enumerate() {
            let [from, to] = rates;
            let fraction = from + (to - from) * number as f32 / batches;
            let (batch_loss, batch_weight) = self.batch(batch, fraction);
            loss += batch_loss;
            weight += batch_weight;
        }
        self.order = order;
        loss / f64::max(weight, 1.0)
    }

    fn batch(&mut self, batch: &[u32], fraction: f32) -> (f64, f64) {
        let mut slopes = vec![[0.0; CHANNELS]; batch.len()];
        let (first, second) = batch.split_at(batch.len() / 2);
        let (first_slopes, second_slopes) = slopes.split_at_mut(first.len());
        let (level, training) = (self.level, &self.data.training);
        let network = &self.network;
        let found = std::thread::scope(|scope| {
            let other =
                scope.spawn(|| on(level, || explore(network, training, second, second_slopes)));
            let one = on(level, || explore(network, training, first, first_slopes));
            other.join().map(|other| [one, other])
        });
        let Ok(found) = found else {
            return (0.0, 0.0);
        };
        self.learn_heads(&found, fraction);
        self.learn_rows(batch, &slopes, fraction);
        let sum = |of: fn(&Found) -> f64| found.iter().map(of).sum();
        (sum(|found| found.loss), sum(|found| found.weight))
    }

    fn learn_heads(&mut self, found: &[Found; 2], fraction: f32) {
        for number in 0..HEADS {
            let mut gradient = Head::filled(0.0);
            let parts = found
                .iter()
                .filter_map(|found| found.heads[number].as_deref());
            let mut any = false;
            for part in parts {
                any = true;
                for (sum, part) in gradient.numbers().zip(part.clone().numbers()) {
                    *sum += *part;
                }
            }
            if any {
                let rate = self.rates.heads * fraction;
                self.moments[number].step(&mut self.network.heads[number], gradient, rate);
            }
        }
    }

    fn learn_rows(&mut self, batch: &[u32], slopes: &[Row], fraction: f32) {
        let (instance, row) = self.split;
        let rate = self.rates.rows * fraction;
        let (rows, other_rows) = self.network.rows.split_at_mut(row);
        let (seen, other_seen) = self.seen.split_at_mut(row);
        let (gradients, other_gradients) = self.gradients.split_at_mut(row);
        let (touched, other_touched) = self.touched.split_at_mut(row);
        let mut one = Share {
            instances: 0..instance,
            first_row: 0,
            rows,
            seen,
            gradients,
            touched,
        };
        let mut other = Share {
            instances: instance..INSTANCES,
            first_row: row,
            rows: other_rows,
            seen: other_seen,
            gradients: other_gradients,
            touched: other_touched,
        };
        let (level, training) = (self.level, &self.data.training);
        std::thread::scope(|scope| {
            scope.spawn(|| on(level, || other.learn(training, batch, slopes, rate)));
            on(level, || one.learn(training, batch, slopes, rate));
        });
    }

    /// Gives up numbers of rows that are hardly worth storing: those whose square, in squares of discs and times
    /// the number of training positions that have the configuration, is below `worth`. They stay zero.
    pub fn freeze(&mut self, worth: f32) {
        let mut counts = vec![0u32; self.network.rows.len()];
        let all = self.data.training.iter().flat_map(|sample| &sample.rows);
        all.for_each(|&row| counts[located(row).0] += 1);
        let discs = self.sensitivities();
        for ((row, seen), &count) in self
            .network
            .rows
            .iter_mut()
            .zip(&mut self.seen)
            .zip(&counts)
        {
            for channel in 0..CHANNELS {
                let size = row[channel] * discs[channel];
                if size * size * (count as f32) < worth {
                    row[channel] = 0.0;
                    seen[channel] = f32::INFINITY;
                }
            }
        }
    }

    /// Rounds all numbers of some rows to `1 / scales` and leaves them so: only the rest goes on learning.
    pub fn freeze_rounded(&mut self, rows: std::ops::Range<usize>, scales: &Row) {
        let seen = self.seen[rows.clone()].iter_mut();
        for (row, seen) in self.network.rows[rows].iter_mut().zip(seen) {
            for channel in 0..CHANNELS {
                row[channel] = (row[channel] * scales[channel]).round() / scales[channel];
            }
            *seen = [f32::INFINITY; CHANNELS];
        }
    }

    /// See [`Network::sensitivities`]; on some of the training positions.
    pub fn sensitivities(&self) -> Row {
        let some = self.data.training.iter().step_by(101);
        self.network.sensitivities(some)
    }
}

/// Runs `work` compiled for the best instructions there are.
#[inline(always)]
fn on<R>(level: Level, work: impl FnOnce() -> R) -> R {
    match level {
        Level::Portable => work(),
        Level::V3(v3) => v3.run(work),
    }
}

/// Values of samples, gradients of heads, and slopes at the channels' sums.
#[inline(always)]
fn explore(network: &Network, all: &[Sample], batch: &[u32], slopes: &mut [Row]) -> Found {
    let mut found = Found {
        heads: (0..HEADS).map(|_| None).collect(),
        loss: 0.0,
        weight: 0.0,
    };
    for (&number, slopes) in batch.iter().zip(slopes) {
        let sample = &all[number as usize];
        let inputs: Inputs = network.inputs(sample);
        let number = head_of(sample.empties);
        let head = &network.heads[number];
        let mut units = [0.0; HIDDEN];
        let error = value(head, &inputs, &mut units) - sample.value;
        found.loss += f64::from(sample.weight * error * error);
        found.weight += f64::from(sample.weight);
        let gradient = found.heads[number].get_or_insert_with(|| Box::new(Head::filled(0.0)));
        let of_inputs = backward(head, &inputs, &units, error * sample.weight, gradient);
        slopes.copy_from_slice(&of_inputs[..CHANNELS]);
    }
    found
}

/// The rows that one thread changes.
struct Share<'a> {
    instances: std::ops::Range<usize>,
    first_row: usize,
    rows: &'a mut [Row],
    seen: &'a mut [Row],
    gradients: &'a mut [Row],
    touched: &'a mut [bool],
}

impl Share<'_> {
    #[inline(always)]
    fn learn(&mut self, all: &[Sample], batch: &[u32], slopes: &[Row], rate: f32) {
        let mut changed = Vec::new();
        for (&number, slopes) in batch.iter().zip(slopes) {
            for &row in &all[number as usize].rows[self.instances.clone()] {
                let (row, signs) = located(row);
                let row = row - self.first_row;
                for channel in 0..CHANNELS {
                    self.gradients[row][channel] += signs[channel] * slopes[channel];
                }
                if !self.touched[row] {
                    self.touched[row] = true;
                    changed.push(row);
                }
            }
        }
        for row in changed {
            self.touched[row] = false;
            let gradient = std::mem::replace(&mut self.gradients[row], [0.0; CHANNELS]);
            for channel in 0..CHANNELS {
                self.seen[row][channel] += gradient[channel] * gradient[channel];
                self.rows[row][channel] -=
                    rate * gradient[channel] / self.seen[row][channel].sqrt();
            }
        }
    }
}

impl Moments {
    fn new() -> Moments {
        Moments {
            mean: Head::filled(0.0),
            square: Head::filled(0.0),
            steps: 0,
        }
    }

    /// A step of Adam.
    fn step(&mut self, head: &mut Head<f32>, mut gradient: Head<f32>, rate: f32) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        self.steps += 1;
        let mean_part = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_part = 1.0 - SQUARE_DECAY.powi(self.steps);
        let memory = self.mean.numbers().zip(self.square.numbers());
        for ((number, gradient), (mean, square)) in
            head.numbers().zip(gradient.numbers()).zip(memory)
        {
            *mean += (1.0 - MEAN_DECAY) * (*gradient - *mean);
            *square += (1.0 - SQUARE_DECAY) * (*gradient * *gradient - *square);
            *number -= rate * (*mean / mean_part) / ((*square / square_part).sqrt() + 1e-8);
        }
    }
}
