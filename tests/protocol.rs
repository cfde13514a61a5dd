//! The Reversi judge's protocol against the real binary: every kind of line, good and bad.

mod common;

use common::{run, Run, BOT};
use player::reversi::board::Position;
use player::reversi::protocol::{self, Command};
use player::reversi::square::Square;
use std::io::Write;
use std::process::{self, Stdio};

const START: &str = "...........................WB......BW...........................";

/// Plays with few nodes, so that tests are quick and repeatable.
fn play(input: &[u8]) -> Run {
    run(BOT, &["--nodes", "2000"], input)
}

/// Checks that `answer` is a legal answer to the judge's line.
fn assert_legal(line: &str, answer: &str) {
    let Ok(Command::Turn { position, .. }) = protocol::parse(line) else {
        assert_eq!(answer, "OK", "{line}");
        return;
    };
    if position.moves() == 0 {
        assert_eq!(answer, "PASS", "{line}");
        return;
    }
    let words: Vec<&str> = answer.split(' ').collect();
    let ["MOVE", row, column] = words[..] else {
        panic!("{line}: {answer}")
    };
    let number = |word: &str| word.parse::<usize>().unwrap() - 1;
    let square = Square::new(number(row), number(column)).unwrap();
    assert!(position.play(square).is_some(), "{line}: {answer}");
}

#[test]
fn recorded_games_are_answered_line_by_line() {
    for name in ["black", "white", "passes"] {
        let path = format!(
            "{}/tests/transcripts/{name}.txt",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(&path).unwrap();
        let judge: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("< "))
            .collect();
        assert!(judge.len() > 20, "{name}");
        let marked = play(text.as_bytes());
        assert_eq!((marked.status, marked.errors.len()), (Some(0), 0), "{name}");
        assert_eq!(marked.answers.len(), judge.len());
        for (line, answer) in judge.iter().zip(&marked.answers) {
            assert_legal(line, answer);
        }
        let plain = play(judge.join("\r\n").as_bytes());
        assert_eq!(
            plain.answers, marked.answers,
            "marks and line ends change nothing"
        );
    }
}

