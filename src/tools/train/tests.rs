//! A tiny training run: the error falls, and the same seed gives the same weights.

use super::super::labels::Label;
use super::super::random::Random;
use super::*;
use player::isa::Portable;
use player::reversi::board::Position;
use player::reversi::eval::{Features, SCALE};
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
            let Some(square) = random.pick(&moves) else {
                position = position.pass();
                continue;
            };
            game.push(Label {
                position,
                value: value(position),
                depth: 9,
                final_score: None,
            });
            position = position.play(square).unwrap();
        }
        game
    };
    (0..count).map(|_| play()).collect()
}

fn data(numbering: &Numbering) -> Data {
    let mut data = Data::default();
    for (number, game) in games(150, 5).iter().enumerate() {
        data.add_game(game, number % 10 == 0, numbering);
    }
    data
}

fn options(seed: u64) -> Options {
    Options {
        data: Vec::new(),
        out: String::new(),
        holdout: None,
        seed,
        one_in: 10,
        rates: Rates {
            batch: 128,
            ..Rates::default()
        },
        epochs: 4,
        polish: 1,
        worth: 0.01,
        step: 0.05,
    }
}

#[test]
fn a_small_training_run_lowers_the_error_on_games_it_has_not_seen() {
    let numbering = Numbering::new();
    let data = data(&numbering);
    let options = options(1);
    let before = errors(&Descent::new(&data, &numbering, 1, options.rates), &data);
    let weights = train(&data, &numbering, &options);
    let after = Table::of(&weights, &data.held_out_labels).total();
    assert!(
        after.rmse() < 0.8 * before.rmse(),
        "{} {}",
        before.rmse(),
        after.rmse()
    );
}

#[test]
fn the_same_seed_gives_the_same_weights() {
    let numbering = Numbering::new();
    let data = data(&numbering);
    let once = train(&data, &numbering, &options(3));
    assert!(once == train(&data, &numbering, &options(3)));
    assert!(once != train(&data, &numbering, &options(4)));
}

#[test]
fn the_player_s_whole_numbers_say_what_was_learned() {
    let numbering = Numbering::new();
    let data = data(&numbering);
    let mut descent = Descent::new(&data, &numbering, 1, options(1).rates);
    descent.epoch(1.0, [1.0, 0.5]);
    let scales = descent.sensitivities().map(|discs| discs.max(0.01) / 0.1);
    descent.freeze_rounded(0..numbering.count, &scales);
    let learned = descent.network.quantised(&scales, &numbering);
    let mut errors = Errors::default();
    for (sample, label) in data.held_out.iter().zip(&data.held_out_labels) {
        let features = Features::of(label.position);
        let value = learned.evaluate(Portable, &label.position, &features);
        let expected = descent.network.value(sample) * VALUE_DISCS;
        errors.add(f64::from(
            value as f32 / SCALE as f32 - expected.clamp(-64.0, 64.0),
        ));
    }
    assert!(errors.rmse() < 0.1, "{}", errors.rmse());
}
