//! The outside world behind one small trait.
//!
//! Shells implement [`Host`]: the std binary, the libc shell of the submission, and the fake hosts of
//! tests. Nothing else in the crate may read, write or ask for the time.

use alloc::vec::Vec;

/// The longest line that a shell hands over whole, in bytes. The longest legal line of either game is
/// under a hundred bytes; whatever is longer is reported as [`Line::TooLong`] and dropped.
pub const MAX_LINE_BYTES: usize = 4096;

/// What [`Host::read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, now in the buffer without its line feed. The last line of the input needs none.
    Text,
    /// A line of more than [`MAX_LINE_BYTES`] bytes; it was read to its end and dropped.
    TooLong,
    /// The input is at its end, or reading failed.
    End,
}

/// A reading of both of the judge's clocks, in microseconds since the process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instant {
    /// Wall time.
    pub wall_us: u64,
    /// CPU time of the whole process, all threads, user and system.
    pub cpu_us: u64,
}

/// The two clocks. A search asks for them every few thousand nodes.
pub trait Clock {
    /// Reads both clocks. Neither ever runs backwards.
    fn now(&self) -> Instant;
}

/// Everything that the player needs from outside.
pub trait Host: Clock {
    /// Reads the next line of the input into `line`, which is cleared first.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Line;

    /// Writes `text` and a line feed to the judge and flushes at once.
    fn write_line(&mut self, text: &str);

    /// Tells a person something, on standard error. Never read by the judge.
    fn log(&mut self, text: &str);
}
