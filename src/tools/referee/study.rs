//! The built-in player `study`: the straightforward recipe that better Isolation bots are measured against.
//!
//! Alpha-beta with iterative deepening, a transposition table and late-move reductions; territory by queen and king
//! distance, a little mobility and a bonus for ties; longest paths once the pieces are apart. It is a yardstick:
//! it shares the rules with the player, never its search or evaluation, and stays as it is when those change.

use super::game::Player;
use super::isolation::Isolation;
use player::isolation::board::{king_spread, queen_moves, queen_spread, region};
use player::isolation::board::{Board, Set, Square, Squares};
use std::time::{Duration, Instant};

/// Wall time for a move in milliseconds when none is given: what the bot itself uses of its 80.
pub const TIME_MS: u64 = 64;

/// The value of a win, less the plies to it; what lies beyond `WON` is certain.
const MATE: i32 = 30_000;
const WON: i32 = 20_000;

/// Slots of the table.
const SLOTS: usize = 1 << 18;

/// Nodes that a longest path may cost.
const PATH_NODES: u32 = 300;

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    depth: i32,
    value: i32,
    /// Whether `value` is at least, exactly, or at most the true one.
    bound: std::cmp::Ordering,
    best: Square,
}

/// The player.
pub struct Study {
    time: Duration,
    table: Vec<Option<Entry>>,
    deadline: Instant,
    nodes: u64,
}

/// The time is over.
struct Stopped;

impl Study {
    /// A player with so many milliseconds of wall time for each move.
    pub fn new(time_ms: u64) -> Study {
        Study {
            time: Duration::from_millis(time_ms),
            table: vec![None; SLOTS],
            deadline: Instant::now(),
            nodes: 0,
        }
    }

    /// The best move of the deepest search that the time allows.
    pub fn choose(&mut self, board: &Board) -> Option<Square> {
        self.deadline = Instant::now() + self.time;
        let mut best = Squares(queen_moves(board.free, board.own)).next();
        for depth in 1..=board.free.count_ones().max(1) as i32 {
            let Ok(value) = self.search(board, depth, 0, -MATE, MATE) else {
                break;
            };
            if let Some(entry) = self.table[slot(board)].filter(|entry| entry.board == *board) {
                best = Some(entry.best);
            }
            if value.abs() > WON {
                break;
            }
        }
        best
    }

