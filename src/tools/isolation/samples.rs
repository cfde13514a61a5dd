//! The file of Isolation positions to learn from.
//!
//! Eight bytes of header, then records of 24 bytes, little-endian: the free squares (16), the piece of the side to
//! move, the other piece, the search's value in hundredths of a square (2), whether the side to move won the game
//! (1, 0), whether the record begins a game (1, 0), two bytes of nothing.

use player::isolation::board::{Board, Square, SIDES};
use std::io;

/// What a file begins with.
pub const HEADER: &[u8; 8] = b"isopos1\n";

/// Bytes of a record.
pub const RECORD: usize = 24;

/// A position with what is known about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Seen from the side to move.
    pub board: Board,
    /// What the search thought, in hundredths of a square; see [`player::isolation::search::WON`].
    pub value: i16,
    /// Whether the side to move won in the end.
    pub won: bool,
    /// Whether this is the first position of a game.
    pub first: bool,
}

impl Sample {
    /// The record.
    pub fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..16].copy_from_slice(&self.board.free.to_le_bytes());
        bytes[16] = self.board.own.index() as u8;
        bytes[17] = self.board.other.index() as u8;
        bytes[18..20].copy_from_slice(&self.value.to_le_bytes());
        bytes[20] = u8::from(self.won);
        bytes[21] = u8::from(self.first);
        bytes
    }

    /// Reads a record; `None` if it is none.
    fn from_bytes(bytes: &[u8; RECORD]) -> Option<Sample> {
        let square = |index: u8| {
            let (x, y) = (usize::from(index % 10), usize::from(index / 10));
            Square::new(x, y)
        };
        let mut free = [0; 16];
        free.copy_from_slice(&bytes[..16]);
        let free = u128::from_le_bytes(free);
        let (own, other) = (square(bytes[16])?, square(bytes[17])?);
        let all = (0..*SIDES.end() * 10).filter_map(|i| square(i as u8));
        let all = all.fold(0, |all, square| all | square.set());
        if free & !all != 0 || own == other || free & (own.set() | other.set()) != 0 {
            return None;
        }
        Some(Sample {
            board: Board { free, own, other },
            value: i16::from_le_bytes([bytes[18], bytes[19]]),
            won: bytes[20] != 0,
            first: bytes[21] != 0,
        })
    }
}

/// Reads a file. Records after the last whole one are an error, as is a record that is no position.
pub fn read(path: &str) -> io::Result<Vec<Sample>> {
    let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{path}: {what}"));
    let bytes = std::fs::read(path)?;
    let records = bytes
        .strip_prefix(HEADER)
        .ok_or_else(|| bad("not a file of Isolation positions"))?;
    let (records, rest) = records.as_chunks::<RECORD>();
    if !rest.is_empty() {
        return Err(bad("the last record is cut off"));
    }
    let samples = records.iter().map(Sample::from_bytes);
    samples
        .collect::<Option<Vec<Sample>>>()
        .ok_or_else(|| bad("a record is no position"))
}

/// The positions game by game.
pub fn games(samples: &[Sample]) -> impl Iterator<Item = &[Sample]> {
    samples.chunk_by(|_, next| !next.first)
}

#[cfg(test)]
mod tests {
    use super::super::super::random::Random;
    use super::super::super::referee::isolation::Isolation;
    use super::*;

    #[test]
    fn records_come_back() {
        let mut random = Random::new(5);
        for number in 0..100i16 {
            let sample = Sample {
                board: *Isolation::random_map(&mut random).board(),
                value: 77 * (number - 50),
                won: number % 3 == 0,
                first: number % 7 == 0,
            };
            assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
        }
        assert_eq!(Sample::from_bytes(&[0; RECORD]), None);
        assert_eq!(Sample::from_bytes(&[255; RECORD]), None);
    }
}
