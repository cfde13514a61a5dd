//! What users need besides playing: the command line and its subcommands.
//!
//! The player library never imports anything from here.

mod analyse;
mod args;
mod bench;
mod bundle;
mod errors;
mod evaltest;
mod fit_probcut;
mod isolation;
mod labels;
mod notation;
mod obf;
mod perft;
mod play;
mod random;
mod referee;
mod replay;
mod selfplay;
mod solve;
mod train;

use args::{Args, UsageError};
use player::reversi::search::iterate::Iteration;
use std::ffi::OsString;
use std::process::ExitCode;

/// A subcommand: its name, one line of help, and the function that runs it.
struct Tool {
    name: &'static str,
    help: &'static str,
    run: fn(Args) -> Result<ExitCode, UsageError>,
}

/// The tool that writes to processes of its own, and must outlive them.
const REFEREE: &str = "match";

/// Every subcommand, in the order in which `--help` lists them.
const TOOLS: &[Tool] = &[
    Tool {
        name: REFEREE,
        help:
            "match --a COMMAND --b COMMAND   play bots against each other under the judge's rules",
        run: referee::run,
    },
    Tool {
        name: "replay",
        help: "replay FILE           show a recorded game; --html PAGE writes a page for a browser",
        run: replay::run,
    },
    Tool {
        name: "analyse",
        help: "analyse POSITION      score every move of a position, or of the end of a game (f5d6...)",
        run: analyse::run,
    },
    Tool {
        name: "bundle",
        help: "bundle c|rust         print the player as one source file",
        run: bundle::run,
    },
    Tool {
        name: "solve",
        help:
            "solve FILE.obf        solve endgame problems, or play them under a clock (--time-ms N)",
        run: solve::run,
    },
    Tool {
        name: "bench",
        help: "bench                 search fixed positions to fixed depths and count the nodes",
        run: bench::run,
    },
    Tool {
        name: "perft",
        help: "perft N               count the leaves of the game tree to depth N",
        run: perft::run,
    },
    Tool {
        name: "evaltest",
        help: "evaltest FILE         measure the evaluation on labelled positions",
        run: evaltest::run,
    },
    Tool {
        name: "selfplay",
        help: "selfplay --games N --out FILE   play against itself and write valued positions",
        run: selfplay::run,
    },
    Tool {
        name: "train",
        help:
            "train --data FILE --out FILE   learn the evaluation's weights from labelled positions",
        run: train::run,
    },
    Tool {
        name: "fit-probcut",
        help: "fit-probcut SAMPLES   measure ProbCut's errors and write its table (--out FILE.rs)",
        run: fit_probcut::run,
    },
];

/// Runs the program with these arguments (without the program's name).
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let args = Args::new(arguments);
    let tool = args
        .peek()
        .and_then(|name| TOOLS.iter().find(|tool| name == tool.name));
    if tool.is_some_and(|tool| tool.name != REFEREE) {
        crate::os::end_with_the_reader();
    }
    let result = match tool {
        Some(tool) => (tool.run)(args.rest()),
        None => play::run(args),
    };
    result.unwrap_or_else(|error| {
        let hint = tool.map_or(String::new(), |tool| {
            format!("usage: reversi-bot {}\n", tool.help)
        });
        eprintln!("reversi-bot: {error}\n{hint}Try 'reversi-bot --help'.");
        ExitCode::from(2)
    })
}

/// The text of `--help`.
fn help() -> String {
    let mut text = String::from(play::HELP);
    text.push_str("\nTools:\n");
    for tool in TOOLS {
        text.push_str(&format!("  {}\n", tool.help));
    }
    text
}

/// An iteration in one line, for people: depth, score, line of play, nodes.
fn describe(iteration: &Iteration) -> String {
    player::reversi::report::summary(iteration)
}
