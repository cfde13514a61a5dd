//! Patterns: the groups of squares whose configurations the evaluation has weights for.
//!
//! Defined here once, for the player, the trainer and the tests: the shapes, where on the board they
//! lie (their instances), how a configuration is numbered, and which configurations share a weight.
//! Owns no weights. The shapes are those of the field: edges, corners, lines and diagonals as in Logistello
//! and Edax, and some of Egaroucid's ten-square ones.
//!
//! A configuration is a ternary number: digit 0 for an empty square, 1 for a disc of the side to move, 2
//! for one of the other side; the first square of the shape is the lowest digit.

use super::super::square::{symmetry, Set, Square, SYMMETRIES};
use alloc::vec;
use alloc::vec::Vec;

/// The most squares that a shape has.
const MOST_SQUARES: usize = 10;

/// A shape: some squares in one of the places where they lie, in the order of their digits.
pub struct Shape {
    /// What it is called in tables.
    pub name: &'static str,
    squares: [u8; MOST_SQUARES],
    count: usize,
}

/// Reads a shape's squares from their names, with blanks between.
const fn shape(name: &'static str, names: &str) -> Shape {
    let names = names.as_bytes();
    let count = (names.len() + 1) / 3;
    let mut squares = [0; MOST_SQUARES];
    let mut i = 0;
    while i < count {
        squares[i] = (names[3 * i + 1] - b'1') * 8 + (names[3 * i] - b'a');
        i += 1;
    }
    Shape {
        name,
        squares,
        count,
    }
}

