//! Reversi for the referee: the judge's lines and rules, and players that are built in.

use super::super::notation;
use super::super::random::Random;
use super::game::{BadAnswer, Clock, Game, Player};
use player::reversi::board::Position;
use player::reversi::protocol::{Answer, Colour};
use player::reversi::square::{Square, Squares};
use player::session::GAME_MS;

/// A game of Reversi.
#[derive(Clone, Debug)]
pub struct Reversi {
    position: Position,
    /// The turn to come, from 1, passes counted.
    turn: u32,
    moves: String,
}

impl Reversi {
    /// A game at its start.
    pub fn new() -> Reversi {
        Reversi {
            position: Position::START,
            turn: 1,
            moves: String::new(),
        }
    }

    /// The judge's 64 characters.
    pub fn board(&self) -> String {
        let (own, other) = match Colour::of_turn(self.turn) {
            Colour::Black => ('B', 'W'),
            Colour::White => ('W', 'B'),
        };
        let square = |square: Square| match square.set() {
            set if self.position.player & set != 0 => own,
            set if self.position.opponent & set != 0 => other,
            _ => '.',
        };
        Squares(!0).map(square).collect()
    }

    /// Plays a move or, if there is none, a pass. `false` if it is not legal.
    pub fn make(&mut self, square: Option<Square>) -> bool {
        let next = match square {
            Some(square) => self.position.play(square),
            None => (self.position.moves() == 0).then(|| self.position.pass()),
        };
        let Some(next) = next else {
            return false;
        };
        if let Some(square) = square {
            self.moves.push_str(&square.to_string());
        }
        self.position = next;
        self.turn += 1;
        true
    }
}

/// Reads `MOVE r c`, or `PASS`, which is no square.
pub fn parse(answer: &str) -> Option<Option<Square>> {
    if answer == "PASS" {
        return Some(None);
    }
    let (row, column) = answer.strip_prefix("MOVE ")?.split_once(' ')?;
    let number = |text: &str| match text.as_bytes() {
        [digit @ b'1'..=b'8'] => Some(usize::from(digit - b'1')),
        _ => None,
    };
    Some(Some(Square::new(number(row)?, number(column)?)?))
}

impl Game for Reversi {
    const NAME: &'static str = "reversi";
    const CLOCK: Clock = Clock::Game;
    const TIME_MS: u64 = GAME_MS;

    fn greeting(&self, side: usize) -> (String, Option<&'static str>) {
        let side = ["FIRST", "SECOND"][side & 1];
        (format!("READY {side}"), Some("OK"))
    }

    fn to_move(&self) -> Option<usize> {
        (!self.position.is_over()).then_some((self.turn as usize + 1) % 2)
    }

    fn request(&self) -> String {
        format!("TURN {} {}", self.turn, self.board())
    }

    fn play(&mut self, answer: &str) -> Result<(), BadAnswer> {
        let square = parse(answer).ok_or(BadAnswer::Format)?;
        if self.make(square) {
            return Ok(());
        }
        Err(BadAnswer::Illegal(match square {
            Some(square) => format!("{square} turns nothing over, or is taken"),
            None => "PASS with a move at hand".into(),
        }))
    }

    fn margin(&self) -> i32 {
        let score = self.position.final_score();
        match Colour::of_turn(self.turn) {
            Colour::Black => score,
            Colour::White => -score,
        }
    }

    fn forfeit_margin(&self) -> i32 {
        64
    }

    fn moves(&self) -> String {
        self.moves.clone()
    }

    fn start(&self) -> Option<String> {
        None
    }

    fn built_in(name: &str, seed: u64) -> Option<Box<dyn Player<Reversi>>> {
        match name {
            "random" => Some(Box::new(Drawn(Random::new(seed)))),
            "greedy" => Some(Box::new(Greedy(Random::new(seed)))),
            _ => None,
        }
    }

    fn random_start(seed: u64, pair: u64, plies: u32) -> Reversi {
        let mut random = Random::new(seed.wrapping_add(pair << 32));
        loop {
            let mut game = Reversi::new();
            for _ in 0..plies {
                let square = random_move(game.position, &mut random);
                game.make(square);
            }
            if game.position.moves() != 0 {
                return game;
            }
        }
    }

    fn parse_start(line: &str) -> Result<Reversi, String> {
        let mut game = Reversi::new();
        for ply in notation::plies(line)? {
            game.make(ply);
        }
        Ok(game)
    }
}

fn random_move(position: Position, random: &mut Random) -> Option<Square> {
    let moves: Vec<Square> = Squares(position.moves()).collect();
    random.pick(&moves)
}

fn answer(square: Option<Square>) -> String {
    square.map_or(Answer::Pass, Answer::Move).to_string()
}

/// Plays any legal move.
struct Drawn(Random);

impl Player<Reversi> for Drawn {
    fn answer(&mut self, game: &Reversi) -> String {
        answer(random_move(game.position, &mut self.0))
    }
}

/// Turns over as many discs as it can; among equals it draws.
struct Greedy(Random);

impl Player<Reversi> for Greedy {
    fn answer(&mut self, game: &Reversi) -> String {
        let position = game.position;
        let best = Squares(position.moves())
            .max_by_key(|&square| (position.flips(square).count_ones(), self.0.next()));
        answer(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_judges_form_is_taken() {
        assert_eq!(parse("MOVE 3 4"), Some(Square::parse("d3")));
        assert_eq!(parse("PASS"), Some(None));
        for bad in [
            "",
            "PASS ",
            "pass",
            "MOVE 3  4",
            "MOVE 0 4",
            "MOVE 3 9",
            "MOVE 3 4 ",
            "MOVE 33 4",
            "d3",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn openings_repeat_for_a_seed_and_differ_between_pairs() {
        let start = |seed, pair| Reversi::random_start(seed, pair, 8).moves();
        assert_eq!(start(1, 0), start(1, 0));
        assert_ne!(start(1, 0), start(1, 1));
        assert_ne!(start(1, 0), start(2, 0));
        assert_eq!(start(1, 0).len(), 16);
    }

    #[test]
    fn margins_are_the_first_players() {
        let game = Reversi::parse_start("f5d6").unwrap();
        assert_eq!(game.to_move(), Some(0));
        assert_eq!(game.moves(), "f5d6");
        let wipe_out = Reversi::parse_start("e6f4e3f6g5d6e7f5c5").unwrap();
        assert_eq!((wipe_out.to_move(), wipe_out.margin()), (None, 64));
    }
}
