//! The search: principal variations with iterative deepening, until the turn's time is over or the game is solved.
//!
//! When the pieces are apart the longest paths settle who wins. Values are in hundredths of a square; beyond
//! [`WON`] they say in how many plies the game is won. The search never prints; it is told its deadline.

use super::board::{king_spread, queen_moves, region, sort_short, Board, Set, Square, Squares};
use super::network::Network;
use super::paths::{Bounds, Budget, Paths};
use super::table::{self, Kind, Table};
use crate::host::Clock;
use crate::isa::{self, Isa, Portable};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A value beyond this is a proven win, and beyond its negative a proven loss.
pub const WON: i32 = 20_000;

/// The value of having won already.
const MATE: i32 = 30_000;

/// Nodes between two looks at the clock: a fifth of a millisecond or so.
const POLL_NODES: u32 = 128;

/// Nodes that a position with separated pieces may cost, by the depth that is left.
const PATH_BUDGET: [u32; 4] = [40, 100, 400, 1_500];

/// Nodes for the longest paths when the pieces are apart at the root: for a start, then four times as many, and so on.
const FIRST_STAGE: u64 = 2_000;

/// The most that such a search may count.
const MOST_PATH_NODES: u64 = 1 << 30;

/// No game is longer.
const MOST_PLIES: usize = 100;

/// More than any path is long.
const MOST_SQUARES: u32 = 99;

/// The search was stopped by its deadline before it had a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stopped;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Stop at this wall time, in microseconds of the clock.
    pub deadline_us: u64,
    /// No iteration deeper than this.
    pub depth: i32,
    /// Stop after this many nodes.
    pub nodes: u64,
}

/// What the last finished iteration found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where to move.
    pub best: Square,
    /// The value for the side to move.
    pub value: i32,
    /// Plies searched.
    pub depth: i32,
    /// Nodes searched in all.
    pub nodes: u64,
}

/// A searcher, with what one turn leaves to the next.
pub struct Searcher {
    table: Table,
    paths: Paths,
    history: [[i32; 128]; 2],
    network: Box<Network>,
    level: isa::Level,
}

impl Searcher {
    /// A searcher that knows nothing yet.
    pub fn new(level: isa::Level) -> Searcher {
        Searcher::with_table_bits(level, table::BITS)
    }

    /// The same with `2^bits` slots in its table.
    pub fn with_table_bits(level: isa::Level, bits: u32) -> Searcher {
        Searcher {
            table: Table::new(bits),
            paths: Paths::default(),
            history: [[0; 128]; 2],
            network: Network::new(),
            level,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.paths.clear();
        self.history = [[0; 128]; 2];
    }

    /// The line of play that the table holds from a board on.
    pub fn line(&self, mut board: Board) -> Vec<Square> {
        let mut line = Vec::new();
        while let Some(entry) = self.table.get(Table::key(&board)) {
            if entry.depth == 0 || board.moves() & entry.best.set() == 0 {
                break;
            }
            line.push(entry.best);
            board = board.after(entry.best);
        }
        line
    }

    /// The best move within the limits; `None` without a legal move, or without time for a single iteration.
    pub fn search(&mut self, board: Board, limits: Limits, clock: &dyn Clock) -> Option<Found> {
        self.table.grow_old();
        self.history
            .iter_mut()
            .flatten()
            .for_each(|score| *score /= 4);
        let level = self.level;
        let mut run = Run {
            searcher: self,
            clock,
            limits,
            nodes: 0,
            until_poll: POLL_NODES,
            killers: [[None; 2]; MOST_PLIES],
        };
        match level {
            isa::Level::Portable => run.deepen(Portable, board),
            isa::Level::V3(v3) => run.deepen(v3, board),
        }
    }
}

/// A search in progress.
struct Run<'a> {
    searcher: &'a mut Searcher,
    clock: &'a dyn Clock,
    limits: Limits,
    nodes: u64,
    until_poll: u32,
    killers: [[Option<Square>; 2]; MOST_PLIES],
}

/// A legal move and its place in the order; greater comes earlier.
type Ranked = (i32, Square);

/// More moves than a queen has on any board.
const MOST_MOVES: usize = 32;

