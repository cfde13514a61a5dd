//! The Isolation judge's protocol against the real binary: every sentence of the statement about the format.

mod common;

use common::{run, text, tool, Run, BOT};

/// Plays with few nodes, so that tests are quick and repeatable.
fn play(input: &str) -> Run {
    run(BOT, &["--nodes", "500"], input.as_bytes())
}

const TURN_1: &str =
    "turn 1\n2 2\n4 4\n...#...\n.......\n.#0.#..\n.......\n..#.1#.\n.......\n...#...\n";
const TURN_3: &str =
    "turn 3\n2 1\n4 3\n...#...\n..0....\n.##.#..\n....1..\n..#.##.\n.......\n...#...\n";
const TURN_5: &str =
    "turn 5\n5 1\n6 1\n...#...\n..#..01\n.##.#..\n....#..\n..#.##.\n.......\n...#...\n";

/// Where the statement says that player 0 can go on turn 1.
const REACHED: [&str; 11] = [
    "2 1", "2 0", "3 1", "4 0", "3 2", "3 3", "2 3", "1 3", "0 4", "1 1", "0 0",
];

fn game() -> String {
    format!("7 7 0\n{TURN_1}{TURN_3}{TURN_5}")
}

#[test]
fn the_short_game_of_the_statement_is_played() {
    let played = play(&game());
    assert_eq!(played.status, Some(0), "{:?}", played.errors);
    assert_eq!(played.answers.len(), 3);
    assert!(
        REACHED.contains(&played.answers[0].as_str()),
        "{:?}",
        played.answers
    );
    assert!(played.errors.is_empty(), "{:?}", played.errors);
}

#[test]
fn a_recording_with_marks_is_played_as_it_is() {
    let marked: String = game().lines().map(|line| format!("< {line}\n")).collect();
    let marked = marked.replace("< turn 3", "> 2 1\n< turn 3");
    assert_eq!(play(&marked).answers, play(&game()).answers);
}

#[test]
fn blank_lines_trailing_blanks_carriage_returns_and_no_last_newline_change_nothing() {
    let expected = play(&game()).answers;
    for changed in [
        game().replace('\n', "\r\n"),
        game().replace('\n', "  \n"),
        game().replace('\n', "\n\n \n"),
        format!("\n\n{}", game().trim_end()),
    ] {
        let played = play(&changed);
        assert_eq!(
            (played.answers, played.status),
            (expected.clone(), Some(0)),
            "{changed:?}"
        );
    }
}

#[test]
fn the_input_may_end_anywhere() {
    let game = game();
    for end in (0..game.len()).step_by(7) {
        let played = play(&game[..end]);
        assert!(matches!(played.status, Some(0 | 1)), "{end}");
        // What is complete was answered; a cut line is no reason to say nothing at all.
        let rows = TURN_1.len() + 6;
        assert!(end < rows || !played.answers.is_empty(), "{end}");
    }
    for whole in [
        "",
        "7 7 0\n",
        "7 7 0\nturn 1\n",
        "7 7 0\nturn 1\n2 2\n4 4\n",
    ] {
        let played = play(whole);
        assert_eq!(
            (played.answers.len(), played.status),
            (0, Some(0)),
            "{whole:?}"
        );
    }
}

#[test]
fn player_1_moves_its_own_piece_and_turns_may_skip() {
    let turn = |number: u32| TURN_1.replace("turn 1", &format!("turn {number}"));
    let played = play(&format!("7 7 1\n{}{}", turn(2), turn(8)));
    assert_eq!(played.answers.len(), 2);
    assert!(played.answers.iter().all(|answer| {
        let (x, y) = answer.split_once(' ').unwrap();
        let (x, y): (i32, i32) = (x.parse().unwrap(), y.parse().unwrap());
        (x - 4, y - 4) != (0, 0) && (x == 4 || y == 4 || (x - 4).abs() == (y - 4).abs())
    }));
}

#[test]
fn where_coordinates_and_board_disagree_the_board_wins() {
    let wrong = game().replace("turn 1\n2 2", "turn 1\n6 6");
    let played = play(&wrong);
    assert_eq!(played.answers, play(&game()).answers);
    assert!(
        played.errors.concat().contains("turn 1"),
        "{:?}",
        played.errors
    );
}

#[test]
fn malformed_lines_are_reported_with_their_number_and_lose_nothing() {
    for (bad, line) in [
        (game().replace("turn 1\n2 2", "turn 1\n2,2"), 3),
        (game().replace("turn 1", "turn one"), 2),
        (
            game().replace("...#...\n.......\n.#0", "...#..\n.......\n.#0"),
            5,
        ),
        (format!("7 7 7\n{}", game()), 1),
    ] {
        let played = play(&bad);
        assert_eq!(played.status, Some(1), "{bad}");
        assert!(
            played.errors.concat().contains(&format!("line {line}:")),
            "{bad}: {:?}",
            played.errors
        );
        assert!(played.answers.len() >= 2, "{bad}: {:?}", played.answers);
        assert!(played.errors.concat().len() < 2_000);
    }
}

#[test]
fn without_a_legal_move_something_well_formed_is_answered() {
    let lost =
        "7 7 0\nturn 7\n6 0\n5 0\n...#.10\n..#..##\n.##.#..\n....#..\n..#.##.\n.......\n...#...\n";
    let played = play(lost);
    assert_eq!(
        (played.answers, played.status),
        (vec!["6 0".to_owned()], Some(0))
    );
}

#[test]
fn an_only_move_is_played_and_verbose_output_stays_short() {
    let only =
        "7 7 0\nturn 7\n6 0\n4 4\n...#..0\n..#..##\n.##.#..\n....#..\n..#.1#.\n.......\n...#...\n";
    let played = run(
        BOT,
        &["--verbose", "--turn-ms", "1000"],
        only.replace("...#..0", "...##.0").as_bytes(),
    );
    assert_eq!(played.answers, ["5 0"]);
    assert!(
        played.errors.concat().contains("without search"),
        "{:?}",
        played.errors
    );
    let played = run(BOT, &["--verbose", "--turn-ms", "20"], game().as_bytes());
    assert_eq!(played.answers.len(), 3);
    assert!(played.errors.concat().len() < 2_000, "{:?}", played.errors);
}

#[test]
fn whole_games_against_the_built_in_players_are_won_without_a_fault() {
    for opponent in ["random-safe", "mobility", "alphabeta:2"] {
        let arguments = [
            "match",
            "--game",
            "isolation",
            "--a",
            "self --nodes 3000",
            "--b",
            opponent,
        ];
        let more = ["--games", "10", "--turn-ms", "60000", "--stop-on-forfeit"];
        let output = tool(&[&arguments[..], &more].concat());
        let table = text(&output);
        assert!(
            output.status.success() && table.contains("forfeits of A: 0"),
            "{output:?}"
        );
        let won: u32 = table.split(' ').nth(3).unwrap().parse().unwrap();
        assert!(won >= 8, "{table}");
    }
}
