//! Games of Reversi as people write them.

use player::reversi::board::Position;
use player::reversi::square::Square;

/// The squares of a game in any common spelling: `f5d6`, upper case, with blanks, dashes, commas, move numbers
/// (`1. f5 2. d6`) and passes (`pa`, `ps`, `pass`, `--`), which are left out.
fn squares(text: &str) -> Result<Vec<Square>, String> {
    let lower = text.to_ascii_lowercase();
    let mut squares = Vec::new();
    let mut rest = lower.as_str();
    while let Some(first) = rest.chars().next() {
        if let Some(after) = ["pass", "pa", "ps"]
            .iter()
            .find_map(|pass| rest.strip_prefix(pass))
        {
            rest = after;
        } else if first.is_ascii_alphabetic() {
            let square = rest.get(..2).and_then(Square::parse);
            let square = square.ok_or_else(|| {
                let shown: String = rest.chars().take(2).collect();
                format!("'{shown}' is no square in '{}'", text.trim())
            })?;
            squares.push(square);
            rest = &rest[2..];
        } else if first.is_ascii_digit() || first.is_ascii_whitespace() || ".,;:-".contains(first) {
            rest = &rest[first.len_utf8()..];
        } else {
            return Err(format!("'{first}' means nothing in '{}'", text.trim()));
        }
    }
    Ok(squares)
}

/// The plies of a game from the start, as [`squares`] reads them: `None` is a pass, made where it must be.
pub fn plies(text: &str) -> Result<Vec<Option<Square>>, String> {
    let mut plies = Vec::new();
    let mut position = Position::START;
    for (number, square) in (1..).zip(squares(text)?) {
        if position.moves() == 0 {
            position = position.pass();
            plies.push(None);
        }
        position = position
            .play(square)
            .ok_or_else(|| format!("move {number}, {square}, is not legal"))?;
        plies.push(Some(square));
    }
    Ok(plies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spellings_are_read() {
        let names = |text| {
            squares(text).map(|squares| squares.iter().map(Square::to_string).collect::<String>())
        };
        for text in [
            "f5d6c3",
            "F5D6C3",
            "f5 d6 c3",
            "1. f5 2. d6 3. c3",
            "f5-d6-c3",
            "f5d6pac3",
            "1.F5 d6 PS 2.c3 --",
        ] {
            assert_eq!(names(text), Ok("f5d6c3".into()), "{text}");
        }
        for bad in ["f9", "x", "f5d", "f5?d6", "é"] {
            assert!(squares(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn passes_are_made_where_they_must_be() {
        // Nothing answers the eighth move.
        let game = plies("f5f6d3g5h5h4g7h6c5").unwrap();
        let pass = game.iter().position(|ply| ply.is_none());
        assert_eq!((game.len(), pass), (10, Some(8)));
        assert_eq!(plies("f5f5"), Err("move 2, f5, is not legal".into()));
    }
}
