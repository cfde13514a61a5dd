//! The Isolation side of a run: reads turns, answers each within its time.

use super::board::{Board, Set, Square, Squares};
use super::protocol::{self, BadLine, Header};
use super::search::{Limits, Searcher};
use crate::host::{Host, Instant};
use crate::input::Input;
use crate::session::{Options, Outcome};
use alloc::format;
use alloc::string::String;

/// The part of a turn's time that the search may use, in thousandths: the rest is for pipes, a busy machine, and
/// the time before the first line of a turn was read.
const SEARCH_PER_MILLE: u64 = 800;

/// Microseconds to search in a turn of so many milliseconds.
pub fn search_us(turn_ms: u64) -> u64 {
    turn_ms.saturating_mul(SEARCH_PER_MILLE)
}

/// The judge keeps 2,000 characters of standard error a turn; so many lines of ours stay below that.
const MOST_WORDS: u32 = 12;

/// Plays games until the input ends.
pub fn run(host: &mut impl Host, input: &mut Input, options: &Options) -> Outcome {
    let mut game = Game {
        options,
        header: None,
        searcher: Searcher::new(options.level),
        outcome: Outcome::default(),
        words_left: MOST_WORDS,
    };
    while game.step(host, input).is_some() {}
    game.outcome
}

/// What a bot knows between two lines.
struct Game<'a> {
    options: &'a Options,
    header: Option<Header>,
    searcher: Searcher,
    outcome: Outcome,
    words_left: u32,
}

/// A turn as the judge sent it.
struct Turn {
    number: u32,
    asked: Instant,
    pieces: [Square; 2],
    free: Set,
    /// Where the board shows each piece.
    shown: [Option<Square>; 2],
}

impl Game<'_> {
    /// Deals with the next line and what belongs to it. `None` at the end of the input.
    fn step(&mut self, host: &mut impl Host, input: &mut Input) -> Option<()> {
        let line = self.line(host, input)?;
        self.words_left = MOST_WORDS;
        if protocol::is_header(&line) {
            match protocol::header(&line) {
                Ok(header) => self.header = Some(header),
                Err(bad) => self.complain(host, input, bad),
            }
            return Some(());
        }
        let asked = host.now();
        match (protocol::turn(&line), self.header) {
            (Err(bad), _) => self.complain(host, input, bad),
            (Ok(_), None) => self.complain(host, input, BadLine::Header),
            (Ok(number), Some(header)) => {
                if let Some(turn) = self.read_turn(host, input, header, number, asked)? {
                    self.answer(host, header, &turn);
                }
            }
        }
        Some(())
    }

    /// The next line that is text.
    fn line(&mut self, host: &mut impl Host, input: &mut Input) -> Option<String> {
        loop {
            match input.next(host)? {
                Ok(line) => return Some(String::from(line)),
                Err(bad) => {
                    self.outcome.bad_lines += 1;
                    let number = input.line_number();
                    self.log(host, &format!("line {number}: {bad}"));
                }
            }
        }
    }

    fn complain(&mut self, host: &mut impl Host, input: &Input, bad: BadLine) {
        self.outcome.bad_lines += 1;
        self.log(host, &format!("line {}: {bad}", input.line_number()));
    }

    fn log(&mut self, host: &mut impl Host, text: &str) {
        if self.words_left > 0 {
            self.words_left -= 1;
            host.log(text);
        }
    }

    /// Reads the rest of a turn. `Some(None)` if it is malformed; the line that did not fit is then looked at
    /// again, since it may begin the next turn.
    fn read_turn(
        &mut self,
        host: &mut impl Host,
        input: &mut Input,
        header: Header,
        number: u32,
        asked: Instant,
    ) -> Option<Option<Turn>> {
        let mut pieces = [None; 2];
        for piece in &mut pieces {
            let line = self.line(host, input)?;
            match protocol::square(&line, header) {
                Ok(square) => *piece = Some(square),
                Err(bad) => return Some(self.give_up(host, input, &line, bad)),
            }
        }
        let [Some(first), Some(second)] = pieces else {
            return Some(None);
        };
        let mut turn = Turn {
            number,
            asked,
            pieces: [first, second],
            free: 0,
            shown: [None; 2],
        };
        for y in 0..header.height {
            let line = self.line(host, input)?;
            if let Err(bad) = protocol::row(&line, header) {
                return Some(self.give_up(host, input, &line, bad));
            }
            turn.add_row(y, &line);
        }
        for (id, (said, shown)) in turn.pieces.iter_mut().zip(turn.shown).enumerate() {
            match shown {
                Some(shown) if shown != *said => {
                    self.log(
                        host,
                        &format!(
                            "turn {number}: the board shows player {id} at {shown}, not at {said}"
                        ),
                    );
                    *said = shown;
                }
                Some(_) => {}
                None => self.log(
                    host,
                    &format!("turn {number}: the board does not show player {id}"),
                ),
            }
        }
        turn.free &= !(turn.pieces[0].set() | turn.pieces[1].set());
        Some(Some(turn))
    }

    fn give_up(
        &mut self,
        host: &mut impl Host,
        input: &mut Input,
        line: &str,
        bad: BadLine,
    ) -> Option<Turn> {
        self.complain(host, input, bad);
        if protocol::turn(line).is_ok() || protocol::is_header(line) {
            input.unread();
        }
        None
    }

    /// Answers a turn. A legal move is there before the search begins.
    fn answer(&mut self, host: &mut impl Host, header: Header, turn: &Turn) {
        let board = Board {
            free: turn.free,
            own: turn.pieces[header.id],
            other: turn.pieces[1 - header.id],
        };
        let moves = board.moves();
        // Without a legal move the game is lost; the piece's own square is at least well-formed.
        let mut best = Squares(moves).next().unwrap_or(board.own);
        let mut thought = None;
        if moves.count_ones() > 1 {
            let limits = self.limits(turn.asked);
            thought = self.searcher.search(board, limits, host);
            if let Some(found) = thought {
                best = found.best;
            }
        }
        host.write_line(&format!("{best}"));
        if self.options.verbose {
            let wall = (host.now().wall_us - turn.asked.wall_us) / 1_000;
            let thought = thought.map_or(String::from("without search"), |found| {
                let (value, depth, nodes) = (found.value, found.depth, found.nodes);
                format!("depth {depth} value {value} nodes {nodes}")
            });
            self.log(
                host,
                &format!("turn {}: {best} {thought}, {wall} ms", turn.number),
            );
        }
    }

    fn limits(&self, asked: Instant) -> Limits {
        let search_us = search_us(self.options.turn_ms);
        Limits {
            deadline_us: match self.options.nodes {
                Some(_) => u64::MAX,
                None => asked.wall_us.saturating_add(search_us),
            },
            depth: i32::MAX,
            nodes: self.options.nodes.unwrap_or(u64::MAX),
        }
    }
}

impl Turn {
    /// Adds a row of the board, which has been checked.
    fn add_row(&mut self, y: usize, line: &str) {
        for (x, byte) in line.bytes().enumerate() {
            let Some(square) = Square::new(x, y) else {
                continue;
            };
            match byte {
                b'.' => self.free |= square.set(),
                b'0' => self.shown[0] = Some(square),
                b'1' => self.shown[1] = Some(square),
                _ => {}
            }
        }
    }
}
