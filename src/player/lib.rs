//! The player: everything that is ever submitted to a judge.
//!
//! The crate owns the two games, their protocols and their searches. It never touches the operating
//! system: lines, clocks and log messages come through [`host::Host`], so that the same code runs inside
//! the std binary, inside a libc shell in one C file, and inside tests with a fake clock. It needs an
//! allocator and nothing else, adds floating-point numbers in a fixed order where it needs any, and never imports the tools.
#![cfg_attr(not(test), no_std)]
#![deny(missing_docs)]

extern crate alloc;

pub mod coder;
pub mod host;
pub mod input;
pub mod isa;
pub mod isolation;
pub mod reversi;
pub mod session;
