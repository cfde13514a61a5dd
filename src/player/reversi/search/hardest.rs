//! In a lost game, which of several moves that lose alike leaves the opponent the hardest choice.
//!
//! A choice is hard if few of the replies keep the win, and then if few of them keep the whole score. Runs after the
//! true score is known, when the table holds most of the answers.

use super::super::square::Squares;
use super::context::{Context, Node, Stopped};
use super::midgame;
use super::root::Root;
use crate::isa::Isa;
use core::cmp::Ordering;

/// How many of the opponent's replies are good.
#[derive(Clone, Copy)]
struct Choice {
    replies: u32,
    keep_win: u32,
    keep_score: u32,
}

impl Choice {
    /// No choice at all: whatever happens keeps everything.
    const FORCED: Choice = Choice {
        replies: 1,
        keep_win: 1,
        keep_score: 1,
    };

    /// The harder choice is the lesser one.
    fn cmp(self, other: Choice) -> Ordering {
        let shares = |one: u32, two: u32| (one * other.replies).cmp(&(two * self.replies));
        shares(self.keep_win, other.keep_win).then(shares(self.keep_score, other.keep_score))
    }
}

/// Brings the hardest of the moves that reach `score`, the true and negative score of the root, to the front: as
/// far as it gets before it is stopped.
pub(super) fn to_front<I: Isa>(
    cx: &mut Context,
    isa: I,
    root: &mut Root,
    score: i32,
) -> Result<(), Stopped> {
    let depth = root.node.position.empty_count() - 1;
    let mut hardest: Option<Choice> = None;
    for index in 0..root.moves.len() {
        let square = root.moves[index];
        let child = root
            .node
            .after(isa, square, root.node.position.flips(square));
        // The first move reaches the score: so the last search found.
        if index > 0 && midgame::null_window(cx, isa, &child, depth, -score)? > -score {
            continue;
        }
        let choice = choice(cx, isa, &child, score)?;
        if hardest.is_none_or(|hardest| choice.cmp(hardest).is_lt()) {
            hardest = Some(choice);
            root.moves[..=index].rotate_right(1);
        }
    }
    Ok(())
}

/// The opponent's choice at `node`, where he is to move and wins by `-score`.
fn choice<I: Isa>(cx: &mut Context, isa: I, node: &Node, score: i32) -> Result<Choice, Stopped> {
    let moves = node.position.moves();
    if moves == 0 {
        return Ok(Choice::FORCED);
    }
    let depth = node.position.empty_count() - 1;
    let mut choice = Choice {
        replies: moves.count_ones(),
        keep_win: 0,
        keep_score: 0,
    };
    for square in Squares(moves) {
        let next = node.after(isa, square, node.position.flips(square));
        // At most this good for us?
        let mut at_most = |bound: i32| {
            midgame::null_window(cx, isa, &next, depth, bound).map(|value| value <= bound)
        };
        let keeps_score = at_most(score)?;
        choice.keep_score += u32::from(keeps_score);
        choice.keep_win += u32::from(keeps_score || at_most(-1)?);
    }
    Ok(choice)
}
