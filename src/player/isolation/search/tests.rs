//! The search against brute force.

use super::super::board::tests::boards;
use super::*;
use crate::host::Instant;
use std::collections::HashMap;

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Instant {
        Instant::default()
    }
}

const NO_LIMITS: Limits = Limits {
    deadline_us: u64::MAX,
    depth: 100,
    nodes: u64::MAX,
};

/// Whether the side to move wins.
fn wins(board: Board, known: &mut HashMap<(Set, Square, Square), bool>) -> bool {
    let key = (board.free, board.own, board.other);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let moves = queen_moves(board.free, board.own);
    let found = Squares(moves).any(|to| !wins(board.after(to), known));
    known.insert(key, found);
    found
}

#[test]
fn small_boards_are_won_and_lost_as_brute_force_says() {
    let mut tested = [0; 2];
    let small = boards(20_000, 8)
        .into_iter()
        .filter(|board| board.free.count_ones() <= 15);
    for board in small.filter(|board| board.moves() != 0).take(300) {
        let expected = wins(board, &mut HashMap::new());
        let found = Searcher::new(isa::Level::detect())
            .search(board, NO_LIMITS, &Stopped)
            .unwrap();
        assert_eq!(found.value > WON, expected, "{board:?} {found:?}");
        assert_eq!(found.value < -WON, !expected, "{board:?} {found:?}");
        assert!(board.moves() & found.best.set() != 0);
        if expected {
            assert!(
                !wins(board.after(found.best), &mut HashMap::new()),
                "{board:?} {found:?}"
            );
        }
        tested[usize::from(expected)] += 1;
    }
    assert!(tested.iter().all(|&count| count > 50), "{tested:?}");
}

#[test]
fn both_instruction_sets_search_alike() {
    let limits = Limits {
        depth: 4,
        ..NO_LIMITS
    };
    for board in boards(10, 2) {
        let found = [isa::Level::Portable, isa::Level::detect()]
            .map(|level| Searcher::new(level).search(board, limits, &Stopped));
        assert_eq!(found[0], found[1]);
    }
}

#[test]
fn a_search_without_time_stops_at_once() {
    let limits = Limits {
        deadline_us: 0,
        ..NO_LIMITS
    };
    for board in boards(5, 1) {
        let found = Searcher::new(isa::Level::detect()).search(board, limits, &Stopped);
        assert!(found.is_none_or(|found| found.nodes <= u64::from(POLL_NODES)));
    }
}
