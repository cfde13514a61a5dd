//! A tiny training run: the error falls, and the same seed gives the same weights.

use super::super::labels::Label;
use super::super::random::Random;
use super::*;
use player::reversi::board::Position;
use player::reversi::square::Squares;

/// Games of random moves, each position valued by its corners and the difference of its moves.
fn games(count: usize, seed: u64) -> Vec<Vec<Label>> {
    let mut random = Random::new(seed);
    let value = |position: Position| {
        let corners = |set: u64| (set & 0x8100_0000_0000_0081).count_ones() as i32;
        let moves = |position: Position| position.moves().count_ones() as i32;
        let corners = corners(position.player) - corners(position.opponent);
        (600 * corners + 80 * (moves(position) - moves(position.pass()))) as i16
    };
    let mut play = || {
        let mut game = Vec::new();
        let mut position = Position::START;
        while !position.is_over() {
            let moves: Vec<_> = Squares(position.moves()).collect();
            if moves.is_empty() {
                position = position.pass();
                continue;
            }
            game.push(Label {
                position,
                value: value(position),
                depth: 9,
            });
            let square = moves[random.below(moves.len() as u64) as usize];
            position = position.play(square).unwrap();
        }
        game
    };
    (0..count).map(|_| play()).collect()
}

fn data() -> Data {
    let mut data = Data::empty();
    let places = data::shared_places();
    for (number, game) in games(150, 5).iter().enumerate() {
        data.add_game(game, number % 10 == 0, &places);
    }
    data
}

#[test]
fn a_small_training_run_lowers_the_error_on_games_it_has_not_seen() {
    let data = data();
    let mut trainer = StageTrainer::new(&data, 6, 1, Rates::default(), Vec::new());
    let before = trainer.held_out_rmse();
    for epoch in 1..=6 {
        trainer.epoch(epoch, 6);
    }
    let after = trainer.held_out_rmse();
    assert!(after < before * 0.8, "{before} {after}");
}

#[test]
fn the_same_seed_gives_the_same_weights() {
    let data = data();
    let mut options = Options {
        data: Vec::new(),
        out: String::new(),
        holdout: None,
        epochs: 1,
        seed: 3,
        one_in: 10,
        rates: Rates::default(),
        polish: 1,
        worth: 1.0,
    };
    let one = train(&data, &options);
    assert!(one == train(&data, &options));
    options.seed = 4;
    assert!(one != train(&data, &options));
}
