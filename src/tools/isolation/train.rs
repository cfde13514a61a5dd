//! `train --game isolation`: learns the evaluation from the positions of [`super::selfplay`].
//!
//! A position's target lies between what the search thought of it and who won. Whole games are held out to tell how
//! well the network does on what it has not seen. The same data and seed give the same weights.

use super::super::args::{Args, UsageError};
use super::super::random::Random;
use super::descent::{cost, probability, Descent, Sample};
use super::samples;
use player::isolation::network;
use player::isolation::search::WON;
use std::io;
use std::process::ExitCode;
use std::time::Instant;

struct Options {
    /// Files, each with the search's value that means odds of `e` to one in it.
    data: Vec<(String, f32)>,
    out: String,
    seed: u64,
    epochs: usize,
    batch: usize,
    rate: f32,
    /// How much of the target is what the search thought; the rest is who won.
    search: f32,
    one_in: u64,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        data: Vec::new(),
        out: String::new(),
        seed: 1,
        epochs: 10,
        batch: 2048,
        rate: 0.002,
        search: 0.5,
        one_in: 30,
    };
    let mut scale = network::VALUE_UNIT;
    while let Some(word) = args.next() {
        match word.as_str() {
            "--data" => options.data.push((args.value(&word)?, scale)),
            "--out" => options.out = args.value(&word)?,
            "--seed" => options.seed = args.value(&word)?,
            "--epochs" => options.epochs = args.value(&word)?,
            "--batch" => options.batch = args.value::<usize>(&word)?.max(2),
            "--rate" => options.rate = args.value(&word)?,
            "--search" => options.search = args.value::<f32>(&word)?.clamp(0.0, 1.0),
            "--scale" => scale = args.value::<f32>(&word)?.max(1.0),
            "--holdout-one-in" => options.one_in = args.value::<u64>(&word)?.max(2),
            _ => return Args::unknown(&word),
        }
    }
    if options.data.is_empty() || options.out.is_empty() {
        return Err(UsageError("train needs --data FILE and --out FILE".into()));
    }
    Ok(options)
}

/// Trains and writes the weights.
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

/// What there is to learn from, and what to test on, with who won.
struct Data {
    training: Vec<Sample>,
    held_out: Vec<Sample>,
    won: Vec<bool>,
}

fn read(options: &Options) -> io::Result<Data> {
    let mut random = Random::new(options.seed);
    let mut data = Data {
        training: Vec::new(),
        held_out: Vec::new(),
        won: Vec::new(),
    };
    for (path, scale) in &options.data {
        for game in samples::games(&samples::read(path)?) {
            let held_out = random.below(options.one_in) == 0;
            for position in game {
                let Some(sample) =
                    Sample::new(position.board, target(position, *scale, options.search))
                else {
                    continue;
                };
                if held_out {
                    data.held_out.push(sample);
                    data.won.push(position.won);
                } else {
                    data.training.push(sample);
                }
            }
        }
    }
    Ok(data)
}

/// The probability that a position is won, by the search and by the game.
fn target(position: &samples::Sample, scale: f32, search: f32) -> f32 {
    let value = i32::from(position.value);
    let won = f32::from(u8::from(position.won));
    if value.abs() > WON {
        return f32::from(u8::from(value > 0));
    }
    let thought = probability(value as f32 / scale);
    search * thought + (1.0 - search) * won
}

fn learn(options: &Options) -> io::Result<()> {
    let start = Instant::now();
    let data = read(options)?;
    println!(
        "{} positions to train on, {} held out",
        data.training.len(),
        data.held_out.len()
    );
    let mut random = Random::new(options.seed);
    let mut descent = Descent::new(&mut random);
    let mut order: Vec<&Sample> = data.training.iter().collect();
    let steps = (order.len() / options.batch * options.epochs).max(1) as f32;
    let mut step = 0.0;
    for epoch in 1..=options.epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        let mut sum = 0.0;
        for batch in order.chunks_exact(options.batch) {
            let rate = options.rate * (1.0 - step / steps).max(0.01);
            sum += descent.step(batch, rate, random.next() >> 1);
            step += 1.0;
        }
        let seconds = start.elapsed().as_secs_f64();
        let loss = sum / order.len().max(1) as f64;
        print!("{seconds:6.0} s  epoch {epoch:2}  loss {loss:.4}");
        tell(&descent, &data);
    }
    let bytes = network::pack(&descent.quantised());
    std::fs::write(&options.out, &bytes)?;
    println!("{}: {} bytes", options.out, bytes.len());
    Ok(())
}

/// Prints what predictions of the held-out positions cost: by their targets, by who won, and the latter by tens of free
/// squares.
fn tell(descent: &Descent, data: &Data) {
    let predicted = descent.predict(&data.held_out);
    let mut costs = [0.0f64; 2];
    let mut by_free = [(0.0f64, 0u32); 9];
    for ((sample, &won), predicted) in data.held_out.iter().zip(&data.won).zip(predicted) {
        let by_result = f64::from(cost(predicted, f32::from(u8::from(won))));
        costs[0] += f64::from(cost(predicted, sample.target));
        costs[1] += by_result;
        let (sum, count) = &mut by_free[sample.free() / 10];
        *sum += by_result;
        *count += 1;
    }
    let [target, result] = costs.map(|cost| cost / data.held_out.len().max(1) as f64);
    print!("  held out: loss {target:.4}, by results {result:.4}, by free squares");
    for (tens, (sum, count)) in by_free.iter().enumerate() {
        if *count > 0 {
            print!(" {}0: {:.3}", tens, sum / f64::from(*count));
        }
    }
    println!();
}
