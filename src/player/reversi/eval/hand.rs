//! An evaluation by hand: mobility, potential mobility, corners and their neighbours, frontier, parity.
//!
//! Its few weights were set by thought, not learned. It owns no state.

use super::super::board::Position;
use super::super::flip;
use super::super::square::Set;
use super::SCALE;
use crate::isa::Isa;

const CORNERS: Set = 0x8100_0000_0000_0081;
/// The diagonal neighbours of the corners.
const X_SQUARES: Set = 0x0042_0000_0000_4200;
/// The neighbours of the corners on the edges.
const C_SQUARES: Set = 0x4281_0000_0000_8142;

/// Scaled worth of one move more than the other side has, relative to both (see [`ratio`]).
const MOBILITY: i32 = 22 * SCALE;
/// Scaled worth of touching more empty squares next to the other side's discs.
const POTENTIAL: i32 = 10 * SCALE;
/// Scaled worth of a corner.
const CORNER: i32 = 9 * SCALE;
/// Scaled cost of a disc diagonally next to an empty corner.
const X_SQUARE: i32 = 5 * SCALE;
/// Scaled cost of a disc beside an empty corner on the edge.
const C_SQUARE: i32 = 3 * SCALE / 2;
/// Scaled worth of moving when the number of empty squares is odd.
const PARITY: i32 = SCALE;

/// The value for the side to move, scaled.
#[inline(always)]
pub fn evaluate<I: Isa>(isa: I, position: &Position) -> i32 {
    let (player, opponent) = (position.player, position.opponent);
    let empties = position.empties();
    let count = |set: Set| set.count_ones() as i32;

    let own_moves = count(flip::moves(isa, player, opponent));
    let other_moves = count(flip::moves(isa, opponent, player));
    let own_potential = count(around(opponent) & empties);
    let other_potential = count(around(player) & empties);
    let around_empties = around(empties);
    let frontier = count(opponent & around_empties) - count(player & around_empties);

    let near_open_corners = around(CORNERS & empties);
    let exposed = |own: Set| {
        count(own & X_SQUARES & near_open_corners) * X_SQUARE
            + count(own & C_SQUARES & near_open_corners) * C_SQUARE
    };
    let corners = (count(player & CORNERS) - count(opponent & CORNERS)) * CORNER;
    let parity = if count(empties) % 2 == 1 { PARITY } else { 0 };
    let discs = position.disc_difference() * SCALE * (64 - count(empties)) / 128;

    ratio(own_moves, other_moves, MOBILITY)
        + ratio(own_potential, other_potential, POTENTIAL)
        + frontier * SCALE / 4
        + corners
        + exposed(opponent)
        - exposed(player)
        + parity
        + discs * (24 - count(empties)).max(0) / 24
}

/// `weight` times the difference of two counts relative to their sum.
#[inline(always)]
fn ratio(own: i32, other: i32, weight: i32) -> i32 {
    weight * (own - other) / (own + other + 2)
}

/// The squares next to a set, and the set itself.
#[inline(always)]
fn around(set: Set) -> Set {
    const NOT_A: Set = 0xfefe_fefe_fefe_fefe;
    const NOT_H: Set = 0x7f7f_7f7f_7f7f_7f7f;
    let row = set | (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    row | row << 8 | row >> 8
}
