//! The endgame: search to the end of the game without the evaluation.
//!
//! Null windows only, but for [`principal`], which finds an exact score. In three tiers by empty squares:
//! up to [`SHALLOW`] moves are ordered by parity alone; above, by what they leave the opponent (fastest
//! first), with stability; and above [`LOCAL_EMPTIES`] the transposition table and its enhanced cutoffs
//! take the place of the small local table. Where the ordering has worked out a child's moves, the child is
//! told them.

use super::super::board::Position;
use super::super::flip;
use super::super::square::{Set, Square};
use super::children::{enhanced_cutoff, list_moves, stability_cutoff};
use super::context::{Context, Stopped};
use super::order::{MoveList, SQUARE_KEY};
use super::shallow::{few_left, odd_quadrants, SHALLOW};
use super::table::Entry;
use super::{Level, MAX_SCORE};
use crate::isa::Isa;

/// Up to this many empty squares positions are remembered in the local table.
const LOCAL_EMPTIES: u32 = 9;

/// From this many empty squares on, children are looked up in the table before the first is searched.
const ENHANCED_CUTOFFS: u32 = 10;

const CORNERS: Set = 0x8100_0000_0000_0081;

/// A bound on the exact score of `at` for the null window `(alpha, alpha + 1)`.
pub(super) fn null_window<I: Isa>(
    cx: &mut Context,
    isa: I,
    at: Position,
    empties: u32,
    alpha: i32,
) -> Result<i32, Stopped> {
    isa.run(
        #[inline(always)]
        || {
            let moves = flip::moves(isa, at.player, at.opponent);
            with_moves(cx, isa, at, empties, moves, alpha)
        },
    )
}

/// As [`null_window`], with the legal moves already known.
fn with_moves<I: Isa>(
    cx: &mut Context,
    isa: I,
    at: Position,
    empties: u32,
    moves: Set,
    alpha: i32,
) -> Result<i32, Stopped> {
    isa.run(
        #[inline(always)]
        || {
            if empties <= SHALLOW {
                cx.visit()?;
                let (nodes, local) = (&mut cx.nodes, &mut *cx.local);
                return Ok(few_left(isa, nodes, local, at, empties, moves, alpha));
            }
            hashed(cx, isa, at, empties, moves, alpha)
        },
    )
}

/// A position with more than [`SHALLOW`] empty squares.
#[inline(always)]
fn hashed<I: Isa>(
    cx: &mut Context,
    isa: I,
    at: Position,
    empties: u32,
    moves: Set,
    alpha: i32,
) -> Result<i32, Stopped> {
    cx.visit()?;
    if let Some(bound) = stability_cutoff(cx, at, empties, alpha) {
        return Ok(bound);
    }
    if moves == 0 {
        let replies = flip::moves(isa, at.opponent, at.player);
        if replies == 0 {
            return Ok(at.final_score());
        }
        return Ok(-with_moves(
            cx,
            isa,
            at.pass(),
            empties,
            replies,
            -alpha - 1,
        )?);
    }
    if empties <= LOCAL_EMPTIES {
        return locally(cx, isa, at, empties, moves, alpha);
    }
    let level = Level::exact(empties);
    let known = cx.table.get(&at);
    if let Some(bound) = known.and_then(|entry| entry.cutoff(level, alpha)) {
        return Ok(bound);
    }
    let mut list = MoveList::new();
    if list_moves(cx, isa, at, moves, empties > LOCAL_EMPTIES + 1, &mut list) {
        return Ok(MAX_SCORE);
    }
    if empties > ENHANCED_CUTOFFS {
        let childs = Level::exact(empties - 1);
        if let Some(bound) = enhanced_cutoff(cx, at, level, childs, alpha, &mut list) {
            return Ok(bound);
        }
    }
    let mut best = -MAX_SCORE - 1;
    let mut best_square = None;
    let mut first = known.and_then(|entry| list.take(entry.best?));
    let mut ranked = false;
    loop {
        let tried = if let Some(mut first) = first.take() {
            let next = at.after(first.square, first.flips);
            first.replies = flip::moves(isa, next.player, next.opponent);
            first
        } else {
            if !ranked {
                rank(isa, at, &mut list);
                ranked = true;
            }
            let Some(tried) = list.next_best() else {
                break;
            };
            tried
        };
        let next = at.after(tried.square, tried.flips);
        let score = -with_moves(cx, isa, next, empties - 1, tried.replies, -alpha - 1)?;
        if score > best {
            best = score;
            best_square = Some(tried.square);
            if score > alpha {
                break;
            }
        }
    }
    cx.table
        .put(&at, Entry::bound(level, alpha, best, best_square));
    Ok(best)
}

