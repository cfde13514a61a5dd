//! What the tests of the whole program share: running it, and directories of their own.

// Every file of tests is a program of its own, and none of them uses all of this.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program under test.
pub const BOT: &str = env!("CARGO_BIN_EXE_reversi-bot");

/// What a program said.
pub struct Run {
    /// The lines of standard output.
    pub answers: Vec<String>,
    /// The lines of standard error.
    pub errors: Vec<String>,
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
}

/// Runs a program on `input` with these arguments.
pub fn run(program: impl AsRef<Path>, arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(program.as_ref())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A bot that exits early closes its input; that is for the assertions to judge.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().map(str::to_owned).collect()
    };
    Run {
        answers: lines(&output.stdout),
        errors: lines(&output.stderr),
        status: output.status.code(),
    }
}

/// Calls the program with these arguments and no input.
pub fn tool(arguments: &[&str]) -> Output {
    Command::new(BOT).args(arguments).output().unwrap()
}

/// What a program wrote to standard output.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// An empty directory of the test's own.
pub fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("reversi-bot-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}
