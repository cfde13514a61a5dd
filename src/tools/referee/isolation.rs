//! Isolation for the referee: the judge's lines and rules, maps, and players that are built in.

use super::super::random::Random;
use super::game::{BadAnswer, Clock, Game, Player};
use super::study::{self, Study};
use player::isolation::board::{queen_moves, Board, Set, Square, Squares, SIDES};
use player::session::TURN_MS;
use std::fmt::Write as _;

/// A game of Isolation.
#[derive(Clone, Debug)]
pub struct Isolation {
    width: usize,
    height: usize,
    /// Seen from the side to move.
    board: Board,
    /// The turn to come, from 1.
    turn: u32,
    moves: String,
}

/// Walls in a hundred squares of a random map: at least, and the range above.
const WALLS: (u64, u64) = (6, 15);

impl Isolation {
    /// The board, seen from the side to move.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// A game at some turn, from 1; `board` is seen from the side to move.
    pub fn at(width: usize, height: usize, board: Board, turn: u32) -> Isolation {
        Isolation {
            width,
            height,
            board,
            turn,
            moves: String::new(),
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The turn to come.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Plays a move. `false` if it is not legal.
    pub fn make(&mut self, to: Square) -> bool {
        if self.board.moves() & to.set() == 0 {
            return false;
        }
        let space = if self.moves.is_empty() { "" } else { " " };
        let _ = write!(self.moves, "{space}{},{}", to.x(), to.y());
        self.board = self.board.after(to);
        self.turn += 1;
        true
    }

    /// The map and the pieces as [`Isolation::parse_map`] reads them.
    pub fn map(&self) -> String {
        let [first, second] = self.pieces();
        let rows = self.rows().join("/").replace(['0', '1'], ".");
        let (width, height) = self.size();
        format!("{width} {height} {first} {second} {rows}")
    }

    /// The side to move: player 0 or 1.
    pub fn side(&self) -> usize {
        (self.turn as usize + 1) % 2
    }

    /// The pieces of players 0 and 1.
    fn pieces(&self) -> [Square; 2] {
        match self.side() {
            0 => [self.board.own, self.board.other],
            _ => [self.board.other, self.board.own],
        }
    }

    /// Every square of the map.
    fn all(width: usize, height: usize) -> Set {
        let squares = (0..height).flat_map(|y| (0..width).filter_map(move |x| Square::new(x, y)));
        squares.fold(0, |all, square| all | square.set())
    }

    /// The rows of the board as the judge writes them.
    pub fn rows(&self) -> Vec<String> {
        let [first, second] = self.pieces();
        let character = |x: usize, y: usize| match Square::new(x, y) {
            Some(square) if square == first => '0',
            Some(square) if square == second => '1',
            Some(square) if self.board.free & square.set() != 0 => '.',
            _ => '#',
        };
        let row = |y| (0..self.width).map(|x| character(x, y)).collect();
        (0..self.height).map(row).collect()
    }

    /// The lines of a turn.
    pub fn lines(&self) -> String {
        let [first, second] = self.pieces();
        let rows = self.rows().join("\n");
        format!("turn {}\n{first}\n{second}\n{rows}", self.turn)
    }

    /// A map drawn at random: walls symmetric under half a turn, the pieces on squares that are each other's
    /// image. Both can move.
    pub fn random_map(random: &mut Random) -> Isolation {
        let span = (SIDES.end() - SIDES.start() + 1) as u64;
        loop {
            let side = |random: &mut Random| SIDES.start() + random.below(span) as usize;
            let (width, height) = (side(random), side(random));
            let image =
                |square: Square| Square::new(width - 1 - square.x(), height - 1 - square.y());
            let all = Isolation::all(width, height);
            let squares: Vec<Square> = Squares(all).collect();
            let draw = |random: &mut Random| squares[random.below(squares.len() as u64) as usize];
            let walls = squares.len() as u64 * (WALLS.0 + random.below(WALLS.1)) / 100 / 2;
            let mut free = all;
            for _ in 0..walls {
                let square = draw(random);
                free &= !(square.set() | image(square).map_or(0, Square::set));
            }
            let own = draw(random);
            let Some(other) = image(own).filter(|other| *other != own) else {
                continue;
            };
            let free = free & !(own.set() | other.set());
            let board = Board { free, own, other };
            if board.moves() != 0 && board.turned().moves() != 0 {
                return Isolation {
                    width,
                    height,
                    board,
                    turn: 1,
                    moves: String::new(),
                };
            }
        }
    }

    /// `W H x0 y0 x1 y1` and the rows with `/` between them, `.` and `#` alone.
    pub fn parse_map(line: &str) -> Result<Isolation, String> {
        let bad = || format!("'{line}' is no map: W H x0 y0 x1 y1 row/row/...");
        let words: Vec<&str> = line.split_whitespace().collect();
        let [width, height, x0, y0, x1, y1, rows] = words[..] else {
            return Err(bad());
        };
        let number = |text: &str| text.parse::<usize>().map_err(|_| bad());
        let (width, height) = (number(width)?, number(height)?);
        let piece = |x, y| Square::new(number(x)?, number(y)?).ok_or_else(bad);
        let (own, other) = (piece(x0, y0)?, piece(x1, y1)?);
        let rows: Vec<&str> = rows.split('/').collect();
        if !SIDES.contains(&width)
            || !SIDES.contains(&height)
            || rows.len() != height
            || own == other
        {
            return Err(bad());
        }
        let mut free = 0;
        for (y, row) in rows.iter().enumerate() {
            if row.len() != width {
                return Err(bad());
            }
            for (x, c) in row.chars().enumerate() {
                match (c, Square::new(x, y)) {
                    ('.', Some(square)) => free |= square.set(),
                    ('#', _) => {}
                    _ => return Err(bad()),
                }
            }
        }
        let both = own.set() | other.set();
        if both & Isolation::all(width, height) != both {
            return Err(bad());
        }
        Ok(Isolation {
            width,
            height,
            board: Board {
                free: free & !both,
                own,
                other,
            },
            turn: 1,
            moves: String::new(),
        })
    }
}

/// Reads `x y`.
fn parse(answer: &str) -> Option<Square> {
    let (x, y) = answer.trim_end().split_once(' ')?;
    let number = |text: &str| match text.as_bytes() {
        [digit @ b'0'..=b'8'] => Some(usize::from(digit - b'0')),
        _ => None,
    };
    Square::new(number(x)?, number(y)?)
}

impl Game for Isolation {
    const NAME: &'static str = "isolation";
    const CLOCK: Clock = Clock::Turn;
    const TIME_MS: u64 = TURN_MS;

    fn greeting(&self, side: usize) -> (String, Option<&'static str>) {
        (format!("{} {} {side}", self.width, self.height), None)
    }

    fn to_move(&self) -> Option<usize> {
        (self.board.moves() != 0).then(|| self.side())
    }

    fn request(&self) -> String {
        self.lines()
    }

    fn play(&mut self, answer: &str) -> Result<(), BadAnswer> {
        let to = parse(answer).ok_or(BadAnswer::Format)?;
        let from = self.board.own;
        if !self.make(to) {
            return Err(BadAnswer::Illegal(format!(
                "({to}) cannot be reached from ({from})"
            )));
        }
        Ok(())
    }

    fn margin(&self) -> i32 {
        // The side to move cannot.
        if self.side() == 0 {
            -1
        } else {
            1
        }
    }

    fn forfeit_margin(&self) -> i32 {
        1
    }

    fn moves(&self) -> String {
        self.moves.clone()
    }

    fn built_in(name: &str, seed: u64) -> Option<Box<dyn Player<Isolation>>> {
        let random = Random::new(seed);
        match name.split_once(':') {
            None if name == "random" || name == "random-safe" => Some(Box::new(RandomSafe(random))),
            None if name == "mobility" => Some(Box::new(Deep { depth: 1, random })),
            None if name == "study" => Some(Box::new(Study::new(study::TIME_MS))),
            Some(("study", time_ms)) => {
                let time_ms = time_ms
                    .parse()
                    .ok()
                    .filter(|ms| (1..=60_000).contains(ms))?;
                Some(Box::new(Study::new(time_ms)))
            }
            Some(("alphabeta", depth)) => {
                let depth = depth
                    .parse()
                    .ok()
                    .filter(|depth| (1..=20).contains(depth))?;
                Some(Box::new(Deep { depth, random }))
            }
            _ => None,
        }
    }

    fn random_start(seed: u64, pair: u64, plies: u32) -> Isolation {
        // On maps the first moves are the game: none are drawn.
        let _ = plies;
        Isolation::random_map(&mut Random::new(seed.wrapping_add(pair << 32)))
    }

    fn start(&self) -> Option<String> {
        Some(self.map())
    }

    fn parse_start(line: &str) -> Result<Isolation, String> {
        Isolation::parse_map(line)
    }
}

fn any(moves: Set, random: &mut Random) -> Option<Square> {
    let moves: Vec<Square> = Squares(moves).collect();
    random.pick(&moves)
}

/// A move as the judge reads it.
pub fn answer(to: Option<Square>) -> String {
    to.map_or("0 0".into(), |to| to.to_string())
}

/// Draws a move that leaves a move in the next turn, if there is one.
struct RandomSafe(Random);

impl Player<Isolation> for RandomSafe {
    fn answer(&mut self, game: &Isolation) -> String {
        let moves = game.board.moves();
        let safe = Squares(moves)
            .filter(|to| queen_moves(game.board.free & !to.set(), *to) != 0)
            .fold(0, |safe, to| safe | to.set());
        answer(any(if safe != 0 { safe } else { moves }, &mut self.0))
    }
}

/// Plain alpha-beta with the difference in moves at its leaves.
struct Deep {
    depth: u32,
    random: Random,
}

const MOST: i32 = 1_000;

fn alpha_beta(board: &Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves == 0 {
        return -MOST - depth as i32;
    }
    if depth == 0 {
        let other = board.turned().moves();
        return moves.count_ones() as i32 - other.count_ones() as i32;
    }
    for to in Squares(moves) {
        alpha = alpha.max(-alpha_beta(&board.after(to), depth - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

impl Player<Isolation> for Deep {
    fn answer(&mut self, game: &Isolation) -> String {
        let mut best = (-2 * MOST, 0, None);
        for to in Squares(game.board.moves()) {
            // Moves of equal value are told apart only if their value is exact: hence the wider window.
            let value = -alpha_beta(
                &game.board.after(to),
                self.depth - 1,
                -2 * MOST,
                -best.0 + 1,
            );
            let draw = self.random.next() >> 1;
            if (value, draw) > (best.0, best.1) {
                best = (value, draw, Some(to));
            }
        }
        answer(best.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_game_of_the_statement_is_lost_by_player_0() {
        let map = "7 7 2 2 4 4 ...#.../......./.#..#../......./..#..#./......./...#...";
        let mut game = Isolation::parse_start(map).unwrap();
        assert_eq!(game.board.moves().count_ones(), 11);
        for answer in ["2 1", "4 3", "5 1", "6 1", "6 0", "5 0"] {
            game.play(answer).unwrap();
        }
        assert_eq!((game.to_move(), game.margin()), (None, -1));
        assert_eq!(game.moves(), "2,1 4,3 5,1 6,1 6,0 5,0");
    }

    #[test]
    fn maps_are_symmetric_and_repeat_for_a_seed() {
        for pair in 0..50 {
            let game = Isolation::random_start(3, pair, 0);
            let rows = game.rows();
            let turned: Vec<String> = rows
                .iter()
                .rev()
                .map(|row| row.chars().rev().collect())
                .collect();
            let swapped: Vec<String> = turned
                .iter()
                .map(|row| row.replace('0', "x").replace('1', "0").replace('x', "1"))
                .collect();
            assert_eq!(rows, swapped);
            assert_eq!(rows, Isolation::random_start(3, pair, 0).rows());
        }
    }

    #[test]
    fn only_the_judges_form_is_taken() {
        assert!(parse("3 4").is_some() && parse("3 4 ").is_some());
        for bad in ["", "3", "3,4", "UP", "3 4 5", "9 0", "-1 0", " 3 4"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        for bad in [
            "",
            "7 7 2 2 4 4 x",
            "7 7 2 2 2 2 ......./......./......./......./......./......./.......",
        ] {
            assert!(Isolation::parse_start(bad).is_err(), "{bad}");
        }
    }
}
