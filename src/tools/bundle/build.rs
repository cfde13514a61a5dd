//! The machine code of the player: the library and the libc shell compiled to one object.

use super::elf::Object;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory for files in between, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new empty directory.
    pub fn new() -> Result<Scratch, String> {
        let name = format!("reversi-bot-bundle-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Scratch(path))
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a command that must succeed.
pub fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(format!("{name} failed ({}):\n{errors}", output.status))
        }
        Err(error) => Err(format!("{name}: {error}")),
    }
}

/// Everything in one module, small enough and fast.
const FLAGS: &[&str] = &[
    "--edition=2021",
    "-Copt-level=3",
    "-Ccodegen-units=1",
    "-Cpanic=abort",
    "-Crelocation-model=pie",
];

/// The Rust compiler.
pub fn compiler() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

fn rustc() -> Command {
    let mut command = compiler();
    command.args(FLAGS);
    command
}

/// Compiles the sources in `source` with the shell for `game`.
pub fn object(source: &Path, scratch: &Scratch, game: &str) -> Result<Object, String> {
    let library = scratch.file("libplayer.rlib");
    let archive = scratch.file("libsubmission.a");
    let object = scratch.file("player.o");
    let mut compile = rustc();
    compile.args(["--crate-name=player", "--crate-type=rlib", "-Clto=off"]);
    compile
        .arg("-o")
        .arg(&library)
        .arg(source.join("src/player/lib.rs"));
    run(&mut compile)?;
    let mut compile = rustc();
    compile.args([
        "--crate-name=submission",
        "--crate-type=staticlib",
        "-Clto=fat",
    ]);
    let mut dependency = OsStr::new("player=").to_owned();
    dependency.push(&library);
    compile.env("RB_GAME", game).arg("--extern").arg(dependency);
    compile
        .arg("-o")
        .arg(&archive)
        .arg(source.join("src/submission.rs"));
    run(&mut compile)?;
    let mut link = Command::new("ld");
    link.args(["-r", "-u", super::ENTRY, "-o"])
        .arg(&object)
        .arg(&archive);
    run(&mut link)?;
    let bytes = fs::read(&object).map_err(|error| error.to_string())?;
    Object::parse(&bytes).map_err(|error| error.to_string())
}

/// The files of the library that are data.
pub fn data_files(source: &Path) -> Result<Vec<Vec<u8>>, String> {
    let mut files = Vec::new();
    let mut directories = vec![source.join("src/player")];
    while let Some(directory) = directories.pop() {
        let shown = |error: std::io::Error| format!("{}: {error}", directory.display());
        for entry in fs::read_dir(&directory).map_err(shown)? {
            let path = entry.map_err(shown)?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension != "rs") {
                files.push(fs::read(&path).map_err(shown)?);
            }
        }
    }
    Ok(files)
}