#[test]
fn the_recorded_passes_are_on_both_sides() {
    let path = format!(
        "{}/tests/transcripts/passes.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.lines().any(|line| line == "> PASS"));
    // Between two turns of ours the opponent adds one disc, or none if it passes.
    let discs: Vec<usize> = text
        .lines()
        .filter_map(|line| line.strip_prefix("< TURN "))
        .map(|line| line.bytes().filter(|byte| b"BW".contains(byte)).count())
        .collect();
    let moved: Vec<bool> = text
        .lines()
        .filter(|line| line.starts_with("> ") && *line != "> OK")
        .map(|line| line.starts_with("> MOVE"))
        .collect();
    let passes = (1..discs.len()).filter(|&i| discs[i] - discs[i - 1] == usize::from(moved[i - 1]));
    assert!(passes.count() > 0);
}

#[test]
fn ready_takes_nothing_or_a_side() {
    let run = play(b"READY\nREADY FIRST\nREADY SECOND\n");
    assert_eq!(run.answers, ["OK", "OK", "OK"]);
    assert_eq!((run.status, run.errors.len()), (Some(0), 0));
}

#[test]
fn the_turn_decides_the_colour_whatever_ready_said() {
    let turn_1 = format!("TURN 1 {START}");
    let turn_2 = format!("TURN 2 {START}");
    let run = play(format!("READY SECOND\n{turn_1}\n").as_bytes());
    assert_legal(&turn_1, &run.answers[1]);
    assert_eq!(run.errors.len(), 1, "one word about the contradiction");
    assert_eq!(run.status, Some(0));
    let run = play(format!("READY SECOND\n{turn_2}\n").as_bytes());
    assert_legal(&turn_2, &run.answers[1]);
    assert!(run.errors.is_empty());
}

#[test]
fn empty_input_blank_lines_and_a_missing_last_line_feed() {
    assert_eq!(play(b"").status, Some(0));
    assert_eq!(play(b"\n \r\n\t\n").status, Some(0));
    let run = play(format!("\n\r\n  READY  \t\r\n\nTURN 1 {START}").as_bytes());
    assert_eq!(run.answers.len(), 2);
    assert_eq!((run.status, run.errors.len()), (Some(0), 0));
}

#[test]
fn several_games_and_games_from_any_position() {
    let turn_9 = format!("TURN 9 {START}");
    let input = format!("{turn_9}\nREADY\n{turn_9}\nTURN 2 {START}\nREADY FIRST\nTURN 1 {START}\n");
    let run = play(input.as_bytes());
    assert_eq!(run.answers.len(), 6);
    assert_eq!(run.answers[0], run.answers[2], "a new game starts afresh");
    assert_eq!((run.status, run.errors.len()), (Some(0), 0));
}

#[test]
fn finish_ends_and_opp_is_passed_over() {
    let run = play(b"READY\nOPP 3 4\nFINISH\nREADY\n");
    assert_eq!(run.answers, ["OK"]);
    assert_eq!((run.status, run.errors.len()), (Some(0), 1));
}

#[test]
fn no_move_is_a_pass_and_an_only_move_is_played_at_once() {
    let full = "B".repeat(64);
    let empty = ".".repeat(64);
    let only = format!("BW{}", ".".repeat(62));
    let input = format!("TURN 1 {full}\nTURN 3 {empty}\nTURN 5 {only}\nTURN 6 {only}\n");
    // Even with an allowance of nothing.
    let run = run(BOT, &["--time-ms", "0"], input.as_bytes());
    assert_eq!(run.answers, ["PASS", "PASS", "MOVE 1 3", "PASS"]);
    assert_eq!(run.status, Some(0));
}

#[test]
fn malformed_lines_cost_an_error_each_and_nothing_else() {
    let long = format!("TURN 1 {}", "B".repeat(10 << 20));
    let bad: Vec<Vec<u8>> = vec![
        b"HELLO".to_vec(),
        b"ready".to_vec(),
        b"READY THIRD".to_vec(),
        b"READY FIRST SECOND".to_vec(),
        b"TURN".to_vec(),
        b"TURN 1".to_vec(),
        format!("TURN {START}").into_bytes(),
        format!("TURN one {START}").into_bytes(),
        format!("TURN 0 {START}").into_bytes(),
        format!("TURN -3 {START}").into_bytes(),
        format!("TURN 99999999999999999999 {START}").into_bytes(),
        format!("TURN 1 {START} extra").into_bytes(),
        format!("TURN 1 {}", &START[1..]).into_bytes(),
        format!("TURN 1 {START}.").into_bytes(),
        format!("TURN 1 {}", START.replace('.', "x")).into_bytes(),
        format!("TURN 1 {}é", &START[2..]).into_bytes(),
        b"TURN 1 \xff\xfe".to_vec(),
        b"\x00\x01\x02".to_vec(),
        long.into_bytes(),
    ];
    let mut input = b"READY\n".to_vec();
    for line in &bad {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    let turn = format!("TURN 1 {START}");
    input.extend_from_slice(turn.as_bytes());
    let run = play(&input);
    assert_eq!(run.answers.len(), 2, "{:?}", run.answers);
    assert_legal(&turn, &run.answers[1]);
    assert_eq!(run.errors.len(), bad.len(), "{:#?}", run.errors);
    for (number, error) in (2..).zip(&run.errors) {
        assert!(error.starts_with(&format!("line {number}: ")), "{error}");
        assert!(error.len() < 200, "{error}");
    }
    assert_eq!(run.status, Some(1));
}

#[test]
fn boards_that_no_game_reaches_are_answered_like_any_other() {
    // Nothing but corners, stripes, one empty square: legal or not, there is an answer and no panic.
    let stripes: String = (0..64).map(|i| ["B", "W", "."][i % 3]).collect();
    let one_left = format!("{}W.", "B".repeat(62));
    let dense: String = (0..64)
        .map(|i| if i * 7 % 11 < 5 { 'B' } else { 'W' })
        .collect();
    for board in [stripes, one_left, dense.replacen('B', ".", 9)] {
        for turn in [1, 2] {
            let line = format!("TURN {turn} {board}");
            assert_legal(&line, &play(line.as_bytes()).answers[0]);
        }
    }
}

#[test]
fn unknown_arguments_are_an_error_with_a_hint() {
    for arguments in [
        &["--nonsense"][..],
        &["--time-ms"],
        &["--time-ms", "soon"],
        &["perft", "x"],
    ] {
        let run = run(BOT, arguments, b"READY\n");
        assert_eq!(run.status, Some(2), "{arguments:?}");
        assert!(run.answers.is_empty());
        assert!(
            run.errors.iter().any(|line| line.contains("--help")),
            "{:?}",
            run.errors
        );
    }
}

#[test]
fn help_and_version() {
    let help = run(BOT, &["--help"], b"");
    assert_eq!(help.status, Some(0));
    assert!(help.answers.iter().any(|line| line.contains("--time-ms")));
    assert!(help.answers.iter().any(|line| line.contains("perft")));
    let version = run(BOT, &["--version"], b"");
    assert_eq!(
        version.answers,
        [format!("reversi-bot {}", env!("CARGO_PKG_VERSION"))]
    );
}

#[test]
fn verbose_tells_one_line_a_move() {
    let turn = format!("TURN 1 {START}");
    let run = run(BOT, &["--verbose", "--nodes", "2000"], turn.as_bytes());
    assert_eq!(run.errors.len(), 1);
    for part in [
        "turn 1: depth",
        "score",
        "line",
        "nodes",
        "ms wall",
        "ms CPU",
        "left",
    ] {
        assert!(run.errors[0].contains(part), "{}", run.errors[0]);
    }
}

/// Plays a whole game against a random mover, in one process, asking line by line.
fn game_against_random(seed: u64, bot_is_black: bool) -> i32 {
    use std::io::{BufRead, BufReader};
    let mut child = process::Command::new(BOT)
        .args(["--nodes", "3000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |line: &str| {
        writeln!(stdin, "{line}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        answer.trim_end_matches('\n').to_owned()
    };
    assert_eq!(
        ask(if bot_is_black {
            "READY FIRST"
        } else {
            "READY SECOND"
        }),
        "OK"
    );
    let mut state = seed;
    let mut position = Position::START;
    let mut turn = 1;
    while !position.is_over() {
        let black = turn % 2 == 1;
        let moves: Vec<Square> = (0..64)
            .map(Square::from_index)
            .filter(|square| position.moves() & square.set() != 0)
            .collect();
        let chosen = if black == bot_is_black {
            let line = format!("TURN {turn} {}", board_text(position, black));
            let answer = ask(&line);
            assert_legal(&line, &answer);
            let digits: Vec<usize> = answer.split(' ').filter_map(|w| w.parse().ok()).collect();
            digits
                .first()
                .map(|row| Square::new(row - 1, digits[1] - 1).unwrap())
        } else {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            moves
                .get((state >> 33) as usize % moves.len().max(1))
                .copied()
        };
        position = chosen.map_or(position.pass(), |square| position.play(square).unwrap());
        turn += 1;
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let black_to_move = turn % 2 == 1;
    let score = position.final_score();
    if black_to_move == bot_is_black {
        score
    } else {
        -score
    }
}

fn board_text(position: Position, black_to_move: bool) -> String {
    let (black, white) = match black_to_move {
        true => (position.player, position.opponent),
        false => (position.opponent, position.player),
    };
    let square = |i: u32| match (black >> i & 1, white >> i & 1) {
        (1, _) => 'B',
        (_, 1) => 'W',
        _ => '.',
    };
    (0..64).map(square).collect()
}

#[test]
fn whole_games_against_a_random_mover_are_won() {
    for seed in 1..=6 {
        let score = game_against_random(seed, seed % 2 == 0);
        assert!(score > 0, "seed {seed}: {score}");
    }
}
