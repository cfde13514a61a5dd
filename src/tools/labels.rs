//! Labelled positions: 20 bytes each, little-endian, either after [`HEADER`] or without a header.
//!
//! Bytes 0-7 and 8-15: discs of the side to move and of the other side, bit 0 for a1, bit 7 for h1, bit 56
//! for a8. Bytes 16-17: the value for the side to move in hundredths of a disc. Byte 18: the depth in
//! plies of the search that gave it, 255 for exact values. Byte 19: after a header the final score of the game
//! in discs for the side to move, signed; without one the empty squares. The positions of a game stand
//! together in order of play, so a new game begins where the number of empty squares goes up.

use player::reversi::board::Position;
use std::fs;
use std::io;

/// The length of a record in bytes.
pub const RECORD: usize = 20;

/// The first bytes of a file whose records hold final scores, as long as a record.
pub const HEADER: &[u8; RECORD] = b"reversi-bot selfplay";

/// The depth that stands for an exact value.
pub const EXACT: u8 = 255;

/// A labelled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The position.
    pub position: Position,
    /// Its value for the side to move, in hundredths of a disc.
    pub value: i16,
    /// Plies of the search that gave the value, or [`EXACT`].
    pub depth: u8,
    /// How the game ended, in discs for the side to move, if that is known.
    pub final_score: Option<i8>,
}

impl Label {
    /// Reads a record. `None` if the discs overlap. Values beyond all discs, which some engines give, are taken
    /// for all discs.
    pub fn from_bytes(record: &[u8; RECORD], after_header: bool) -> Option<Label> {
        let word = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&record[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let position = Position {
            player: word(0),
            opponent: word(8),
        };
        let value = i16::from_le_bytes([record[16], record[17]]);
        (position.player & position.opponent == 0).then_some(Label {
            position,
            value: value.clamp(-6_400, 6_400),
            depth: record[18],
            final_score: after_header.then_some(record[19] as i8),
        })
    }

    /// The record of a label.
    pub fn to_bytes(self) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        record[..8].copy_from_slice(&self.position.player.to_le_bytes());
        record[8..16].copy_from_slice(&self.position.opponent.to_le_bytes());
        record[16..18].copy_from_slice(&self.value.to_le_bytes());
        record[18] = self.depth;
        record[19] = match self.final_score {
            Some(score) => score as u8,
            None => self.position.empty_count() as u8,
        };
        record
    }

    /// The value in discs.
    pub fn discs(self) -> f32 {
        f32::from(self.value) / 100.0
    }
}

/// Reads a whole file of labels.
pub fn read(path: &str) -> io::Result<Vec<Label>> {
    let bytes = fs::read(path)?;
    let (records, rest) = bytes.as_chunks::<RECORD>();
    let after_header = records.first() == Some(HEADER);
    let labels = records[usize::from(after_header)..].iter();
    let labels: Option<Vec<Label>> = labels
        .map(|record| Label::from_bytes(record, after_header))
        .collect();
    match labels {
        Some(labels) if rest.is_empty() => Ok(labels),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{path} is no file of labelled positions"),
        )),
    }
}

/// Splits labels into games.
pub fn games(labels: &[Label]) -> impl Iterator<Item = &[Label]> {
    labels.chunk_by(|one, next| one.position.empty_count() >= next.position.empty_count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip_and_games_are_told_apart() {
        let mut position = Position::START;
        let mut labels = Vec::new();
        for _ in 0..2 {
            for value in [-250, 0, 6_400] {
                labels.push(Label {
                    position,
                    value,
                    depth: 9,
                    final_score: None,
                });
                let square = player::reversi::square::Squares(position.moves()).next();
                position = position.play(square.unwrap()).unwrap();
            }
            position = Position::START;
        }
        for label in &labels {
            assert_eq!(Label::from_bytes(&label.to_bytes(), false), Some(*label));
            let scored = Label {
                final_score: Some(-13),
                ..*label
            };
            assert_eq!(Label::from_bytes(&scored.to_bytes(), true), Some(scored));
        }
        let lengths: Vec<_> = games(&labels).map(<[_]>::len).collect();
        assert_eq!(lengths, [3, 3]);
        let mut overlapping = labels[0].to_bytes();
        overlapping[3] = overlapping[11] | 0x18;
        assert_eq!(Label::from_bytes(&overlapping, false), None);
    }
}
