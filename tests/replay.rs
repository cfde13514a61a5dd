//! `replay` and `analyse` as a person calls them; the page in a real browser, if there is one.

mod common;

use common::{directory, text, tool};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn recorded_games_are_shown_without_colours_where_nobody_sees_them() {
    for game in ["black", "white", "passes"] {
        let shown = tool(&["replay", &format!("tests/transcripts/{game}.txt")]);
        assert!(shown.status.success());
        let shown = text(&shown);
        assert!(
            shown.contains("the beginning: turn 1, black to move, black 2 white 2"),
            "{shown}"
        );
        assert!(shown.contains("the game is over") && !shown.contains('\x1b'));
    }
    assert!(text(&tool(&["replay", "tests/transcripts/passes.txt"])).contains("a pass:"));
    for (arguments, status) in [
        (&["replay"][..], 2),
        (&["replay", "/nonexistent"], 1),
        (&["replay", "Cargo.toml"], 1),
    ] {
        let output = tool(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn every_move_is_scored_best_first() {
    let output = tool(&["analyse", "f5d6c3", "--depth", "6"]);
    assert!(output.status.success(), "{output:?}");
    let table = text(&output);
    let scores: Vec<i32> = table
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(
        scores.len() > 3 && scores.windows(2).all(|pair| pair[0] >= pair[1]),
        "{table}"
    );
    assert_eq!(tool(&["analyse", "f5f5"]).status.code(), Some(2));
    assert_eq!(tool(&["analyse"]).status.code(), Some(2));
}

const MAP: &str = "7 7 2 2 4 4 ...#.../......./.#..#../......./..#..#./......./...#...";

#[test]
fn games_of_isolation_are_shown_and_scored() {
    let out = directory("isolation");
    let file = out.join("game.txt");
    fs::write(&file, format!("{MAP} 2,1 4,3 5,1 6,1 6,0 5,0\n")).unwrap();
    let file = file.to_str().unwrap();
    let shown = text(&tool(&["replay", file]));
    assert!(
        shown.contains("the beginning: turn 1, player 0 to move, 41 squares free"),
        "{shown}"
    );
    assert!(
        shown.contains("5,0: the game is over") && !shown.contains('\x1b'),
        "{shown}"
    );
    let page = out.join("game.html");
    let page = page.to_str().unwrap();
    let output = tool(&["replay", file, "--depth", "3", "--html", page]);
    assert!(output.status.success(), "{output:?}");
    let html = fs::read_to_string(page).unwrap();
    assert!(html.contains("A game of Isolation") && !html.contains("@NAMES@"));
    assert!(
        html.contains("\"value\":-100"),
        "the end is lost for player 0"
    );
    fs::remove_dir_all(out).unwrap();
    let table = text(&tool(&["analyse", MAP, "2,1", "4,3", "--depth", "11"]));
    assert_eq!(table.lines().count(), 10, "{table}");
    assert!(table.lines().last().unwrap().contains("lost"), "{table}");
    let bad = tool(&["analyse", MAP, "2,2"]);
    assert_eq!(bad.status.code(), Some(2), "{bad:?}");
}

fn page(name: &str) -> (PathBuf, PathBuf) {
    let out = directory(name);
    let file = out.join("game.html");
    let output = tool(&[
        "replay",
        "tests/transcripts/black.txt",
        "--depth",
        "2",
        "--html",
        file.to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{output:?}");
    (out, file)
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let (out, file) = page("page-plain");
    let html = fs::read_to_string(file).unwrap();
    // The only address is the name of a namespace.
    assert_eq!(
        html.matches("http").count(),
        html.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(!html.contains("@DATA@") && !html.contains("@SUMMARY@"));
    fs::remove_dir_all(out).unwrap();
}

/// The page as a browser has it after its script has run and keys were pressed.
fn in_browser(browser: &str, out: &Path, file: &Path, script: &str) -> String {
    let html = fs::read_to_string(file)
        .unwrap()
        .replace("</body>", &format!("<script>{script}</script></body>"));
    let scripted = out.join("scripted.html");
    fs::write(&scripted, html).unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
        ])
        .arg(format!("--user-data-dir={}", out.join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", scripted.display()))
        .output()
        .unwrap();
    text(&output)
}

#[test]
fn a_browser_shows_the_game_and_follows_the_keys() {
    let there = |name: &&str| {
        Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(there)
    else {
        eprintln!("no browser is installed: the page is not tested");
        return;
    };
    let (out, file) = page("page-browser");
    let still = in_browser(browser, &out, &file, "");
    assert!(
        still.contains("aria-label=\"d4 white\"") && still.contains("<polyline"),
        "{still}"
    );
    assert!(
        still.contains("The beginning: turn 1, black to move"),
        "{still}"
    );
    let key =
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));";
    let moved = in_browser(browser, &out, &file, key);
    assert!(
        moved.contains("turn 2, white to move, black 4, white 1"),
        "{moved}"
    );
    let end = in_browser(
        browser,
        &out,
        &file,
        "slider.value = slider.max; slider.dispatchEvent(new Event('input'));",
    );
    assert!(end.contains("the game is over"), "{end}");
    fs::remove_dir_all(out).unwrap();
}
