//! Problem files: a position a line with the scores of its moves, as the field writes them.
//!
//! `64 squares, a space, the side to move; MOVE:SCORE; MOVE:SCORE; ...` with `X` black, `O` white, `-`
//! empty, scores in discs for the side to move. Owns the reading, nothing else.

use player::reversi::board::Position;
use player::reversi::square::Square;

/// A position with the known scores of its moves, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position, seen from the side to move.
    pub position: Position,
    /// Moves and their scores in discs.
    pub scores: Vec<(Square, i32)>,
}

impl Problem {
    /// The score of the best move, if any is listed.
    pub fn best_score(&self) -> Option<i32> {
        self.scores.iter().map(|&(_, score)| score).max()
    }

    /// The listed score of a move.
    pub fn score_of(&self, square: Square) -> Option<i32> {
        self.scores
            .iter()
            .find(|&&(listed, _)| listed == square)
            .map(|&(_, score)| score)
    }
}

/// Reads a whole file. Errors name the line and the reason.
pub fn parse(text: &str) -> Result<Vec<Problem>, String> {
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| problem(line).map_err(|reason| format!("line {number}: {reason}")))
        .collect()
}

fn problem(line: &str) -> Result<Problem, String> {
    let mut fields = line.split(';').map(str::trim);
    let head = fields.next().unwrap_or_default();
    let (board, side) = head
        .split_once(' ')
        .ok_or("no side to move after the board")?;
    let (own, other) = match side.trim() {
        "X" | "x" | "B" | "b" | "*" => (b'X', b'O'),
        "O" | "o" | "W" | "w" => (b'O', b'X'),
        side => return Err(format!("'{side}' is no side to move (X or O)")),
    };
    let position = Position::parse(board, own, other).map_err(|reason| reason.to_string())?;
    let mut scores = Vec::new();
    for field in fields.filter(|field| !field.is_empty()) {
        let (name, score) = field
            .split_once(':')
            .ok_or_else(|| format!("no score in '{field}'"))?;
        // Some lists end with "--:-127".
        if name.trim() == "--" {
            continue;
        }
        let square = Square::parse(name.trim()).ok_or_else(|| format!("no move in '{field}'"))?;
        let score = score
            .trim()
            .parse()
            .map_err(|_| format!("no score in '{field}'"))?;
        scores.push((square, score));
    }
    Ok(Problem { position, scores })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_read_and_faults_are_named() {
        let board = "---------------------------OX------XO---------------------------";
        let problems = parse(&format!("{board} X; F5:+2; D3:-4; --:-127;\n\n")).unwrap();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].position, Position::START);
        assert_eq!(problems[0].best_score(), Some(2));
        assert_eq!(problems[0].score_of(Square::parse("d3").unwrap()), Some(-4));
        let error = |text: &str| parse(text).unwrap_err();
        assert!(error(&format!("{board} Z;")).starts_with("line 1: 'Z' is no side"));
        assert!(error(&format!("{board} X; F5;")).contains("no score"));
        assert!(error(&format!("{board} X; J5:1;")).contains("no move"));
        assert!(error("--- X;").contains("the board has 3 characters"));
    }
}
