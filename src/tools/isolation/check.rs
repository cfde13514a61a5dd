//! `solve --game isolation`: who wins random late positions, by the bot under its clock and by an exhaustive search.
//!
//! Positions come from random games on random maps: with few squares left that matter, or with separated pieces
//! (`--apart`). The exhaustive search shares the rules with the player and nothing else, except for separated
//! pieces: there it is the player's own longest-path search without limits.

use super::super::args::{Args, UsageError};
use super::super::random::Random;
use super::super::referee::isolation::Isolation;
use super::selfplay::stray;
use crate::os::{cpu_us, SystemClock};
use player::host::Clock;
use player::isa::Level;
use player::isolation::board::{king_spread, queen_moves, region, Board, Square, Squares};
use player::isolation::bot::search_us;
use player::isolation::paths::{Budget, Paths};
use player::isolation::search::{Limits, Searcher, WON};
use player::session::TURN_MS;
use std::collections::HashMap;
use std::process::ExitCode;

/// Positions between two lines of progress.
const PROGRESS: usize = 100;

struct Options {
    positions: usize,
    apart: bool,
    least: u32,
    most: u32,
    turn_ms: u64,
    seed: u64,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        positions: 1_000,
        apart: false,
        least: 12,
        most: 0,
        turn_ms: TURN_MS,
        seed: 1,
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--positions" => options.positions = args.value(&word)?,
            "--apart" => options.apart = true,
            "--least" => options.least = args.value(&word)?,
            "--most" => options.most = args.value(&word)?,
            "--turn-ms" => options.turn_ms = args.value(&word)?,
            "--seed" => options.seed = args.value(&word)?,
            _ => return Args::unknown(&word),
        }
    }
    if options.most == 0 {
        options.most = if options.apart { 28 } else { 23 };
    }
    if options.least > options.most {
        return Err(UsageError("--least is more than --most".into()));
    }
    Ok(options)
}

/// Compares the two on many positions. Fails if the bot was wrong about one.
pub fn run(args: Args) -> Result<ExitCode, UsageError> {
    let options = options(args)?;
    let mut random = Random::new(options.seed);
    let mut searcher = Searcher::new(Level::detect());
    let clock = SystemClock::new();
    let (mut right, mut wrong, mut open, mut won, mut longest_us) = (0, 0, 0, 0, 0);
    let before = cpu_us();
    let mut bot_us = 0;
    for number in 1..=options.positions {
        let board = draw(&options, &mut random);
        searcher.clear();
        let (start, started) = (clock.now().wall_us, cpu_us());
        let limits = Limits {
            deadline_us: start + search_us(options.turn_ms),
            depth: i32::MAX,
            nodes: u64::MAX,
        };
        let found = searcher.search(board, limits, &clock);
        longest_us = longest_us.max(clock.now().wall_us - start);
        bot_us += cpu_us() - started;
        let value = found.map_or(0, |found| found.value);
        let expected = match options.apart {
            true => wins_apart(&board),
            false => wins(board, &mut HashMap::new()),
        };
        won += usize::from(expected);
        if value.abs() <= WON {
            open += 1;
        } else if (value > 0) == expected {
            right += 1;
        } else {
            wrong += 1;
            println!("position {number}: {board:?}: said {value}, but won is {expected}");
        }
        if number % PROGRESS == 0 || number == options.positions {
            println!(
                "{number} positions, {won} won: {right} right, {wrong} wrong, {open} not decided; {:.2} ms of CPU each, the \
                 longest {:.1} ms; {:.0} s in all",
                bot_us as f64 / 1e3 / number as f64,
                longest_us as f64 / 1e3,
                (cpu_us() - before) as f64 / 1e6
            );
        }
    }
    Ok(match right {
        _ if right == options.positions => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// The squares that each piece could come to if the other did not move.
fn regions(board: &Board) -> [u128; 2] {
    [board.own, board.other].map(|from| region(board.free, from))
}

fn are_apart(board: &Board) -> bool {
    let [own, other] = regions(board);
    own & (other | king_spread(board.other.set())) == 0
}

/// A position of a random game that is of the kind asked for. Both sides can move.
fn draw(options: &Options, random: &mut Random) -> Board {
    loop {
        let mut board = *Isolation::random_map(random).board();
        loop {
            let [own, other] = regions(&board).map(u128::count_ones);
            let both = (regions(&board)[0] | regions(&board)[1]).count_ones();
            let size = if options.apart { own.max(other) } else { both };
            let fits = (options.least..=options.most).contains(&size) && own > 0 && other > 0;
            if fits && are_apart(&board) == options.apart {
                return board;
            }
            match stray(&board, random) {
                Some(to) if size >= options.least => board = board.after(to),
                _ => break,
            }
        }
    }
}

/// Whether the side to move wins, by trying everything.
fn wins(board: Board, known: &mut HashMap<(u128, Square, Square), bool>) -> bool {
    let [own, other] = regions(&board);
    let board = Board {
        free: own | other,
        ..board
    };
    let key = (board.free, board.own, board.other);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    // Moves after which the other has few are looked at first: an answer comes sooner.
    let mut moves: Vec<Square> = Squares(queen_moves(board.free, board.own)).collect();
    moves.sort_by_key(|to| queen_moves(board.free & !to.set(), board.other).count_ones());
    let found = moves.iter().any(|to| !wins(board.after(*to), known));
    known.insert(key, found);
    found
}

/// Whether the side to move has the longer path.
fn wins_apart(board: &Board) -> bool {
    let longest = |from| {
        let mut budget = Budget {
            nodes: u32::MAX,
            stop: &|| false,
        };
        let bounds = Paths::default().longest(board.free, from, (0, u32::MAX), &mut budget);
        assert_eq!(
            bounds.at_least, bounds.at_most,
            "an unlimited search ended early"
        );
        bounds.at_least
    };
    longest(board.own) > longest(board.other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_tell_the_winner_agree() {
        let mut random = Random::new(3);
        let options = Options {
            positions: 0,
            apart: true,
            least: 3,
            most: 9,
            turn_ms: 0,
            seed: 0,
        };
        let mut won = 0;
        for _ in 0..100 {
            let board = draw(&options, &mut random);
            let expected = wins(board, &mut HashMap::new());
            assert_eq!(wins_apart(&board), expected, "{board:?}");
            won += usize::from(expected);
        }
        assert!((20..80).contains(&won), "{won}");
    }
}
