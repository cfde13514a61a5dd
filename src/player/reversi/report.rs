//! What the search thought, in words for a person.

use super::search::iterate::Iteration;
use super::search::{probcut, CERTAIN};
use alloc::format;
use alloc::string::String;
use core::fmt::Write;

/// An iteration in one line: depth and confidence, score in discs, line of play, nodes.
pub fn summary(iteration: &Iteration) -> String {
    let depth = iteration.level.depth;
    let sure = match iteration.level.confidence {
        CERTAIN if iteration.is_exact() => String::from("exact"),
        CERTAIN if iteration.is_outcome_proven() => String::from("outcome"),
        CERTAIN => String::from("full"),
        confidence => {
            let threshold = probcut::THRESHOLDS[usize::from(confidence)];
            format!("{}.{} sigma", threshold / 256, threshold % 256 * 10 / 256)
        }
    };
    let mut text = format!("depth {depth} ({sure}) score {:+} line", iteration.score);
    for square in &iteration.line {
        // Writing to a string cannot fail.
        let _ = write!(text, " {square}");
    }
    let _ = write!(text, " nodes {}", iteration.nodes);
    text
}
