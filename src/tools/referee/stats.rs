//! The statistics of a match: scores, intervals, Elo differences, and the sequential test.
//!
//! The unit is a pair of games from one opening with sides exchanged: the two results are not independent.
//! The Elo model is the logistic one: a difference of `d` means an expected score of `1 / (1 + 10^(-d/400))`.

/// Results of one contestant against another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// Pairs by points of two games in half points: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
}

/// The score at the edge of a two-sided interval of 95%, in standard deviations.
const Z95: f64 = 1.959_964;

impl Score {
    /// Adds a finished pair: the points of both games in half points (0, 1 or 2 each).
    pub fn add_pair(&mut self, first: usize, second: usize) {
        self.pairs[(first + second).min(4)] += 1;
        self.add_game(first);
        self.add_game(second);
    }

    /// Adds a game whose other half is missing.
    pub fn add_game(&mut self, half_points: usize) {
        self.games[2 - half_points.min(2)] += 1;
    }

    /// Games in all.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Points for each game, 0 to 1.
    pub fn mean(&self) -> f64 {
        let [won, drawn, _] = self.games;
        (won as f64 + drawn as f64 / 2.0) / self.count().max(1) as f64
    }

    /// The variance of the mean: from pairs where there are any, else from single games.
    fn variance_of_mean(&self) -> f64 {
        let pairs: u64 = self.pairs.iter().sum();
        if pairs > 0 {
            return variance(&self.pairs) / pairs as f64;
        }
        let [won, drawn, lost] = self.games;
        variance(&[lost, drawn, won]) / self.count().max(1) as f64
    }

    /// The 95% interval of the score, 0 to 1.
    pub fn interval(&self) -> (f64, f64) {
        let half = Z95 * self.variance_of_mean().sqrt();
        ((self.mean() - half).max(0.0), (self.mean() + half).min(1.0))
    }

    /// The Elo difference with the lower and upper end of its 95% interval.
    pub fn elo(&self) -> (f64, f64, f64) {
        let (low, high) = self.interval();
        (elo(self.mean()), elo(low), elo(high))
    }

    /// The log-likelihood ratio of the hypotheses that the difference is `elo1` and `elo0`: the normal
    /// approximation of the generalised sequential test, on pairs (as in Fishtest).
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let pairs: u64 = self.pairs.iter().sum();
        if pairs < 2 {
            return 0.0;
        }
        let (mean, variance) = (distribution(&self.pairs).0, variance(&self.pairs));
        let (s0, s1) = (expected(elo0), expected(elo1));
        pairs as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }
}

/// The variance of counts of equally spaced results from 0 to 1. Where all results were the same the counts say nothing
/// about it, and it is taken as if half a result more had come out at either end.
fn variance(counts: &[u64]) -> f64 {
    let found = distribution(counts).1;
    if found > 0.0 {
        return found;
    }
    let total = counts.iter().sum::<u64>() as f64;
    let mean = distribution(counts).0;
    (0.5 * mean.powi(2) + 0.5 * (1.0 - mean).powi(2)) / (total + 1.0)
}

/// Mean and variance of counts of equally spaced results from 0 to 1.
fn distribution(counts: &[u64]) -> (f64, f64) {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let most = (counts.len() - 1) as f64;
    let value = |(at, &count): (usize, &u64)| (at as f64 / most, count as f64 / total);
    let mean: f64 = counts
        .iter()
        .enumerate()
        .map(value)
        .map(|(x, p)| x * p)
        .sum();
    let spread = counts.iter().enumerate().map(value);
    (mean, spread.map(|(x, p)| p * (x - mean).powi(2)).sum())
}

/// The score that a difference in Elo leads to.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo that leads to a score; infinite for all or nothing.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// A sequential test that stops when one of two hypotheses is settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the lower hypothesis.
    pub elo0: f64,
    /// The difference of the upper one.
    pub elo1: f64,
}

/// How a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Play on.
    Open,
    /// The lower hypothesis holds.
    Lower,
    /// The upper one does.
    Upper,
}

impl Sprt {
    /// Both kinds of error are allowed with this probability.
    pub const ERROR: f64 = 0.05;

    /// The ratio at which the test is decided, up or down.
    pub fn bound() -> f64 {
        ((1.0 - Sprt::ERROR) / Sprt::ERROR).ln()
    }

    /// How the test stands.
    pub fn verdict(self, score: &Score) -> Verdict {
        let ratio = score.log_likelihood_ratio(self.elo0, self.elo1);
        if ratio >= Sprt::bound() {
            Verdict::Upper
        } else if ratio <= -Sprt::bound() {
            Verdict::Lower
        } else {
            Verdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} {expected}");
    }

    #[test]
    fn elo_differences_are_the_known_ones() {
        near(elo(0.5), 0.0, 1e-9);
        near(elo(0.75), 190.848, 1e-3);
        near(elo(0.9), 381.697, 1e-3);
        near(expected(100.0), 0.640_065, 1e-6);
        near(elo(expected(-37.5)), -37.5, 1e-9);
        assert!(elo(1.0).is_infinite());
    }

    #[test]
    fn single_games_give_the_textbook_interval() {
        let score = Score {
            games: [60, 0, 40],
            pairs: [0; 5],
        };
        // sqrt(0.6 * 0.4 / 100) = 0.04899.
        near(score.interval().0, 0.6 - 1.959_964 * 0.048_99, 1e-5);
        let (middle, low, high) = score.elo();
        near(middle, 70.437, 1e-3);
        near(low, 2.767, 1e-3);
        near(high, 143.92, 0.05);
    }

    #[test]
    fn results_that_are_all_the_same_leave_some_doubt() {
        let mut split = Score::default();
        (0..50).for_each(|_| split.add_pair(2, 0));
        assert_eq!(split.games, [50, 0, 50]);
        // A variance of 0.25 / 51 for a pair, 50 pairs.
        let half = 1.959_964 * (0.25 / 51.0 / 50.0f64).sqrt();
        near(split.interval().0, 0.5 - half, 1e-9);
        near(split.interval().1, 0.5 + half, 1e-9);
        let mut won = Score::default();
        (0..50).for_each(|_| won.add_pair(2, 2));
        let (low, high) = won.interval();
        assert!((0.9..0.99).contains(&low) && high == 1.0, "{low}");
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 10.0,
        };
        assert_eq!(sprt.verdict(&won), Verdict::Upper);
        assert_eq!(sprt.verdict(&Score::default()), Verdict::Open);
        let few = Score {
            games: [2, 0, 0],
            pairs: [0; 5],
        };
        assert!(few.interval().0 < 0.6);
    }

    #[test]
    fn the_sequential_test_decides_when_it_should() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 20.0,
        };
        near(Sprt::bound(), 2.944, 1e-3);
        let mut score = Score {
            games: [0; 3],
            pairs: [100, 200, 400, 200, 100],
        };
        // 1000 pairs, mean 0.5, variance 0.075 / 1 ...
        let variance = (2.0 * 100.0 * 0.25 + 2.0 * 200.0 * 0.0625) / 1000.0;
        let s1 = expected(20.0);
        let ratio = 1000.0 * (s1 - 0.5) * (0.5 - s1) / (2.0 * variance);
        near(score.log_likelihood_ratio(0.0, 20.0), ratio, 1e-9);
        assert_eq!(sprt.verdict(&score), Verdict::Lower);
        score.pairs = [60, 180, 400, 240, 140];
        assert_eq!(sprt.verdict(&score), Verdict::Upper);
        score.pairs = [6, 18, 40, 24, 14];
        assert_eq!(sprt.verdict(&score), Verdict::Open);
    }
}
