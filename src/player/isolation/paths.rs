//! Longest paths: how many moves a piece can make in a region that the other cannot enter.
//!
//! Once the pieces are apart the game is a contest of two such numbers: the side to move wins if its own is
//! greater. Depth-first search, fewest ways on first (Warnsdorff), with a table of what is known about regions, under
//! a budget of nodes.

use super::board::{king_spread, queen_moves, region, sort_short, Set, Square, Squares};
use alloc::vec;
use alloc::vec::Vec;

/// What is known of a longest path: at least, and at most, so many moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// A path of this length was found.
    pub at_least: u32,
    /// None is longer than this.
    pub at_most: u32,
}

/// Regions that are remembered, as a power of two: 2^15 of 16 bytes.
const BITS: u32 = 15;

/// What is known about a region and a piece beside it.
#[derive(Clone, Copy)]
struct Known {
    /// Stands for the region and the square; 0 in empty slots.
    key: u64,
    at_least: u8,
    at_most: u8,
}

impl Known {
    const EMPTY: Known = Known {
        key: 0,
        at_least: 0,
        at_most: 0,
    };
}

/// Searches longest paths and remembers them.
pub struct Paths {
    known: Vec<Known>,
}

/// How long a search may take.
pub struct Budget<'a> {
    /// Nodes that are left.
    pub nodes: u32,
    /// Asked now and then whether time is over.
    pub stop: &'a dyn Fn() -> bool,
}

/// Nodes between two looks at the clock.
const POLL_NODES: u32 = 64;

impl Budget<'_> {
    /// Takes a node. `false` when nothing is left.
    #[inline(always)]
    fn take(&mut self) -> bool {
        if self.nodes.is_multiple_of(POLL_NODES) && (self.nodes == 0 || (self.stop)()) {
            self.nodes = 0;
            return false;
        }
        self.nodes -= 1;
        true
    }
}

impl Default for Paths {
    /// Nothing is known.
    fn default() -> Paths {
        Paths {
            known: vec![Known::EMPTY; 1 << BITS],
        }
    }
}

impl Paths {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.known.fill(Known::EMPTY);
    }

    /// The longest path from `from` over `free` squares, as far as the budget tells. Whether it is longer than `alpha`
    /// and shorter than `beta` is asked; outside, bounds may stay loose.
    #[inline(always)]
    pub fn longest(
        &mut self,
        free: Set,
        from: Square,
        window: (u32, u32),
        budget: &mut Budget,
    ) -> Bounds {
        self.extend(region(free, from), from, window, budget)
    }

    /// The longest path with its first move, as far as the budget tells.
    pub fn best(
        &mut self,
        free: Set,
        from: Square,
        budget: &mut Budget,
    ) -> (Bounds, Option<Square>) {
        let mut bounds = Bounds {
            at_least: 0,
            at_most: 0,
        };
        let mut best = None;
        for to in Squares(queen_moves(free, from)) {
            // As long as another is of no use.
            let window = (bounds.at_least.saturating_sub(1), u32::MAX);
            let on = self.longest(free & !to.set(), to, window, budget);
            bounds.at_most = bounds.at_most.max(on.at_most + 1);
            if on.at_least + 1 > bounds.at_least {
                bounds.at_least = on.at_least + 1;
                best = Some(to);
            }
        }
        (bounds, best)
    }

    /// The same for a `region` of which every square can be reached from `from`.
    fn extend(
        &mut self,
        around: Set,
        from: Square,
        (alpha, beta): (u32, u32),
        budget: &mut Budget,
    ) -> Bounds {
        // No path is longer than its region is large. (A dead end may be visited and left again: a queen slides
        // over the square before it, and that square stays free.)
        let mut bounds = Bounds {
            at_least: u32::from(around != 0),
            at_most: around.count_ones(),
        };
        let key = key(around, from);
        let slot = (key >> (64 - BITS)) as usize;
        let known = self.known[slot];
        if known.key == key {
            bounds.at_least = bounds.at_least.max(known.at_least.into());
            bounds.at_most = bounds.at_most.min(known.at_most.into());
        }
        let Bounds { at_least, at_most } = bounds;
        if at_most <= alpha || at_least >= beta || at_least == at_most || !budget.take() {
            return bounds;
        }
        let mut ways = [(0i32, from); 32];
        let mut count = 0;
        for to in Squares(queen_moves(around, from)) {
            if let Some(way) = ways.get_mut(count) {
                let next = around & !to.set();
                let near = king_spread(to.set()) & next;
                let ways_on = near.count_ones() * 32 + queen_moves(next, to).count_ones();
                *way = (-(ways_on as i32), to);
                count += 1;
            }
        }
        sort_short(&mut ways[..count]);
        let (mut best, mut most) = (0, 0);
        for &(_, to) in &ways[..count] {
            let next = region(around & !to.set(), to);
            let goal = alpha.max(best);
            if next.count_ones() < goal {
                most = most.max(next.count_ones() + 1);
                continue;
            }
            let window = (goal.saturating_sub(1), beta.saturating_sub(1));
            let on = self.extend(next, to, window, budget);
            most = most.max(on.at_most + 1);
            best = best.max(on.at_least + 1);
            if best >= beta || best == at_most {
                most = at_most;
                break;
            }
        }
        let bounds = Bounds {
            at_least: best.max(at_least),
            at_most: most.min(at_most),
        };
        self.known[slot] = Known {
            key,
            at_least: bounds.at_least as u8,
            at_most: bounds.at_most as u8,
        };
        bounds
    }
}

