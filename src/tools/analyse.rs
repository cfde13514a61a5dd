//! `analyse`: every legal move of a position with its score, depth and line, best first.

use super::args::{Args, Kind, UsageError};
use super::{notation, replay};
use crate::os::SystemClock;
use player::host::{Clock, Instant};
use player::isa::Level;
use player::reversi::board::Position;
use player::reversi::report;
use player::reversi::search::iterate::Iteration;
use player::reversi::search::limits::{Deadline, Limits};
use player::reversi::search::Searcher;
use player::reversi::square::{Square, Squares};
use std::process::ExitCode;

/// Time for all moves together when no other limit is given, in milliseconds.
const TIME_MS: u64 = 2_000;

/// Reads the position and the limits, and prints the table.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    let named = args.take_game()?;
    let mut words = Vec::new();
    let (mut time_ms, mut depth) = (None, None);
    while let Some(word) = args.next() {
        match word.as_str() {
            "--time-ms" => time_ms = Some(args.value::<u64>(&word)?),
            "--depth" => depth = Some(args.value::<u32>(&word)?),
            _ if word.starts_with("--") && word.len() > 2 && word.len() < 60 => {
                return Args::unknown(&word)
            }
            _ => words.push(word),
        }
    }
    let text = words.join(" ");
    if named == Kind::Isolation || replay::isolation::is_recording(&text) {
        let game = replay::isolation::read(&text).map_err(UsageError)?.last();
        let time_ms = time_ms.or(depth.is_none().then_some(TIME_MS));
        super::isolation::analyse::print(&game, time_ms, depth);
        return Ok(ExitCode::SUCCESS);
    }
    let position = position(&text).map_err(UsageError)?;
    if position.moves() == 0 {
        println!(
            "no legal move{}",
            if position.is_over() {
                ": the game is over"
            } else {
                ": a pass"
            }
        );
        return Ok(ExitCode::SUCCESS);
    }
    if depth.is_none() && time_ms.is_none() {
        time_ms = Some(TIME_MS);
    }
    let moves = moves(position, time_ms, depth);
    println!("move  score  search");
    for (square, score, thought) in moves {
        println!("{square:>4}  {score:+5}  {thought}");
    }
    Ok(ExitCode::SUCCESS)
}

/// A position as 64 characters and the side to move (`X`, `B` or `*` for black, `O` or `W` for white), or as a game
/// from the start.
pub fn position(text: &str) -> Result<Position, String> {
    let solid: String = text.split_whitespace().collect();
    // A game of 32 moves has 64 characters too, but no board holds digits.
    let digits = solid.contains(|c: char| c.is_ascii_digit());
    if matches!(solid.len(), 64 | 65) && !digits {
        let (board, side) = solid
            .split_at_checked(64)
            .ok_or("the board is not plain text")?;
        let plain: String = board
            .chars()
            .map(|c| match c.to_ascii_uppercase() {
                'B' | '*' => 'X',
                'W' => 'O',
                other => other,
            })
            .collect();
        let (own, other) = match side.to_ascii_uppercase().as_str() {
            "X" | "B" | "*" => (b'X', b'O'),
            "O" | "W" => (b'O', b'X'),
            "" => return Err("after the board comes the side to move: X or O".into()),
            _ => return Err(format!("'{side}' is no side to move: X or O")),
        };
        return Position::parse(&plain, own, other).map_err(|bad| bad.to_string());
    }
    if solid.is_empty() {
        return Err(
            "analyse needs a position (64 characters and a side) or a game (f5d6c3...)".into(),
        );
    }
    let mut position = Position::START;
    for ply in notation::plies(text)? {
        position = match ply {
            Some(square) => position.play(square).unwrap_or(position),
            None => position.pass(),
        };
    }
    Ok(if position.moves() == 0 && !position.is_over() {
        position.pass()
    } else {
        position
    })
}