    fn search(
        &mut self,
        board: &Board,
        depth: i32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256) && Instant::now() >= self.deadline {
            return Err(Stopped);
        }
        let moves = queen_moves(board.free, board.own);
        if moves == 0 {
            return Ok(ply - MATE);
        }
        let known = self.table[slot(board)].filter(|entry| entry.board == *board);
        if let Some(entry) = known.filter(|entry| ply > 0 && entry.depth >= depth) {
            let enough = match entry.bound {
                std::cmp::Ordering::Less => entry.value <= alpha,
                std::cmp::Ordering::Equal => true,
                std::cmp::Ordering::Greater => entry.value >= beta,
            };
            if enough {
                return Ok(entry.value);
            }
        }
        if let Some(value) = apart(board).filter(|_| ply > 0) {
            return Ok(value);
        }
        if depth == 0 {
            return Ok(evaluate(board));
        }
        let mut order: Vec<(i32, Square)> = Squares(moves)
            .map(|to| (promise(board, to, known.map(|entry| entry.best)), to))
            .collect();
        order.sort_by_key(|(promise, _)| -promise);
        let lowest = alpha;
        let (mut value, mut best) = (-MATE, order[0].1);
        for (index, &(_, to)) in order.iter().enumerate() {
            let next = board.after(to);
            let reduced = depth - 1 - i32::from(index >= 4 && depth >= 3);
            let mut found = -self.search(&next, reduced, ply + 1, -beta, -alpha)?;
            if found > alpha && reduced < depth - 1 {
                found = -self.search(&next, depth - 1, ply + 1, -beta, -alpha)?;
            }
            if found > value {
                (value, best) = (found, to);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        let bound = if value >= beta {
            std::cmp::Ordering::Greater
        } else if value > lowest {
            std::cmp::Ordering::Equal
        } else {
            std::cmp::Ordering::Less
        };
        self.table[slot(board)] = Some(Entry {
            board: *board,
            depth,
            value,
            bound,
            best,
        });
        Ok(value)
    }
}

fn slot(board: &Board) -> usize {
    let pieces = (board.own.index() * 128 + board.other.index()) as u128;
    let mixed =
        (board.free ^ pieces << 100).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    (mixed >> 100) as usize % SLOTS
}

/// What a move promises: ways on for the own piece, few for the other.
fn promise(board: &Board, to: Square, best: Option<Square>) -> i32 {
    if best == Some(to) {
        return i32::MAX;
    }
    let free = board.free & !to.set();
    let ways = |from| queen_moves(free, from).count_ones() as i32;
    ways(to) + (king_spread(to.set()) & free).count_ones() as i32 - 2 * ways(board.other)
}

/// The squares that the side to move reaches first less those of the other, and the ties.
fn race(board: &Board, spread: impl Fn(Set) -> Set) -> (i32, i32) {
    let (mut own, mut other) = (board.own.set(), board.other.set());
    let (mut ahead, mut ties) = (0, 0);
    loop {
        let (more, others) = (
            spread(own) & board.free & !own,
            spread(other) & board.free & !other,
        );
        if more | others == 0 {
            return (ahead, ties);
        }
        let count = |set: Set| set.count_ones() as i32;
        ties += count(more & others);
        ahead += count(more & !others & !other) - count(others & !more & !own);
        own |= more;
        other |= others;
    }
}

/// The value for the side to move in hundredths of a square.
fn evaluate(board: &Board) -> i32 {
    let (queens, queen_ties) = race(board, |from| queen_spread(board.free, from));
    let (kings, king_ties) = race(board, king_spread);
    let ways = |from| queen_moves(board.free, from).count_ones() as i32;
    let mobility = ways(board.own) - ways(board.other);
    100 * queens + 20 * queen_ties + 40 * kings + 10 * king_ties + 8 * mobility
}

/// The value if the pieces cannot meet any more.
fn apart(board: &Board) -> Option<i32> {
    let own = region(board.free, board.own);
    if own & (king_spread(board.other.set()) | region(board.free, board.other)) != 0 {
        return None;
    }
    let [own, other] = [board.own, board.other].map(|from| longest_path(board.free, from));
    let certain = own.1 && other.1;
    Some(match own.0 > other.0 {
        true if certain => WON + 100 + own.0 - other.0,
        false if certain => own.0 - other.0 - WON - 100,
        _ => 100 * (own.0 - other.0) - 50,
    })
}

/// The longest path, and whether it is known to be that.
fn longest_path(free: Set, from: Square) -> (i32, bool) {
    fn extend(free: Set, from: Square, length: i32, best: &mut i32, nodes: &mut u32) {
        *best = length.max(*best);
        if *nodes == 0 || length + region(free, from).count_ones() as i32 <= *best {
            return;
        }
        *nodes -= 1;
        let mut ways: Vec<(u32, Square)> = Squares(queen_moves(free, from))
            .map(|to| (queen_moves(free & !to.set(), to).count_ones(), to))
            .collect();
        ways.sort();
        for (_, to) in ways {
            extend(free & !to.set(), to, length + 1, best, nodes);
        }
    }
    let (mut best, mut nodes) = (0, PATH_NODES);
    extend(free, from, 0, &mut best, &mut nodes);
    (best, nodes > 0)
}

impl Player<Isolation> for Study {
    fn answer(&mut self, game: &Isolation) -> String {
        super::isolation::answer(self.choose(game.board()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::Game;
    use super::*;

    #[test]
    fn a_piece_that_can_be_shut_in_at_once_is() {
        // Player 1 stands in a corridor with one square left; player 0 takes it.
        let map = "7 7 3 0 0 0 .#...../#######/######./######./######./######./######.";
        let game = Isolation::parse_start(&map.replacen(".#", "..", 1)).unwrap();
        let to = Study::new(50).choose(game.board()).unwrap();
        assert_eq!(to, Square::new(1, 0).unwrap());
    }

    #[test]
    fn longest_paths_are_found() {
        let map = "7 7 0 0 6 6 ...####/#######/#######/#######/#######/#######/....###";
        let game = Isolation::parse_start(map).unwrap();
        assert_eq!(longest_path(game.board().free, game.board().own), (2, true));
    }
}
