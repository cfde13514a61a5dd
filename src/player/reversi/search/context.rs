//! What a running search carries along, and what outlives it.

use super::super::board::Position;
use super::super::eval::{Features, Weights, SCALE};
use super::super::square::{Set, Square};
use super::limits::Limits;
use super::local::Local;
use super::stability::Edges;
use super::table::Table;
use super::{probcut, Level};
use crate::host::Clock;
use crate::isa::{self, Isa};
use alloc::boxed::Box;

/// The size of the transposition table for judges, in MiB: with the weights, less than 64 in all.
pub const TABLE_MIB: usize = 44;

/// Nodes between two looks at the clocks: about two milliseconds.
const POLL_NODES: u64 = 16_384;

/// The search was stopped by its limits before it had a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// A searcher: the tables that one search leaves to the next. One per game or analysis.
pub struct Searcher {
    pub(super) table: Table,
    pub(super) local: Local,
    pub(super) weights: Box<Weights>,
    pub(super) edges: Edges,
    pub(super) level: isa::Level,
}

impl Searcher {
    /// A searcher with the judge's table size.
    pub fn new(level: isa::Level) -> Searcher {
        Searcher::with_table_mib(level, TABLE_MIB)
    }

    /// A searcher with a table of that many MiB.
    pub fn with_table_mib(level: isa::Level, mib: usize) -> Searcher {
        Searcher {
            table: Table::new(mib),
            local: Local::new(),
            weights: Weights::load(),
            edges: Edges::new(),
            level,
        }
    }

    /// Forgets all earlier searches, so that the next one repeats exactly.
    pub fn clear(&mut self) {
        self.table.clear();
        self.local.clear();
    }

    pub(super) fn context<'a>(&'a mut self, clock: &'a dyn Clock, limits: Limits) -> Context<'a> {
        Context {
            table: &mut self.table,
            local: &mut self.local,
            weights: &self.weights,
            edges: &self.edges,
            clock,
            limits,
            nodes: 0,
            poll_at: POLL_NODES.min(limits.nodes),
            confidence: 0,
            verifications: probcut::NESTED,
        }
    }
}

/// One search in progress.
pub(super) struct Context<'a> {
    pub table: &'a mut Table,
    pub local: &'a mut Local,
    pub weights: &'a Weights,
    pub edges: &'a Edges,
    pub clock: &'a dyn Clock,
    pub limits: Limits,
    /// Positions visited so far, in every part of the search.
    pub nodes: u64,
    poll_at: u64,
    /// The confidence of the pruning that is allowed now.
    pub confidence: u8,
    /// How many ProbCut verifications may still begin, one within the other.
    pub verifications: u32,
}

impl Context<'_> {
    /// Counts a node, and now and then looks whether a limit is reached.
    #[inline(always)]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.poll_at {
            return self.poll();
        }
        Ok(())
    }

    /// The level of a search of `depth` plies at a position with `empties` empty squares.
    #[inline(always)]
    pub fn level(&self, depth: u32, empties: u32) -> Level {
        Level {
            depth: depth.min(empties) as u8,
            confidence: self.confidence,
        }
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        self.poll_at = (self.nodes + POLL_NODES).min(self.limits.nodes);
        if self.nodes >= self.limits.nodes || self.limits.hard.passed(self.clock.now()) {
            // Stay stopped: whoever asks again gets the same answer.
            self.poll_at = 0;
            return Err(Stopped);
        }
        Ok(())
    }
}

/// A position with its evaluation features.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub position: Position,
    pub features: Features,
}

impl Node {
    pub fn new(position: Position) -> Node {
        Node {
            position,
            features: Features::of(position),
        }
    }

    /// The node after a move on `square` that turns `flips`.
    #[inline(always)]
    pub fn after<I: Isa>(&self, isa: I, square: Square, flips: Set) -> Node {
        if I::AVX2 {
            self.after_inline(isa, square, flips)
        } else {
            self.after_portable(square, flips)
        }
    }

    /// Not inlined, as all that only processors without AVX2 run: a submission has little room.
    #[inline(never)]
    fn after_portable(&self, square: Square, flips: Set) -> Node {
        self.after_inline(isa::Portable, square, flips)
    }

    #[inline(always)]
    fn after_inline<I: Isa>(&self, isa: I, square: Square, flips: Set) -> Node {
        Node {
            position: self.position.after(square, flips),
            features: self.features.after(isa, square, flips),
        }
    }

    /// The node after a pass.
    #[inline(always)]
    pub fn pass(&self) -> Node {
        Node {
            position: self.position.pass(),
            features: self.features.pass(),
        }
    }

    /// The static value in whole discs.
    #[inline(always)]
    pub fn value<I: Isa>(&self, isa: I, weights: &Weights) -> i32 {
        (self.scaled_value(isa, weights) + SCALE / 2).div_euclid(SCALE)
    }

    /// The static value in scaled units.
    #[inline(always)]
    pub fn scaled_value<I: Isa>(&self, isa: I, weights: &Weights) -> i32 {
        if I::AVX2 {
            weights.evaluate(isa, &self.position, &self.features)
        } else {
            self.scaled_value_portable(weights)
        }
    }

    #[inline(never)]
    fn scaled_value_portable(&self, weights: &Weights) -> i32 {
        weights.evaluate(isa::Portable, &self.position, &self.features)
    }
}
