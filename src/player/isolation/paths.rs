//! Longest paths: how many moves a piece can make in a region that the other cannot enter.
//!
//! Once the pieces are apart the game is a contest of two such numbers: the side to move wins if its own is
//! greater. Depth-first search with an upper bound on what is left, fewest ways on first (Warnsdorff), under a
//! budget of nodes.

use super::board::{king_spread, queen_moves, region, sort_short, Set, Square, Squares};

/// What is known of a longest path: at least, and at most, so many moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// A path of this length was found.
    pub at_least: u32,
    /// None is longer than this.
    pub at_most: u32,
}

/// The longest path from `from` over `free` squares, as far as `budget` nodes tell. The search stops when a path
/// longer than `enough` is found or none can be.
#[inline(always)]
pub fn longest(free: Set, from: Square, enough: u32, budget: &mut u32) -> Bounds {
    let most = upper_bound(free, from);
    let mut search = Search {
        best: 0,
        enough,
        budget,
        complete: true,
    };
    if most > 0 {
        search.extend(free, from, 0, most);
    }
    let best = search.best;
    Bounds {
        at_least: best,
        at_most: if search.complete { best } else { most },
    }
}

/// No path is longer than its region is large. (A dead end may be visited and left again: a queen slides over
/// the square before it, and that square stays free.)
#[inline(always)]
fn upper_bound(free: Set, from: Square) -> u32 {
    region(free, from).count_ones()
}

struct Search<'a> {
    best: u32,
    enough: u32,
    budget: &'a mut u32,
    /// Whether every branch was either searched or known to be no better.
    complete: bool,
}

impl Search<'_> {
    /// Goes on from `from` after `length` moves; `most` more are possible at best. `true` to stop everything.
    fn extend(&mut self, free: Set, from: Square, length: u32, most: u32) -> bool {
        self.best = self.best.max(length);
        if self.best > self.enough {
            self.complete = false;
            return true;
        }
        if length + most <= self.best {
            return false;
        }
        if *self.budget == 0 {
            self.complete = false;
            return true;
        }
        *self.budget -= 1;
        let mut ways = [(0i32, from); 32];
        let mut count = 0;
        for to in Squares(queen_moves(free, from)) {
            if let Some(way) = ways.get_mut(count) {
                let next = free & !to.set();
                let near = king_spread(to.set()) & next;
                let ways_on = near.count_ones() * 32 + queen_moves(next, to).count_ones();
                *way = (-(ways_on as i32), to);
                count += 1;
            }
        }
        sort_short(&mut ways[..count]);
        for &(_, to) in &ways[..count] {
            let next = free & !to.set();
            let most = upper_bound(next, to);
            if length + 1 + most > self.best && self.extend(next, to, length + 1, most) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::boards;
    use super::*;

    fn brute_force(free: Set, from: Square) -> u32 {
        let ways = Squares(queen_moves(free, from));
        ways.map(|to| 1 + brute_force(free & !to.set(), to))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn longest_paths_are_as_long_as_brute_force_finds() {
        let mut tested = 0;
        for board in boards(3_000, 7) {
            if region(board.free, board.own).count_ones() > 11 {
                continue;
            }
            let expected = brute_force(board.free, board.own);
            let found = longest(board.free, board.own, u32::MAX, &mut 1_000_000);
            assert_eq!(
                (found.at_least, found.at_most),
                (expected, expected),
                "{board:?}"
            );
            tested += usize::from(expected > 4);
        }
        assert!(tested > 300, "{tested}");
    }

    #[test]
    fn a_small_budget_gives_bounds() {
        for board in boards(200, 4) {
            let exact = longest(board.free, board.own, u32::MAX, &mut 200_000);
            let rough = longest(board.free, board.own, u32::MAX, &mut 20);
            assert!(rough.at_least <= rough.at_most && rough.at_least <= exact.at_most);
            assert!(rough.at_most >= exact.at_least);
        }
    }
}
