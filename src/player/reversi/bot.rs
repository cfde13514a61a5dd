//! The Reversi side of a run: one short handler for each command.

use super::board::Position;
use super::protocol::{self, Answer, Colour, Command};
use super::report;
use super::search::iterate::Iteration;
use super::search::limits::Limits;
use super::search::Searcher;
use super::square::Squares;
use super::time::TimeManager;
use crate::host::{Host, Instant};
use crate::input::Input;
use crate::session::{Options, Outcome};
use alloc::format;

/// Answers every line until the input ends or the judge says `FINISH`.
pub fn run(host: &mut impl Host, input: &mut Input, options: &Options) -> Outcome {
    let mut bot = Bot::new(options);
    let mut outcome = Outcome::default();
    while let Some(line) = input.next(host) {
        let command = match line {
            Ok(text) => protocol::parse(text).map_err(|reason| format!("{reason}")),
            Err(reason) => Err(format!("{reason}")),
        };
        match command {
            Ok(Command::Ready(side)) => bot.ready(host, side),
            Ok(Command::Turn { turn, position }) => bot.turn(host, turn, position),
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

/// What a bot knows between two lines.
struct Bot<'a> {
    options: &'a Options,
    searcher: Searcher,
    /// The clocks of the game under way, or `None` before the first.
    time: Option<TimeManager>,
    /// The side that `READY` named.
    side: Option<Colour>,
    /// The number of the last turn of the game.
    last_turn: u32,
}

impl<'a> Bot<'a> {
    fn new(options: &'a Options) -> Bot<'a> {
        let searcher = Searcher::new(options.level);
        Bot {
            options,
            searcher,
            time: None,
            side: None,
            last_turn: 0,
        }
    }

    /// A game begins.
    fn ready(&mut self, host: &mut impl Host, side: Option<Colour>) {
        let asked = host.now();
        self.side = side;
        self.begin(asked);
        host.write_line("OK");
        self.book(asked, host.now());
    }

    /// Answers a turn. The answer to fall back on is there before anything else happens.
    fn turn(&mut self, host: &mut impl Host, turn: u32, position: Position) {
        let asked = host.now();
        if self.time.is_none() || turn <= self.last_turn {
            // A recording may go on to another game without READY.
            self.begin(asked);
        }
        self.last_turn = turn;
        let moves = position.moves();
        let mut answer = Squares(moves).next().map_or(Answer::Pass, Answer::Move);
        let mut thought = None;
        if moves.count_ones() > 1 {
            thought = self.think(host, asked, position);
            if let Some(iteration) = &thought {
                answer = Answer::Move(iteration.best);
            }
        }
        host.write_line(&format!("{answer}"));
        self.book(asked, host.now());
        self.warn_of_side(host, turn);
        if self.options.verbose {
            self.explain(host, turn, asked, answer, thought.as_ref());
        }
    }

    /// Starts the clocks of a game.
    fn begin(&mut self, now: Instant) {
        let allowance = self.options.time_ms;
        self.time = Some(if self.time.is_none() {
            TimeManager::first_game(allowance, now)
        } else {
            self.searcher.clear();
            TimeManager::next_game(allowance, now)
        });
        self.last_turn = 0;
    }

    fn book(&mut self, asked: Instant, answered: Instant) {
        if let Some(time) = &mut self.time {
            time.answered(asked, answered);
        }
    }

    fn think(&mut self, host: &impl Host, now: Instant, position: Position) -> Option<Iteration> {
        let limits = match (self.options.nodes, &self.time) {
            (Some(nodes), _) => Limits {
                nodes,
                ..Limits::PLAY
            },
            (None, Some(time)) => time.limits(now, position.empty_count()),
            (None, None) => Limits::PLAY,
        };
        self.searcher.search(position, limits, host, &mut |_| {})
    }

    fn warn_of_side(&self, host: &mut impl Host, turn: u32) {
        let colour = Colour::of_turn(turn);
        if self.side.is_some_and(|side| side != colour) {
            host.log(&format!(
                "turn {turn} is {colour}'s, READY said otherwise; playing {colour}"
            ));
        }
    }

    /// One line on what the search thought, and on both clocks.
    fn explain(
        &self,
        host: &mut impl Host,
        turn: u32,
        asked: Instant,
        answer: Answer,
        thought: Option<&Iteration>,
    ) {
        let now = host.now();
        let thought = match thought {
            Some(iteration) => report::summary(iteration),
            None => format!("{answer} without search"),
        };
        let wall = (now.wall_us - asked.wall_us) / 1_000;
        let cpu = (now.cpu_us - asked.cpu_us) / 1_000;
        let mut line = format!("turn {turn}: {thought}, {wall} ms wall, {cpu} ms CPU");
        if let Some(time) = &self.time {
            let left = time.left(now);
            line += &format!(
                ", left {} / {} ms",
                left.wall_us / 1_000,
                left.cpu_us / 1_000
            );
        }
        host.log(&line);
    }
}
