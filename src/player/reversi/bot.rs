//! The Reversi side of a run: one short handler for each command.

use super::board::Position;
use super::protocol::{self, Answer, Colour, Command};
use super::square::Squares;
use crate::host::Host;
use crate::input::Input;
use crate::session::{Options, Outcome};
use alloc::format;

/// Answers every line until the input ends or the judge says `FINISH`.
pub fn run(host: &mut impl Host, input: &mut Input, options: &Options) -> Outcome {
    let _ = options;
    let mut outcome = Outcome::default();
    let mut side = None;
    while let Some(line) = input.next(host) {
        let command = match line {
            Ok(text) => protocol::parse(text).map_err(|reason| format!("{reason}")),
            Err(reason) => Err(format!("{reason}")),
        };
        match command {
            Ok(Command::Ready(colour)) => {
                side = colour;
                host.write_line("OK");
            }
            Ok(Command::Turn { turn, position }) => {
                warn_of_side(host, side, turn);
                host.write_line(&format!("{}", answer(position)));
            }
            Ok(Command::Opponent) => host.log("OPP is not needed and ignored"),
            Ok(Command::Finish) => break,
            Err(reason) => {
                outcome.bad_lines += 1;
                host.log(&format!("line {}: {reason}", input.line_number()));
            }
        }
    }
    outcome
}

fn warn_of_side(host: &mut impl Host, side: Option<Colour>, turn: u32) {
    let colour = Colour::of_turn(turn);
    if side.is_some_and(|side| side != colour) {
        host.log(&format!(
            "turn {turn} is {colour}'s, READY said otherwise; playing {colour}"
        ));
    }
}

fn answer(position: Position) -> Answer {
    match Squares(position.moves()).next() {
        Some(square) => Answer::Move(square),
        None => Answer::Pass,
    }
}
