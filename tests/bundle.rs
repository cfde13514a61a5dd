//! The submission: compiles with every compiler and flag that a judge may use, and plays as the native bot does.
//!
//! Compilers that are not installed are passed over; CI installs them.

mod common;

use common::{directory, run, tool, BOT};
use std::fs;
use std::process::Command;

const NODES: &str = "3000";
const GAME: &[u8] = include_bytes!("transcripts/black.txt");

fn installed(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok()
}

/// Compilers with their flags; those of C++ end in `++`.
const MATRIX: &[&str] = &[
    "gcc -O2 -std=gnu2x",
    "gcc -std=c2x",
    "gcc -O0 -std=gnu17",
    "gcc -O3 -std=c99",
    "gcc -O2 -static",
    "gcc -O2 -flto",
    "gcc -O2 -no-pie",
    "gcc -O2 -fPIE -pie",
    "gcc -O2 -static-pie",
    "gcc -O2 -masm=intel",
    "gcc -O2 -Wall -Wextra -Werror",
    "gcc -Ofast -march=native -g",
    "g++ -O2 -std=c++20",
    "g++ -O2 -std=c++20 -static -flto",
    "g++ -std=c++17",
    "clang -O2",
    "clang -O2 -std=c2x -static",
    "clang -O0 -fPIE -pie",
    "clang++ -O2 -std=c++20",
];

#[test]
fn the_c_file_compiles_everywhere_and_plays_as_the_native_bot_does() {
    if !installed("gcc") || !installed("ld") {
        eprintln!("gcc is not installed: nothing is tested");
        return;
    }
    let out = directory("bundle-c");
    let bundled = tool(&["bundle", "c", "--nodes", NODES]);
    assert!(
        bundled.status.success(),
        "{}",
        String::from_utf8_lossy(&bundled.stderr)
    );
    assert!(bundled.stdout.len() <= 524_288 && bundled.stdout.is_ascii());
    assert!(
        !bundled.stdout.windows(2).any(|pair| pair == b"??"),
        "trigraphs"
    );
    let expected = run(BOT, &["--nodes", NODES], GAME).answers;
    assert!(expected.len() > 20);
    let mut compiled = 0;
    for line in MATRIX {
        let mut words = line.split(' ');
        let compiler = words.next().unwrap();
        if !installed(compiler) {
            eprintln!("{compiler} is not installed");
            continue;
        }
        let source = out.join(if compiler.ends_with("++") {
            "main.cpp"
        } else {
            "main.c"
        });
        fs::write(&source, &bundled.stdout).unwrap();
        let program = out.join("main");
        let result = Command::new(compiler)
            .args(words)
            .arg("-o")
            .arg(&program)
            .arg(&source)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&result.stderr);
        assert!(
            result.status.success(),
            "{line}: {}",
            &errors[..errors.len().min(2_000)]
        );
        // Some judges pass an argument, which is nothing to us.
        let found = run(&program, &["ignored"], GAME);
        assert_eq!(found.answers, expected, "{line}");
        assert_eq!(found.status, Some(0), "{line}");
        compiled += 1;
    }
    assert!(compiled >= 12, "only {compiled} combinations");
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn the_rust_file_compiles_and_plays_as_the_native_bot_does() {
    // The command compiles its output and compares its answers before it prints it.
    let bundled = tool(&["bundle", "rust", "--game", "reversi"]);
    let errors = String::from_utf8_lossy(&bundled.stderr);
    assert!(bundled.status.success(), "{errors}");
    assert!(errors.contains("as the native bot does"), "{errors}");
    assert!(bundled.stdout.len() <= 524_288);
}

#[test]
fn each_game_can_be_handed_in_alone() {
    if !installed("gcc") || !installed("ld") {
        eprintln!("gcc is not installed: nothing is tested");
        return;
    }
    for (game, recordings) in [
        ("isolation", "plays 1 recorded"),
        ("reversi", "plays 3 recorded"),
    ] {
        let bundled = tool(&["bundle", "c", "--game", game]);
        let errors = String::from_utf8_lossy(&bundled.stderr);
        assert!(
            bundled.status.success() && errors.contains(recordings),
            "{errors}"
        );
    }
}

#[test]
fn what_cannot_be_made_is_said() {
    for arguments in [
        &["bundle"][..],
        &["bundle", "cobol"],
        &["bundle", "c", "--game", "chess"],
    ] {
        let output = tool(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    let output = tool(&["bundle", "c", "--source", "/nonexistent"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    assert_eq!(tool(&["bundle", "python"]).status.code(), Some(1));
}
