//! `fit-probcut`: measures how far the program's own shallow searches are from its deep ones, and writes
//! ProbCut's table of errors.
//!
//! Games are played from random openings by shallow searches. Positions of theirs are searched to every
//! depth without pruning, and each depth is compared with its verification depth. The samples go to a
//! text file, a line each and a line when a game is done, so that a run can be stopped, resumed, and
//! spread over shards whose files are put together. The table smooths the root mean squares:
//! `ln error = a + b ln depth + c e + d e^2 + f e^3` over depths and empty squares `e`, and without the powers for
//! searches to the end of the game.

use super::args::{Args, UsageError};
use super::random::Random;
use crate::os::SystemClock;
use player::isa::Level as IsaLevel;
use player::reversi::board::Position;
use player::reversi::search::probcut::{verification_depth, DEPTHS, GROUP, GROUPS, MIN_DEPTH};
use player::reversi::search::{Level, Searcher, CERTAIN};
use player::reversi::square::Squares;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::ExitCode;

/// Depth of the searches that play the games.
const PLAYING_DEPTH: u8 = 3;

/// The errors of a table entry lie in this range, in discs.
const RANGE: std::ops::RangeInclusive<f64> = 0.4..=20.0;

struct Options {
    samples: String,
    out: Option<String>,
    games: u64,
    seed: u64,
    shard: (u64, u64),
    deepest: u8,
    end: u8,
}

fn options(mut args: Args) -> Result<Options, UsageError> {
    let mut options = Options {
        samples: String::new(),
        out: None,
        games: 200,
        seed: 1,
        shard: (0, 1),
        deepest: 10,
        end: 16,
    };
    while let Some(word) = args.next() {
        match word.as_str() {
            "--out" => options.out = Some(args.value(&word)?),
            "--games" => options.games = args.value(&word)?,
            "--seed" => options.seed = args.value(&word)?,
            "--shard" => options.shard = args.shard(&word)?,
            "--deepest" => options.deepest = args.value(&word)?,
            "--end" => options.end = args.value(&word)?,
            _ if options.samples.is_empty() && !word.starts_with('-') => options.samples = word,
            _ => return Args::unknown(&word),
        }
    }
    if options.samples.is_empty() {
        return Err(UsageError("fit-probcut needs a file for samples".into()));
    }
    Ok(options)
}

/// Plays the games that are missing, then fits and writes the table.
pub fn run(args: Args) -> Result<ExitCode, UsageError> {
    let options = options(args)?;
    Ok(match measure_and_fit(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("reversi-bot: {error}");
            ExitCode::FAILURE
        }
    })
}

fn measure_and_fit(options: &Options) -> std::io::Result<()> {
    let done = fs::read_to_string(&options.samples).unwrap_or_default();
    let done: Vec<u64> = done
        .lines()
        .filter_map(|line| line.strip_prefix("game ")?.parse().ok())
        .collect();
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&options.samples)?;
    let mut searcher = Searcher::with_table_mib(IsaLevel::detect(), 8);
    let (shard, shards) = options.shard;
    for game in (0..options.games).filter(|game| game % shards == shard && !done.contains(game)) {
        let mut text = play(&mut searcher, options, game);
        let _ = writeln!(text, "game {game}");
        file.write_all(text.as_bytes())?;
        eprintln!("game {} of {}", game + 1, options.games);
    }
    let Some(out) = &options.out else {
        return Ok(());
    };
    let samples: Vec<Sample> = fs::read_to_string(&options.samples)?
        .lines()
        .filter_map(Sample::parse)
        .collect();
    let cells = cells(&samples);
    print_cells(&cells);
    fs::write(out, table(&cells))
}

/// One comparison: a search of `depth` plies found this much more, in discs, than its verification.
#[derive(Clone, Copy)]
struct Sample {
    empties: u32,
    depth: u32,
    difference: i32,
}

impl Sample {
    fn parse(line: &str) -> Option<Sample> {
        let mut words = line.split_ascii_whitespace();
        Some(Sample {
            empties: words.next()?.parse().ok()?,
            depth: words.next()?.parse().ok()?,
            difference: words.next()?.parse().ok()?,
        })
    }
}

