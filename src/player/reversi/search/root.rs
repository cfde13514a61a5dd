//! The root: the moves of the position that is asked about, kept in order from iteration to iteration.

use super::super::board::Position;
use super::super::square::{Square, Squares};
use super::context::{Context, Node, Stopped};
use super::{midgame, MAX_SCORE};
use crate::isa::Isa;
use alloc::vec::Vec;

/// The moves of the root, best first as far as is known.
pub(super) struct Root {
    pub node: Node,
    pub moves: Vec<Square>,
}

/// What a search of the root found.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub best: Square,
    pub score: i32,
}

impl Root {
    pub fn new(position: Position) -> Root {
        Root {
            node: Node::new(position),
            moves: Squares(position.moves()).collect(),
        }
    }

    /// Searches every move `depth` plies deep (the move itself included) within `(alpha, beta)`. A score
    /// outside the window is a bound. The best move goes to the front, also when the search is stopped later. If
    /// all moves score `alpha` or less, that says nothing of which is best: the order of before stands.
    pub fn search<I: Isa>(
        &mut self,
        cx: &mut Context,
        isa: I,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<Option<Found>, Stopped> {
        let mut found: Option<Found> = None;
        for index in 0..self.moves.len() {
            let square = self.moves[index];
            let flips = self.node.position.flips(square);
            let child = self.node.after(isa, square, flips);
            let best = found.map_or(-MAX_SCORE - 1, |found| found.score);
            let floor = best.max(alpha);
            let mut score = floor;
            if found.is_some() {
                score = -midgame::null_window(cx, isa, &child, depth - 1, -floor - 1)?;
            }
            if found.is_none() || (score > floor && score < beta) {
                score = -midgame::principal(cx, isa, &child, depth - 1, -beta, -floor)?;
            }
            if found.is_none() || (score > best && score > alpha) {
                found = Some(Found {
                    best: square,
                    score,
                });
                self.moves[..=index].rotate_right(1);
                if score >= beta {
                    break;
                }
            } else if let Some(found) = found.as_mut().filter(|found| score > found.score) {
                found.score = score;
            }
        }
        Ok(found)
    }
}
