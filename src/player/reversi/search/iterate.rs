//! Iterative deepening: from one ply to the end of the game, each result better than the last.
//!
//! Deeper searches of the middle game come first, then searches to the end with growing confidence. The
//! limits decide where it stops; what the last finished iteration found stands.

use super::super::board::Position;
use super::super::square::Square;
use super::context::{Context, Searcher, Stopped};
use super::limits::Limits;
use super::root::{Found, Root};
use super::{Level, CERTAIN, MAX_SCORE};
use crate::host::{Clock, Instant};
use crate::isa::{self, Isa};
use alloc::vec::Vec;

/// The result of a finished iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// How deep and how sure the search was.
    pub level: Level,
    /// The value for the side to move, in discs; the exact score if [`Iteration::is_exact`].
    pub score: i32,
    /// The move it is best to make.
    pub best: Square,
    /// The expected line of play, `best` first. Passes are left out.
    pub line: Vec<Square>,
    /// Nodes searched so far, over all iterations.
    pub nodes: u64,
    /// The clocks at the end of the iteration.
    pub at: Instant,
    /// Empty squares at the root.
    pub empties: u32,
}

impl Iteration {
    /// Whether the score is the game's true outcome.
    pub fn is_exact(&self) -> bool {
        self.level.serves(Level::exact(self.empties))
    }
}

/// Fewer plies than this short of the end, a search to the end takes the place of further deepening.
const TO_THE_END: u32 = 10;

/// Half the width of the first window around the score of the iteration before.
const ASPIRATION: i32 = 3;

impl Searcher {
    /// Searches `position`, telling `report` of every finished iteration. The last one is returned:
    /// `None` if there is no move, or no time even for the first.
    pub fn search(
        &mut self,
        position: Position,
        limits: Limits,
        clock: &dyn Clock,
        report: &mut dyn FnMut(&Iteration),
    ) -> Option<Iteration> {
        let level = self.level;
        self.table.age();
        let mut cx = self.context(clock, limits);
        match level {
            isa::Level::Portable => deepen(&mut cx, isa::Portable, position, report),
            isa::Level::V3(v3) => deepen(&mut cx, v3, position, report),
        }
    }

    /// Finds out only who wins: like [`Searcher::search`], but the search to the end asks whether the
    /// score is below, at or above zero, and its score is a bound with the right sign.
    pub fn search_outcome(
        &mut self,
        position: Position,
        limits: Limits,
        clock: &dyn Clock,
        report: &mut dyn FnMut(&Iteration),
    ) -> Option<Iteration> {
        self.search(position, limits, clock, report)
    }
}

fn deepen<I: Isa>(
    cx: &mut Context,
    isa: I,
    position: Position,
    report: &mut dyn FnMut(&Iteration),
) -> Option<Iteration> {
    let mut root = Root::new(position);
    let empties = position.empty_count();
    let mut last: Option<Iteration> = None;
    if root.moves.is_empty() {
        return None;
    }
    for level in levels(empties, cx.limits) {
        if last.is_some() && cx.limits.soft.passed(cx.clock.now()) {
            break;
        }
        let guess = last.as_ref().map(|iteration| iteration.score);
        let Ok(Some(found)) = iterate(cx, isa, &mut root, level, guess) else {
            break;
        };
        let iteration = Iteration {
            level,
            score: found.score,
            best: found.best,
            line: principal_line(cx, position, found.best),
            nodes: cx.nodes,
            at: cx.clock.now(),
            empties,
        };
        report(&iteration);
        last = Some(iteration);
    }
    last
}

/// The levels of the iterations, in order.
fn levels(empties: u32, limits: Limits) -> impl Iterator<Item = Level> {
    let middle = empties.saturating_sub(TO_THE_END).max(1).min(limits.depth);
    let deepening = (1..=middle).filter(move |&depth| depth < empties);
    let to_the_end = (0..=limits.confidence.min(CERTAIN)).filter(move |&confidence| {
        empties <= limits.depth && (confidence == CERTAIN || empties > 14)
    });
    let midgame = deepening.map(|depth| Level {
        depth: depth as u8,
        confidence: 0,
    });
    midgame.chain(to_the_end.map(move |confidence| Level {
        depth: empties as u8,
        confidence,
    }))
}

/// One iteration: a window around the guess, widened where the score falls outside.
fn iterate<I: Isa>(
    cx: &mut Context,
    isa: I,
    root: &mut Root,
    level: Level,
    guess: Option<i32>,
) -> Result<Option<Found>, Stopped> {
    cx.confidence = level.confidence;
    let (mut alpha, mut beta) = match guess {
        Some(guess) => (guess - ASPIRATION, guess + ASPIRATION),
        None => (-MAX_SCORE, MAX_SCORE),
    };
    let mut step = ASPIRATION;
    loop {
        alpha = alpha.max(-MAX_SCORE);
        beta = beta.min(MAX_SCORE);
        let Some(found) = root.search(cx, isa, level.depth.into(), alpha, beta)? else {
            return Ok(None);
        };
        step *= 2;
        if found.score <= alpha && alpha > -MAX_SCORE {
            beta = found.score + 1;
            alpha = found.score - step;
        } else if found.score >= beta && beta < MAX_SCORE {
            alpha = found.score - 1;
            beta = found.score + step;
        } else {
            return Ok(Some(found));
        }
    }
}

/// The line that the table remembers from the root, as far as it is whole.
fn principal_line(cx: &Context, root: Position, best: Square) -> Vec<Square> {
    let mut line = Vec::new();
    let mut position = root;
    let mut next = Some(best);
    while let Some(square) = next {
        let Some(after) = position.play(square) else {
            break;
        };
        line.push(square);
        position = if after.moves() == 0 {
            after.pass()
        } else {
            after
        };
        next = cx.table.get(&position).and_then(|entry| entry.best);
    }
    line
}
