//! One game under the judge's rules.

use super::bot::{Allowance, Bot, Cause, Fault, Used};
use super::game::{BadAnswer, Clock, Game, Player};
use std::fmt::Write as _;
use std::time::Instant;

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// A command, run by the shell.
    Command(String),
    /// A player that is built in, by name.
    BuiltIn(String),
}

/// A contestant at the board.
enum Seat<G: Game> {
    Process(Box<Bot>),
    Inside(Box<dyn Player<G>>, Used),
}

/// A game that was played to its end.
pub struct Played {
    /// Where it began; see [`Game::start`].
    pub start: Option<String>,
    /// The moves, opening included, in the game's notation.
    pub moves: String,
    /// How far side 0 came out ahead; by a forfeit, the game's forfeit margin.
    pub margin: i32,
    /// The side that forfeited, why, and its last lines.
    pub forfeit: Option<(usize, Fault, Vec<String>)>,
    /// Time used by each side.
    pub used: [Used; 2],
    /// Wall time of each answer in microseconds, in order of play.
    pub answer_us: Vec<u64>,
    /// What each side was sent and answered, in `< ` and `> ` lines.
    pub transcripts: [String; 2],
}

/// The table at which a game is played.
struct Table<G: Game> {
    game: G,
    seats: [Option<Seat<G>>; 2],
    played: Played,
    /// Greetings that need no answer go out with the first request.
    waiting: [String; 2],
    /// Wall time of each side's longest answer to a turn.
    worst_us: [u64; 2],
    limits: Limits,
}

/// The judge's limits, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall time for what [`Game::CLOCK`] says.
    pub wall_ms: u64,
    /// CPU time for a whole game, if it is limited.
    pub cpu_ms: Option<u64>,
}

/// Plays a game from `start`; `contestants[0]` moves on side 0. The
/// drawing of built-in players repeats for a seed.
pub fn play<G: Game>(start: G, contestants: [&Contestant; 2], limits: Limits, seed: u64) -> Played {
    let mut table = Table {
        seats: [None, None],
        played: Played {
            start: start.start(),
            moves: String::new(),
            margin: 0,
            forfeit: None,
            used: [Used::default(); 2],
            answer_us: Vec::new(),
            transcripts: [String::new(), String::new()],
        },
        game: start,
        waiting: [String::new(), String::new()],
        worst_us: [0; 2],
        limits,
    };
    let forfeit = table.run(contestants, seed).err();
    table.finish(forfeit)
}

impl<G: Game> Table<G> {
    /// Plays until the game is over or a side forfeits.
    fn run(&mut self, contestants: [&Contestant; 2], seed: u64) -> Result<(), (usize, Fault)> {
        for (side, who) in contestants.into_iter().enumerate() {
            self.sit_down(side, who, seed)
                .map_err(|fault| (side, fault))?;
        }
        while let Some(side) = self.game.to_move() {
            let request = self.game.request();
            let since = Instant::now();
            let answer = self.ask(side, &request, since);
            let taken = since.elapsed().as_micros() as u64;
            self.played.answer_us.push(taken);
            self.worst_us[side] = self.worst_us[side].max(taken);
            let answer = answer.map_err(|fault| (side, fault))?;
            self.game.play(&answer).map_err(|bad| {
                let cause = match bad {
                    BadAnswer::Format => Cause::Output,
                    BadAnswer::Illegal(_) => Cause::Illegal,
                };
                (side, Fault::new(cause, format!("'{answer}': {bad}")))
            })?;
        }
        for side in 0..2 {
            let allowance = self.allowance(side);
            if let Some(Seat::Process(bot)) = &mut self.seats[side] {
                bot.finish(allowance).map_err(|fault| (side, fault))?;
            }
        }
        Ok(())
    }

    /// What a side may have used after its next answer.
    fn allowance(&self, side: usize) -> Allowance {
        let micros = |ms: u64| ms.saturating_mul(1_000);
        let earlier = match (&self.seats[side], G::CLOCK) {
            (Some(Seat::Process(bot)), Clock::Turn) => bot.used.wall_us,
            _ => 0,
        };
        Allowance {
            wall_us: earlier + micros(self.limits.wall_ms),
            cpu_us: self.limits.cpu_ms.map(micros),
        }
    }

    /// Starts a contestant and greets it.
    fn sit_down(&mut self, side: usize, who: &Contestant, seed: u64) -> Result<(), Fault> {
        let since = Instant::now();
        self.seats[side] = Some(match who {
            Contestant::Command(command) => Seat::Process(Box::new(Bot::start(command)?)),
            Contestant::BuiltIn(name) => {
                let player = G::built_in(name, seed ^ side as u64);
                let unknown = || Fault::new(Cause::Crash, format!("there is no player '{name}'"));
                Seat::Inside(player.ok_or_else(unknown)?, Used::default())
            }
        });
        let (greeting, expected) = self.game.greeting(side);
        let Some(expected) = expected else {
            self.waiting[side] = greeting + "\n";
            return Ok(());
        };
        if matches!(self.seats[side], Some(Seat::Inside(..))) {
            return Ok(());
        }
        let answer = self.ask(side, &greeting, since)?;
        if answer == expected {
            Ok(())
        } else {
            let what = format!("'{answer}' where '{expected}' belongs");
            Err(Fault::new(Cause::Output, what))
        }
    }

    /// Asks a side and keeps the record of it.
    fn ask(&mut self, side: usize, request: &str, since: Instant) -> Result<String, Fault> {
        let full = std::mem::take(&mut self.waiting[side]) + request;
        for line in full.lines() {
            let _ = writeln!(self.played.transcripts[side], "< {line}");
        }
        let before = since.elapsed().as_micros() as u64;
        let allowance = self.allowance(side);
        let answer = match &mut self.seats[side] {
            Some(Seat::Process(bot)) => bot.ask(&full, since, allowance),
            Some(Seat::Inside(player, used)) => {
                let answer = player.answer(&self.game);
                used.wall_us += since.elapsed().as_micros() as u64 - before;
                Ok(answer)
            }
            None => Err(Fault::new(Cause::Crash, "not there")),
        };
        if let Ok(answer) = &answer {
            let _ = writeln!(self.played.transcripts[side], "> {answer}");
        }
        answer
    }

    /// Takes a side from the table.
    fn leave(&mut self, side: usize) {
        self.played.used[side] = match self.seats[side].take() {
            Some(Seat::Process(bot)) => bot.used,
            Some(Seat::Inside(_, used)) => used,
            None => return,
        };
    }

    /// The record of the game.
    fn finish(mut self, forfeit: Option<(usize, Fault)>) -> Played {
        self.played.moves = self.game.moves();
        self.played.margin = self.game.margin();
        if let Some((side, fault)) = forfeit {
            let lines = match &self.seats[side] {
                Some(Seat::Process(bot)) => bot.last_lines(),
                _ => Vec::new(),
            };
            let margin = self.game.forfeit_margin();
            self.played.margin = if side == 0 { -margin } else { margin };
            self.played.forfeit = Some((side, fault, lines));
        }
        for side in 0..2 {
            self.leave(side);
            self.played.used[side].worst_us = self.worst_us[side];
        }
        self.played
    }
}
