//! Recorded games of Isolation: transcripts, records of matches, and a map with moves; how they are shown.

use super::super::referee;
use super::super::referee::isolation::Isolation;
use super::html::{Sheet, View};
use super::Shown;
use crate::os::SystemClock;
use player::isa::Level;
use player::isolation::board::{queen_moves, Board, Set, Square};
use player::isolation::network::VALUE_UNIT;
use player::isolation::protocol::{self, Header};
use player::isolation::search::{Limits, Searcher, WON};
use std::fmt::Write as _;

/// A move that makes the odds worse by so many points of a hundred is marked as a mistake.
const MISTAKE: i32 = 30;

/// A game: its map, and what was played with the wall time in microseconds where it is known.
#[derive(Clone, Debug)]
pub struct Recording {
    start: Isolation,
    plies: Vec<(Square, Option<u64>)>,
}

/// Whether a text is a game of Isolation: its first line is a header, a map, or a record with a map.
pub fn is_recording(text: &str) -> bool {
    let first = first_line(text);
    let plain = first.strip_prefix("< ").unwrap_or(first);
    protocol::is_header(plain) || map_and_moves(plain).is_ok() || of_record(first).is_some()
}

fn first_line(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty()).unwrap_or("")
}

/// The map and the rest of a line.
fn map_and_moves(line: &str) -> Result<(Isolation, &str), String> {
    let mut rest = line.trim();
    for _ in 0..7 {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest[end..].trim_start();
    }
    let map = &line.trim()[..line.trim().len() - rest.len()];
    Ok((Isolation::parse_map(map)?, rest))
}

/// The map, moves and times of a record's line.
fn of_record(line: &str) -> Option<Result<Recording, String>> {
    let (start, moves, times) = referee::start_moves_and_times(line)?;
    let start = Isolation::parse_map(&start?).ok()?;
    Some(Recording::played(start, &moves, &times))
}

/// Reads a recording.
pub fn read(text: &str) -> Result<Recording, String> {
    let first = first_line(text);
    if let Some(recording) = of_record(first) {
        return recording;
    }
    if let Ok((start, moves)) = map_and_moves(first) {
        let more = text.trim_start().strip_prefix(first).unwrap_or("");
        return Recording::played(start, &format!("{moves} {more}"), &[]);
    }
    transcript(text)
}

impl Recording {
    /// The game from a map by moves `x,y`.
    fn played(start: Isolation, moves: &str, times: &[u64]) -> Result<Recording, String> {
        let mut game = start.clone();
        let mut plies = Vec::new();
        let mut times = times.iter().copied();
        for (number, text) in (1..).zip(moves.split_whitespace()) {
            let square = text
                .split_once(',')
                .and_then(|(x, y)| Square::new(x.parse().ok()?, y.parse().ok()?));
            let square = square.ok_or_else(|| format!("'{text}' is no square: x,y"))?;
            if !game.make(square) {
                return Err(format!("move {number}, {text}, is not legal"));
            }
            plies.push((square, times.next()));
        }
        Ok(Recording { start, plies })
    }

    /// The game after every move, from the start on.
    fn games(&self) -> Vec<Isolation> {
        let mut games = vec![self.start.clone()];
        let mut game = self.start.clone();
        for (square, _) in &self.plies {
            game.make(*square);
            games.push(game.clone());
        }
        games
    }

    /// The position at the end.
    pub fn last(&self) -> Isolation {
        self.games().pop().unwrap_or_else(|| self.start.clone())
    }
}

/// A turn of a transcript as it is gathered.
struct Turn {
    number: u32,
    pieces: Vec<Square>,
    rows: Vec<String>,
}

