//! `perft N`: counts the leaves of the game tree, and how fast.

use super::args::{self, Args, UsageError};
use crate::os::cpu_us;
use player::isa::{Level, Portable};
use player::reversi::board::Position;
use std::process::ExitCode;

/// Prints a row for every depth from 1 to N: leaves, CPU time, leaves a second.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    let mut depth = None;
    let mut level = Level::detect();
    while let Some(word) = args.next() {
        match word.as_str() {
            "--portable" => level = Level::Portable,
            _ if depth.is_none() && !word.starts_with('-') => {
                depth = Some(args::parse::<u32>("the depth", &word)?);
            }
            _ => return Args::unknown(&word),
        }
    }
    let depth = depth.ok_or_else(|| UsageError("perft needs a depth".into()))?;
    println!("depth          leaves      seconds  leaves/second");
    for depth in 1..=depth {
        let before = cpu_us();
        let leaves = match level {
            Level::Portable => Position::START.perft(Portable, depth),
            Level::V3(v3) => Position::START.perft(v3, depth),
        };
        let micros = (cpu_us() - before).max(1);
        let rate = u128::from(leaves) * 1_000_000 / u128::from(micros);
        let seconds = micros as f64 / 1e6;
        println!("{depth:>5} {leaves:>15} {seconds:>12.6} {rate:>14}");
    }
    Ok(ExitCode::SUCCESS)
}
