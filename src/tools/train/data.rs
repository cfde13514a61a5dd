//! Training data: positions as lists of the weights that they use, sorted by empty squares.

use super::super::labels::{self, Label};
use super::super::random::Random;
use player::isa::Portable;
use player::reversi::eval::pattern::SHAPES;
use player::reversi::eval::weights::{active, Active, SHAPE_OFFSETS, STAGE_SIZE};
use player::reversi::eval::Features;
use std::io;

/// A position to learn from.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The weights in its sum, each shared weight under one number.
    pub active: Active,
    /// What the sum should be, in discs.
    pub value: f32,
    /// How much it counts.
    pub weight: f32,
}

/// All data.
pub struct Data {
    /// Positions to train on, by the number of empty squares.
    pub by_empties: Vec<Vec<Sample>>,
    /// Positions of games held out, in the same way.
    pub held_out_by_empties: Vec<Vec<Sample>>,
    /// The held-out positions themselves.
    pub held_out: Vec<Label>,
    /// How many games were held out.
    pub games_held_out: usize,
}

/// For each place of a table the place whose weight it shares.
pub fn shared_places() -> Vec<u32> {
    let mut places: Vec<u32> = (0..STAGE_SIZE as u32).collect();
    for (shape, &offset) in SHAPES.iter().zip(&SHAPE_OFFSETS) {
        for (configuration, least) in shape.representatives().into_iter().enumerate() {
            places[offset + configuration] = offset as u32 + least;
        }
    }
    places
}

impl Data {
    /// Reads files of labels; one game in `one_in` is held out.
    pub fn read(paths: &[String], seed: u64, one_in: u64) -> io::Result<Data> {
        let mut data = Data::empty();
        let places = shared_places();
        let mut random = Random::new(seed);
        for path in paths {
            let labels = labels::read(path)?;
            for game in labels::games(&labels) {
                data.add_game(game, random.below(one_in) == 0, &places);
            }
        }
        Ok(data)
    }

    /// No data yet.
    pub fn empty() -> Data {
        Data {
            by_empties: vec![Vec::new(); 65],
            held_out_by_empties: vec![Vec::new(); 65],
            held_out: Vec::new(),
            games_held_out: 0,
        }
    }

    /// Adds the positions of a game.
    pub fn add_game(&mut self, game: &[Label], hold_out: bool, places: &[u32]) {
        if hold_out {
            self.games_held_out += 1;
            self.held_out.extend_from_slice(game);
        }
        for label in game {
            let features = Features::of(label.position);
            let mut active = active(Portable, &label.position, &features);
            for place in &mut active {
                *place = places[*place as usize];
            }
            let side = if hold_out {
                &mut self.held_out_by_empties
            } else {
                &mut self.by_empties
            };
            side[label.position.empty_count() as usize].push(Sample {
                active,
                value: label.discs(),
                weight: weight(label),
            });
        }
    }

    /// How many positions there are to train on.
    pub fn training(&self) -> usize {
        self.by_empties.iter().map(Vec::len).sum()
    }
}

/// How much a label counts: values of shallow searches are less sure than deep and exact ones.
fn weight(label: &Label) -> f32 {
    match label.depth {
        labels::EXACT => 1.0,
        0..=7 => 0.8,
        8..=9 => 1.0,
        _ => 1.2,
    }
}
