//! `bundle`: the player as one source file for judges that take no cargo project.
//!
//! `bundle c` links the player's machine code into a C file (see [`link`] and [`emit`]); `bundle rust` flattens
//! the sources. What is printed was compiled first with the compiler at hand and played a recorded game as
//! the native bot does, to the letter; otherwise nothing is printed.

mod base85;
mod build;
mod check;
mod elf;
mod emit;
mod flatten;
mod link;
mod tokens;

use super::args::{Args, UsageError};
use build::Scratch;
use emit::{Header, Sizes};
use link::Program;
use player::session;
use std::path::PathBuf;
use std::process::ExitCode;

/// The function that `main` calls.
const ENTRY: &str = "rb_entry";

/// The options that the bundler writes into the code.
const OPTIONS: &str = "RB_OPTIONS";

/// What a submission may call.
const LIBC: &[&str] = &[
    "read",
    "write",
    "clock_gettime",
    "calloc",
    "posix_memalign",
    "free",
    "abort",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "bcmp",
    "strlen",
];

/// No submission may be larger, in bytes.
const LARGEST: usize = 524_288;

/// What the user asked for.
struct Options {
    language: String,
    game: String,
    time_ms: u64,
    turn_ms: u64,
    /// Nodes a move instead of time, for checks; 0 for time.
    nodes: u64,
    source: PathBuf,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let defaults = session::Options::default();
    let mut options = Options {
        language: String::new(),
        game: "both".into(),
        time_ms: defaults.time_ms,
        turn_ms: defaults.turn_ms,
        nodes: 0,
        source: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--game" => options.game = args.value(&word)?,
            "--time-ms" => options.time_ms = args.value(&word)?,
            "--turn-ms" => options.turn_ms = args.value(&word)?,
            "--nodes" => options.nodes = args.value(&word)?,
            "--source" => options.source = PathBuf::from(args.value::<String>(&word)?),
            "c" | "rust" | "python" if options.language.is_empty() => options.language = word,
            _ => return Args::unknown(&word),
        }
    }
    if !["reversi", "isolation", "both"].contains(&options.game.as_str()) {
        return Err(UsageError("--game takes reversi, isolation or both".into()));
    }
    Ok(options)
}

/// Prints the file, or says why it cannot be made.
pub fn run(args: Args) -> Result<ExitCode, UsageError> {
    let options = options(args)?;
    let text = match options.language.as_str() {
        "c" => c(&options),
        "rust" => rust(&options),
        "python" => Err("there is no Python version: see the README for why".into()),
        _ => return Err(UsageError("bundle needs a language: c or rust".into())),
    };
    Ok(match text {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("reversi-bot: bundle: {reason}");
            ExitCode::FAILURE
        }
    })
}

/// Makes and checks the C file.
fn c(options: &Options) -> Result<String, String> {
    let scratch = Scratch::new()?;
    let files = build::data_files(&options.source)?;
    let object = build::object(&options.source, &scratch, &options.game)?;
    let what = what(options);
    let header = Header {
        version: env!("CARGO_PKG_VERSION"),
        what: &what,
    };
    let with = |nodes: u64| {
        let mut object = object.clone();
        set_options(&mut object, [options.time_ms, options.turn_ms, nodes])?;
        let program: Program =
            link::link(&object, ENTRY, LIBC, &files).map_err(|error| error.to_string())?;
        let (text, sizes) = emit::c_source(&program, &files, &header);
        Ok::<_, String>((text, sizes, program))
    };
    let (text, sizes, program) = with(options.nodes)?;
    report(&program, sizes);
    if text.len() > LARGEST {
        return Err(format!("{} bytes, more than {LARGEST}", text.len()));
    }
    check::c(&scratch, &with(check::NODES)?.0, &options.game)?;
    Ok(text)
}

/// The games and limits, in words.
fn what(options: &Options) -> String {
    let games = match options.game.as_str() {
        "both" => "Reversi and Isolation",
        "isolation" => "Isolation",
        _ => "Reversi",
    };
    format!(
        "plays {games}; {} ms a game of Reversi, {} ms a turn of Isolation",
        options.time_ms, options.turn_ms
    )
}

/// Makes and checks the Rust file.
fn rust(options: &Options) -> Result<String, String> {
    let head = format!(
        "// reversi-bot {}: {}.\n\
         // Made by 'reversi-bot bundle rust': the modules of the program in one file, without tests and comments.\n\
         // Compile with 'rustc -O --edition 2021 main.rs'.\n",
        env!("CARGO_PKG_VERSION"),
        what(options)
    );
    let with = |nodes: u64| {
        let nodes = if nodes > 0 {
            format!("Some({nodes})")
        } else {
            "None".into()
        };
        let shell = format!(
            "fn main() {{\n    let options = player::session::Options {{ time_ms: {}, turn_ms: {}, nodes: {nodes}, \
             ..player::session::Options::default() }};\n    player::session::{}(&mut os::StdHost::new(), &options);\n}}\n",
            options.time_ms,
            options.turn_ms,
            entry(&options.game)
        );
        flatten::rust_source(&options.source, &head, &shell)
    };
    let text = with(options.nodes)?;
    eprintln!("{} bytes of {LARGEST}", text.len());
    if text.len() > LARGEST {
        return Err(format!("{} bytes, more than {LARGEST}", text.len()));
    }
    check::rust(&Scratch::new()?, &with(check::NODES)?, &options.game)?;
    Ok(text)
}

/// The function of the library that plays these games.
fn entry(game: &str) -> &'static str {
    match game {
        "reversi" => "run_reversi",
        "isolation" => "run_isolation",
        _ => "run",
    }
}

/// Writes the options into the object.
fn set_options(object: &mut elf::Object, options: [u64; 3]) -> Result<(), String> {
    let missing = || format!("there is no symbol '{OPTIONS}'");
    let (section, offset) = object.find(OPTIONS).ok_or_else(missing)?;
    let bytes: Vec<u8> = options
        .iter()
        .flat_map(|option| option.to_le_bytes())
        .collect();
    let at = offset as usize;
    let to = object.sections[section].bytes.get_mut(at..at + bytes.len());
    to.ok_or_else(missing)?.copy_from_slice(&bytes);
    Ok(())
}

/// Tells how large the parts are.
fn report(program: &Program, sizes: Sizes) {
    eprintln!(
        "machine code and constants {} bytes, data {}; in the file: code {} bytes, weights {}, all {} of {LARGEST}",
        program.code.len(),
        program.data.len(),
        sizes.code,
        sizes.weights,
        sizes.total
    );
}