/// Every shape, in the order in which the weights are stored.
pub static SHAPES: [Shape; 15] = [
    shape("edge and X", "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"),
    shape("corner 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    shape("angle", "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1"),
    shape("edge and centre", "a1 c1 d1 c2 d2 e2 f2 e1 f1 h1"),
    shape("corner 5x2", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    shape("triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    shape("kite", "a1 b1 a2 b2 c2 d2 e2 b3 b4 b5"),
    shape("row 2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    shape("row 3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    shape("row 4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    shape("diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    shape("diagonal 7", "a2 b3 c4 d5 e6 f7 g8"),
    shape("diagonal 6", "a3 b4 c5 d6 e7 f8"),
    shape("diagonal 5", "a4 b5 c6 d7 e8"),
    shape("diagonal 4", "a5 b6 c7 d8"),
];

/// How many instances all shapes have on the board.
pub const INSTANCES: usize = 62;

/// Instances rounded up to whole registers of sixteen.
pub const LANES: usize = 64;

/// Where a shape lies on the board.
#[derive(Clone, Copy)]
pub struct Instance {
    /// Index in [`SHAPES`].
    pub shape: usize,
    /// The squares in the order of their digits; as many as the shape has.
    squares: [u8; MOST_SQUARES],
}

/// All instances, shape by shape.
pub static ALL: [Instance; INSTANCES] = instances();

const fn instances() -> [Instance; INSTANCES] {
    let mut all = [Instance {
        shape: 0,
        squares: [0; MOST_SQUARES],
    }; INSTANCES];
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let first = count;
        let mut map = 0;
        while map < SYMMETRIES {
            let squares = mapped(shape, map);
            let mut known = false;
            let mut i = first;
            while i < count {
                known |=
                    set(&all[i].squares, SHAPES[shape].count) == set(&squares, SHAPES[shape].count);
                i += 1;
            }
            if !known {
                all[count] = Instance { shape, squares };
                count += 1;
            }
            map += 1;
        }
        shape += 1;
    }
    assert!(count == INSTANCES, "INSTANCES must be what the shapes have");
    all
}

/// A shape's squares under a symmetry of the board.
const fn mapped(shape: usize, map: usize) -> [u8; MOST_SQUARES] {
    let Shape { squares, count, .. } = &SHAPES[shape];
    let count = *count;
    let mut result = [0; MOST_SQUARES];
    let mut i = 0;
    while i < count {
        result[i] = symmetry(1 << squares[i], map).trailing_zeros() as u8;
        i += 1;
    }
    result
}

const fn set(squares: &[u8; MOST_SQUARES], count: usize) -> Set {
    let mut set = 0;
    let mut i = 0;
    while i < count {
        set |= 1 << squares[i];
        i += 1;
    }
    set
}

/// `POWERS[square][lane]`: the worth of the square's digit in the instance of that lane, 0 if it has none.
pub static POWERS: [[u16; LANES]; 64] = powers();

const fn powers() -> [[u16; LANES]; 64] {
    let mut table = [[0; LANES]; 64];
    let mut lane = 0;
    while lane < INSTANCES {
        let count = SHAPES[ALL[lane].shape].count;
        let mut power: u16 = 1;
        let mut i = 0;
        while i < count {
            table[ALL[lane].squares[i] as usize][lane] = power;
            power = power.wrapping_mul(3);
            i += 1;
        }
        lane += 1;
    }
    table
}

/// Where a configuration's weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The configuration that has weights of its own.
    pub configuration: u32,
    /// Whether it is the same, or the mirror image, only with the colours exchanged.
    pub exchanged: bool,
}

impl Instance {
    /// The squares, in the order of their digits.
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        let count = SHAPES[self.shape].count;
        self.squares[..count]
            .iter()
            .map(|&square| Square::from_index(square.into()))
    }
}

impl Shape {
    /// How many configurations it has.
    pub const fn configurations(&self) -> usize {
        3usize.pow(self.count as u32)
    }

    /// For every configuration the one that it takes its weights from: the least of itself, its mirror image if
    /// a symmetry of the board maps the shape onto itself, and those with the colours exchanged.
    pub fn sources(&self) -> Vec<Source> {
        let mirrored = self.mirrored();
        let exchanged = self.exchanged();
        let mut all: Vec<Source> = Vec::with_capacity(mirrored.len());
        for (configuration, &image) in (0..).zip(&mirrored) {
            let other = exchanged[configuration as usize];
            let other = other.min(mirrored[other as usize]);
            all.push(if image < configuration {
                all[image as usize]
            } else {
                Source {
                    configuration: configuration.min(other),
                    exchanged: other < configuration,
                }
            });
        }
        all
    }

    /// The mirror image of every configuration, if a symmetry of the board maps the shape onto itself; else itself.
    fn mirrored(&self) -> Vec<u32> {
        let order = (1..SYMMETRIES).find_map(|map| self.permuted_by(map));
        match order {
            Some(order) => self.images(&order),
            None => (0..self.configurations() as u32).collect(),
        }
    }

    /// For every configuration the one with the colours exchanged.
    fn exchanged(&self) -> Vec<u32> {
        let mut images = vec![0u32; self.configurations()];
        let mut power = 1;
        while power < images.len() {
            for lower in 0..power {
                images[power + lower] = images[lower] + 2 * power as u32;
                images[2 * power + lower] = images[lower] + power as u32;
            }
            power *= 3;
        }
        images
    }

    /// Where each digit goes under a symmetry that maps the shape onto itself.
    fn permuted_by(&self, map: usize) -> Option<Vec<usize>> {
        let image = |&square: &u8| symmetry(1 << square, map).trailing_zeros() as u8;
        let place = |square: u8| {
            self.squares[..self.count]
                .iter()
                .position(|&other| other == square)
        };
        self.squares[..self.count]
            .iter()
            .map(|square| place(image(square)))
            .collect()
    }

    /// The image of every configuration when digit `i` goes to place `order[i]`.
    fn images(&self, order: &[usize]) -> Vec<u32> {
        let mut images = vec![0u32; self.configurations()];
        let mut power = 1;
        for &place in order {
            let worth = 3u32.pow(place as u32);
            for lower in 0..power {
                images[power + lower] = images[lower] + worth;
                images[2 * power + lower] = images[lower] + 2 * worth;
            }
            power *= 3;
        }
        images
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_covered_and_no_instance_is_twice() {
        let mut covered = 0;
        for (i, one) in ALL.iter().enumerate() {
            let squares = one.squares().fold(0, |set, square| set | square.set());
            assert_eq!(squares.count_ones() as usize, one.squares().count());
            covered |= squares;
            for other in &ALL[..i] {
                let others = other.squares().fold(0, |set, square| set | square.set());
                assert!(squares != others);
            }
        }
        assert_eq!(covered, !0);
    }

    #[test]
    fn sources_are_images_of_their_configurations() {
        for shape in &SHAPES {
            let all = shape.sources();
            let (mirrored, exchanged) = (shape.mirrored(), shape.exchanged());
            assert_eq!(all.len(), shape.configurations());
            for (configuration, &source) in (0..).zip(&all) {
                let from = source.configuration as usize;
                assert!(!all[from].exchanged && all[from].configuration == source.configuration);
                let same = [configuration, mirrored[configuration as usize]];
                let other = same.map(|same| exchanged[same as usize]);
                let images = if source.exchanged { other } else { same };
                assert!(images.contains(&source.configuration), "{}", shape.name);
                assert!(source.configuration <= same[0].min(same[1]).min(other[0]).min(other[1]));
            }
        }
        let edge = SHAPES[0].sources();
        let of = |configuration: usize| {
            (
                edge[configuration].configuration,
                edge[configuration].exchanged,
            )
        };
        assert_eq!(of(1), (1, false));
        assert_eq!(of(2), (1, true), "an X square of the other colour");
        assert_eq!(
            of(3usize.pow(9)),
            (1, false),
            "the X squares are mirror images"
        );
    }
}