/// Every move with its score for the side to move and what the search says, best first.
fn moves(
    position: Position,
    time_ms: Option<u64>,
    depth: Option<u32>,
) -> Vec<(Square, i32, String)> {
    let clock = SystemClock::new();
    let mut searcher = Searcher::new(Level::detect());
    let squares: Vec<Square> = Squares(position.moves()).collect();
    let share = time_ms.map(|time_ms| time_ms * 1_000 / squares.len() as u64);
    let mut found: Vec<_> = squares
        .into_iter()
        .map(|square| {
            let (score, thought) = judge(&mut searcher, &clock, position, square, share, depth);
            (square, score, thought)
        })
        .collect();
    found.sort_by_key(|(square, score, _)| (-score, *square));
    found
}

fn judge(
    searcher: &mut Searcher,
    clock: &SystemClock,
    position: Position,
    square: Square,
    share_us: Option<u64>,
    depth: Option<u32>,
) -> (i32, String) {
    let Some(next) = position.play(square) else {
        return (0, String::new());
    };
    if next.is_over() {
        return (-next.final_score(), "the game is over".into());
    }
    let passes = next.moves() == 0;
    let searched = if passes { next.pass() } else { next };
    let now = clock.now();
    let deadline = |us: u64| {
        Deadline(Instant {
            wall_us: now.wall_us + us,
            cpu_us: u64::MAX,
        })
    };
    let limits = Limits {
        depth: depth.map_or(60, |depth| depth.saturating_sub(1).max(1)),
        soft: share_us.map_or(Deadline::NEVER, |us| deadline(us / 2)),
        hard: share_us.map_or(Deadline::NEVER, deadline),
        ..Limits::NONE
    };
    let found: Option<Iteration> = searcher.search(searched, limits, clock, &mut |_| {});
    match found {
        Some(found) => {
            let sign = if passes { 1 } else { -1 };
            let thought = report::summary(&found);
            (
                sign * found.score,
                if passes {
                    format!("pass, {thought}")
                } else {
                    thought
                },
            )
        }
        None => (0, "no time".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_games_are_read_in_any_common_spelling() {
        let expected = position("f5d6c3").unwrap();
        for text in ["F5D6C3", "f5 d6 c3", "1. f5 2. d6 3. c3", "f5-d6-c3"] {
            assert_eq!(position(text), Ok(expected), "{text}");
        }
        let start = "---------------------------OX------XO---------------------------";
        for side in [" X", "X", " b", " *"] {
            assert_eq!(position(&format!("{start}{side}")), Ok(Position::START));
        }
        let judges = ".".repeat(27) + "WB......BW" + &".".repeat(27);
        assert_eq!(position(&format!("{judges} W")), Ok(Position::START.pass()));
        for bad in [
            "",
            "f5f5",
            "a1",
            "z9",
            start,
            &format!("{start} ?"),
            &format!("?{start}")[..64],
        ] {
            assert!(position(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_game_as_long_as_a_board_is_a_game() {
        let game = "d3c5e6d2c3b4b2f7e1e3d6c6f5f3f2g4f4f1f6c2g1c4e7g7b6a2g8d8g6b5a5g5";
        assert_eq!(game.len(), 64);
        let before = position(&game[..62]).unwrap();
        assert_eq!(
            position(game),
            Ok(before.play(Square::parse("g5").unwrap()).unwrap())
        );
    }

    #[test]
    fn the_best_move_of_a_solved_position_comes_first() {
        let mut position = Position::START;
        while position.empty_count() > 9 || position.moves() == 0 {
            position = match Squares(position.moves()).last() {
                Some(square) => position.play(square).unwrap(),
                None => position.pass(),
            };
        }
        let found = moves(position, None, None);
        let exact = player::reversi::search::Level::exact(position.empty_count());
        let value = Searcher::new(Level::detect()).value(position, exact, &SystemClock::new());
        assert_eq!(found.len(), position.moves().count_ones() as usize);
        assert_eq!(found[0].1, value);
        assert!(found.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    }
}
