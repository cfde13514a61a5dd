//! The time manager: the game's allowance, what is left of it, and how much of that a move may use.
//!
//! Two clocks count: wall time while the judge waits for us, and CPU time of the process. The manager
//! owns the plan and never reads a clock itself: readings are handed in, so tests use a fake one.

use super::search::limits::{Deadline, Limits};
use crate::host::Instant;

/// Wall and CPU time kept back for what cannot be measured from inside: the process's start before our
/// clock began, the judge's pipes, a busy machine. In thousandths of the allowance.
const RESERVE_PER_MILLE: u64 = 50;

/// Wall time that a judge may count for each answer beyond what we see, in microseconds.
const ANSWER_OVERHEAD_US: u64 = 2_000;

/// On a busy machine a process waits for its turn before it sees a request, and nothing inside tells how long. But the
/// wait while it thinks does: this part of it, in thousandths, is added for the wait before.
const UNSEEN_WAIT_PER_MILLE: u64 = 250;

/// At most this much wall time from the process's start until `READY`, in microseconds, is held against the game in
/// any case...
const START_UP_US: u64 = 150_000;

/// ... and on a busy machine this many times the CPU time that the start took: more was spent waiting for the judge.
const START_UP_FACTOR: u64 = 10;

/// With less than this for a move, in microseconds, only [`INSTANT_NODES`] are searched.
const INSTANT_US: u64 = 2_000;

/// The nodes of a move for which there is no time: well under a millisecond.
const INSTANT_NODES: u64 = 1_000;

/// No move may use more than this part of what is left, in thousandths.
const MOST_OF_REST_PER_MILLE: u64 = 350;

/// How the allowance is spread: the weight of a move by empty squares, from that number on downwards.
/// The most goes to the moves just before the end of the game comes within reach.
const WEIGHTS: [(u32, u64); 7] = [
    (54, 2),
    (46, 6),
    (36, 9),
    (28, 12),
    (20, 16),
    (16, 6),
    (0, 1),
];

/// The clocks of one game.
#[derive(Clone, Debug)]
pub struct TimeManager {
    allowance_us: u64,
    /// Wall time used while the judge waited, in microseconds.
    wall_used_us: u64,
    /// CPU time of the process when the game began.
    cpu_start_us: u64,
}

/// What is left of a game's allowance, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Wall time.
    pub wall_us: u64,
    /// CPU time.
    pub cpu_us: u64,
}

impl TimeManager {
    /// The clocks of the first game of a process, when its first line has been read. All CPU time since
    /// the start counts, and wall time as far as it cannot have been a wait.
    pub fn first_game(allowance_ms: u64, now: Instant) -> TimeManager {
        TimeManager {
            allowance_us: allowance_ms.saturating_mul(1_000),
            wall_used_us: now
                .wall_us
                .min(START_UP_US.max(now.cpu_us.saturating_mul(START_UP_FACTOR))),
            cpu_start_us: 0,
        }
    }

    /// The clocks of a further game in the same process.
    pub fn next_game(allowance_ms: u64, now: Instant) -> TimeManager {
        TimeManager {
            allowance_us: allowance_ms.saturating_mul(1_000),
            wall_used_us: 0,
            cpu_start_us: now.cpu_us,
        }
    }

    /// Books an answer that was asked for at `asked` and given at `answered`.
    pub fn answered(&mut self, asked: Instant, answered: Instant) {
        let wall = answered.wall_us.saturating_sub(asked.wall_us);
        let waited = wall.saturating_sub(answered.cpu_us.saturating_sub(asked.cpu_us));
        let unseen =
            ANSWER_OVERHEAD_US + waited.min(self.allowance_us) * UNSEEN_WAIT_PER_MILLE / 1_000;
        self.wall_used_us = self.wall_used_us.saturating_add(wall + unseen);
    }

    /// What the judge's limits leave, with nothing kept back.
    pub fn left(&self, now: Instant) -> Left {
        let cpu_used = now.cpu_us.saturating_sub(self.cpu_start_us);
        Left {
            wall_us: self.allowance_us.saturating_sub(self.wall_used_us),
            cpu_us: self.allowance_us.saturating_sub(cpu_used),
        }
    }

    /// The limits of a search that begins at `now` with `empties` empty squares.
    pub fn limits(&self, now: Instant, empties: u32) -> Limits {
        let left = self.left(now);
        let reserve = self.allowance_us / 1_000 * RESERVE_PER_MILLE;
        let answers_to_come = u64::from(empties / 2 + 1);
        let wall = left
            .wall_us
            .saturating_sub(answers_to_come * ANSWER_OVERHEAD_US);
        let usable = wall.min(left.cpu_us).saturating_sub(reserve);
        let share = u128::from(usable) * u128::from(weight(empties)) / u128::from(to_come(empties));
        let share = share as u64;
        if share < INSTANT_US {
            return Limits {
                nodes: INSTANT_NODES,
                confidence: 0,
                ..Limits::PLAY
            };
        }
        let most = usable / 1_000 * MOST_OF_REST_PER_MILLE;
        let after = |us: u64| {
            Deadline(Instant {
                wall_us: now.wall_us + us,
                cpu_us: now.cpu_us + us,
            })
        };
        Limits {
            soft: after(share / 2),
            hard: after((share * 2).min(most.max(share))),
            ..Limits::PLAY
        }
    }
}

