//! Whether a finished file plays as the native bot does.

use super::build::{self, Scratch};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The nodes a move with which the two are compared.
pub const NODES: u64 = 20_000;

/// Recorded games of Reversi, and one of Isolation.
const REVERSI: [&str; 3] = [
    include_str!("../../../tests/transcripts/black.txt"),
    include_str!("../../../tests/transcripts/white.txt"),
    include_str!("../../../tests/transcripts/passes.txt"),
];
const ISOLATION: [&str; 1] = [include_str!("../../../tests/transcripts/isolation.txt")];

/// The recorded games that a submission for `game` can play.
fn recordings(game: &str) -> Vec<&'static str> {
    let reversi = REVERSI.iter().filter(|_| game != "isolation");
    let isolation = ISOLATION.iter().filter(|_| game != "reversi");
    reversi.chain(isolation).copied().collect()
}

/// Compiles a C file whose bot plays [`NODES`] a move, and compares it with the native bot. Without a compiler it
/// only says so.
pub fn c(scratch: &Scratch, text: &str, game: &str) -> Result<(), String> {
    let source = scratch.file("check.c");
    let program = scratch.file("check");
    fs::write(&source, text).map_err(|error| error.to_string())?;
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let Some(compiler) = ["gcc", "clang", "cc"].into_iter().find(there) else {
        eprintln!("no C compiler is here: the file was not checked");
        return Ok(());
    };
    build::run(
        Command::new(compiler)
            .arg("-O2")
            .arg("-o")
            .arg(&program)
            .arg(&source),
    )?;
    compare(&program, game)
}

/// The same for a Rust file.
pub fn rust(scratch: &Scratch, text: &str, game: &str) -> Result<(), String> {
    let source = scratch.file("check.rs");
    let program = scratch.file("check");
    fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut compile = build::compiler();
    compile.args(["-O", "--edition=2021", "-Awarnings", "-o"]);
    build::run(compile.arg(&program).arg(&source))?;
    compare(&program, game)
}

/// Plays the recorded games with both programs.
fn compare(program: &Path, game: &str) -> Result<(), String> {
    let native = std::env::current_exe().map_err(|error| error.to_string())?;
    let nodes = NODES.to_string();
    let recordings = recordings(game);
    for recording in &recordings {
        let expected = answers(Command::new(&native).args(["--nodes", &nodes]), recording)?;
        let found = answers(&mut Command::new(program), recording)?;
        if found != expected {
            return Err(format!("the file plays otherwise than the native bot:\n{found}\nwhere it should be:\n{expected}"));
        }
    }
    eprintln!(
        "checked: plays {} recorded games as the native bot does",
        recordings.len()
    );
    Ok(())
}

fn answers(command: &mut Command, game: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let input = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.map(|mut input| input.write_all(game.as_bytes())));
        child.wait_with_output()
    });
    let output = output.map_err(failed)?;
    if !output.status.success() {
        return Err(format!("a recorded game ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
