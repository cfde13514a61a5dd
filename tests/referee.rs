//! The referee against bots that misbehave: each loses for the right reason, and nothing is left behind.

mod common;

use common::{directory, run, tool, BOT};
use std::fs;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn referee(arguments: &[&str]) -> Output {
    tool(&[&["match"], arguments].concat())
}

/// Plays the bad bot against a random mover from both sides. Returns the record lines.
fn punish(name: &str, bot: &str, more: &[&str]) -> Vec<String> {
    let out = directory(name);
    let path = out.to_str().unwrap();
    let fixed = ["--a", bot, "--b", "random", "--games", "2", "--out", path];
    let output = referee(&[&fixed, more].concat());
    assert!(output.status.success(), "{output:?}");
    let records = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("0 won, 0 drawn, 2 lost"), "{table}");
    assert!(
        table.contains("forfeits of A: 2") && table.contains("forfeits of B: 0"),
        "{table}"
    );
    fs::remove_dir_all(&out).unwrap();
    records.lines().map(str::to_owned).collect()
}

fn assert_cause(records: &[String], cause: &str, what: &str) {
    assert_eq!(records.len(), 2);
    for record in records {
        assert!(
            record.contains(&format!("\"cause\":\"{cause}\"")),
            "{record}"
        );
        assert!(record.contains(what), "{record}");
    }
}

/// Answers `READY`, then says this to everything.
fn always(answer: &str) -> String {
    format!("read ready; echo OK; while read line; do echo '{answer}'; done")
}

#[test]
fn slow_and_silent_bots_run_out_of_time() {
    let limit = ["--time-ms", "300"];
    assert_cause(
        &punish("silent", "sleep 60", &limit),
        "timeout",
        "no answer within 300 ms",
    );
    let slow = "read ready; echo OK; while read line; do sleep 5; echo PASS; done";
    assert_cause(&punish("slow", slow, &limit), "timeout", "within 300 ms");
    let deaf = "sleep 0.1; echo OK; sleep 60";
    assert_cause(&punish("deaf", deaf, &limit), "timeout", "within 300 ms");
}

#[test]
fn bots_that_end_have_crashed() {
    assert_cause(
        &punish("exit", "read ready; exit 3", &[]),
        "crash",
        "exit status: 3",
    );
    assert_cause(
        &punish("missing", "/nonexistent/bot", &[]),
        "crash",
        "exit status: 127",
    );
    let killed = "read ready; echo OK; read turn; kill -9 $$";
    assert_cause(&punish("killed", killed, &[]), "crash", "signal: 9");
}

#[test]
fn wrong_answers_lose_at_once() {
    assert_cause(
        &punish("illegal", &always("MOVE 1 1"), &["--opening-plies", "0"]),
        "illegal-move",
        "MOVE 1 1",
    );
    assert_cause(
        &punish("pass", &always("PASS"), &[]),
        "illegal-move",
        "PASS with a move at hand",
    );
    assert_cause(
        &punish("format", &always("move 3 4"), &[]),
        "bad-output",
        "move 3 4",
    );
    let greeting = "while read line; do echo HELLO; done";
    assert_cause(&punish("greeting", greeting, &[]), "bad-output", "HELLO");
    let chatty = "read ready; echo OK; echo thinking; while read line; do echo PASS; done";
    assert_cause(&punish("chatty", chatty, &[]), "bad-output", "thinking");
}

#[test]
fn cpu_time_counts_although_wall_time_does_not_run_out() {
    // Children burn CPU time; the bot itself only waits.
    let burner =
        "read ready; echo OK; (while :; do :; done) & (while :; do :; done) & read turn; sleep 50";
    let limits = ["--time-ms", "50000", "--cpu-ms", "300"];
    assert_cause(
        &punish("burner", burner, &limits),
        "cpu-timeout",
        "300 ms allowed",
    );
    // One that left the bot's session and lost its parent.
    let escaped =
        "read ready; echo OK; setsid sh -c '(while :; do :; done) &'; read turn; sleep 50";
    assert_cause(
        &punish("escaped", escaped, &limits),
        "cpu-timeout",
        "300 ms allowed",
    );
}

#[test]
fn a_bot_that_never_reads_and_floods_loses_by_its_output() {
    assert_cause(&punish("flood", "yes PASS", &[]), "bad-output", "PASS");
}

#[test]
fn games_under_other_terms_are_not_counted_together() {
    let out = directory("terms");
    let path = out.to_str().unwrap();
    let fixed = ["--a", "random", "--b", "greedy", "--out", path];
    let play = |more: &[&str]| referee(&[&fixed, more].concat());
    assert!(play(&["--games", "2"]).status.success());
    let other = play(&["--games", "4", "--seed", "9"]);
    assert_eq!(other.status.code(), Some(2));
    let reason = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(reason.contains("'seed 1' there, 'seed 9' here"), "{reason}");
    // More games of the same match, an odd number of them, and the same file merged twice.
    let more = play(&["--games", "3"]);
    let reason = String::from_utf8_lossy(&more.stderr).into_owned();
    assert!(
        more.status.success() && reason.contains("4 games"),
        "{reason}"
    );
    let file = out.join("games.jsonl");
    let file = file.to_str().unwrap();
    let merged = referee(&["--merge", file, "--merge", file]);
    let table = String::from_utf8_lossy(&merged.stdout).into_owned();
    assert!(table.contains("of 4:"), "{table}");
    assert!(
        String::from_utf8_lossy(&merged.stderr).contains("4 games are in the files more than once")
    );
    fs::remove_dir_all(&out).unwrap();
}

