//! Reversi: the board, the judge's protocol, the search, the evaluation and the clock.

pub mod board;
pub mod bot;
pub mod eval;
pub mod flip;
#[cfg(target_arch = "x86_64")]
mod flip_avx2;
pub mod protocol;
pub mod report;
pub mod search;
pub mod square;
pub mod time;
