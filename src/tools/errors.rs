//! Errors of an evaluation on labelled positions, by four empty squares at a time.

use super::labels::Label;
use player::isa::Portable;
use player::reversi::eval::{Features, Weights, SCALE};

/// Sums of the errors in one group of positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    count: u64,
    absolute: f64,
    squared: f64,
}

impl Errors {
    /// Adds an error, in discs.
    pub fn add(&mut self, error: f64) {
        self.count += 1;
        self.absolute += error.abs();
        self.squared += error * error;
    }

    fn join(&mut self, other: &Errors) {
        self.count += other.count;
        self.absolute += other.absolute;
        self.squared += other.squared;
    }

    /// The mean absolute error in discs.
    pub fn mae(&self) -> f64 {
        self.absolute / self.count.max(1) as f64
    }

    /// The root mean square error in discs.
    pub fn rmse(&self) -> f64 {
        (self.squared / self.count.max(1) as f64).sqrt()
    }
}

/// Errors by groups of four empty squares.
#[derive(Clone, Copy, Debug, Default)]
pub struct Table {
    groups: [Errors; 17],
}

impl Table {
    /// The errors of `weights` on `labels`.
    pub fn of<'a>(weights: &Weights, labels: impl IntoIterator<Item = &'a Label>) -> Table {
        let mut table = Table::default();
        for label in labels {
            let features = Features::of(label.position);
            let value = weights.evaluate(Portable, &label.position, &features);
            let error = f64::from(value) / f64::from(SCALE) - f64::from(label.discs());
            table.groups[label.position.empty_count() as usize / 4].add(error);
        }
        table
    }

    /// The errors of all positions together.
    pub fn total(&self) -> Errors {
        let mut total = Errors::default();
        self.groups.iter().for_each(|group| total.join(group));
        total
    }

    /// Prints a row a group, and the totals last.
    pub fn print(&self) {
        println!("empties  positions    MAE   RMSE");
        for (group, errors) in self.groups.iter().enumerate().rev() {
            if errors.count > 0 {
                let (from, to) = (group * 4, group * 4 + 3);
                let Errors { count, .. } = errors;
                let (mae, rmse) = (errors.mae(), errors.rmse());
                println!("{from:3}-{to:<3}  {count:10}  {mae:5.2}  {rmse:5.2}");
            }
        }
        let total = self.total();
        println!(
            "total: {} positions, MAE {:.3}, RMSE {:.3}",
            total.count,
            total.mae(),
            total.rmse()
        );
    }
}