/// Whether a process is there and not just waiting to be buried.
fn alive(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

fn assert_soon(mut condition: impl FnMut() -> bool, what: &str) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn children_of_bots_are_killed_with_them() {
    let out = directory("pids");
    fs::create_dir_all(&out).unwrap();
    let pids = out.join("pids");
    let forking = format!("sleep 600 & echo $! >> {}; exit 1", pids.display());
    assert_cause(&punish("forking", &forking, &[]), "crash", "exit status: 1");
    // One that goes to a session of its own, and whose parent is gone. The bot waits until it is there.
    let file = pids.display();
    let escaping = format!(
        "n=$(wc -l < {file}); setsid sh -c 'echo $$ >> {file}; exec sleep 600' & \
         while [ $(wc -l < {file}) = $n ]; do sleep 0.02; done; exit 1"
    );
    let patient = ["--jobs", "1", "--time-ms", "60000"];
    let records = punish("escaping", &escaping, &patient);
    assert_cause(&records, "crash", "exit status: 1");
    assert_eq!(fs::read_to_string(&pids).unwrap().lines().count(), 4);
    for pid in fs::read_to_string(&pids).unwrap().split_whitespace() {
        assert_soon(|| !alive(pid), "a bot's child lives on");
    }
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn an_interrupted_referee_leaves_nothing_behind_and_can_go_on() {
    let out = directory("interrupted");
    fs::create_dir_all(&out).unwrap();
    let pids = out.join("pids");
    let bot = format!("echo $$ >> {}; sleep 600", pids.display());
    let match_ = [
        "match",
        "--a",
        &bot,
        "--b",
        "random",
        "--games",
        "2",
        "--time-ms",
        "600000",
    ];
    let mut child = Command::new(BOT).args(match_).spawn().unwrap();
    assert_soon(
        || fs::read_to_string(&pids).is_ok_and(|text| text.ends_with('\n')),
        "no bot was started",
    );
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for pid in fs::read_to_string(&pids).unwrap().split_whitespace() {
        assert_soon(|| !alive(pid), "a bot lives on");
    }
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn a_match_goes_on_where_it_stopped_and_shards_merge() {
    let out = directory("resume");
    let path = out.to_str().unwrap();
    let play = |games: &str, more: &[&str]| {
        let fixed = [
            "--a", "greedy", "--b", "random", "--games", games, "--out", path,
        ];
        let output = referee(&[&fixed, more].concat());
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(out.join("games.jsonl")).unwrap()
    };
    let first = play("4", &["--shard", "1/2"]);
    assert_eq!(first.lines().count(), 2);
    // As if the referee had died while it wrote a line.
    fs::write(out.join("games.jsonl"), first.clone() + "{\"pair\":1,\"fir").unwrap();
    let all = play("4", &[]);
    assert!(all.starts_with(&first));
    assert_eq!(all.lines().count(), 4);
    let records = out.join("games.jsonl");
    let merged = referee(&["--merge", records.to_str().unwrap()]);
    assert!(
        String::from_utf8_lossy(&merged.stdout).contains("of 4"),
        "{merged:?}"
    );
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn the_bot_plays_itself_without_a_fault_and_its_transcripts_can_be_played_again() {
    let out = directory("self");
    let path = out.to_str().unwrap();
    let bot = "self --nodes 500";
    let output = referee(&[
        "--a",
        bot,
        "--b",
        bot,
        "--games",
        "2",
        "--out",
        path,
        "--stop-on-forfeit",
        "--time-ms",
        "60000",
    ]);
    assert!(output.status.success(), "{output:?}");
    let transcript = fs::read_to_string(out.join("00000-first-A-against-B.txt")).unwrap();
    let again = run(BOT, &["--nodes", "500"], transcript.as_bytes());
    let answers = transcript
        .lines()
        .filter_map(|line| line.strip_prefix("> "));
    assert_eq!(again.answers, answers.collect::<Vec<_>>());
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn round_robins_print_a_cross_table_and_figures_need_no_games() {
    let bots = [
        "--bot",
        "one=random",
        "--bot",
        "two=greedy",
        "--bot",
        "three=random",
    ];
    let out = directory("round-robin");
    let path = out.to_str().unwrap();
    let output = referee(&[&bots[..], &["--games", "4", "--out", path]].concat());
    let files = fs::read_dir(&out).unwrap().count();
    // Three pairings of four games, a transcript for each side, the records, and the terms.
    assert_eq!(files, 3 * 4 * 2 + 2, "no transcript replaces another");
    fs::remove_dir_all(&out).unwrap();
    assert!(!output.stderr.contains(&0x1b), "{output:?}");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && table.contains("three"),
        "{output:?}"
    );
    let output = referee(&["--from", "60,0,40"]);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("Elo +70"),
        "{output:?}"
    );
    assert_eq!(referee(&["--a", "random"]).status.code(), Some(2));
    assert_eq!(referee(&["--bot", "random"]).status.code(), Some(2));
}
