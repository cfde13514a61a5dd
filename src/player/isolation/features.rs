//! What the evaluation sees of a board: who reaches how many squares how soon.
//!
//! Every free square belongs to a class by both sides' distances in queen moves (Muller and Tegos 2002 use them
//! for Amazons), and to another by the difference of the distances in king moves. The numbers of squares in the classes,
//! with a few of what lies close by, are the evaluation's inputs.

use super::board::{king_spread, queen_moves, Board, Set, Spread, Square};

/// Distances in queen moves that are told apart: one to three, and more.
const STEPS: usize = 4;

/// Differences in king moves, from three or more behind to three or more ahead.
const LEADS: usize = 7;

/// Inputs: classes of both distances, of squares only the one or the other reaches, of leads; free neighbours of
/// both pieces; dead ends and corridors among the squares that the one or the other reaches first.
pub const INPUTS: usize = CLASSES + LEADS + 2 + 4;

/// Classes of squares: by both sides' distances, then those that only the side to move or only the other reaches, by
/// its distance.
pub const CLASSES: usize = STEPS * STEPS + 2 * STEPS;

/// Who reaches a class first, seen from the side to move: 0 it does, 1 the other, 2 both at the same time.
pub const FIRST: [usize; CLASSES] = {
    let mut first = [2; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        let (own, other) = (class / STEPS, class % STEPS);
        if own == STEPS || own < STEPS && own < other {
            first[class] = 0;
        } else if own > STEPS || own > other {
            first[class] = 1;
        }
        class += 1;
    }
    first
};

/// The same class seen from the other side.
pub const TURNED: [usize; CLASSES] = {
    let mut turned = [0; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        let (own, other) = (class / STEPS, class % STEPS);
        turned[class] = match own {
            0..STEPS => other * STEPS + own,
            STEPS => (STEPS + 1) * STEPS + other,
            _ => STEPS * STEPS + other,
        };
        class += 1;
    }
    turned
};

/// The inputs, and the squares by their classes.
#[derive(Clone, Copy)]
pub struct Features {
    /// Numbers of squares, in the order of [`INPUTS`].
    pub inputs: [u8; INPUTS],
    /// The squares of every class.
    pub classes: [Set; CLASSES],
}

/// The squares that each piece reaches in exactly one, two, three and in more queen moves.
#[inline(always)]
fn queen_steps(free: Set, pieces: [Square; 2]) -> [[Set; STEPS]; 2] {
    let spread = Spread::new(free);
    let mut steps = [[0; STEPS]; 2];
    // Loops, though short, since this code is large and part of every submission.
    for (steps, piece) in steps.iter_mut().zip(pieces) {
        let mut all = queen_moves(free, piece);
        steps[0] = all;
        for step in 1..STEPS - 1 {
            if free & !all == 0 {
                break;
            }
            steps[step] = spread.from(steps[step - 1]) & !all;
            all |= steps[step];
        }
        if steps[STEPS - 2] != 0 && free & !all != 0 {
            let within = all;
            loop {
                let more = all | (king_spread(all) & free);
                if more == all {
                    break;
                }
                all = more;
            }
            steps[STEPS - 1] = all & !within;
        }
    }
    steps
}

#[inline(always)]
fn count(set: Set) -> u8 {
    set.count_ones() as u8
}

/// Counts the squares that both reach by how many king moves the one is ahead.
#[inline(always)]
fn leads(free: Set, own: Square, other: Square, both: Set, counts: &mut [u8]) {
    let (mut own_all, mut other_all) = (own.set(), other.set());
    let mut own_past = [own_all; 3];
    let mut other_past = [other_all; 3];
    let mut ahead = [0u8; 3];
    let mut behind = [0u8; 3];
    while both & !(own_all & other_all) != 0 {
        let own_next = own_all | king_spread(own_all) & free;
        let other_next = other_all | king_spread(other_all) & free;
        own_all = own_next;
        other_all = other_next;
        for k in 0..3 {
            // New to one side now, while the other was there more than `k` steps ago.
            ahead[k] += count(other_all & !other_past[0] & own_past[k] & both);
            behind[k] += count(own_all & !own_past[0] & other_past[k] & both);
        }
        own_past = [own_all, own_past[0], own_past[1]];
        other_past = [other_all, other_past[0], other_past[1]];
    }
    let tie = count(both).saturating_sub(ahead[0] + behind[0]);
    counts.copy_from_slice(&[
        behind[2],
        behind[1] - behind[2],
        behind[0] - behind[1],
        tie,
        ahead[0] - ahead[1],
        ahead[1] - ahead[2],
        ahead[2],
    ]);
}

/// Free squares with at most one free neighbour, and those with two. The pieces' squares are not free.
#[inline(always)]
fn narrow(free: Set) -> (Set, Set) {
    let (mut one, mut two, mut three) = (0, 0, 0);
    for step in [1, 9, 10, 11] {
        for near in [free << step, free >> step] {
            three |= two & near;
            two |= one & near;
            one |= near;
        }
    }
    (free & !two, free & two & !three)
}

impl Features {
    /// Whether no square is left that both can reach.
    pub fn are_apart(&self) -> bool {
        self.inputs[..STEPS * STEPS].iter().all(|&count| count == 0)
    }

    /// Those of a board.
    #[inline(always)]
    pub fn of(board: &Board) -> Features {
        let Board { free, own, other } = *board;
        let [mine, theirs] = queen_steps(free, [own, other]);
        let all = |steps: [Set; STEPS]| steps[0] | steps[1] | steps[2] | steps[3];
        let (own_all, other_all) = (all(mine), all(theirs));
        let mut inputs = [0; INPUTS];
        let mut classes = [0; CLASSES];
        let mut first = [0; 3];
        for class in 0..CLASSES {
            let (i, j) = (class / STEPS, class % STEPS);
            let set = match i {
                0..STEPS => mine[i] & theirs[j],
                STEPS => mine[j] & !other_all,
                _ => theirs[j] & !own_all,
            };
            classes[class] = set;
            inputs[class] = count(set);
            first[FIRST[class]] |= set;
        }
        let (leads_at, near_at) = (CLASSES, CLASSES + LEADS);
        leads(
            free,
            own,
            other,
            own_all & other_all,
            &mut inputs[leads_at..near_at],
        );
        inputs[near_at] = count(king_spread(own.set()) & free);
        inputs[near_at + 1] = count(king_spread(other.set()) & free);
        let (dead_ends, corridors) = narrow(free);
        inputs[near_at + 2] = count(dead_ends & first[0]);
        inputs[near_at + 3] = count(dead_ends & first[1]);
        inputs[near_at + 4] = count(corridors & first[0]);
        inputs[near_at + 5] = count(corridors & first[1]);
        Features { inputs, classes }
    }
}
