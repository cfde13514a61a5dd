//! The middle game: search with the evaluation at its leaves, and ProbCut on the way.
//!
//! Two kinds of nodes: null-window nodes, which are nearly all, and those of the principal variation.
//! A depth of as many plies as there are empty squares means: to the end, and [`endgame`] takes over
//! where the evaluation no longer helps.

use super::super::flip;
use super::super::square::Squares;
use super::children::{enhanced_cutoff, list_moves, stability_cutoff};
use super::context::{Context, Node, Stopped};
use super::order::{MoveList, SQUARE_KEY};
use super::table::Entry;
use super::{endgame, probcut, CERTAIN, MAX_SCORE};
use crate::isa::Isa;

/// Up to this many empty squares a certain search to the end does without the evaluation.
const ENDGAME_EMPTIES: u32 = 20;

/// The same for a search that prunes by the evaluation as long as that pays.
const SELECTIVE_ENDGAME_EMPTIES: u32 = 14;

/// What one reply of the opponent counts against a move in the ordering.
const MOBILITY: i32 = 512;

/// What one unit of a child's scaled value counts: a reply is worth four discs.
const VALUE: i32 = 4;

/// From this depth on, children are looked up in the table before the first is searched.
const ENHANCED_CUTOFFS: u32 = 5;

/// Whether the rest is for [`endgame`].
#[inline(always)]
fn is_endgame(cx: &Context, depth: u32, empties: u32) -> bool {
    let from = if cx.confidence == CERTAIN {
        ENDGAME_EMPTIES
    } else {
        SELECTIVE_ENDGAME_EMPTIES
    };
    depth >= empties && empties <= from
}

/// A bound on the score of `node` for the null window `(alpha, alpha + 1)`, `depth` plies deep.
pub(super) fn null_window<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    alpha: i32,
) -> Result<i32, Stopped> {
    isa.run(
        #[inline(always)]
        || {
            let empties = node.position.empty_count();
            if is_endgame(cx, depth, empties) {
                return endgame::null_window(cx, isa, node.position, empties, alpha);
            }
            match depth {
                0 => {
                    cx.visit()?;
                    Ok(node.value(isa, cx.weights))
                }
                1 => one_ply(cx, isa, node, alpha),
                _ => inner_null_window(cx, isa, node, depth, alpha),
            }
        },
    )
}

/// Depth 1: the best static value of the children.
#[inline(always)]
fn one_ply<I: Isa>(cx: &mut Context, isa: I, node: &Node, alpha: i32) -> Result<i32, Stopped> {
    cx.visit()?;
    let at = node.position;
    let moves = flip::moves(isa, at.player, at.opponent);
    if moves == 0 {
        return pass_null_window(cx, isa, node, 1, alpha);
    }
    let mut best = -MAX_SCORE - 1;
    for square in Squares(moves) {
        let flips = flip::flips(isa, at.player, at.opponent, square);
        let child = node.after(isa, square, flips);
        if child.position.player == 0 {
            return Ok(MAX_SCORE);
        }
        cx.nodes += 1;
        best = best.max(-child.value(isa, cx.weights));
        if best > alpha {
            break;
        }
    }
    Ok(best)
}

/// No move: the other side goes on, or the game is over.
fn pass_null_window<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    alpha: i32,
) -> Result<i32, Stopped> {
    let at = node.position;
    if flip::moves(isa, at.opponent, at.player) == 0 {
        return Ok(at.final_score());
    }
    Ok(-null_window(cx, isa, &node.pass(), depth, -alpha - 1)?)
}

