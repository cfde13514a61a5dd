//! Iterative deepening: from one ply to the end of the game, each result better than the last.
//!
//! Deeper searches of the middle game come first, then searches to the end with growing confidence. The
//! limits decide where it stops; what the last finished iteration found stands.

use super::super::board::Position;
use super::super::square::Square;
use super::context::{Context, Node, Searcher, Stopped};
use super::limits::{Goal, Limits};
use super::root::{Found, Root};
use super::{hardest, midgame, probcut, Level, CERTAIN, MAX_SCORE};
use crate::host::{Clock, Instant};
use crate::isa::{self, Isa};
use alloc::vec::Vec;

/// The result of a finished iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// How deep and how sure the search was.
    pub level: Level,
    /// The value for the side to move, in discs; the true score if [`Iteration::is_exact`]. If only the
    /// outcome was asked for, a bound whose sign is right.
    pub score: i32,
    /// Whether only the outcome was asked for.
    pub outcome_only: bool,
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
    /// Whether the score is the true score of the game.
    pub fn is_exact(&self) -> bool {
        !self.outcome_only && self.is_outcome_proven()
    }

    /// Whether it is certain who wins.
    pub fn is_outcome_proven(&self) -> bool {
        self.level.serves(Level::exact(self.empties))
    }
}

/// Fewer plies than this short of the end, a search to the end takes the place of further deepening.
const TO_THE_END: u32 = 10;

/// With fewer empty squares than this, the first search to the end is already certain.
const UNCERTAIN_EMPTIES: u32 = 21;

/// The confidences of searches to the end, one after the other. Each costs a search; few are enough.
const CONFIDENCES: [u8; 2] = [0, CERTAIN];

/// Half the width of the first window around the score of the iteration before.
const ASPIRATION: i32 = 3;

impl Searcher {
    /// Searches `position`, telling `report` of every finished iteration. The last one is returned, with a
    /// better move if one more iteration found that before it was stopped: `None` if there is no move, or no time
    /// even for the first.
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
}

impl Searcher {
    /// The value of `position` for the side to move, in discs, by one search at `level` and no other:
    /// [`super::CERTAIN`] prunes nothing, a depth of all empty squares gives the true score.
    pub fn value(&mut self, position: Position, level: Level, clock: &dyn Clock) -> i32 {
        let isa_level = self.level;
        self.table.age();
        let mut cx = self.context(clock, Limits::NONE);
        cx.confidence = level.confidence;
        let node = Node::new(position);
        let depth = level.depth.into();
        let (alpha, beta) = (-MAX_SCORE, MAX_SCORE);
        let value = match isa_level {
            isa::Level::Portable => {
                midgame::principal(&mut cx, isa::Portable, &node, depth, alpha, beta)
            }
            isa::Level::V3(v3) => midgame::principal(&mut cx, v3, &node, depth, alpha, beta),
        };
        // Without limits nothing stops it.
        value.unwrap_or(0)
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
    for step in steps(empties, cx.limits) {
        if last.is_some() && cx.limits.soft.passed(cx.clock.now()) {
            break;
        }
        let guess = last.as_ref().map(|iteration| iteration.score);
        let Ok(Some(found)) = iterate(cx, isa, &mut root, step, guess) else {
            if let Some(last) = &mut last {
                improve(last, cx, position, root.moves[0]);
            }
            break;
        };
        let iteration = Iteration {
            level: step.level,
            score: found.score,
            outcome_only: step.outcome_only,
            best: found.best,
            line: principal_line(cx, position, found.best),
            nodes: cx.nodes,
            at: cx.clock.now(),
            empties,
        };
        report(&iteration);
        last = Some(iteration);
    }
    if let Some(last) = &mut last {
        if cx.limits.goal == Goal::OutcomeThenScore && last.is_exact() && last.score < 0 {
            resist(cx, isa, &mut root, last);
        }
    }
    last
}

/// Picks the move that resists longest out of those that lose alike, if there is time for it.
fn resist<I: Isa>(cx: &mut Context, isa: I, root: &mut Root, last: &mut Iteration) {
    if cx.limits.soft.passed(cx.clock.now()) {
        return;
    }
    // What it found until it was stopped stands.
    let _ = hardest::to_front(cx, isa, root, last.score);
    improve(last, cx, root.node.position, root.moves[0]);
}

/// What a stopped iteration leaves: the front move is `last`'s best, or one that it found to be better.
fn improve(last: &mut Iteration, cx: &Context, position: Position, front: Square) {
    if front != last.best {
        last.best = front;
        last.line = principal_line(cx, position, front);
    }
}

/// What an iteration is to find.
#[derive(Clone, Copy)]
struct Step {
    level: Level,
    outcome_only: bool,
}

impl Step {
    /// How many ProbCut verifications may be under way, one within the other, with `empties` squares left. A
    /// pruned search for the score at the end only puts the moves in order for the certain one after it, which
    /// takes a third more nodes after a sloppy one.
    fn verifications(self, empties: u32) -> u32 {
        if u32::from(self.level.depth) < empties || self.outcome_only {
            probcut::NESTED
        } else {
            1
        }
    }
}

/// The iterations, in order.
fn steps(empties: u32, limits: Limits) -> Vec<Step> {
    let mut steps = Vec::new();
    let middle = empties.saturating_sub(TO_THE_END).max(1).min(limits.depth);
    for depth in (1..=middle).filter(|&depth| depth < empties) {
        let level = Level {
            depth: depth as u8,
            confidence: 0,
        };
        steps.push(Step {
            level,
            outcome_only: false,
        });
    }
    if empties > limits.depth {
        return steps;
    }
    let first = if empties < UNCERTAIN_EMPTIES {
        CERTAIN
    } else {
        0
    };
    let outcome_only = limits.goal != Goal::Score;
    let confidences = CONFIDENCES.into_iter().filter(|&one| one >= first);
    for confidence in confidences.filter(|&one| one <= limits.confidence) {
        let level = Level {
            depth: empties as u8,
            confidence,
        };
        steps.push(Step {
            level,
            outcome_only,
        });
    }
    if limits.goal == Goal::OutcomeThenScore && limits.confidence >= CERTAIN {
        steps.push(Step {
            level: Level::exact(empties),
            outcome_only: false,
        });
    }
    steps
}

/// One iteration: a window around the guess, widened where the score falls outside. For the outcome
/// alone, the window around zero.
fn iterate<I: Isa>(
    cx: &mut Context,
    isa: I,
    root: &mut Root,
    step: Step,
    guess: Option<i32>,
) -> Result<Option<Found>, Stopped> {
    cx.confidence = step.level.confidence;
    cx.verifications = step.verifications(root.node.position.empty_count());
    let depth = step.level.depth.into();
    if step.outcome_only {
        return root.search(cx, isa, depth, -1, 1);
    }
    let (mut alpha, mut beta) = match guess {
        Some(guess) => (guess - ASPIRATION, guess + ASPIRATION),
        None => (-MAX_SCORE, MAX_SCORE),
    };
    let mut width = ASPIRATION;
    loop {
        alpha = alpha.max(-MAX_SCORE);
        beta = beta.min(MAX_SCORE);
        let Some(found) = root.search(cx, isa, depth, alpha, beta)? else {
            return Ok(None);
        };
        // Only ever widened: contradictory bounds in the table cannot make this go round for ever.
        width *= 2;
        if found.score <= alpha && alpha > -MAX_SCORE {
            alpha = found.score - width;
        } else if found.score >= beta && beta < MAX_SCORE {
            beta = found.score + width;
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
