//! The evaluation: who reaches a square first, by queen moves and by king moves.
//!
//! Queen distance is what decides Amazons and its kin (Muller and Tegos 2002); king distance tells who would get
//! the better of the squares that both reach soon. A little mobility, and a bonus for squares that both reach at
//! the same time: the side to move is there first. Scores are in hundredths of a square.

use super::board::{king_spread, queen_moves, queen_spread, Board, Set};

/// What the terms count, in hundredths of a square.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// A square that one side reaches in fewer queen moves.
    pub queen: i32,
    /// A square that both reach in as many queen moves, for the side to move.
    pub queen_tie: i32,
    /// A square that one side reaches in fewer king moves.
    pub king: i32,
    /// The same for equal numbers of king moves.
    pub king_tie: i32,
    /// A move that one side has more.
    pub mobility: i32,
}

/// The terms that won their matches.
pub const TERMS: Terms = Terms {
    queen: 100,
    queen_tie: 20,
    king: 40,
    king_tie: 10,
    mobility: 8,
};

/// Counts of squares that the first and the second side reach earlier, and both at the same time.
#[derive(Clone, Copy, Default)]
struct Race {
    own: i32,
    other: i32,
    tie: i32,
}

/// Spreads both sides at the same pace until neither finds anything new.
#[inline(always)]
fn race(free: Set, own: Set, other: Set, spread: impl Fn(Set) -> Set) -> Race {
    let mut race = Race::default();
    let (mut own_all, mut other_all) = (own, other);
    let (mut own_last, mut other_last) = (own, other);
    loop {
        let own_new = spread(own_last) & free & !own_all;
        let other_new = spread(other_last) & free & !other_all;
        if own_new | other_new == 0 {
            return race;
        }
        race.tie += (own_new & other_new).count_ones() as i32;
        race.own += (own_new & !other_new & !other_all).count_ones() as i32;
        race.other += (other_new & !own_new & !own_all).count_ones() as i32;
        own_all |= own_new;
        other_all |= other_new;
        (own_last, other_last) = (own_new, other_new);
    }
}

/// The value of a board for the side to move, in hundredths of a square.
#[inline(always)]
pub fn evaluate(board: &Board, terms: &Terms) -> i32 {
    let (own, other) = (board.own.set(), board.other.set());
    let queens = race(board.free, own, other, |from| {
        queen_spread(board.free, from)
    });
    let kings = race(board.free, own, other, king_spread);
    let moves = |from| queen_moves(board.free, from).count_ones() as i32;
    terms.queen * (queens.own - queens.other)
        + terms.queen_tie * queens.tie
        + terms.king * (kings.own - kings.other)
        + terms.king_tie * kings.tie
        + terms.mobility * (moves(board.own) - moves(board.other))
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::boards;
    use super::*;

    #[test]
    fn what_one_side_gains_the_other_loses() {
        let terms = Terms {
            queen_tie: 0,
            king_tie: 0,
            ..TERMS
        };
        for board in boards(200, 3) {
            assert_eq!(evaluate(&board, &terms), -evaluate(&board.turned(), &terms));
        }
    }
}
