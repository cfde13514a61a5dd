//! `solve FILE.obf`: solves problems exactly, or plays them under a clock, and checks the answers.

use super::args::{Args, Kind, UsageError};
use super::obf::{self, Problem};
use crate::os::{cpu_us, SystemClock};
use player::host::{Clock, Instant};
use player::isa::Level;
use player::reversi::search::iterate::Iteration;
use player::reversi::search::limits::{Deadline, Goal, Limits};
use player::reversi::search::Searcher;
use std::process::ExitCode;

/// What the user asked for.
struct Options {
    file: String,
    from: usize,
    to: usize,
    table_mib: usize,
    level: Level,
    wld: bool,
    time_ms: Option<u64>,
    depth: Option<u32>,
    verbose: bool,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        file: String::new(),
        from: 1,
        to: usize::MAX,
        table_mib: 96,
        level: Level::detect(),
        wld: false,
        time_ms: None,
        depth: None,
        verbose: false,
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--from" => options.from = args.value(&word)?,
            "--to" => options.to = args.value(&word)?,
            "--table-mib" => options.table_mib = args.value(&word)?,
            "--portable" => options.level = Level::Portable,
            "--wld" => options.wld = true,
            "--time-ms" => options.time_ms = Some(args.value(&word)?),
            "--depth" => options.depth = Some(args.value(&word)?),
            "--verbose" => options.verbose = true,
            _ if options.file.is_empty() && !word.starts_with('-') => options.file = word,
            _ => return Args::unknown(&word),
        }
    }
    if options.file.is_empty() {
        return Err(UsageError("solve needs a problem file".into()));
    }
    if !(1..=65_536).contains(&options.table_mib) {
        return Err(UsageError("--table-mib takes 1 to 65536".into()));
    }
    Ok(options)
}

/// Prints a row a position and the totals. Fails if a score is wrong.
pub fn run(mut args: Args) -> Result<ExitCode, UsageError> {
    if args.take_game()? == Kind::Isolation {
        return super::isolation::check::run(args);
    }
    let options = options(args)?;
    let problems = match std::fs::read_to_string(&options.file) {
        Ok(text) => obf::parse(&text),
        Err(error) => Err(error.to_string()),
    };
    let problems = match problems {
        Ok(problems) => problems,
        Err(reason) => {
            eprintln!("reversi-bot: {}: {reason}", options.file);
            return Ok(ExitCode::FAILURE);
        }
    };
    println!("  #  empties  move  score  expected          nodes    seconds  Mnodes/s");
    let mut totals = Totals::default();
    for (number, problem) in (1..).zip(&problems) {
        if number >= options.from && number <= options.to {
            solve_one(&options, number, problem, &mut totals);
        }
    }
    totals.print(options.time_ms.is_some());
    let failed = totals.wrong > 0 && options.time_ms.is_none() && options.depth.is_none();
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

#[derive(Default)]
struct Totals {
    positions: u32,
    wrong: u32,
    best_moves: u32,
    lost_discs: i32,
    judged: u32,
    nodes: u64,
    micros: u64,
}

impl Totals {
    fn print(&self, played: bool) {
        let seconds = self.micros as f64 / 1e6;
        let rate = self.nodes as f64 / self.micros.max(1) as f64;
        println!(
            "total: {} positions, {} nodes, {seconds:.3} s of CPU, {rate:.1} Mnodes/s",
            self.positions, self.nodes
        );
        if played {
            let judged = f64::from(self.judged.max(1));
            println!(
                "best move in {} of {} ({:.1} %), mean loss {:.3} discs",
                self.best_moves,
                self.judged,
                100.0 * f64::from(self.best_moves) / judged,
                f64::from(self.lost_discs) / judged
            );
        } else {
            println!("wrong scores: {}", self.wrong);
        }
    }
}

fn limits(options: &Options, clock: &SystemClock) -> Limits {
    let mut limits = Limits::NONE;
    if options.wld {
        limits.goal = Goal::Outcome;
    }
    if let Some(depth) = options.depth {
        limits.depth = depth;
    }
    if let Some(ms) = options.time_ms {
        let now = clock.now();
        let end = Instant {
            wall_us: u64::MAX,
            cpu_us: now.cpu_us + ms * 1_000,
        };
        limits.hard = Deadline(end);
    }
    limits
}

fn solve_one(options: &Options, number: usize, problem: &Problem, totals: &mut Totals) {
    let mut searcher = Searcher::with_table_mib(options.level, options.table_mib);
    let clock = SystemClock::new();
    let before = cpu_us();
    let mut report = |iteration: &Iteration| {
        if options.verbose {
            println!("     {}", super::describe(iteration));
        }
    };
    let limits = limits(options, &clock);
    let found = searcher.search(problem.position, limits, &clock, &mut report);
    let micros = (cpu_us() - before).max(1);
    totals.positions += 1;
    totals.micros += micros;
    let expected = problem
        .best_score()
        .map(|score| if options.wld { score.signum() } else { score });
    let Some(found) = found else {
        println!("{number:>3}  no move, or no time for one");
        totals.wrong += 1;
        return;
    };
    totals.nodes += found.nodes;
    let score = if options.wld {
        found.score.signum()
    } else {
        found.score
    };
    let right = expected.is_none_or(|expected| expected == score);
    totals.wrong += u32::from(!right);
    if let (Some(best), Some(got)) = (problem.best_score(), problem.score_of(found.best)) {
        totals.judged += 1;
        totals.best_moves += u32::from(got == best);
        totals.lost_discs += best - got;
    }
    println!(
        "{number:>3} {:>8}  {:>4} {score:>+6} {:>9} {:>14} {:>10.3} {:>9.1}{}",
        problem.position.empty_count(),
        found.best.to_string(),
        expected.map_or(String::from("?"), |score| format!("{score:+}")),
        found.nodes,
        micros as f64 / 1e6,
        found.nodes as f64 / micros as f64,
        if right { "" } else { "  differs" }
    );
}
