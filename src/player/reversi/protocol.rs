//! The Reversi judge's lines, parsed once into [`Command`]s.
//!
//! Pure: no reading, no playing. The bot's answers are formed here too, so that the whole protocol
//! stands in one file.

use super::board::{BadBoard, Position};
use super::square::Square;
use core::fmt;

/// A side. Black moves first and on odd turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Colour {
    /// The side whose turn has this number, counted from 1 with passes.
    pub const fn of_turn(turn: u32) -> Colour {
        if turn % 2 == 1 {
            Colour::Black
        } else {
            Colour::White
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "black",
            Colour::White => "white",
        })
    }
}

/// What the judge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `READY`, with the side if `FIRST` or `SECOND` follows: a game begins; answer `OK`.
    Ready(Option<Colour>),
    /// `TURN turn board`: answer `MOVE r c` or `PASS`. The position is seen from the bot's side.
    Turn {
        /// The turn's number from 1, passes counted.
        turn: u32,
        /// The board, with the side to move as its player.
        position: Position,
    },
    /// `FINISH`: nothing more follows.
    Finish,
    /// `OPP ...`: what the opponent did, in recordings of other games of this judge. Nothing to do.
    Opponent,
}

/// Why a line is no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCommand {
    /// The first word is none of the judge's.
    Unknown,
    /// `READY` with something other than one `FIRST` or `SECOND`.
    Ready,
    /// `TURN` with other than two words after it; how many there were.
    TurnWords(usize),
    /// A turn that is no number from 1 on.
    TurnNumber,
    /// A board that is none.
    Board(BadBoard),
}

impl fmt::Display for BadCommand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BadCommand::Unknown => f.write_str("unknown command (READY and TURN are known)"),
            BadCommand::Ready => f.write_str("READY takes nothing, FIRST or SECOND"),
            BadCommand::TurnWords(words) => {
                write!(f, "TURN takes a turn and a board, here are {words} words")
            }
            BadCommand::TurnNumber => f.write_str("the turn is no number from 1 on"),
            BadCommand::Board(reason) => reason.fmt(f),
        }
    }
}

/// Parses a cleaned line; see [`crate::input::Input`].
pub fn parse(line: &str) -> Result<Command, BadCommand> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("READY") => match (words.next(), words.next()) {
            (None, _) => Ok(Command::Ready(None)),
            (Some("FIRST"), None) => Ok(Command::Ready(Some(Colour::Black))),
            (Some("SECOND"), None) => Ok(Command::Ready(Some(Colour::White))),
            _ => Err(BadCommand::Ready),
        },
        Some("TURN") => {
            let (Some(turn), Some(board), None) = (words.next(), words.next(), words.next()) else {
                return Err(BadCommand::TurnWords(
                    line.split_ascii_whitespace().count() - 1,
                ));
            };
            parse_turn(turn, board)
        }
        Some("FINISH") => Ok(Command::Finish),
        Some("OPP") => Ok(Command::Opponent),
        _ => Err(BadCommand::Unknown),
    }
}

fn parse_turn(turn: &str, board: &str) -> Result<Command, BadCommand> {
    let digits = turn.bytes().all(|byte| byte.is_ascii_digit());
    let turn = turn.parse::<u32>().ok().filter(|&turn| digits && turn > 0);
    let turn = turn.ok_or(BadCommand::TurnNumber)?;
    if let Some(at) = board.bytes().position(|byte| !b".BW".contains(&byte)) {
        if board.len() == 64 {
            return Err(BadCommand::Board(BadBoard::Character(
                board.as_bytes()[at],
                at,
            )));
        }
    }
    let (own, other) = match Colour::of_turn(turn) {
        Colour::Black => (b'B', b'W'),
        Colour::White => (b'W', b'B'),
    };
    let position = Position::parse(board, own, other).map_err(BadCommand::Board)?;
    Ok(Command::Turn { turn, position })
}

/// The bot's answer to a turn, as the judge reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `MOVE r c`, row and column counted from 1.
    Move(Square),
    /// `PASS`.
    Pass,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Answer::Move(square) => write!(f, "MOVE {} {}", square.row() + 1, square.column() + 1),
            Answer::Pass => f.write_str("PASS"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "...........................WB......BW...........................";

    fn turn(number: &str) -> std::string::String {
        std::format!("TURN {number} {START}")
    }

    #[test]
    fn commands_are_read() {
        assert_eq!(parse("READY"), Ok(Command::Ready(None)));
        assert_eq!(
            parse("READY FIRST"),
            Ok(Command::Ready(Some(Colour::Black)))
        );
        assert_eq!(
            parse("READY  SECOND"),
            Ok(Command::Ready(Some(Colour::White)))
        );
        assert_eq!(parse("FINISH"), Ok(Command::Finish));
        assert_eq!(parse("OPP 3 4"), Ok(Command::Opponent));
        let start = Position::START;
        assert_eq!(
            parse(&turn("1")),
            Ok(Command::Turn {
                turn: 1,
                position: start
            })
        );
        assert_eq!(
            parse(&turn("2")),
            Ok(Command::Turn {
                turn: 2,
                position: start.pass()
            })
        );
    }

    #[test]
    fn malformed_lines_say_why() {
        assert_eq!(parse("ready"), Err(BadCommand::Unknown));
        assert_eq!(parse("READY THIRD"), Err(BadCommand::Ready));
        assert_eq!(parse("READY FIRST FIRST"), Err(BadCommand::Ready));
        assert_eq!(parse("TURN"), Err(BadCommand::TurnWords(0)));
        assert_eq!(parse("TURN 1"), Err(BadCommand::TurnWords(1)));
        assert_eq!(parse(&turn("1 2")), Err(BadCommand::TurnWords(3)));
        for number in ["0", "-1", "+1", "x", "1.5", "99999999999"] {
            assert_eq!(
                parse(&turn(number)),
                Err(BadCommand::TurnNumber),
                "{number}"
            );
        }
        assert_eq!(
            parse("TURN 1 BW"),
            Err(BadCommand::Board(BadBoard::Length(2)))
        );
        let board = START.replace('W', "-");
        let error = parse(&std::format!("TURN 1 {board}"));
        assert_eq!(error, Err(BadCommand::Board(BadBoard::Character(b'-', 27))));
    }

    #[test]
    fn answers_are_worded_as_the_judge_reads_them() {
        let square = Square::parse("f5").unwrap();
        assert_eq!(std::format!("{}", Answer::Move(square)), "MOVE 5 6");
        assert_eq!(std::format!("{}", Answer::Pass), "PASS");
    }
}