impl Run<'_> {
    fn deepen<I: Isa>(&mut self, isa: I, board: Board) -> Option<Found> {
        if let Some(found) = self.settle(&board) {
            return Some(found);
        }
        let free = board.free.count_ones() as i32;
        let mut last: Option<Found> = None;
        for depth in 1..=self.limits.depth.min(free.max(1)) {
            let Ok(value) = self.aspire(isa, &board, depth, last.map(|found| found.value)) else {
                break;
            };
            let Some(entry) = self.searcher.table.get(Table::key(&board)) else {
                break;
            };
            last = Some(Found {
                best: entry.best,
                value,
                depth,
                nodes: self.nodes,
            });
            if value.abs() > WON {
                break;
            }
        }
        last
    }

    /// One iteration: a narrow window around the value of the one before, widened as needed.
    fn aspire<I: Isa>(
        &mut self,
        isa: I,
        board: &Board,
        depth: i32,
        guess: Option<i32>,
    ) -> Result<i32, Stopped> {
        let mut width = 150;
        let Some(guess) = guess.filter(|_| depth > 3) else {
            return self.principal(isa, board, depth, 0, -MATE, MATE);
        };
        loop {
            let (alpha, beta) = ((guess - width).max(-MATE), (guess + width).min(MATE));
            let value = self.principal(isa, board, depth, 0, alpha, beta)?;
            if (value > alpha || alpha == -MATE) && (value < beta || beta == MATE) {
                return Ok(value);
            }
            width = if width > 1_000 { 2 * MATE } else { width * 4 };
        }
    }

    #[inline(always)]
    fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        self.until_poll -= 1;
        if self.until_poll > 0 {
            return Ok(());
        }
        self.until_poll = POLL_NODES;
        if self.nodes >= self.limits.nodes || self.clock.now().wall_us >= self.limits.deadline_us {
            self.until_poll = 1;
            return Err(Stopped);
        }
        Ok(())
    }

    /// The value of a board within `(alpha, beta)`, or a bound outside it.
    fn principal<I: Isa>(
        &mut self,
        isa: I,
        board: &Board,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        isa.run(
            #[inline(always)]
            || self.node(isa, board, depth, ply, alpha, beta),
        )
    }

    #[inline(always)]
    fn node<I: Isa>(
        &mut self,
        isa: I,
        board: &Board,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.visit()?;
        let key = Table::key(board);
        self.searcher.table.prefetch(key);
        let moves = board.moves();
        if moves == 0 {
            return Ok(ply as i32 - MATE);
        }
        let known = self.searcher.table.get(key);
        if let Some(entry) = known.filter(|entry| ply > 0 && i32::from(entry.depth) >= depth) {
            let value = from_table(entry.value.into(), ply);
            let decided = match entry.kind {
                Kind::Exact => true,
                Kind::Lower => value >= beta,
                Kind::Upper => value <= alpha,
            };
            if decided {
                return Ok(value);
            }
        }
        if ply > 0 {
            if let Some(value) = self.apart(board, depth, ply) {
                return Ok(value);
            }
        }
        if depth <= 0 {
            let value = self.searcher.network.evaluate(board);
            let first = Square::first(moves);
            self.searcher.table.put(key, 0, Kind::Exact, value, first);
            return Ok(value);
        }
        let mut ranked = [(0, board.own); MOST_MOVES];
        let count = self.rank(
            board,
            moves,
            known
                .filter(|entry| entry.depth > 0)
                .map(|entry| entry.best),
            depth,
            ply,
            &mut ranked,
        );
        let (lowest, mut best, mut best_move) = (alpha, -MATE, ranked[0].1);
        for (index, &(_, to)) in ranked[..count].iter().enumerate() {
            let next = board.after(to);
            let value = self.child(isa, &next, depth, ply, index, alpha, beta)?;
            if value > best {
                (best, best_move) = (value, to);
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.refuted(to, depth, ply);
                    break;
                }
            }
        }
        let kind = if best >= beta {
            Kind::Lower
        } else if best > lowest {
            Kind::Exact
        } else {
            Kind::Upper
        };
        self.searcher
            .table
            .put(key, depth, kind, to_table(best, ply), best_move);
        Ok(best)
    }

    /// The value of a move: late ones first with less depth and all but the first with a null window.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn child<I: Isa>(
        &mut self,
        isa: I,
        next: &Board,
        depth: i32,
        ply: usize,
        index: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        if index == 0 {
            return Ok(-self.principal(isa, next, depth - 1, ply + 1, -beta, -alpha)?);
        }
        let reduction = match index {
            _ if depth < 3 => 0,
            0..2 => 0,
            2..5 => 1,
            5..10 => 2,
            _ => 3,
        };
        let mut value = -self.principal(
            isa,
            next,
            depth - 1 - reduction,
            ply + 1,
            -alpha - 1,
            -alpha,
        )?;
        if value > alpha && reduction > 0 {
            value = -self.principal(isa, next, depth - 1, ply + 1, -alpha - 1, -alpha)?;
        }
        if value > alpha && value < beta {
            value = -self.principal(isa, next, depth - 1, ply + 1, -beta, -alpha)?;
        }
        Ok(value)
    }

    /// Puts the moves in order: the table's, then killers, then by how many ways on they leave and what history
    /// says; deeper down also by what they take from the opponent.
    #[inline(always)]
    fn rank(
        &self,
        board: &Board,
        moves: Set,
        best: Option<Square>,
        depth: i32,
        ply: usize,
        ranked: &mut [Ranked; MOST_MOVES],
    ) -> usize {
        let killers = self.killers[ply.min(MOST_PLIES - 1)];
        let history = &self.searcher.history[ply & 1];
        let mut count = 0;
        for to in Squares(moves) {
            let free = board.free & !to.set();
            let mut key = history[to.index()].min(50_000);
            if Some(to) == best {
                key = 1_000_000;
            } else if killers.contains(&Some(to)) {
                key += 100_000;
            }
            if depth >= 2 {
                let near = (king_spread(to.set()) & free).count_ones() as i32;
                key += 900 * near;
                // What a way on is worth to the mover, and to the other side.
                for (piece, worth) in [(to, 600), (board.other, -1_200)] {
                    key += worth * queen_moves(free, piece).count_ones() as i32;
                }
            }
            if let Some(slot) = ranked.get_mut(count) {
                *slot = (key, to);
                count += 1;
            }
        }
        sort_short(&mut ranked[..count]);
        count
    }

    /// A move was too good for the opponent: try it early elsewhere.
    #[inline(always)]
    fn refuted(&mut self, to: Square, depth: i32, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            if killers[0] != Some(to) {
                *killers = [Some(to), killers[0]];
            }
        }
        self.searcher.history[ply & 1][to.index()] += 16 * depth * depth;
    }

    /// The value if the pieces cannot meet any more: certain if the longest paths are known well enough.
    #[inline(always)]
    fn apart(&mut self, board: &Board, depth: i32, ply: usize) -> Option<i32> {
        if !are_apart(board) {
            return None;
        }
        let mut budget = Budget {
            nodes: PATH_BUDGET[(depth.max(0) as usize / 2).min(PATH_BUDGET.len() - 1)],
            stop: &|| false,
        };
        let paths = &mut self.searcher.paths;
        let other = paths.longest(board.free, board.other, (0, MOST_SQUARES), &mut budget);
        budget.nodes += PATH_BUDGET[0];
        // Whether it is longer than the other's is all that matters.
        let window = (other.at_least, other.at_most + 1);
        let own = paths.longest(board.free, board.own, window, &mut budget);
        Some(verdict(own, other, ply, board.free.count_ones()))
    }

    /// The move and its value when the pieces cannot meet any more: the way to the longest path, searched as long as time
    /// and nodes allow unless it is known before.
    fn settle(&mut self, board: &Board) -> Option<Found> {
        let moves = board.moves();
        if moves == 0 || !are_apart(board) {
            return None;
        }
        let (clock, deadline_us) = (self.clock, self.limits.deadline_us);
        let stop = move || clock.now().wall_us >= deadline_us;
        let mut left = self.limits.nodes.min(MOST_PATH_NODES);
        let mut stage = FIRST_STAGE.min(left);
        let (mut own, mut other, mut best);
        loop {
            let mut budget = Budget {
                nodes: stage as u32,
                stop: &stop,
            };
            let paths = &mut self.searcher.paths;
            other = paths.longest(board.free, board.other, (0, MOST_SQUARES), &mut budget);
            budget.nodes += stage as u32;
            (own, best) = paths.best(board.free, board.own, &mut budget);
            self.nodes += 2 * stage - u64::from(budget.nodes);
            left = left.saturating_sub(stage);
            let known = own.at_least == own.at_most && other.at_least == other.at_most;
            if known || left == 0 || stop() {
                break;
            }
            stage = (4 * stage).min(left);
        }
        Some(Found {
            best: best.unwrap_or(Square::first(moves)),
            value: verdict(own, other, 0, board.free.count_ones()),
            depth: own.at_least as i32,
            nodes: self.nodes,
        })
    }
}

/// Whether no square is left that both pieces could come to, and neither stands in the other's way.
#[inline(always)]
fn are_apart(board: &Board) -> bool {
    let own = region(board.free, board.own);
    own & king_spread(board.other.set()) == 0 && own & region(board.free, board.other) == 0
}

/// Who wins a contest of longest paths: the side to move needs more moves than the other has. By how many
/// plies is a guess, and where nothing is certain so is the winner.
fn verdict(own: Bounds, other: Bounds, ply: usize, free: u32) -> i32 {
    let ply = ply as i32;
    if own.at_least > other.at_most {
        return MATE - ply - free as i32;
    }
    if own.at_most <= other.at_least {
        return ply + 2 * own.at_most as i32 - MATE;
    }
    let middle = |bounds: Bounds| (bounds.at_least + bounds.at_most) as i32;
    100 * (middle(own) - middle(other)) / 2 - 50
}

/// Wins are stored by their distance from the position, not from the root.
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        WON.. => value + ply as i32,
        _ if value <= -WON => value - ply as i32,
        _ => value,
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        WON.. => value - ply as i32,
        _ if value <= -WON => value + ply as i32,
        _ => value,
    }
}

#[cfg(test)]
mod tests;
