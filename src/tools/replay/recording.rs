//! Recorded games: what the judge sent one side, a record of a match, or moves in any spelling.

use super::super::notation;
use super::super::referee;
use player::reversi::board::Position;
use player::reversi::protocol::{self, Command};
use player::reversi::square::{Square, Squares};

/// A move, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The square; `None` for a pass.
    pub square: Option<Square>,
    /// Wall time in microseconds, where it is known.
    pub time_us: Option<u64>,
}

/// A game: where it begins, and its plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The position at the beginning, seen from the side to move.
    pub start: Position,
    /// The turn at the beginning, from 1.
    pub turn: u32,
    /// What was played.
    pub plies: Vec<Ply>,
}

/// Reads a recording: a transcript with `TURN` lines, a line of JSON, or moves.
pub fn read(text: &str) -> Result<Recording, String> {
    if text.contains("TURN ") {
        return transcript(text);
    }
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    if first.trim_start().starts_with('{') {
        let (_, moves, times) =
            referee::start_moves_and_times(first).ok_or("line 1 is no record of a game")?;
        return from_moves(&moves, &times);
    }
    from_moves(text, &[])
}

/// A game from the start. `times` belong to the last plies: openings are not timed.
fn from_moves(moves: &str, times: &[u64]) -> Result<Recording, String> {
    let mut recording = Recording {
        start: Position::START,
        turn: 1,
        plies: Vec::new(),
    };
    for ply in notation::plies(moves)? {
        recording.push(ply);
    }
    if recording.plies.is_empty() {
        return Err("there is no move".into());
    }
    let untimed = recording.plies.len().saturating_sub(times.len());
    for (ply, time) in recording.plies[untimed..].iter_mut().zip(times) {
        ply.time_us = Some(*time);
    }
    Ok(recording)
}

impl Recording {
    fn push(&mut self, square: Option<Square>) {
        self.plies.push(Ply {
            square,
            time_us: None,
        });
    }

    /// The positions from the first to the last, each seen from its side to move.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        let mut position = self.start;
        for ply in &self.plies {
            position = match ply.square {
                Some(square) => position.play(square).unwrap_or(position),
                None => position.pass(),
            };
            positions.push(position);
        }
        positions
    }
}

/// The first game of a transcript. The opponent's moves follow from the boards.
fn transcript(text: &str) -> Result<Recording, String> {
    let mut recording: Option<Recording> = None;
    let mut known: Option<(u32, Position)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(answer) = line.strip_prefix("> ") {
            if let (Some(recording), Some((turn, position))) = (&mut recording, &mut known) {
                if let Some((square, next)) = answered(answer, *position) {
                    recording.push(square);
                    (*turn, *position) = (*turn + 1, next);
                }
            }
            continue;
        }
        let sent = line.strip_prefix("< ").unwrap_or(line);
        let Ok(Command::Turn { turn, position }) = protocol::parse(sent) else {
            continue;
        };
        match (&mut recording, known) {
            (Some(_), Some((before, _))) if turn <= before.saturating_sub(1) => break,
            (Some(recording), Some((before, from))) => {
                let between = path(from, position, turn.saturating_sub(before));
                let between =
                    between.ok_or_else(|| format!("line {number}: no moves lead to this board"))?;
                between
                    .into_iter()
                    .for_each(|square| recording.push(square));
            }
            _ => {
                // A game from the usual start whose first moves the transcript does not hold.
                let early = path(Position::START, position, turn.saturating_sub(1).min(1));
                let (start, first) = if early.is_some() {
                    (Position::START, 1)
                } else {
                    (position, turn)
                };
                let mut fresh = Recording {
                    start,
                    turn: first,
                    plies: Vec::new(),
                };
                early
                    .into_iter()
                    .flatten()
                    .for_each(|square| fresh.push(square));
                recording = Some(fresh);
            }
        }
        known = Some((turn, position));
    }
    recording.ok_or_else(|| "there is no TURN line that can be read".into())
}

/// What an answer plays, and the position after it.
fn answered(answer: &str, position: Position) -> Option<(Option<Square>, Position)> {
    let square = referee::reversi::parse(answer)?;
    let next = match square {
        Some(square) => position.play(square)?,
        None => position.pass(),
    };
    Some((square, next))
}

/// The plies, exactly so many, that lead from one position to another.
fn path(from: Position, to: Position, plies: u32) -> Option<Vec<Option<Square>>> {
    /// Transcripts hold every other ply at least.
    const MOST: u32 = 3;
    if plies == 0 {
        return (from == to).then(Vec::new);
    }
    if plies > MOST {
        return None;
    }
    let moves = from.moves();
    let choices: Vec<Option<Square>> = match moves {
        0 => vec![None],
        _ => Squares(moves).map(Some).collect(),
    };
    choices.into_iter().find_map(|choice| {
        let next = match choice {
            Some(square) => from.play(square)?,
            None => from.pass(),
        };
        let mut rest = path(next, to, plies - 1)?;
        rest.insert(0, choice);
        Some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_of_either_side_gives_the_whole_game() {
        for text in [
            include_str!("../../../tests/transcripts/black.txt"),
            include_str!("../../../tests/transcripts/white.txt"),
            include_str!("../../../tests/transcripts/passes.txt"),
        ] {
            let recording = read(text).unwrap();
            assert!(recording.plies.len() >= 50, "{}", recording.plies.len());
            let marked = text.lines().filter(|line| line.starts_with("< ")).count();
            assert!(marked > 20);
            // Without the answers the boards tell the moves all the same, but for the last.
            let silent: String = text
                .lines()
                .filter(|line| !line.starts_with('>'))
                .map(|line| format!("{line}\n"))
                .collect();
            let silent = read(&silent).unwrap();
            assert_eq!(silent.plies[..], recording.plies[..silent.plies.len()]);
        }
    }

    #[test]
    fn moves_are_read_with_passes_put_in() {
        let recording = read("F5 d6 c3\n").unwrap();
        assert_eq!((recording.plies.len(), recording.positions().len()), (3, 4));
        for bad in ["", "f5f5", "TURN 1 x", "{\"pair\":1}"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
