//! What a match says at its end, and while it runs.

use super::bot::Cause;
use super::record::Record;
use super::stats::{Score, Sprt, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The score of `name` against `other` (or against all), with pairs put together.
pub fn score(records: &[Record], name: &str, other: Option<&str>) -> Score {
    let mut pairs: BTreeMap<(u64, &str), Vec<usize>> = BTreeMap::new();
    for record in records {
        for side in 0..2 {
            let opponent = record.names[1 - side].as_str();
            if record.names[side] == name && other.is_none_or(|other| other == opponent) {
                let points = record.half_points();
                let points = if side == 0 { points } else { 2 - points };
                pairs
                    .entry((record.pair, opponent))
                    .or_default()
                    .push(points);
            }
        }
    }
    let mut score = Score::default();
    for points in pairs.values() {
        match points[..] {
            [first, second] => score.add_pair(first, second),
            _ => points.iter().for_each(|&points| score.add_game(points)),
        }
    }
    score
}

/// The line on a score: results, interval, Elo, pairs.
pub fn score_line(score: &Score) -> String {
    let [won, drawn, lost] = score.games;
    let (low, high) = score.interval();
    let (elo, elo_low, elo_high) = score.elo();
    let mut line = format!(
        "{won} won, {drawn} drawn, {lost} lost of {}: {:.1}% (95%: {:.1} to {:.1}), Elo {elo:+.0} ({elo_low:+.0} to {elo_high:+.0})",
        score.count(),
        100.0 * score.mean(),
        100.0 * low,
        100.0 * high
    );
    let pairs: u64 = score.pairs.iter().sum();
    if pairs > 0 {
        let [ll, ld, even, wd, ww] = score.pairs;
        let _ = write!(
            line,
            "\npairs: {} won, {even} even, {} lost of {pairs} (0, 1/2, 1, 3/2, 2 points: {ll} {ld} {even} {wd} {ww})",
            wd + ww,
            ll + ld
        );
    }
    line
}

/// The line on a sequential test.
pub fn sprt_line(sprt: Sprt, score: &Score) -> String {
    let ratio = score.log_likelihood_ratio(sprt.elo0, sprt.elo1);
    let verdict = match sprt.verdict(score) {
        Verdict::Open => "undecided",
        Verdict::Lower => "the lower hypothesis holds",
        Verdict::Upper => "the upper hypothesis holds",
    };
    format!(
        "SPRT logistic Elo {} against {}: log-likelihood ratio {ratio:+.2} (bounds {:+.2}): {verdict}",
        sprt.elo0,
        sprt.elo1,
        Sprt::bound()
    )
}

/// Everything about a match: scores, margins, forfeits, times; a cross table for three or more.
pub fn summary(records: &[Record], names: &[String], sprt: Option<Sprt>) -> String {
    let mut text = String::new();
    if let [a, b] = names {
        let score = score(records, a, Some(b));
        let _ = writeln!(text, "{a} against {b}: {}", score_line(&score));
        let _ = writeln!(text, "mean margin: {:+.2}", mean_margin(records, a));
        if let Some(sprt) = sprt {
            let _ = writeln!(text, "{}", sprt_line(sprt, &score));
        }
    } else {
        cross_table(&mut text, records, names);
    }
    for name in names {
        forfeits(&mut text, records, name);
    }
    times(&mut text, records, names);
    text
}

fn mean_margin(records: &[Record], name: &str) -> f64 {
    let mut sum = 0;
    let mut count = 0;
    for record in records {
        for side in 0..2 {
            if record.names[side] == name {
                sum += if side == 0 {
                    record.margin
                } else {
                    -record.margin
                };
                count += 1;
            }
        }
    }
    f64::from(sum) / f64::from(count.max(1))
}

fn cross_table(text: &mut String, records: &[Record], names: &[String]) {
    let width = names
        .iter()
        .map(|name| name.len())
        .max()
        .unwrap_or(0)
        .max(7);
    let _ = write!(text, "{:width$}", "");
    for name in names {
        let _ = write!(text, "  {name:>width$}");
    }
    let _ = writeln!(text, "  {:>7}  {:>6}", "score", "Elo");
    for name in names {
        let _ = write!(text, "{name:width$}");
        for other in names {
            let score = score(records, name, Some(other));
            let cell = match score.count() {
                0 => "-".into(),
                _ => format!("{:.1}%", 100.0 * score.mean()),
            };
            let _ = write!(text, "  {cell:>width$}");
        }
        let all = score(records, name, None);
        let _ = writeln!(text, "  {:6.1}%  {:+6.0}", 100.0 * all.mean(), all.elo().0);
    }
}

fn forfeits(text: &mut String, records: &[Record], name: &str) {
    let of = |cause: &str| {
        let by = |record: &&Record| {
            let forfeit = record.forfeit.as_ref();
            forfeit.is_some_and(|(side, why, _)| record.names[*side] == name && why == cause)
        };
        records.iter().filter(by).count()
    };
    let counts = Cause::ALL.map(|cause| (cause.name(), of(cause.name())));
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let _ = write!(text, "forfeits of {name}: {total}");
    for (cause, count) in counts {
        if count > 0 {
            let _ = write!(text, ", {cause} {count}");
        }
    }
    text.push('\n');
}

fn times(text: &mut String, records: &[Record], names: &[String]) {
    let _ = writeln!(
        text,
        "time a game in ms: mean and worst wall, mean and worst CPU, worst answer"
    );
    for name in names {
        let (mut wall, mut cpu, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        for record in records {
            for side in 0..2 {
                if record.names[side] == *name {
                    wall.push(record.used[side].wall_us);
                    cpu.push(record.used[side].cpu_us);
                    answers.push(record.used[side].worst_us);
                }
            }
        }
        let mean = |times: &[u64]| times.iter().sum::<u64>() / 1_000 / times.len().max(1) as u64;
        let worst = |times: &[u64]| times.iter().max().copied().unwrap_or(0) / 1_000;
        let _ = writeln!(
            text,
            "  {name}: {} {}, {} {}, {}",
            mean(&wall),
            worst(&wall),
            mean(&cpu),
            worst(&cpu),
            worst(&answers)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(pair: u64, names: [&str; 2], margin: i32) -> Record {
        Record {
            pair,
            names: names.map(str::to_owned),
            start: None,
            moves: String::new(),
            margin,
            forfeit: None,
            used: Default::default(),
            answer_us: vec![1_000],
        }
    }

    #[test]
    fn a_long_answer_is_told_of_the_side_that_gave_it() {
        let mut game = record(0, ["a", "b"], 1);
        game.used[1].worst_us = 402_000;
        let names = ["a".to_owned(), "b".to_owned()];
        let text = summary(&[game], &names, None);
        assert!(
            text.contains("a: 0 0, 0 0, 0\n") && text.contains("b: 0 0, 0 0, 402\n"),
            "{text}"
        );
    }

    #[test]
    fn pairs_are_put_together_from_either_order() {
        let records = [
            record(0, ["a", "b"], 10),
            record(1, ["b", "a"], 2),
            record(0, ["b", "a"], 0),
            record(2, ["a", "c"], -4),
        ];
        let score = super::score(&records, "a", Some("b"));
        assert_eq!(score.games, [1, 1, 1]);
        assert_eq!(score.pairs, [0, 0, 0, 1, 0]);
        assert_eq!(super::score(&records, "a", None).games, [1, 1, 2]);
        assert!(summary(&records, &["a".into(), "b".into(), "c".into()], None).contains("50.0%"));
    }
}
