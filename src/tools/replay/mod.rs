//! `replay FILE`: a recorded game, move by move in the terminal or as a page for a browser.

mod html;
pub mod isolation;
mod recording;

use super::args::{Args, UsageError};
use crate::os::SystemClock;
use html::{page, Sheet, View};
use player::isa::Level as IsaLevel;
use player::reversi::board::Position;
use player::reversi::protocol::Colour;
use player::reversi::search::{Level, Searcher, CERTAIN};
use player::reversi::square::{Set, Square, Squares};
use recording::Recording;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::process::ExitCode;

/// Plies of the searches that value positions, if no other number is given.
const DEPTH: u8 = 10;

/// With this many empty squares or fewer positions are solved.
const SOLVED: u32 = 12;

/// A move that gives away so many discs is marked as a mistake.
const MISTAKE: i32 = 4;

/// A position of the game as it is shown.
struct Frame {
    turn: u32,
    position: Position,
    /// What led here; `None` at the beginning, `Some(None)` for a pass.
    last: Option<Option<Square>>,
    time_us: Option<u64>,
    /// The value for black, in discs.
    value: Option<i32>,
}

impl Frame {
    fn colour(&self) -> Colour {
        Colour::of_turn(self.turn)
    }

    /// The discs of black and of white.
    fn discs(&self) -> (Set, Set) {
        let Position { player, opponent } = self.position;
        match self.colour() {
            Colour::Black => (player, opponent),
            Colour::White => (opponent, player),
        }
    }

    /// What led here, in words.
    fn before(&self) -> String {
        match self.last {
            None => "the beginning".into(),
            Some(None) => "a pass".into(),
            Some(Some(square)) => square.to_string(),
        }
    }

    /// The discs of both, in words.
    fn counts(&self) -> String {
        let (black, white) = self.discs();
        format!("black {} white {}", black.count_ones(), white.count_ones())
    }

    /// A score for the side to move as one for black.
    fn for_black(&self, score: i32) -> i32 {
        match self.colour() {
            Colour::Black => score,
            Colour::White => -score,
        }
    }
}

/// The game for the page.
fn sheet(frames: &[Frame]) -> Sheet {
    let names = |characters: &str| characters.chars().map(String::from).collect();
    Sheet {
        game: "Reversi",
        columns: names("abcdefgh"),
        rows: names("12345678"),
        between: "",
        names: r#"{ "B": "black", "W": "white", "+": "legal move", ".": "empty" }"#,
        whose: "black",
        unit: "discs",
        most: 8,
        mistake: MISTAKE,
        views: frames.iter().map(view).collect(),
    }
}

fn view(frame: &Frame) -> View {
    let (black, white) = frame.discs();
    let legal = frame.position.moves();
    let mark = |square: Square| match square.set() {
        set if black & set != 0 => 'B',
        set if white & set != 0 => 'W',
        set if legal & set != 0 => '+',
        _ => '.',
    };
    View {
        turn: frame.turn,
        board: Squares(!0).map(mark).collect(),
        last: frame.before(),
        moved: frame.last.flatten().is_some(),
        side: (!frame.position.is_over()).then(|| frame.colour().to_string()),
        counts: format!("black {}, white {}", black.count_ones(), white.count_ones()),
        value: frame.value,
        own: frame.colour() == Colour::Black,
        time_us: frame.time_us,
    }
}

/// A game for the terminal or for a browser.
pub enum Shown {
    Text(String),
    Page(Box<Sheet>),
}

/// The game as text, or, with a depth for searches that value its positions, as a page.
fn show(game: &Recording, depth: Option<u8>, colours: bool) -> Shown {
    let frames = frames(game, depth);
    match depth {
        Some(_) => Shown::Page(Box::new(sheet(&frames))),
        None => Shown::Text(
            frames
                .iter()
                .map(|frame| terminal(frame, colours))
                .collect(),
        ),
    }
}