/// The weight of a move with that many empty squares.
fn weight(empties: u32) -> u64 {
    WEIGHTS
        .iter()
        .find(|(from, _)| empties >= *from)
        .map_or(1, |&(_, weight)| weight)
}

/// The weights of this move and all our moves after it.
fn to_come(empties: u32) -> u64 {
    (0..=empties).rev().step_by(2).map(weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000;

    fn at(wall_ms: u64, cpu_ms: u64) -> Instant {
        Instant {
            wall_us: wall_ms * MS,
            cpu_us: cpu_ms * MS,
        }
    }

    /// Plays a whole game with every search running into its hard deadline, on a machine that gives the
    /// process `cpu_per_mille` of the wall time. Returns wall and CPU time used, in milliseconds.
    fn play(allowance_ms: u64, cpu_per_mille: u64) -> (u64, u64) {
        let mut now = at(30, 30);
        let mut manager = TimeManager::first_game(allowance_ms, now);
        let mut wall = now.wall_us;
        for empties in (2..=60).rev().step_by(2) {
            now.wall_us += 700 * MS; // The opponent thinks: nobody's time but his.
            let hard = manager.limits(now, empties).hard.0;
            let asked = now;
            if hard.wall_us != u64::MAX {
                let by_cpu = (hard.cpu_us - now.cpu_us) * 1_000 / cpu_per_mille;
                let used = (hard.wall_us - now.wall_us).min(by_cpu);
                now.wall_us += used;
                now.cpu_us += used * cpu_per_mille / 1_000;
            }
            manager.answered(asked, now);
            wall += now.wall_us - asked.wall_us;
        }
        (wall / MS, now.cpu_us / MS)
    }

    #[test]
    fn no_game_uses_more_than_its_allowance_even_when_every_search_is_aborted() {
        for allowance in [300, 1_000, 5_000, 60_000] {
            for cpu_per_mille in [100, 500, 1_000, 1_900] {
                let (wall, cpu) = play(allowance, cpu_per_mille);
                assert!(
                    wall <= allowance * 98 / 100,
                    "{allowance} {cpu_per_mille}: {wall}"
                );
                assert!(
                    cpu <= allowance * 98 / 100,
                    "{allowance} {cpu_per_mille}: {cpu}"
                );
            }
        }
        // A judge that sees a fifth more than we do of every wait, on a machine that is busy with others.
        let (wall, cpu) = play(5_000, 300);
        assert!(wall + (wall - cpu) / 5 <= 4_900, "{wall} {cpu}");
        let (_, cpu) = play(5_000, 1_000);
        assert!(cpu >= 4_000, "most of the time should be used: {cpu}");
    }

    #[test]
    fn a_process_that_was_stopped_plays_on_instantly() {
        let mut manager = TimeManager::first_game(5_000, at(20, 20));
        let limits = manager.limits(at(1_000, 100), 50);
        assert!(
            limits.hard.passed(at(9_000, 100)),
            "the wall clock alone must stop a search"
        );
        manager.answered(at(1_000, 100), at(9_000, 100));
        let limits = manager.limits(at(9_500, 100), 48);
        assert_eq!(limits.nodes, INSTANT_NODES);
        assert_eq!(
            manager.left(at(9_500, 100)),
            Left {
                wall_us: 0,
                cpu_us: 4_900 * MS
            }
        );
    }

    #[test]
    fn waiting_for_the_judge_costs_nothing() {
        let manager = TimeManager::first_game(5_000, at(60_000, 20));
        assert_eq!(
            manager.left(at(60_000, 20)).wall_us,
            5_000 * MS - START_UP_FACTOR * 20 * MS
        );
        let manager = TimeManager::next_game(5_000, at(60_000, 4_000));
        assert_eq!(
            manager.left(at(60_000, 4_000)),
            Left {
                wall_us: 5_000 * MS,
                cpu_us: 5_000 * MS
            }
        );
    }

    #[test]
    fn absurd_allowances_do_no_harm() {
        for allowance in [0, 1, u64::MAX / 4, u64::MAX] {
            let manager = TimeManager::first_game(allowance, at(1, 1));
            for empties in 0..=64 {
                manager.limits(at(5, 5), empties);
            }
        }
    }

    #[test]
    fn the_middle_game_gets_more_than_the_opening_and_the_very_end() {
        let manager = TimeManager::first_game(5_000, at(0, 0));
        let soft = |empties| manager.limits(at(0, 0), empties).soft.0.wall_us;
        assert!(soft(58) * 2 < soft(40));
        assert!(soft(40) < soft(26));
    }
}
