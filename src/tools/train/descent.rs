//! Stochastic gradient descent for one stage of the game.

use super::super::random::Random;
use super::data::{shared_places, Data, Sample};
use player::reversi::eval::weights::{stage, MOVES, STAGE_SIZE};

/// The learning rates' numbers.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// How far a weight goes for an error of one disc when it has learned nothing yet, times the root of
    /// [`Rates::caution`].
    pub rate: f32,
    /// Squared errors, in discs, that every weight is treated as having seen before the first: makes rare
    /// configurations learn slowly.
    pub caution: f32,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            rate: 0.25,
            caution: 2_000.0,
        }
    }
}

/// How many empty squares beyond its stage a position may lie and still help, and how much it counts.
const NEARBY: [f32; 3] = [1.0, 0.6, 0.3];

/// One stage in training.
pub struct StageTrainer<'a> {
    samples: Vec<(&'a Sample, f32)>,
    held_out: Vec<&'a Sample>,
    weights: Vec<f32>,
    /// Sums of squared gradients.
    seen: Vec<f32>,
    /// Weights that stay as they are.
    frozen: Vec<bool>,
    random: Random,
    rates: Rates,
}

impl<'a> StageTrainer<'a> {
    /// A trainer that has learned nothing but the `weights` it starts from, in discs; those not given are 0.
    pub fn new(
        data: &'a Data,
        of: usize,
        seed: u64,
        rates: Rates,
        mut weights: Vec<f32>,
    ) -> StageTrainer<'a> {
        weights.resize(STAGE_SIZE, 0.0);
        let mut samples = Vec::new();
        let mut held_out = Vec::new();
        for empties in 0..=64u32 {
            let distance = (0..NEARBY.len() as u32).find(|&distance| {
                let near = [empties.saturating_sub(distance), empties + distance];
                near.iter().any(|&near| stage(near) == of)
            });
            let Some(distance) = distance else {
                continue;
            };
            let scale = NEARBY[distance as usize];
            let of_empties = &data.by_empties[empties as usize];
            samples.extend(
                of_empties
                    .iter()
                    .map(|sample| (sample, scale * sample.weight)),
            );
            if distance == 0 {
                held_out.extend(&data.held_out_by_empties[empties as usize]);
            }
        }
        StageTrainer {
            samples,
            held_out,
            weights,
            seen: vec![rates.caution; STAGE_SIZE],
            frozen: vec![false; STAGE_SIZE],
            random: Random::new(seed ^ (of as u64) << 32),
            rates,
        }
    }

    /// Goes through all samples once, in random order, with a rate that falls from epoch to epoch. Returns
    /// the root mean square error in discs, as it was before each sample was learned.
    pub fn epoch(&mut self, epoch: u32, of: u32) -> f64 {
        for i in (1..self.samples.len()).rev() {
            let j = self.random.below(i as u64 + 1) as usize;
            self.samples.swap(i, j);
        }
        let rate = self.rates.rate * (1.0 - 0.9 * (epoch - 1) as f32 / of as f32);
        let mut squared = 0.0;
        for (sample, scale) in &self.samples {
            let error = sample.value - sum(&self.weights, sample);
            squared += f64::from(error * error);
            let (gradient, square) = (scale * error, scale * error * error);
            for &place in &sample.active {
                let place = place as usize;
                if !self.frozen[place] {
                    self.seen[place] += square;
                    self.weights[place] += rate * gradient / self.seen[place].sqrt();
                }
            }
        }
        (squared / self.samples.len().max(1) as f64).sqrt()
    }

    /// Gives the pattern weights that are hardly worth storing the value of `parent` for good: those whose
    /// difference from it, squared, times the number of times that they occur is less than `worth`.
    pub fn freeze(&mut self, parent: &[f32], worth: f32) {
        let mut counts = vec![0.0; STAGE_SIZE];
        for (sample, scale) in &self.samples {
            for &place in &sample.active {
                counts[place as usize] += scale;
            }
        }
        for place in 0..MOVES {
            let difference = self.weights[place] - parent[place];
            if counts[place] * difference * difference < worth {
                self.frozen[place] = true;
                self.weights[place] = parent[place];
            }
        }
    }

    /// The root mean square error, in discs, on the stage's positions that were held out.
    pub fn held_out_rmse(&self) -> f64 {
        let squared = self.held_out.iter().map(|sample| {
            let error = sample.value - sum(&self.weights, sample);
            f64::from(error * error)
        });
        (squared.sum::<f64>() / self.held_out.len().max(1) as f64).sqrt()
    }

    /// The weights in discs, those that are shared at all their places.
    pub fn weights(&self) -> Vec<f32> {
        let places = shared_places();
        places
            .iter()
            .map(|&place| self.weights[place as usize])
            .collect()
    }
}

fn sum(weights: &[f32], sample: &Sample) -> f32 {
    let terms = sample.active.iter().map(|&place| weights[place as usize]);
    terms.sum()
}
