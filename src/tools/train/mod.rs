//! `train`: learns the evaluation's weights from labelled positions.
//!
//! Gradient descent on the whole network at once ([`descent`]), with whole games held out to tell how
//! well it does on what it has not seen. Then numbers that are hardly worth storing are given up and the
//! rest learns to do without them; rows are rounded, shape by shape, and what is not yet rounded learns to
//! make up for it. The same data and seed give the same weights.

mod data;
mod descent;
mod network;

use super::args::{Args, Kind, UsageError};
use super::errors::{Errors, Table};
use data::{Data, Numbering};
use descent::{Descent, Rates};
use network::VALUE_DISCS;
use player::reversi::eval::packed;
use player::reversi::eval::pattern::SHAPES;
use player::reversi::eval::weights::Weights;
use std::process::ExitCode;
use std::time::Instant;

/// What the user asked for.
struct Options {
    data: Vec<String>,
    out: String,
    holdout: Option<String>,
    seed: u64,
    one_in: u64,
    rates: Rates,
    epochs: u32,
    /// Epochs after the numbers that are hardly worth storing were given up.
    polish: u32,
    /// See [`Descent::freeze`].
    worth: f32,
    /// How far a position's value goes, in discs, when a sum changes by one: how coarsely rows are rounded.
    step: f32,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        data: Vec::new(),
        out: String::new(),
        holdout: None,
        seed: 1,
        one_in: 50,
        rates: Rates::default(),
        epochs: 14,
        polish: 3,
        worth: 25.0,
        step: 0.08,
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--data" => options.data.push(args.value(&word)?),
            "--out" => options.out = args.value(&word)?,
            "--write-holdout" => options.holdout = Some(args.value(&word)?),
            "--epochs" => options.epochs = args.value(&word)?,
            "--polish" => options.polish = args.value(&word)?,
            "--worth" => options.worth = args.value(&word)?,
            "--step" => options.step = args.value::<f32>(&word)?.max(0.001),
            "--seed" => options.seed = args.value(&word)?,
            "--holdout-one-in" => options.one_in = args.value::<u64>(&word)?.max(2),
            "--rate" => options.rates.rows = args.value(&word)?,
            "--head-rate" => options.rates.heads = args.value(&word)?,
            "--caution" => options.rates.caution = args.value(&word)?,
            "--batch" => options.rates.batch = args.value::<usize>(&word)?.max(1),
            _ => return Args::unknown(&word),
        }
    }
    if options.data.is_empty() || options.out.is_empty() {
        return Err(UsageError("train needs --data FILE and --out FILE".into()));
    }
    Ok(options)
}

/// Trains, writes the weights, and prints their errors on the games held out.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    if args.take_game()? == Kind::Isolation {
        return super::isolation::train::run(args);
    }
    let options = options(args)?;
    Ok(match learn(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("reversi-bot: {error}");
            ExitCode::FAILURE
        }
    })
}

fn learn(options: &Options) -> std::io::Result<()> {
    let numbering = Numbering::new();
    let data = Data::read(&options.data, options.seed, options.one_in, &numbering)?;
    println!(
        "{} positions to train on, {} of {} games held out",
        data.training.len(),
        data.held_out.len(),
        data.games_held_out
    );
    if let Some(path) = &options.holdout {
        let records = data
            .held_out_labels
            .iter()
            .flat_map(|label| label.to_bytes());
        std::fs::write(path, records.collect::<Vec<u8>>())?;
    }
    let bytes = packed::pack(&train(&data, &numbering, options));
    std::fs::write(&options.out, &bytes)?;
    println!("{}: {} bytes", options.out, bytes.len());
    Table::of(&packed::unpack(&bytes), &data.held_out_labels).print();
    Ok(())
}

/// The rates, relative to those at the start, at the end of the main part of the training, when rounding
/// begins, and at the end.
const LAST_RATES: [f32; 3] = [0.1, 0.03, 0.003];

/// The part of the samples that is gone through after rounding the rows of a shape.
const AFTER_ROUNDING: f64 = 0.15;

fn train(data: &Data, numbering: &Numbering, options: &Options) -> Weights {
    let start = Instant::now();
    let mut descent = Descent::new(data, numbering, options.seed, options.rates);
    let learn = |descent: &mut Descent, name: &str, part, rates| {
        let loss = descent.epoch(part, rates);
        let held_out = errors(descent, data);
        println!(
            "{:6.0} s  {name:18}  training loss {:.3}  held out: MAE {:.3}, RMSE {:.3}",
            start.elapsed().as_secs_f64(),
            loss.sqrt() * f64::from(VALUE_DISCS),
            held_out.mae(),
            held_out.rmse()
        );
    };
    // The rates of an epoch among several.
    let falling = |from: f32, to: f32, number, of| {
        [number, number + 1].map(|number| from + (to - from) * number as f32 / of as f32)
    };
    let [end, rounding, last] = LAST_RATES;
    for number in 0..options.epochs {
        let rates = falling(1.0, end, number, options.epochs);
        learn(&mut descent, &format!("epoch {}", number + 1), 1.0, rates);
    }
    descent.freeze(options.worth);
    for number in 0..options.polish {
        let rates = falling(end, rounding, number, options.polish);
        learn(&mut descent, &format!("polish {}", number + 1), 1.0, rates);
    }
    let scales = descent
        .sensitivities()
        .map(|discs| discs.max(0.01) / options.step);
    for (number, shape) in SHAPES.iter().enumerate() {
        descent.freeze_rounded(numbering.of_shape(number), &scales);
        let name = format!("{} rounded", shape.name);
        learn(&mut descent, &name, AFTER_ROUNDING, [rounding; 2]);
    }
    learn(&mut descent, "heads", 1.0, [rounding, last]);
    descent.network.quantised(&scales, numbering)
}

/// The errors on the held-out positions, in discs.
fn errors(descent: &Descent, data: &Data) -> Errors {
    let mut errors = Errors::default();
    for sample in &data.held_out {
        let error = descent.network.value(sample) - sample.value;
        errors.add(f64::from(error * VALUE_DISCS));
    }
    errors
}

#[cfg(test)]
mod tests;