/// Plays one game and compares searches at a few of its positions.
fn play(searcher: &mut Searcher, options: &Options, game: u64) -> String {
    let mut random = Random::new(options.seed ^ game << 20);
    let mut position = Position::START;
    let opening = 4 + random.below(16) as u32;
    let mut text = String::new();
    while !position.is_over() {
        if position.moves() == 0 {
            position = position.pass();
            continue;
        }
        let empties = position.empty_count();
        let played = 60 - empties;
        if played >= opening && empties > 4 && random.below(6) == 0 {
            compare(searcher, options, position, &mut text);
        }
        let moves: Vec<_> = Squares(position.moves()).collect();
        let any = random.pick(&moves);
        let square = if played < opening || random.below(10) == 0 {
            any
        } else {
            best(searcher, position).or(any)
        };
        let Some(next) = square.and_then(|square| position.play(square)) else {
            break;
        };
        position = next;
    }
    text
}

/// The move of a shallow search.
fn best(searcher: &mut Searcher, position: Position) -> Option<player::reversi::square::Square> {
    let level = Level {
        depth: PLAYING_DEPTH,
        confidence: CERTAIN,
    };
    Squares(position.moves()).min_by_key(|square| {
        let next = position.play(*square);
        next.map_or(0, |next| searcher.value(next, level, &SystemClock::new()))
    })
}

/// Searches a position to every depth and notes the differences.
fn compare(searcher: &mut Searcher, options: &Options, position: Position, text: &mut String) {
    let empties = position.empty_count();
    let clock = SystemClock::new();
    let mut value = |depth: u32| {
        let level = Level {
            depth: depth as u8,
            confidence: CERTAIN,
        };
        searcher.value(position, level, &clock)
    };
    let deepest = u32::from(options.deepest).min(empties - 1);
    let values: Vec<i32> = (0..=deepest).map(&mut value).collect();
    let mut note = |depth: u32, deep: i32, shallow: i32| {
        let _ = writeln!(text, "{empties} {depth} {}", deep - shallow);
    };
    for depth in MIN_DEPTH..=deepest {
        let shallow = values[verification_depth(depth) as usize];
        note(depth, values[depth as usize], shallow);
    }
    let shallow = verification_depth(empties);
    if empties <= u32::from(options.end) && empties >= MIN_DEPTH && shallow <= deepest {
        note(empties, value(empties), values[shallow as usize]);
    }
}

/// The root mean square, in discs, of the samples of one kind.
struct Cell {
    empties: f64,
    depth: f64,
    to_the_end: bool,
    count: usize,
    error: f64,
}

/// Groups the samples by depth and group of empty squares; searches to the end by depth alone.
fn cells(samples: &[Sample]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for depth in MIN_DEPTH..DEPTHS as u32 {
        let of_depth = |sample: &&Sample| sample.depth == depth;
        let to_the_end = |sample: &&Sample| sample.empties == depth;
        let ends = samples.iter().filter(of_depth).filter(to_the_end);
        cells.extend(cell(&ends.collect::<Vec<_>>(), true));
        for group in 0..GROUPS as u32 {
            let in_group =
                |sample: &&Sample| sample.empties / GROUP as u32 == group && !to_the_end(sample);
            let middle = samples.iter().filter(of_depth).filter(in_group);
            cells.extend(cell(&middle.collect::<Vec<_>>(), false));
        }
    }
    cells
}

fn cell(samples: &[&Sample], to_the_end: bool) -> Option<Cell> {
    const FEWEST: usize = 8;
    let first = samples.first()?;
    let count = samples.len();
    let mean = |f: fn(&Sample) -> f64| samples.iter().map(|s| f(s)).sum::<f64>() / count as f64;
    (count >= FEWEST).then(|| Cell {
        empties: mean(|sample| f64::from(sample.empties)),
        depth: f64::from(first.depth),
        to_the_end,
        count,
        error: mean(|sample| f64::from(sample.difference).powi(2))
            .sqrt()
            .max(*RANGE.start()),
    })
}

fn print_cells(cells: &[Cell]) {
    println!("depth  empties  samples  error (discs)");
    for cell in cells {
        let end = if cell.to_the_end { "  to the end" } else { "" };
        println!(
            "{:5}  {:7.1}  {:7}  {:6.2}{end}",
            cell.depth, cell.empties, cell.count, cell.error
        );
    }
}

