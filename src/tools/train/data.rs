//! Training data: positions as the rows that they use.

use super::super::labels::{self, Label};
use super::super::random::Random;
use super::network::VALUE_DISCS;
use player::reversi::eval::pattern::{INSTANCES, SHAPES};
use player::reversi::eval::weights::{rows_of, SHAPE_OFFSETS};
use player::reversi::eval::Features;
use std::io;
use std::ops::Range;

/// Rows numbered without gaps, each shared one once.
pub struct Numbering {
    /// For each of the player's rows its number here, with [`EXCHANGED`] if it is that of the exchanged colours.
    pub numbers: Vec<u32>,
    /// How many numbers there are.
    pub count: usize,
    /// The first number of each shape.
    pub first_of_shape: Vec<usize>,
}

/// A bit in the number of a row: the colours are exchanged.
pub const EXCHANGED: u32 = 1 << 31;

impl Numbering {
    /// The numbering, always the same.
    pub fn new() -> Numbering {
        let mut numbering = Numbering {
            numbers: Vec::new(),
            count: 0,
            first_of_shape: Vec::new(),
        };
        for (shape, &offset) in SHAPES.iter().zip(&SHAPE_OFFSETS) {
            numbering.first_of_shape.push(numbering.count);
            for source in shape.sources() {
                let from = offset + source.configuration as usize;
                let number = if from == numbering.numbers.len() {
                    numbering.count += 1;
                    numbering.count as u32 - 1
                } else {
                    numbering.numbers[from]
                };
                let flag = if source.exchanged { EXCHANGED } else { 0 };
                numbering.numbers.push(number | flag);
            }
        }
        numbering
    }

    /// The numbers of a shape's rows.
    pub fn of_shape(&self, shape: usize) -> Range<usize> {
        let end = self.first_of_shape.get(shape + 1);
        self.first_of_shape[shape]..end.map_or(self.count, |&end| end)
    }
}

/// A position to learn from.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The row of every pattern instance, as the [`Numbering`] has it.
    pub rows: [u32; INSTANCES],
    /// The value to learn, in units of [`VALUE_DISCS`].
    pub value: f32,
    /// How much it counts.
    pub weight: f32,
    /// Number of moves of the side to move and of the other side.
    pub moves: [u8; 2],
    /// Empty squares.
    pub empties: u8,
}

impl Sample {
    /// What a label says, for training.
    pub fn new(label: &Label, numbering: &Numbering) -> Sample {
        let features = Features::of(label.position);
        let moves =
            [label.position, label.position.pass()].map(|side| side.moves().count_ones() as u8);
        let empties = label.position.empty_count();
        Sample {
            rows: rows_of(&features).map(|row| numbering.numbers[row as usize]),
            value: label.discs() / VALUE_DISCS,
            weight: trust(label.depth) * openness(label.discs()) / spread(empties),
            moves,
            empties: empties as u8,
        }
    }
}

/// How much a label counts: values of shallow searches are less sure than deep and exact ones.
fn trust(depth: u8) -> f32 {
    match depth {
        0..=7 => 0.8,
        8..=9 => 1.0,
        labels::EXACT => 1.0,
        _ => 1.2,
    }
}

/// How much a position's value, in discs, is still in the balance: what a search has to tell apart are moves of
/// positions near even.
fn openness(value: f32) -> f32 {
    let decided = value / 24.0;
    1.0 / (1.0 + decided * decided)
}

/// About how far evaluations are from values, in units of four discs: without it the last phases, where
/// errors are large, would drown the others.
fn spread(empties: u32) -> f32 {
    let discs = match empties {
        0..=3 => 5.0,
        4..=7 => 6.0,
        8..=15 => 7.0,
        16..=19 => 6.0,
        20..=23 => 5.0,
        24..=27 => 4.4,
        28..=31 => 3.6,
        32..=35 => 2.9,
        36..=39 => 2.6,
        40..=43 => 2.3,
        44..=47 => 2.1,
        _ => 1.8,
    };
    discs / 4.0
}

/// All data.
#[derive(Default)]
pub struct Data {
    /// Positions to train on.
    pub training: Vec<Sample>,
    /// Positions of games held out.
    pub held_out: Vec<Sample>,
    /// The same as labels.
    pub held_out_labels: Vec<Label>,
    /// How many games were held out.
    pub games_held_out: usize,
}

impl Data {
    /// Reads files of labels; one game in `one_in` is held out.
    pub fn read(
        paths: &[String],
        seed: u64,
        one_in: u64,
        numbering: &Numbering,
    ) -> io::Result<Data> {
        let mut data = Data::default();
        let mut random = Random::new(seed);
        for path in paths {
            let labels = labels::read(path)?;
            data.training.reserve(labels.len());
            for game in labels::games(&labels) {
                data.add_game(game, random.below(one_in) == 0, numbering);
            }
        }
        Ok(data)
    }

    /// Adds the positions of a game.
    pub fn add_game(&mut self, game: &[Label], hold_out: bool, numbering: &Numbering) {
        let samples = game.iter().map(|label| Sample::new(label, numbering));
        if hold_out {
            self.games_held_out += 1;
            self.held_out.extend(samples);
            self.held_out_labels.extend_from_slice(game);
        } else {
            self.training.extend(samples);
        }
    }
}
