//! `bench`: a fixed amount of work, to see whether a change made the search other or faster.
//!
//! The node total depends on nothing but the code. Commits that change the search state it.

use super::args::{Args, UsageError};
use crate::os::{cpu_us, SystemClock};
use player::isa::Level;
use player::reversi::board::Position;
use player::reversi::search::limits::Limits;
use player::reversi::search::Searcher;
use std::process::ExitCode;

/// Positions from games, side to move `X`, and the depth to search each to: a number of plies for the
/// middle game, or all that is left.
const POSITIONS: &[(&str, u32)] = &[
    (
        "---------------------------OX------XO---------------------------",
        12,
    ),
    (
        "------------------OOO-----XOOX----XXOO----XOOO------X-----------",
        12,
    ),
    (
        "-------------XX----OXXO--OOXXX---OOXOO----OXX-----O-------------",
        12,
    ),
    (
        "--OOO-----OOXO----OXXOX--OXOXXX-OOOXXX----XXXX----XX------------",
        13,
    ),
    (
        "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOXO--OOOO---",
        60,
    ),
    (
        "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------",
        60,
    ),
    (
        "--XXXXX---XXXX---OOXXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-",
        14,
    ),
];

/// The table's size is part of the work.
const TABLE_MIB: usize = 24;

/// Prints a row a position, and the node total with time and speed.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    let mut level = Level::detect();
    while let Some(word) = args.next() {
        match word.as_str() {
            "--portable" => level = Level::Portable,
            _ => return Args::unknown(&word),
        }
    }
    let clock = SystemClock::new();
    let mut searcher = Searcher::with_table_mib(level, TABLE_MIB);
    let (mut nodes, mut micros) = (0, 0);
    for (number, (board, depth)) in (1..).zip(POSITIONS) {
        let Ok(position) = Position::parse(board, b'X', b'O') else {
            continue;
        };
        searcher.clear();
        let before = cpu_us();
        let limits = Limits {
            depth: *depth,
            ..Limits::NONE
        };
        let found = searcher.search(position, limits, &clock, &mut |_| {});
        micros += cpu_us() - before;
        if let Some(found) = found {
            nodes += found.nodes;
            println!("{number:>2}  {}", super::describe(&found));
        }
    }
    let rate = nodes as f64 / micros.max(1) as f64;
    println!(
        "bench: {nodes} nodes, {:.3} s of CPU, {rate:.2} Mnodes/s",
        micros as f64 / 1e6
    );
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_one() {
        for (board, _) in POSITIONS {
            let position = Position::parse(board, b'X', b'O').unwrap();
            assert_ne!(position.moves(), 0, "{board}");
        }
    }
}
