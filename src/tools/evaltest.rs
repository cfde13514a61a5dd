//! `evaltest FILE`: how far the evaluation is from the labels of a file of positions.

use super::args::{Args, UsageError};
use super::errors::Table;
use super::labels;
use player::reversi::eval::{packed, Weights};
use std::process::ExitCode;

/// Prints the errors of the program's weights, or of those in a file.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    let mut file = None;
    let mut weights = Weights::load();
    while let Some(word) = args.next() {
        match word.as_str() {
            "--weights" => {
                let path: String = args.value(&word)?;
                let bytes =
                    std::fs::read(&path).map_err(|error| UsageError(format!("{path}: {error}")))?;
                *weights = packed::unpack(&bytes);
            }
            _ if file.is_none() && !word.starts_with('-') => file = Some(word),
            _ => return Args::unknown(&word),
        }
    }
    let file = file.ok_or_else(|| UsageError("evaltest needs a file of positions".into()))?;
    Ok(match labels::read(&file) {
        Ok(labels) => {
            Table::of(&weights, &labels).print();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("reversi-bot: {error}");
            ExitCode::FAILURE
        }
    })
}