/// The rest of [`hashed`] for few empty squares: bounds in the local table, and no best move.
#[inline(always)]
fn locally<I: Isa>(
    cx: &mut Context,
    isa: I,
    at: Position,
    empties: u32,
    moves: Set,
    alpha: i32,
) -> Result<i32, Stopped> {
    let place = cx.local.place(&at);
    if let Some(bound) = cx.local.cutoff(place, &at, alpha) {
        return Ok(bound);
    }
    let mut list = MoveList::new();
    if list_moves(cx, isa, at, moves, false, &mut list) {
        return Ok(MAX_SCORE);
    }
    rank(isa, at, &mut list);
    let mut best = -MAX_SCORE - 1;
    while let Some(tried) = list.next_best() {
        let next = at.after(tried.square, tried.flips);
        let score = -with_moves(cx, isa, next, empties - 1, tried.replies, -alpha - 1)?;
        if score > best {
            best = score;
            if score > alpha {
                break;
            }
        }
    }
    cx.local.put(place, at, alpha, best);
    Ok(best)
}

/// Gives the moves not yet handed out their keys.
#[inline(always)]
fn rank<I: Isa>(isa: I, at: Position, list: &mut MoveList) {
    let odd = odd_quadrants(at.empties());
    for listed in list.rest() {
        let next = at.after(listed.square, listed.flips);
        listed.replies = flip::moves(isa, next.player, next.opponent);
        listed.key = fastest_first(listed.square, listed.replies, odd);
    }
}

/// The ordering key of a move that leaves the opponent `replies`: few, and no corners, and a move into an
/// odd quadrant.
#[inline(always)]
fn fastest_first(square: Square, replies: Set, odd: Set) -> i32 {
    let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    let parity = if odd & square.set() != 0 { 12 } else { 0 };
    i32::from(SQUARE_KEY[square.index()]) - (mobility << 4) + parity
}

/// The exact score within the window `(alpha, beta)`, or a bound outside it. For the few nodes on the
/// principal variation: a null window first for every move but the first.
pub(super) fn principal<I: Isa>(
    cx: &mut Context,
    isa: I,
    at: Position,
    alpha: i32,
    beta: i32,
) -> Result<i32, Stopped> {
    cx.visit()?;
    let empties = at.empty_count();
    let moves = flip::moves(isa, at.player, at.opponent);
    if moves == 0 {
        if flip::moves(isa, at.opponent, at.player) == 0 {
            return Ok(at.final_score());
        }
        return Ok(-principal(cx, isa, at.pass(), -beta, -alpha)?);
    }
    let level = Level::exact(empties);
    let known = cx.table.get(&at);
    let mut list = MoveList::new();
    if list_moves(cx, isa, at, moves, empties > LOCAL_EMPTIES + 1, &mut list) {
        return Ok(MAX_SCORE);
    }
    rank(isa, at, &mut list);
    if let Some(best) = known.and_then(|entry| entry.best) {
        list.prefer(best);
    }
    let mut best = -MAX_SCORE - 1;
    let mut best_square = None;
    while let Some(tried) = list.next_best() {
        let next = at.after(tried.square, tried.flips);
        let floor = best.max(alpha);
        let mut score = floor;
        if best_square.is_some() {
            score = -null_window(cx, isa, next, empties - 1, -floor - 1)?;
        }
        if best_square.is_none() || (score > floor && score < beta) {
            score = -principal(cx, isa, next, -beta, -floor)?;
        }
        if score > best {
            best = score;
            best_square = Some(tried.square);
            if score >= beta {
                break;
            }
        }
    }
    cx.table
        .put(&at, Entry::window(level, alpha, beta, best, best_square));
    Ok(best)
}
