//! The static evaluation: what a position is worth without search.
//!
//! A small network on top of the configurations of patterns, learned from labelled positions. The search
//! sees only [`Features`] (kept up to date move by move) and [`Weights::evaluate`]. Scores here are scaled:
//! [`SCALE`] units make a disc.

mod features;
#[cfg(target_arch = "x86_64")]
mod network_avx2;
pub mod packed;
pub mod pattern;
pub mod weights;

pub use features::Features;
pub use weights::Weights;

/// Units of a scaled score in one disc.
pub const SCALE: i32 = 32;
