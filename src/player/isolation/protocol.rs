//! The judge's lines, one parser for each kind. Pure: no reading, no playing.

use super::board::{Square, SIDES};
use core::fmt;
use core::str::FromStr;

/// The game's first line: `W H my_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The bot's player number, 0 or 1.
    pub id: usize,
}

/// Why a line is not what belongs in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLine {
    /// Not three numbers `W H my_id` within their ranges.
    Header,
    /// Not `turn T`.
    Turn,
    /// Not two numbers that name a square of the board.
    Square,
    /// Not as many characters as the board is wide, or others than `.`, `#`, `0`, `1`.
    Row,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            BadLine::Header => "'W H my_id' belongs here, sides from 7 to 9 and 0 or 1",
            BadLine::Turn => "'turn T' belongs here",
            BadLine::Square => "two numbers for a square of the board belong here",
            BadLine::Row => "a board row of '.', '#', '0' and '1' belongs here",
        })
    }
}

/// Exactly `N` numbers.
fn numbers<T: FromStr + Copy + Default, const N: usize>(line: &str) -> Option<[T; N]> {
    let mut words = line.split_ascii_whitespace();
    let mut numbers = [T::default(); N];
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

/// Whether a line has the form of a header, whatever its numbers.
pub fn is_header(line: &str) -> bool {
    numbers::<i64, 3>(line).is_some()
}

/// Reads the header.
pub fn header(line: &str) -> Result<Header, BadLine> {
    match numbers(line) {
        Some([width, height, id])
            if SIDES.contains(&width) && SIDES.contains(&height) && id < 2 =>
        {
            Ok(Header { width, height, id })
        }
        _ => Err(BadLine::Header),
    }
}

/// Reads `turn T`.
pub fn turn(line: &str) -> Result<u32, BadLine> {
    let number = line
        .strip_prefix("turn")
        .filter(|rest| rest.starts_with([' ', '\t']));
    number
        .and_then(|number| number.trim().parse().ok())
        .ok_or(BadLine::Turn)
}

/// Reads a piece's square, `x y`.
pub fn square(line: &str, header: Header) -> Result<Square, BadLine> {
    match numbers(line) {
        Some([x, y]) if x < header.width && y < header.height => {
            Square::new(x, y).ok_or(BadLine::Square)
        }
        _ => Err(BadLine::Square),
    }
}

/// Checks a row of the board.
pub fn row(line: &str, header: Header) -> Result<(), BadLine> {
    let known = line.bytes().all(|byte| b".#01".contains(&byte));
    (known && line.len() == header.width)
        .then_some(())
        .ok_or(BadLine::Row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_the_statement_says() {
        let seven = header("7 9 1").unwrap();
        assert_eq!((seven.width, seven.height, seven.id), (7, 9, 1));
        for bad in [
            "", "7 7", "6 7 0", "7 10 0", "7 7 2", "7 7 0 0", "7 x 0", "-7 7 0",
        ] {
            assert_eq!(header(bad), Err(BadLine::Header), "{bad}");
        }
        assert!(is_header("3 300 -1") && !is_header("READY") && !is_header("1 2"));
        assert_eq!(turn("turn 12"), Ok(12));
        for bad in ["turn", "turn x", "turn12", "Turn 1", "turn 1 2", "turn -1"] {
            assert_eq!(turn(bad), Err(BadLine::Turn), "{bad}");
        }
        assert_eq!(square("6 8", seven), Ok(Square::new(6, 8).unwrap()));
        for bad in ["7 0", "0 9", "3,4", "UP", "1", "1 2 3"] {
            assert_eq!(square(bad, seven), Err(BadLine::Square), "{bad}");
        }
        assert_eq!(row("..#01..", seven), Ok(()));
        for bad in ["..#01.", "..#01...", "..#01.x"] {
            assert_eq!(row(bad, seven), Err(BadLine::Row), "{bad}");
        }
    }
}
