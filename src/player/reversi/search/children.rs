//! What the search of the middle game and that of the endgame do alike before they try a move: cutoffs
//! that need no search, and the list of moves.

use super::super::board::Position;
use super::super::flip;
use super::super::square::{Set, Squares};
use super::context::Context;
use super::order::{Move, MoveList};
use super::table::Entry;
use super::Level;
use crate::isa::Isa;

/// Lists the moves, and fetches the children's places in the table if `prefetch` says so. `true` if one of
/// them leaves the opponent nothing: no need to look further.
#[inline(always)]
pub(super) fn list_moves<I: Isa>(
    cx: &Context,
    isa: I,
    at: Position,
    moves: Set,
    prefetch: bool,
    list: &mut MoveList,
) -> bool {
    for square in Squares(moves) {
        let flips = flip::flips(isa, at.player, at.opponent, square);
        let next = at.after(square, flips);
        if next.player == 0 {
            return true;
        }
        if prefetch {
            cx.table.prefetch(&next);
        }
        list.push(Move::new(square, flips));
    }
    false
}

/// Enhanced transposition cutoff (Plaat 1996): a child already known, at the level `childs`, to be bad for
/// the opponent. What follows for `at` is remembered at `level`.
#[inline(always)]
pub(super) fn enhanced_cutoff(
    cx: &mut Context,
    at: Position,
    level: Level,
    childs: Level,
    alpha: i32,
    list: &mut MoveList,
) -> Option<i32> {
    for listed in list.rest() {
        let child = cx.table.get(&at.after(listed.square, listed.flips));
        let bound = child.and_then(|child| child.cutoff(childs, -alpha - 1));
        if let Some(bound) = bound.filter(|&bound| -bound > alpha) {
            let entry = Entry::bound(level, alpha, -bound, Some(listed.square));
            cx.table.put(&at, entry);
            return Some(-bound);
        }
    }
    None
}

/// An upper bound at or below `alpha` from the opponent's stable discs, tried where they often suffice.
#[inline(always)]
pub(super) fn stability_cutoff(
    cx: &Context,
    at: Position,
    empties: u32,
    alpha: i32,
) -> Option<i32> {
    if alpha < 2 * empties as i32 - 2 {
        return None;
    }
    let bound = cx.edges.upper_bound(at.player, at.opponent);
    (bound <= alpha).then_some(bound)
}
