//! What Isolation has of its own among the tools: self-play and the training of its evaluation,
//! late positions to check the search with, and the analysis of positions.

pub mod analyse;
pub mod check;
mod descent;
pub mod samples;
pub mod selfplay;
pub mod train;
