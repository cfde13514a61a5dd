//! A position: two 64-bit words, seen from the side to move.
//!
//! Owns the rules: moves, passes, the end of the game and its score. It knows nothing of the judge's
//! turn numbers, and nothing of search.

use super::flip;
use super::square::{Set, Square, Squares};
use crate::isa::{Isa, Portable};
use core::fmt;

/// The discs of the side to move and of the other side. The two sets never overlap.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Discs of the side to move.
    pub player: Set,
    /// Discs of the other side.
    pub opponent: Set,
}

/// Why a text is not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadBoard {
    /// Not 64 characters; how many bytes there were.
    Length(usize),
    /// A byte that stands for no state of a square, and its place from 0.
    Character(u8, usize),
}

impl fmt::Display for BadBoard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            BadBoard::Length(bytes) => {
                write!(f, "the board has {bytes} characters where 64 belong")
            }
            BadBoard::Character(byte, at) => {
                let shown = char::from(byte).escape_default();
                write!(f, "the board has '{shown}' at character {}", at + 1)
            }
        }
    }
}

impl Position {
    /// The start of the game, black to move.
    pub const START: Position = Position {
        player: 0x0000_0008_1000_0000,
        opponent: 0x0000_0010_0800_0000,
    };

    /// Reads 64 squares, row by row from a1. `own` and `other` are the characters for the side to move
    /// and the other side, in upper case; lower case is taken alike. `.` and `-` are empty squares.
    pub fn parse(text: &str, own: u8, other: u8) -> Result<Position, BadBoard> {
        if text.len() != 64 {
            return Err(BadBoard::Length(text.len()));
        }
        let mut position = Position {
            player: 0,
            opponent: 0,
        };
        for (at, byte) in text.bytes().enumerate() {
            let square = Square::from_index(at).set();
            match byte.to_ascii_uppercase() {
                b'.' | b'-' => {}
                disc if disc == own => position.player |= square,
                disc if disc == other => position.opponent |= square,
                _ => return Err(BadBoard::Character(byte, at)),
            }
        }
        Ok(position)
    }

    /// The squares without a disc.
    #[inline(always)]
    pub const fn empties(self) -> Set {
        !(self.player | self.opponent)
    }

    /// How many squares have no disc.
    #[inline(always)]
    pub const fn empty_count(self) -> u32 {
        self.empties().count_ones()
    }

    /// Where the side to move may put a disc. Hot code calls [`flip::moves`] with its own [`Isa`].
    pub fn moves(self) -> Set {
        flip::moves(Portable, self.player, self.opponent)
    }

    /// The discs that a move on `square` turns over; none if it is not legal.
    pub fn flips(self, square: Square) -> Set {
        if self.empties() & square.set() == 0 {
            return 0;
        }
        flip::flips(Portable, self.player, self.opponent, square)
    }

    /// The position after a legal move, or `None`.
    pub fn play(self, square: Square) -> Option<Position> {
        let flips = self.flips(square);
        (flips != 0).then(|| self.after(square, flips))
    }

    /// The position after a move on `square` that turns `flips` over, seen from the other side.
    #[inline(always)]
    pub const fn after(self, square: Square, flips: Set) -> Position {
        Position {
            player: self.opponent ^ flips,
            opponent: self.player ^ flips ^ square.set(),
        }
    }

    /// The same discs with the other side to move.
    #[inline(always)]
    pub const fn pass(self) -> Position {
        Position {
            player: self.opponent,
            opponent: self.player,
        }
    }

    /// Whether neither side can move.
    pub fn is_over(self) -> bool {
        self.moves() == 0 && self.pass().moves() == 0
    }

    /// The difference of discs as they lie, for the side to move.
    #[inline(always)]
    pub const fn disc_difference(self) -> i32 {
        self.player.count_ones() as i32 - self.opponent.count_ones() as i32
    }

    /// The score of a finished game in discs for the side to move, empty squares to the winner, as the
    /// field counts it. The judge counts discs as they lie; the winner is the same.
    #[inline(always)]
    pub const fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        let empties = self.empty_count() as i32;
        if difference > 0 {
            difference + empties
        } else if difference < 0 {
            difference - empties
        } else {
            0
        }
    }

    /// The position under one of the board's symmetries; see [`super::square::symmetry`].
    pub fn symmetry(self, index: usize) -> Position {
        Position {
            player: super::square::symmetry(self.player, index),
            opponent: super::square::symmetry(self.opponent, index),
        }
    }

    /// Counts the leaves of the game tree `depth` plies down; a pass is a ply, a finished game a leaf.
    pub fn perft<I: Isa>(self, isa: I, depth: u32) -> u64 {
        isa.run(
            #[inline(always)]
            || perft_step(isa, self, depth, false),
        )
    }
}

/// One ply of perft. The last ply is counted in bulk, without making its moves.
fn perft_step<I: Isa>(isa: I, position: Position, depth: u32, passed: bool) -> u64 {
    isa.run(
        #[inline(always)]
        || {
            if depth == 0 {
                return 1;
            }
            let moves = flip::moves(isa, position.player, position.opponent);
            if moves == 0 {
                if passed {
                    return 1;
                }
                return perft_step(isa, position.pass(), depth - 1, true);
            }
            if depth == 1 {
                return moves.count_ones().into();
            }
            let mut leaves = 0;
            for square in Squares(moves) {
                let flips = flip::flips(isa, position.player, position.opponent, square);
                leaves += perft_step(isa, position.after(square, flips), depth - 1, false);
            }
            leaves
        },
    )
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for square in Squares(!0) {
            f.write_str(if self.player & square.set() != 0 {
                "X"
            } else if self.opponent & square.set() != 0 {
                "O"
            } else {
                "-"
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Level;

    /// Leaves from the start for depths 1 to 9, as published for Othello with passes counted as plies.
    const PERFT: [u64; 9] = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288];

    #[test]
    fn perft_from_the_start() {
        for (depth, &leaves) in (1..).zip(&PERFT) {
            assert_eq!(
                Position::START.perft(Portable, depth),
                leaves,
                "depth {depth}"
            );
            if let Level::V3(v3) = Level::detect() {
                assert_eq!(Position::START.perft(v3, depth), leaves, "depth {depth}");
            }
        }
    }

    #[test]
    fn the_statement_s_first_moves() {
        let board = "...........................WB......BW...........................";
        let start = Position::parse(board, b'B', b'W').unwrap();
        assert_eq!(start, Position::START);
        let moves: std::vec::Vec<_> = Squares(start.moves()).map(|s| s.to_string()).collect();
        assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
        let after = start.play(Square::parse("d3").unwrap()).unwrap();
        assert_eq!(after.opponent.count_ones(), 4);
    }

    #[test]
    fn bad_boards_say_what_is_wrong() {
        assert_eq!(Position::parse("B", b'B', b'W'), Err(BadBoard::Length(1)));
        let board = "x".repeat(64);
        assert_eq!(
            Position::parse(&board, b'B', b'W'),
            Err(BadBoard::Character(b'x', 0))
        );
    }

    #[test]
    fn empty_squares_go_to_the_winner() {
        let position = Position {
            player: 0b111,
            opponent: 0,
        };
        assert_eq!(position.final_score(), 64);
        assert_eq!(position.pass().final_score(), -64);
        assert_eq!(
            Position {
                player: 1,
                opponent: 4
            }
            .final_score(),
            0
        );
    }
}