/// Shows the game, or writes the page.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    // The file tells the game; the option is taken for whoever gives it.
    args.take_game()?;
    let (mut file, mut to, mut depth) = (None, None, DEPTH);
    while let Some(word) = args.next() {
        match word.as_str() {
            "--html" => to = Some(args.value::<String>(&word)?),
            "--depth" => depth = args.value::<u8>(&word)?.clamp(1, 30),
            _ if file.is_none() && !word.starts_with('-') => file = Some(word),
            _ => return Args::unknown(&word),
        }
    }
    let file = file.ok_or_else(|| UsageError("replay needs a recorded game".into()))?;
    let done = std::fs::read(&file)
        .map_err(|error| error.to_string())
        .and_then(|bytes| {
            let text = String::from_utf8_lossy(&bytes);
            let depth = to.as_ref().map(|_| depth);
            let colours = std::io::stdout().is_terminal();
            if isolation::is_recording(&text) {
                isolation::read(&text).map(|game| isolation::show(&game, depth, colours))
            } else {
                recording::read(&text).map(|game| show(&game, depth, colours))
            }
        })
        .and_then(|shown| match (&to, shown) {
            (Some(to), Shown::Page(sheet)) => {
                std::fs::write(to, page(&sheet)).map_err(|error| format!("{to}: {error}"))
            }
            (_, Shown::Page(_)) => Ok(()),
            (_, Shown::Text(text)) => {
                print!("{text}");
                Ok(())
            }
        });
    Ok(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("reversi-bot: {file}: {reason}");
            ExitCode::FAILURE
        }
    })
}

/// The positions of a game, valued by searches to `depth` if there is one.
fn frames(game: &Recording, depth: Option<u8>) -> Vec<Frame> {
    let mut searcher = depth.map(|_| Searcher::new(IsaLevel::detect()));
    let clock = SystemClock::new();
    let plies = std::iter::once(None).chain(game.plies.iter().map(Some));
    let mut frames = Vec::new();
    for ((number, position), ply) in (0..).zip(game.positions()).zip(plies) {
        let mut frame = Frame {
            turn: game.turn + number,
            position,
            last: ply.map(|ply| ply.square),
            time_us: ply.and_then(|ply| ply.time_us),
            value: None,
        };
        if let (Some(searcher), Some(depth)) = (&mut searcher, depth) {
            let empties = position.empty_count();
            let depth = if empties <= SOLVED {
                empties as u8
            } else {
                depth.min(empties as u8)
            };
            let level = Level {
                depth,
                confidence: CERTAIN,
            };
            let value = match position.is_over() {
                true => position.final_score(),
                false => searcher.value(position, level, &clock),
            };
            frame.value = Some(frame.for_black(value));
        }
        frames.push(frame);
    }
    frames
}

/// A frame as text: the last move in brackets, legal moves as dots.
fn terminal(frame: &Frame, colours: bool) -> String {
    let (black, white) = frame.discs();
    let legal = frame.position.moves();
    let last = frame.last.flatten();
    let mut text = String::new();
    let before = frame.before();
    let side = frame.colour();
    let to_move = match frame.position.is_over() {
        true => "the game is over".into(),
        false => format!("turn {}, {side} to move", frame.turn),
    };
    let _ = writeln!(text, "{before}: {to_move}, {}", frame.counts());
    let _ = writeln!(text, "   a  b  c  d  e  f  g  h");
    for row in 0..8 {
        let _ = write!(text, "{} ", row + 1);
        for square in Squares(0xff << (8 * row)) {
            let mark = match square.set() {
                set if black & set != 0 => 'X',
                set if white & set != 0 => 'O',
                set if legal & set != 0 => '.',
                _ => ' ',
            };
            let shown = if last == Some(square) {
                format!("[{mark}]")
            } else {
                format!(" {mark} ")
            };
            let colour = match (colours, mark) {
                (true, 'X') => Some("1;30;42"),
                (true, 'O') => Some("1;37;42"),
                (true, _) => Some("33;42"),
                _ => None,
            };
            let _ = match colour {
                Some(colour) => write!(text, "\x1b[{colour}m{shown}\x1b[0m"),
                None => write!(text, "{shown}"),
            };
        }
        let _ = writeln!(text, " {}", row + 1);
    }
    text.push('\n');
    text
}