/// What the logarithm of the error is a combination of.
fn terms(empties: f64, depth: f64, to_the_end: bool) -> Vec<f64> {
    let e = empties / 60.0;
    if to_the_end {
        vec![1.0, depth.ln()]
    } else {
        vec![1.0, depth.ln(), e, e * e, e * e * e]
    }
}

/// Least squares by the normal equations, cells weighing as much as they have samples. The coefficients of
/// [`terms`].
fn fit(cells: &[Cell], to_the_end: bool) -> Vec<f64> {
    let size = terms(0.0, 1.0, to_the_end).len();
    let mut rows = vec![vec![0.0; size + 1]; size];
    for cell in cells.iter().filter(|cell| cell.to_the_end == to_the_end) {
        let terms = terms(cell.empties, cell.depth, to_the_end);
        for (row, a) in rows.iter_mut().zip(&terms) {
            for (entry, b) in row.iter_mut().zip(terms.iter().chain([&cell.error.ln()])) {
                *entry += cell.count as f64 * a * b;
            }
        }
    }
    solve(rows)
}

/// Gaussian elimination with a touch of ridge, so that missing data cannot divide by zero.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let size = rows.len();
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] += 1e-6;
    }
    for i in 0..size {
        let pivot = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / pivot[i];
            for (entry, p) in row.iter_mut().zip(&pivot) {
                *entry -= factor * p;
            }
        }
    }
    (0..size).map(|i| rows[i][size] / rows[i][i]).collect()
}

/// The source text of the table.
fn table(cells: &[Cell]) -> String {
    let (middle, end) = (fit(cells, false), fit(cells, true));
    let entry = |coefficients: &[f64], empties: f64, depth: usize, to_the_end: bool| {
        let terms = terms(empties, depth.max(1) as f64, to_the_end);
        let log: f64 = coefficients.iter().zip(terms).map(|(c, t)| c * t).sum();
        let error = log.exp().clamp(*RANGE.start(), *RANGE.end());
        format!("{:.0}", error * 256.0)
    };
    let row = |coefficients: &[f64], empties: f64, to_the_end: bool| {
        let entries = (0..DEPTHS).map(|depth| entry(coefficients, empties, depth, to_the_end));
        entries.collect::<Vec<_>>().join(", ")
    };
    let mut text = String::from(HEADER);
    text.push_str(MIDDLE);
    for group in 0..GROUPS {
        let empties = (group * GROUP) as f64 + (GROUP - 1) as f64 / 2.0;
        let _ = writeln!(text, "    [{}],", row(&middle, empties, false));
    }
    let _ = write!(text, "];\n{END}    {},\n];\n", row(&end, 0.0, true));
    text
}

const HEADER: &str = "\
//! Standard deviations in 1/256 disc. Written by `reversi-bot fit-probcut`; do not edit.

use super::probcut::{DEPTHS, GROUPS};
";

const MIDDLE: &str = "
/// By group of empty squares, then by depth.
#[rustfmt::skip]
pub static MIDDLE: [[u16; DEPTHS]; GROUPS] = [
";

const END: &str = "
/// Of searches to the end, by depth.
#[rustfmt::skip]
pub static TO_THE_END: [u16; DEPTHS] = [
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_that_holds_is_found() {
        let mut cells = Vec::new();
        for depth in 3..12 {
            for empties in (10..50).step_by(4) {
                let (depth, empties) = (f64::from(depth), f64::from(empties));
                cells.push(Cell {
                    empties,
                    depth,
                    to_the_end: false,
                    count: 10,
                    error: 2.0 * depth.powf(0.3) * (-empties / 60.0).exp(),
                });
            }
        }
        let found = fit(&cells, false);
        for (found, expected) in found.iter().zip([2f64.ln(), 0.3, -1.0, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }

    #[test]
    fn samples_are_read_and_other_lines_are_not() {
        let sample = Sample::parse("30 7 -4").unwrap();
        assert_eq!(
            (sample.empties, sample.depth, sample.difference),
            (30, 7, -4)
        );
        assert!(Sample::parse("game 3").is_none());
    }
}