/// Depth 2 and more.
#[inline(always)]
fn inner_null_window<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    alpha: i32,
) -> Result<i32, Stopped> {
    cx.visit()?;
    let at = node.position;
    let empties = at.empty_count();
    if let Some(bound) = stability_cutoff(cx, at, empties, alpha) {
        return Ok(bound);
    }
    let moves = flip::moves(isa, at.player, at.opponent);
    if moves == 0 {
        return pass_null_window(cx, isa, node, depth, alpha);
    }
    let level = cx.level(depth, empties);
    let known = cx.table.get(&at);
    if let Some(bound) = known.and_then(|entry| entry.cutoff(level, alpha)) {
        return Ok(bound);
    }
    if let Some(bound) = probcut(cx, isa, node, depth, alpha)? {
        return Ok(bound);
    }
    let mut list = MoveList::new();
    if list_moves(cx, isa, at, moves, true, &mut list) {
        return Ok(MAX_SCORE);
    }
    if depth >= ENHANCED_CUTOFFS {
        let childs = cx.level(depth - 1, empties - 1);
        if let Some(bound) = enhanced_cutoff(cx, at, level, childs, alpha, &mut list) {
            return Ok(bound);
        }
    }
    let mut best = -MAX_SCORE - 1;
    let mut best_square = None;
    let mut first = known.and_then(|entry| list.take(entry.best?));
    let mut ranked = false;
    loop {
        let tried = if let Some(first) = first.take() {
            first
        } else {
            if !ranked {
                rank(cx, isa, node, depth, &mut list)?;
                ranked = true;
            }
            let Some(tried) = list.next_best() else {
                break;
            };
            tried
        };
        let child = node.after(isa, tried.square, tried.flips);
        let score = -null_window(cx, isa, &child, depth - 1, -alpha - 1)?;
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

/// Multi-ProbCut (Buro 1997): if a shallow search is far enough outside the window, so will the deep one
/// be. Verifications verify themselves in the same way, as often as the search allows.
#[inline(always)]
fn probcut<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    alpha: i32,
) -> Result<Option<i32>, Stopped> {
    if cx.confidence == CERTAIN || depth < probcut::MIN_DEPTH || cx.verifications == 0 {
        return Ok(None);
    }
    let threshold = probcut::THRESHOLDS[usize::from(cx.confidence)];
    let empties = node.position.empty_count();
    let shallow = probcut::verification_depth(depth);
    // 256ths of a deviation times 256ths of a disc.
    let in_discs = |error: i32| (threshold * error + (1 << 15)) >> 16;
    let margin = in_discs(probcut::error(empties, depth));
    // The static value tells which of the two verifications has a chance.
    let value = node.value(isa, cx.weights);
    let high = alpha + 1 + margin;
    if high <= MAX_SCORE && value > alpha && verified(cx, isa, node, shallow, high - 1)? >= high {
        return Ok(Some(alpha + 1));
    }
    let low = alpha - margin;
    if low >= -MAX_SCORE && value <= alpha && verified(cx, isa, node, shallow, low)? <= low {
        return Ok(Some(alpha));
    }
    Ok(None)
}

/// A verification search of ProbCut.
#[inline(always)]
fn verified<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    alpha: i32,
) -> Result<i32, Stopped> {
    cx.verifications -= 1;
    let score = null_window(cx, isa, node, depth, alpha);
    cx.verifications += 1;
    score
}

/// How deep the children are searched to put them in order before a search of `depth` plies.
#[inline(always)]
const fn ordering_depth(depth: u32) -> u32 {
    depth.saturating_sub(15) / 3
}

/// Gives the moves not yet handed out their keys: by the opponent's mobility, and by shallow search.
#[inline(always)]
fn rank<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    list: &mut MoveList,
) -> Result<(), Stopped> {
    let at = node.position;
    for listed in list.rest() {
        let next = at.after(listed.square, listed.flips);
        let replies = flip::moves(isa, next.player, next.opponent).count_ones() as i32;
        listed.key = i32::from(SQUARE_KEY[listed.square.index()]) - MOBILITY * replies;
        if depth > 2 {
            let child = node.after(isa, listed.square, listed.flips);
            listed.key -= VALUE * ordering_value(cx, isa, &child, ordering_depth(depth))?;
        }
    }
    Ok(())
}

/// A child's value for ordering, in scaled units where it is static.
#[inline(always)]
fn ordering_value<I: Isa>(
    cx: &mut Context,
    isa: I,
    child: &Node,
    depth: u32,
) -> Result<i32, Stopped> {
    if depth == 0 {
        cx.nodes += 1;
        return Ok(child.scaled_value(isa, cx.weights));
    }
    let confidence = core::mem::replace(&mut cx.confidence, 0);
    let score = principal(cx, isa, child, depth, -MAX_SCORE, MAX_SCORE);
    cx.confidence = confidence;
    Ok(score? * super::super::eval::SCALE)
}

/// The score of a node of the principal variation within `(alpha, beta)`, or a bound outside it.
pub(super) fn principal<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<i32, Stopped> {
    isa.run(
        #[inline(always)]
        || inner_principal(cx, isa, node, depth, alpha, beta),
    )
}

#[inline(always)]
fn inner_principal<I: Isa>(
    cx: &mut Context,
    isa: I,
    node: &Node,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<i32, Stopped> {
    let at = node.position;
    let empties = at.empty_count();
    if is_endgame(cx, depth, empties) {
        return endgame::principal(cx, isa, at, alpha, beta);
    }
    cx.visit()?;
    if depth == 0 {
        return Ok(node.value(isa, cx.weights));
    }
    let moves = flip::moves(isa, at.player, at.opponent);
    if moves == 0 {
        if flip::moves(isa, at.opponent, at.player) == 0 {
            return Ok(at.final_score());
        }
        return Ok(-principal(cx, isa, &node.pass(), depth, -beta, -alpha)?);
    }
    let level = cx.level(depth, empties);
    let hash_move = cx.table.get(&at).and_then(|entry| entry.best);
    let mut list = MoveList::new();
    if list_moves(cx, isa, at, moves, true, &mut list) {
        return Ok(MAX_SCORE);
    }
    rank(cx, isa, node, depth, &mut list)?;
    if let Some(best) = hash_move {
        list.prefer(best);
    }
    let mut best = -MAX_SCORE - 1;
    let mut best_square = None;
    while let Some(tried) = list.next_best() {
        let child = node.after(isa, tried.square, tried.flips);
        let floor = best.max(alpha);
        let mut score = floor;
        if best_square.is_some() {
            score = -null_window(cx, isa, &child, depth - 1, -floor - 1)?;
        }
        if best_square.is_none() || (score > floor && score < beta) {
            score = -principal(cx, isa, &child, depth - 1, -beta, -floor)?;
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