/// Stands for a region and a piece beside it; never 0.
#[inline(always)]
fn key(region: Set, from: Square) -> u64 {
    let low = region as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let high = (region >> 64) as u64 ^ (from.index() as u64) << 32 ^ 0xc2b2_ae3d_27d4_eb4f;
    let product = u128::from(low) * u128::from(high);
    let mixed = (product as u64 ^ (product >> 64) as u64 ^ region as u64)
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ mixed >> 32) | 1
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

    fn nodes(nodes: u32) -> Budget<'static> {
        Budget {
            nodes,
            stop: &|| false,
        }
    }

    #[test]
    fn longest_paths_are_as_long_as_brute_force_finds() {
        let mut tested = 0;
        let mut paths = Paths::default();
        for board in boards(3_000, 7) {
            if region(board.free, board.own).count_ones() > 11 {
                continue;
            }
            let expected = brute_force(board.free, board.own);
            let ask = |paths: &mut Paths, window| {
                paths.longest(board.free, board.own, window, &mut nodes(1_000_000))
            };
            // Windows around the length, then the whole: what one leaves in the table must not mislead the next.
            for (alpha, beta) in [
                (expected, expected + 1),
                (expected.saturating_sub(1), expected),
            ] {
                let bounds = ask(&mut paths, (alpha, beta));
                assert!(
                    bounds.at_least <= expected && expected <= bounds.at_most,
                    "{board:?}"
                );
                assert!(
                    bounds.at_most <= alpha || bounds.at_least >= beta,
                    "{board:?}"
                );
            }
            paths.clear();
            let bounds = ask(&mut paths, (0, u32::MAX));
            assert_eq!((bounds.at_least, bounds.at_most), (expected, expected));
            tested += usize::from(expected > 4);
        }
        assert!(tested > 300, "{tested}");
    }

    #[test]
    fn a_small_budget_gives_bounds() {
        for board in boards(200, 4) {
            let ask =
                |most| Paths::default().longest(board.free, board.own, (0, 99), &mut nodes(most));
            let (exact, rough) = (ask(100_000), ask(20));
            assert!(rough.at_least <= rough.at_most && rough.at_least <= exact.at_most);
            assert!(rough.at_most >= exact.at_least);
        }
    }

    #[test]
    fn a_search_stops_when_told() {
        let board = boards(1, 0)[0];
        let mut budget = Budget {
            nodes: u32::MAX / POLL_NODES * POLL_NODES,
            stop: &|| true,
        };
        let bounds = Paths::default().longest(board.free, board.own, (0, 99), &mut budget);
        assert!(bounds.at_least >= 1 && budget.nodes == 0);
    }
}
