//! The judge's lines, numbered and cleaned.
//!
//! Owns what both games share about their input: line numbers for error messages, `\r` and trailing
//! blanks, empty lines, and the `< ` and `> ` marks of recordings. It knows no command of either game.

use crate::host::{Host, Line};
use alloc::vec::Vec;
use core::fmt;

/// Why a line could not be used as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLine {
    /// Longer than [`crate::host::MAX_LINE_BYTES`].
    TooLong,
    /// Not UTF-8.
    NotText,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            BadLine::TooLong => "the line is far longer than any command",
            BadLine::NotText => "the line is not UTF-8 text",
        })
    }
}

/// A reader of lines. Reading ahead by one line is possible with [`Input::unread`].
#[derive(Default)]
pub struct Input {
    buffer: Vec<u8>,
    number: u64,
    held: bool,
}

impl Input {
    /// A reader that has read nothing yet.
    pub fn new() -> Input {
        Input::default()
    }

    /// The number of the line read last, counted from 1 over all lines of the input.
    pub fn line_number(&self) -> u64 {
        self.number
    }

    /// Makes the next call of [`Input::next`] give the same line again.
    pub fn unread(&mut self) {
        self.held = true;
    }

    /// The next line that says something: blank lines and the `> ` lines of recordings are passed over,
    /// a `< ` mark and blanks at both ends are taken off. `None` at the end of the input.
    pub fn next(&mut self, host: &mut impl Host) -> Option<Result<&str, BadLine>> {
        loop {
            if !self.held {
                match host.read_line(&mut self.buffer) {
                    Line::End => return None,
                    Line::Text => self.number += 1,
                    Line::TooLong => {
                        self.number += 1;
                        return Some(Err(BadLine::TooLong));
                    }
                }
            }
            self.held = false;
            match message(&self.buffer) {
                Some([]) | None => {}
                Some(_) => break,
            }
        }
        let bytes = message(&self.buffer).unwrap_or_default();
        Some(core::str::from_utf8(bytes).map_err(|_| BadLine::NotText))
    }
}

/// What a line says to the bot, without marks and blanks; `None` if it records the bot's own words.
fn message(line: &[u8]) -> Option<&[u8]> {
    match line.trim_ascii() {
        [b'>', ..] => None,
        [b'<', rest @ ..] => Some(rest.trim_ascii()),
        text => Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn marks_and_blanks_are_taken_off() {
        assert_eq!(message(b"READY\r"), Some(&b"READY"[..]));
        assert_eq!(message(b"  < READY \t\r"), Some(&b"READY"[..]));
        assert_eq!(message(b"> OK"), None);
        assert_eq!(message(b"<"), Some(&b""[..]));
        assert_eq!(message(b" \r"), Some(&b""[..]));
    }
}
