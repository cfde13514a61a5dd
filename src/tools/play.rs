//! The bot itself: reads the options of play and hands over to the player library.

use super::args::{Args, UsageError};
use crate::os::StdHost;
use player::session::{self, Options};
use std::process::ExitCode;

/// The head of `--help`.
pub const HELP: &str = "\
Plays Reversi (or Isolation, if the first line says so) with a contest judge on standard input and output.

Usage: reversi-bot [OPTIONS] [< recorded-game.txt]
       reversi-bot TOOL ...

Options:
  --time-ms N   Reversi: wall time and CPU time for a whole game (default 5000)
  --turn-ms N   Isolation: wall time for a turn (default 80)
  --nodes N     search N nodes a move instead of watching the clocks
  --verbose     tell on standard error what the search thought, one line a move
  --help        print this text
  --version     print the version
";

/// Plays until the input ends. The exit status is 1 if a line was malformed.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    let mut options = Options::default();
    while let Some(word) = args.next() {
        match word.as_str() {
            "--time-ms" => options.time_ms = args.value(&word)?,
            "--turn-ms" => options.turn_ms = args.value(&word)?,
            "--nodes" => options.nodes = Some(args.value(&word)?),
            "--verbose" => options.verbose = true,
            "--help" | "-h" => {
                print!("{}", super::help());
                return Ok(ExitCode::SUCCESS);
            }
            "--version" | "-V" => {
                println!("reversi-bot {}", env!("CARGO_PKG_VERSION"));
                return Ok(ExitCode::SUCCESS);
            }
            _ => return Args::unknown(&word),
        }
    }
    let outcome = session::run(&mut StdHost::new(), &options);
    Ok(if outcome.bad_lines == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
