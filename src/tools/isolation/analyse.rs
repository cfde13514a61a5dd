//! `analyse` for Isolation: every move of a position with its value, depth and line, best first.

use super::super::referee::isolation::Isolation;
use crate::os::SystemClock;
use player::host::Clock;
use player::isa::Level;
use player::isolation::board::{Square, Squares};
use player::isolation::search::{Limits, Searcher, WON};

/// A move with what the search says of it.
struct Judged {
    to: Square,
    /// For the side to move; see [`player::isolation::network::VALUE_UNIT`].
    value: i32,
    depth: i32,
    nodes: u64,
    line: Vec<Square>,
}

/// Prints the table. `time_ms` is for all moves together.
pub fn print(game: &Isolation, time_ms: Option<u64>, depth: Option<u32>) {
    let board = *game.board();
    let moves = board.moves();
    if moves == 0 {
        println!("no legal move: player {} has lost", game.side());
        return;
    }
    let clock = SystemClock::new();
    let mut searcher = Searcher::new(Level::detect());
    let share_us = time_ms.map(|time_ms| time_ms * 1_000 / u64::from(moves.count_ones()));
    let mut judged: Vec<Judged> = Squares(moves)
        .map(|to| {
            let next = board.after(to);
            let limits = Limits {
                deadline_us: share_us.map_or(u64::MAX, |share| clock.now().wall_us + share),
                depth: depth.map_or(i32::MAX, |depth| depth.saturating_sub(1).max(1) as i32),
                nodes: u64::MAX,
            };
            let found = searcher.search(next, limits, &clock);
            let lost = next.moves() == 0;
            Judged {
                to,
                value: if lost {
                    WON + 1
                } else {
                    found.map_or(0, |found| -found.value)
                },
                depth: found.map_or(0, |found| found.depth) + 1,
                nodes: found.map_or(0, |found| found.nodes),
                line: match found {
                    Some(found) if searcher.line(next).is_empty() => vec![found.best],
                    _ => searcher.line(next),
                },
            }
        })
        .collect();
    judged.sort_by_key(|judged| (-judged.value, judged.to));
    println!("move  value  search");
    for Judged {
        to,
        value,
        depth,
        nodes,
        line,
    } in judged
    {
        let value = match value {
            _ if value > WON => "won".into(),
            _ if value < -WON => "lost".into(),
            value => format!("{value:+}"),
        };
        let name = |square: &Square| format!("{},{}", square.x(), square.y());
        let line: Vec<String> = [to].iter().chain(&line).map(name).collect();
        println!(
            "{:>4}  {value:>5}  depth {depth} line {} nodes {nodes}",
            name(&to),
            line.join(" ")
        );
    }
}