/// The first game of a transcript. The opponent's moves follow from the boards.
fn transcript(text: &str) -> Result<Recording, String> {
    let mut header: Option<Header> = None;
    let mut turn: Option<Turn> = None;
    let mut recording: Option<Recording> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let (answer, sent) = match line.strip_prefix("> ") {
            Some(answer) => (true, answer),
            None => (false, line.strip_prefix("< ").unwrap_or(line)),
        };
        if sent.is_empty() {
            continue;
        }
        let bad = |what: &dyn std::fmt::Display| format!("line {number}: {what}");
        let Some(known) = header else {
            header = Some(protocol::header(sent).map_err(|error| bad(&error))?);
            continue;
        };
        if answer {
            let square = protocol::square(sent, known).map_err(|error| bad(&error))?;
            if let Some(recording) = &mut recording {
                if !recording.last().make(square) {
                    // The judge ended the game here.
                    break;
                }
                recording.plies.push((square, None));
            }
            continue;
        }
        if protocol::is_header(sent) {
            break;
        }
        if let Ok(next) = protocol::turn(sent) {
            if turn.as_ref().is_some_and(|turn| next <= turn.number) {
                break;
            }
            turn = Some(Turn {
                number: next,
                pieces: Vec::new(),
                rows: Vec::new(),
            });
            continue;
        }
        let Some(turn) = &mut turn else {
            return Err(bad(&protocol::BadLine::Turn));
        };
        if turn.pieces.len() < 2 {
            let square = protocol::square(sent, known).map_err(|error| bad(&error))?;
            turn.pieces.push(square);
        } else {
            protocol::row(sent, known).map_err(|error| bad(&error))?;
            turn.rows.push(sent.to_owned());
            if turn.rows.len() == known.height {
                let game = turn.game(known).map_err(|what| bad(&what))?;
                go_on(&mut recording, game).map_err(|what| bad(&what))?;
            }
        }
    }
    recording.ok_or_else(|| "there is no whole turn".into())
}

impl Turn {
    /// The game at this turn.
    fn game(&self, header: Header) -> Result<Isolation, String> {
        let free = |rows: &[String]| {
            let mut free: Set = 0;
            for (y, row) in rows.iter().enumerate() {
                for (x, _) in row.bytes().enumerate().filter(|(_, byte)| *byte == b'.') {
                    free |= Square::new(x, y).map_or(0, Square::set);
                }
            }
            free
        };
        let [first, second] = self.pieces[..] else {
            return Err("the pieces are missing".into());
        };
        let both = first.set() | second.set();
        if first == second {
            return Err("both pieces are on one square".into());
        }
        let (own, other) = if self.number % 2 == 1 {
            (first, second)
        } else {
            (second, first)
        };
        let free = free(&self.rows) & !both;
        Ok(Isolation::at(
            header.width,
            header.height,
            Board { free, own, other },
            self.number,
        ))
    }
}

/// Goes on to a later turn of the same game, by the opponent's move if it is its turn.
fn go_on(recording: &mut Option<Recording>, game: Isolation) -> Result<(), String> {
    let Some(recording) = recording else {
        *recording = Some(Recording {
            start: game,
            plies: Vec::new(),
        });
        return Ok(());
    };
    let mut last = recording.last();
    if last.board() == game.board() {
        return Ok(());
    }
    let moved = game.board().other;
    if last.make(moved) && last.board() == game.board() {
        recording.plies.push((moved, None));
        return Ok(());
    }
    Err("no move leads to this board".into())
}

/// The game as text, or, with a depth for searches that value its positions, as a page.
pub fn show(recording: &Recording, depth: Option<u8>, colours: bool) -> Shown {
    let games = recording.games();
    let before = std::iter::once(None).chain(recording.plies.iter().map(Some));
    match depth {
        None => {
            let texts = games.iter().zip(before);
            Shown::Text(
                texts
                    .map(|(game, ply)| terminal(game, ply.map(|ply| ply.0), colours))
                    .collect(),
            )
        }
        Some(depth) => {
            let mut searcher = Searcher::new(Level::detect());
            let mut views = Vec::new();
            for (game, ply) in games.iter().zip(before) {
                let mut view = view(game, ply.map(|ply| ply.0));
                view.value = Some(points(&mut searcher, game, depth));
                view.time_us = ply.and_then(|ply| ply.1);
                views.push(view);
            }
            Shown::Page(Box::new(sheet(&recording.start, views)))
        }
    }
}

fn before(last: Option<Square>) -> String {
    last.map_or("the beginning".into(), |square| {
        format!("{},{}", square.x(), square.y())
    })
}

fn counts(game: &Isolation) -> String {
    format!("{} squares free", game.board().free.count_ones())
}

/// How likely player 0 wins: 100 certainly, -100 certainly not.
fn points(searcher: &mut Searcher, game: &Isolation, depth: u8) -> i32 {
    let limits = Limits {
        deadline_us: u64::MAX,
        depth: depth.into(),
        nodes: u64::MAX,
    };
    let value = match game.board().moves() {
        0 => -WON - 1,
        _ => searcher
            .search(*game.board(), limits, &SystemClock::new())
            .map_or(0, |found| found.value),
    };
    let for_mover = match value {
        _ if value > WON => 100.0,
        _ if value < -WON => -100.0,
        _ => 200.0 / (1.0 + (-value as f32 / VALUE_UNIT).exp()) - 100.0,
    };
    let points = for_mover.round() as i32;
    if game.side() == 0 {
        points
    } else {
        -points
    }
}

