//! The search against plain minimax, under all symmetries, on both instruction sets.

use super::super::board::Position;
use super::super::square::{Squares, SYMMETRIES};
use super::iterate::Iteration;
use super::limits::{Goal, Limits};
use super::Searcher;
use crate::host::{Clock, Instant};
use crate::isa::Level;
use std::vec::Vec;

/// A clock that stands still.
struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Instant {
        Instant::default()
    }
}

/// Plain minimax, by the rules alone.
fn minimax(position: Position) -> i32 {
    let moves = position.moves();
    if moves == 0 {
        if position.is_over() {
            return position.final_score();
        }
        return -minimax(position.pass());
    }
    let scores = Squares(moves)
        .filter_map(|square| position.play(square))
        .map(|next| -minimax(next));
    scores.max().unwrap_or(0)
}

/// Positions with `empties` empty squares from random play, with a move for the side to move.
pub(crate) fn random_positions(empties: u32, count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    let mut state = 0x1234_5678_9abc_def1u64 + u64::from(empties);
    while found.len() < count {
        let mut position = Position::START;
        while position.empty_count() > empties && !position.is_over() {
            let moves: Vec<_> = Squares(position.moves()).collect();
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            position = match moves.len() {
                0 => position.pass(),
                count => position.play(moves[state as usize % count]).unwrap(),
            };
        }
        if position.empty_count() == empties && position.moves() != 0 {
            found.push(position);
        }
    }
    found
}

fn searcher(level: Level) -> Searcher {
    Searcher::with_table_mib(level, 1)
}

fn solve(searcher: &mut Searcher, position: Position, limits: Limits) -> Iteration {
    searcher
        .search(position, limits, &Stopped, &mut |_| {})
        .unwrap()
}

#[test]
fn small_endgames_score_as_minimax_says() {
    let mut searcher = searcher(Level::detect());
    for empties in 1..=8 {
        for position in random_positions(empties, if empties > 6 { 12 } else { 60 }) {
            let expected = minimax(position);
            let found = solve(&mut searcher, position, Limits::NONE);
            assert!(found.is_exact());
            assert_eq!(found.score, expected, "{position:?}");
            let after = position.play(found.best).unwrap();
            assert_eq!(
                -minimax(after),
                expected,
                "the move {} of {position:?}",
                found.best
            );
            let outcome = Limits {
                goal: Goal::Outcome,
                ..Limits::NONE
            };
            let found = solve(&mut searcher, position, outcome);
            assert_eq!(found.score.signum(), expected.signum(), "{position:?}");
            let after = position.play(found.best).unwrap();
            assert_eq!(-minimax(after).signum(), expected.signum(), "{position:?}");
        }
    }
}

/// Of the replies to a move: those that still win, and those that keep the score, as parts of all.
fn kept(after: Position, score: i32) -> (f64, f64) {
    let replies: Vec<i32> = Squares(after.moves())
        .filter_map(|reply| after.play(reply))
        .map(minimax)
        .collect();
    if replies.is_empty() {
        return (1.0, 1.0);
    }
    let part = |kept: &dyn Fn(i32) -> bool| {
        replies.iter().filter(|&&value| kept(value)).count() as f64 / replies.len() as f64
    };
    (part(&|value| value < 0), part(&|value| value <= score))
}

#[test]
fn a_lost_game_is_made_as_hard_for_the_opponent_as_it_can_be() {
    let mut searcher = searcher(Level::detect());
    let mut choices = 0;
    for empties in 2..=7 {
        for position in random_positions(empties, 60) {
            let found = solve(&mut searcher, position, Limits::PLAY);
            if found.score >= 0 {
                continue;
            }
            let alike: Vec<(f64, f64)> = Squares(position.moves())
                .filter_map(|square| position.play(square))
                .filter(|&after| -minimax(after) == found.score)
                .map(|after| kept(after, found.score))
                .collect();
            let made = position.play(found.best).unwrap();
            assert_eq!(-minimax(made), found.score);
            let made = kept(made, found.score);
            assert!(
                alike.iter().all(|other| made <= *other),
                "{made:?} of {alike:?}"
            );
            choices += u32::from(alike.iter().any(|other| made < *other));
        }
    }
    assert!(choices >= 10, "only {choices} positions had a choice");
}

#[test]
fn larger_endgames_score_alike_under_all_symmetries() {
    for position in random_positions(14, 6) {
        let level = Level::detect();
        let expected = solve(&mut searcher(level), position, Limits::NONE).score;
        for map in 1..SYMMETRIES {
            let mapped = position.symmetry(map);
            let found = solve(&mut searcher(level), mapped, Limits::NONE);
            assert_eq!(found.score, expected, "{position:?} by {map}");
        }
    }
}

#[test]
fn both_instruction_sets_search_the_same_nodes() {
    let limits = Limits {
        depth: 9,
        ..Limits::NONE
    };
    for position in random_positions(40, 3)
        .into_iter()
        .chain(random_positions(15, 3))
    {
        let found = [Level::Portable, Level::detect()]
            .map(|level| solve(&mut searcher(level), position, limits));
        assert_eq!(found[0], found[1]);
    }
}

#[test]
fn a_search_repeats_exactly_after_clearing() {
    let limits = Limits {
        depth: 10,
        ..Limits::NONE
    };
    let mut searcher = searcher(Level::detect());
    for position in random_positions(44, 3) {
        searcher.clear();
        let first = solve(&mut searcher, position, limits);
        searcher.clear();
        assert_eq!(solve(&mut searcher, position, limits), first);
    }
}

#[test]
fn a_stopped_search_keeps_the_last_finished_iteration() {
    for position in random_positions(30, 3) {
        for nodes in [1, 100, 1_000, 30_000] {
            let mut seen = Vec::new();
            let limits = Limits {
                nodes,
                ..Limits::PLAY
            };
            let found =
                searcher(Level::detect()).search(position, limits, &Stopped, &mut |iteration| {
                    seen.push(iteration.clone());
                });
            let last = seen.pop();
            let level = |iteration: &Iteration| (iteration.level, iteration.score);
            assert_eq!(
                found.as_ref().map(level),
                last.as_ref().map(level),
                "{nodes}"
            );
            if let Some(found) = found {
                assert_eq!(found.line.first(), Some(&found.best));
                assert!(position.play(found.best).is_some());
                assert!(found.nodes <= nodes + 100);
            }
        }
    }
}

#[test]
fn the_clock_stops_a_search() {
    /// A clock that advances a second with every look.
    struct Racing(core::cell::Cell<u64>);
    impl Clock for Racing {
        fn now(&self) -> Instant {
            self.0.set(self.0.get() + 1_000_000);
            Instant {
                wall_us: self.0.get(),
                cpu_us: 0,
            }
        }
    }
    let position = random_positions(45, 1)[0];
    let hard = super::limits::Deadline(Instant {
        wall_us: 40_000_000,
        cpu_us: u64::MAX,
    });
    let limits = Limits {
        hard,
        ..Limits::PLAY
    };
    let clock = Racing(core::cell::Cell::new(0));
    let found = searcher(Level::detect()).search(position, limits, &clock, &mut |_| {});
    assert!(found.is_some_and(|found| !found.is_outcome_proven()));
}
