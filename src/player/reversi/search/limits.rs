//! What stops a search: depth, nodes, and deadlines on the judge's two clocks.

use crate::host::Instant;

/// A moment that either clock may reach first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline(pub Instant);

impl Deadline {
    /// Never.
    pub const NEVER: Deadline = Deadline(Instant {
        wall_us: u64::MAX,
        cpu_us: u64::MAX,
    });

    /// Whether one of the clocks has reached it.
    #[inline]
    pub fn passed(self, now: Instant) -> bool {
        now.wall_us >= self.0.wall_us || now.cpu_us >= self.0.cpu_us
    }
}

/// What a search to the end of the game asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The exact score.
    Score,
    /// Only who wins.
    Outcome,
    /// Who wins first, since that is all that a judge counts; then the score.
    OutcomeThenScore,
}

/// The bounds of one search. Whatever is reached first stops it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// No iteration deeper than this, in plies.
    pub depth: u32,
    /// The confidence up to which a search to the end of the game is refined; at most
    /// [`super::CERTAIN`].
    pub confidence: u8,
    /// What a search to the end of the game asks for.
    pub goal: Goal,
    /// Abort after this many nodes.
    pub nodes: u64,
    /// Begin no new iteration after this.
    pub soft: Deadline,
    /// Abort at this.
    pub hard: Deadline,
}

impl Limits {
    /// No bounds at all: search until the game is solved.
    pub const NONE: Limits = Limits {
        depth: 60,
        confidence: super::CERTAIN,
        goal: Goal::Score,
        nodes: u64::MAX,
        soft: Deadline::NEVER,
        hard: Deadline::NEVER,
    };

    /// No bounds, and the goal of a game.
    pub const PLAY: Limits = Limits {
        goal: Goal::OutcomeThenScore,
        ..Limits::NONE
    };
}