fn sheet(start: &Isolation, views: Vec<View>) -> Sheet {
    let (width, height) = start.size();
    let numbers = |count: usize| (0..count).map(|number| number.to_string()).collect();
    Sheet {
        game: "Isolation",
        columns: numbers(width),
        rows: numbers(height),
        between: ",",
        names: r##"{ "B": "player 0", "W": "player 1", "+": "within reach", ".": "free", "#": "gone" }"##,
        whose: "player 0",
        unit: "points of a hundred",
        most: 100,
        mistake: MISTAKE,
        views,
    }
}

/// The board with `B` and `W` for the pieces and `+` for where the side to move can go.
fn marks(game: &Isolation) -> Vec<String> {
    let reached = queen_moves(game.board().free, game.board().own);
    let rows = game.rows().into_iter().enumerate();
    let row = |(y, row): (usize, String)| {
        let mark = |(x, c): (usize, char)| match (c, Square::new(x, y)) {
            ('0', _) => 'B',
            ('1', _) => 'W',
            ('.', Some(square)) if reached & square.set() != 0 => '+',
            _ => c,
        };
        row.chars().enumerate().map(mark).collect()
    };
    rows.map(row).collect()
}

fn view(game: &Isolation, last: Option<Square>) -> View {
    let side = game.side();
    View {
        turn: game.turn(),
        board: marks(game).concat(),
        last: before(last),
        moved: last.is_some(),
        side: (game.board().moves() != 0).then(|| format!("player {side}")),
        counts: counts(game),
        value: None,
        own: side == 0,
        time_us: None,
    }
}

/// A position as text: the pieces as `0` and `1`, the last move in brackets, squares within reach as `+`.
fn terminal(game: &Isolation, last: Option<Square>, colours: bool) -> String {
    let view = view(game, last);
    let state = match &view.side {
        Some(side) => format!("turn {}, {side} to move", view.turn),
        None => "the game is over".into(),
    };
    let mut text = format!("{}: {state}, {}\n", view.last, view.counts);
    let (width, _) = game.size();
    let columns: String = (0..width).map(|x| format!(" {x} ")).collect();
    let _ = writeln!(text, "  {columns}");
    for (y, row) in marks(game).iter().enumerate() {
        let _ = write!(text, "{y} ");
        for (x, mark) in row.chars().enumerate() {
            let (mark, colour) = match mark {
                'B' => ('0', "1;36"),
                'W' => ('1', "1;33"),
                '+' => ('+', "32"),
                mark => (mark, "2"),
            };
            let shown = match last == Square::new(x, y) && last.is_some() {
                true => format!("[{mark}]"),
                false => format!(" {mark} "),
            };
            let _ = match colours {
                true => write!(text, "\x1b[{colour}m{shown}\x1b[0m"),
                false => write!(text, "{shown}"),
            };
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "7 7 2 2 4 4 ...#.../......./.#..#../......./..#..#./......./...#...";
    const MOVES: &str = "2,1 4,3 5,1 6,1 6,0 5,0";

    #[test]
    fn every_form_of_a_game_gives_the_same() {
        let text = format!("{MAP} {MOVES}\n");
        assert!(is_recording(&text) && !is_recording("f5d6c3") && !is_recording("{}"));
        let plain = read(&text).unwrap();
        assert_eq!(plain.plies.len(), 6);
        assert_eq!(plain.last().board().moves(), 0);
        // What either side is sent and answers tells the game from its first turn on.
        for side in 0..2 {
            let mut transcript = String::from("< 7 7 0\n");
            let mut games = plain.games().into_iter();
            for (number, ply) in plain.plies.iter().enumerate() {
                let game = games.next().unwrap();
                if number % 2 == side {
                    for line in game.lines().lines() {
                        let _ = writeln!(transcript, "< {line}");
                    }
                    let _ = writeln!(transcript, "> {}", ply.0);
                }
            }
            assert!(is_recording(&transcript));
            let read = read(&transcript).unwrap();
            let expected = &plain.plies[side..plain.plies.len() + side - 1];
            assert_eq!(read.plies[..], expected[..read.plies.len()]);
            assert!(read.plies.len() >= 4, "{}", read.plies.len());
        }
        for bad in [
            format!("{MAP} 2,2"),
            format!("{MAP} 2;1"),
            "7 7 0\nturn 1\n2 2\n2 2\n".into(),
            "7 7 0\n1 1\n".into(),
        ] {
            assert!(read(&bad).is_err(), "{bad}");
        }
    }
}
