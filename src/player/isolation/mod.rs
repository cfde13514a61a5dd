//! Isolation: the board, the judge's protocol, the evaluation, the search and the clock of a turn.

pub mod board;
pub mod bot;
pub mod features;
pub mod network;
pub mod paths;
pub mod protocol;
pub mod search;

mod table;
