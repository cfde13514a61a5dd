//! `train`: learns the evaluation's weights from labelled positions.
//!
//! The model is linear, so each stage of the game is a least-squares problem of its own. Each is solved by
//! stochastic gradient descent with a rate for each weight (AdaGrad: Duchi, Hazan and Singer 2011), and
//! positions a little outside a stage help to learn it. Whole games are held out to tell how well the
//! weights do on what they have not seen. A stage starts from its neighbour's weights: that helps rare
//! configurations, and makes the difference between the two small to store. The same seed gives the same weights.

mod data;
mod descent;

use super::args::{Args, UsageError};
use super::errors::Table;
use data::Data;
use descent::{Rates, StageTrainer};
use player::reversi::eval::weights::{FIRST_STAGE, MOVES, STAGES, STAGE_SIZE};
use player::reversi::eval::{packed, Weights, SCALE};
use std::process::ExitCode;
use std::time::Instant;

/// What the user asked for.
struct Options {
    data: Vec<String>,
    out: String,
    holdout: Option<String>,
    epochs: u32,
    seed: u64,
    one_in: u64,
    rates: Rates,
    /// Epochs after the weights that are hardly worth storing were given up.
    polish: u32,
    /// See [`StageTrainer::freeze`].
    worth: f32,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        data: Vec::new(),
        out: String::new(),
        holdout: None,
        epochs: 12,
        seed: 1,
        one_in: 50,
        rates: Rates::default(),
        polish: 2,
        worth: 10.0,
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--data" => options.data.push(args.value(&word)?),
            "--out" => options.out = args.value(&word)?,
            "--write-holdout" => options.holdout = Some(args.value(&word)?),
            "--epochs" => options.epochs = args.value(&word)?,
            "--polish" => options.polish = args.value(&word)?,
            "--worth" => options.worth = args.value(&word)?,
            "--seed" => options.seed = args.value(&word)?,
            "--holdout-one-in" => options.one_in = args.value::<u64>(&word)?.max(2),
            "--rate" => options.rates.rate = args.value(&word)?,
            "--caution" => options.rates.caution = args.value(&word)?,
            _ => return Args::unknown(&word),
        }
    }
    if options.data.is_empty() || options.out.is_empty() {
        return Err(UsageError("train needs --data FILE and --out FILE".into()));
    }
    Ok(options)
}

/// Trains, writes the weights, and prints their errors on the games held out.
pub fn run(args: Args) -> Result<ExitCode, UsageError> {
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
    let data = Data::read(&options.data, options.seed, options.one_in)?;
    println!(
        "{} positions to train on, {} of {} games held out",
        data.training(),
        data.held_out.len(),
        data.games_held_out
    );
    if let Some(path) = &options.holdout {
        let records = data.held_out.iter().flat_map(|label| label.to_bytes());
        std::fs::write(path, records.collect::<Vec<u8>>())?;
    }
    let tables = train(&data, options);
    let bytes = packed::pack(&tables);
    std::fs::write(&options.out, &bytes)?;
    println!("{}: {} bytes", options.out, bytes.len());
    Table::of(
        &Weights::from_tables(packed::unpack(&bytes)),
        &data.held_out,
    )
    .print();
    Ok(())
}

/// Trains every stage, those after the first and those before it side by side, and returns the quantised tables.
fn train(data: &Data, options: &Options) -> Vec<i16> {
    let start = Instant::now();
    let learn = |stage: usize, from: Option<&Learned>| {
        let parent = from.map_or_else(|| vec![0.0; STAGE_SIZE], |parent| parent.weights.clone());
        let mut trainer =
            StageTrainer::new(data, stage, options.seed, options.rates, parent.clone());
        let run = |trainer: &mut StageTrainer, epoch| {
            let learned = trainer.epoch(epoch, options.epochs + options.polish);
            println!(
                "{:6.0} s  stage {stage:2}  epoch {epoch:2}  training RMSE {learned:.3}  held out {:.3}",
                start.elapsed().as_secs_f64(),
                trainer.held_out_rmse()
            );
        };
        for epoch in 1..=options.epochs {
            run(&mut trainer, epoch);
        }
        trainer.freeze(&parent, options.worth);
        for epoch in options.epochs + 1..=options.epochs + options.polish {
            run(&mut trainer, epoch);
        }
        let table = quantised(&trainer.weights());
        let scale = |&weight: &i16| f32::from(weight) / SCALE as f32;
        Learned {
            weights: table.iter().map(scale).collect(),
            table,
        }
    };
    let first = learn(FIRST_STAGE, None);
    let chain = |stages: Vec<usize>| {
        let mut learned: Vec<Learned> = Vec::new();
        for stage in stages {
            learned.push(learn(stage, Some(learned.last().unwrap_or(&first))));
        }
        learned
    };
    let (later, earlier) = std::thread::scope(|scope| {
        let later = scope.spawn(|| chain((0..FIRST_STAGE).rev().collect()));
        let earlier = chain((FIRST_STAGE + 1..STAGES).collect());
        (later.join().unwrap_or_default(), earlier)
    });
    let stages = later.iter().rev().chain([&first]).chain(&earlier);
    stages.flat_map(|stage| &stage.table).copied().collect()
}

/// What training gave for a stage.
struct Learned {
    /// In discs, as quantised.
    weights: Vec<f32>,
    /// Quantised.
    table: Vec<i16>,
}

/// Weights in discs as the player has them.
fn quantised(weights: &[f32]) -> Vec<i16> {
    let step = f32::from(packed::STEP);
    let most = f32::from(packed::MOST_STEPS);
    let one = |(at, weight): (usize, &f32)| {
        let scaled = weight * SCALE as f32;
        if at < MOVES {
            (scaled / step).round().clamp(-most, most) as i16 * packed::STEP
        } else {
            scaled.round().clamp(-2_000.0, 2_000.0) as i16
        }
    };
    weights.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests;
