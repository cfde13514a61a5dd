//! What the user asks a match for.

use super::super::args::{self, Args, UsageError};
use super::game::Game;
use super::reversi::Reversi;
use super::stats::{Score, Sprt};
use std::path::PathBuf;

/// What the user asked for.
pub struct Options {
    /// The game, by name.
    pub game: String,
    /// Names and commands.
    pub bots: Vec<(String, String)>,
    /// Games of each pairing.
    pub games: u64,
    /// A file of openings.
    pub openings: Option<String>,
    /// Random moves of an opening that is drawn.
    pub plies: u32,
    /// Seed of all that is drawn.
    pub seed: u64,
    /// Games side by side.
    pub jobs: usize,
    /// This shard, from 0, and how many there are.
    pub shard: (u64, u64),
    /// Wall time in milliseconds, for a game or a turn.
    pub time_ms: Option<u64>,
    /// CPU time for a game in milliseconds.
    pub cpu_ms: Option<u64>,
    /// Where games are kept.
    pub out: Option<PathBuf>,
    /// A sequential test that may end the match.
    pub sprt: Option<Sprt>,
    /// Whether the first forfeit ends the match.
    pub stop_on_forfeit: bool,
    /// Record files to report on, instead of playing.
    pub merge: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            game: Reversi::NAME.into(),
            bots: Vec::new(),
            games: 100,
            openings: None,
            plies: 8,
            seed: 1,
            jobs: (cores / 2).max(1),
            shard: (0, 1),
            time_ms: None,
            cpu_ms: None,
            out: None,
            sprt: None,
            stop_on_forfeit: false,
            merge: Vec::new(),
        }
    }
}

impl Options {
    /// What must be the same for all games of a match, a line each: games played under other terms do not belong to it.
    pub fn terms(&self) -> String {
        let limit = |limit: Option<u64>| limit.map_or("the game's".into(), |ms| format!("{ms} ms"));
        let mut terms = format!(
            "game {}\nseed {}\nopenings {}, {} random plies\nwall time {}\nCPU time {}\n",
            self.game,
            self.seed,
            self.openings.as_deref().unwrap_or("drawn"),
            self.plies,
            limit(self.time_ms),
            limit(self.cpu_ms)
        );
        for (name, command) in &self.bots {
            terms.push_str(&format!("bot {name}: {command}\n"));
        }
        terms
    }
}

/// Reads numbers with commas between them.
fn numbers<T: std::str::FromStr>(option: &str, text: &str) -> Result<Vec<T>, UsageError> {
    text.split(',')
        .map(|part| args::parse(option, part.trim()))
        .collect()
}

pub fn options(mut args: Args) -> Result<Result<Options, Score>, UsageError> {
    let mut options = Options::default();
    while let Some(word) = args.next() {
        match word.as_str() {
            "--a" => options.bots.push(("A".into(), args.value(&word)?)),
            "--b" => options.bots.push(("B".into(), args.value(&word)?)),
            "--bot" => {
                let text: String = args.value(&word)?;
                let (name, command) = text
                    .split_once('=')
                    .ok_or_else(|| UsageError(format!("--bot takes NAME=COMMAND, not '{text}'")))?;
                options.bots.push((name.into(), command.into()));
            }
            "--game" => options.game = args.value(&word)?,
            "--games" => options.games = args.value(&word)?,
            "--openings" => options.openings = Some(args.value(&word)?),
            "--opening-plies" => options.plies = args.value(&word)?,
            "--seed" => options.seed = args.value(&word)?,
            "--jobs" => options.jobs = args.value::<usize>(&word)?.clamp(1, 256),
            "--shard" => options.shard = args.shard(&word)?,
            "--time-ms" | "--turn-ms" => options.time_ms = Some(args.value(&word)?),
            "--cpu-ms" => options.cpu_ms = Some(args.value(&word)?),
            "--out" => options.out = Some(PathBuf::from(args.value::<String>(&word)?)),
            "--sprt" => options.sprt = Some(sprt(&args.value::<String>(&word)?)?),
            "--stop-on-forfeit" => options.stop_on_forfeit = true,
            "--merge" => options
                .merge
                .push(PathBuf::from(args.value::<String>(&word)?)),
            "--from" => return Ok(Err(counted(&args.value::<String>(&word)?)?)),
            _ => return Args::unknown(&word),
        }
    }
    if options.plies > 40 {
        return Err(UsageError("--opening-plies takes 0 to 40".into()));
    }
    if options.merge.is_empty() && options.bots.len() < 2 {
        return Err(UsageError(
            "match needs --a COMMAND and --b COMMAND, or several --bot NAME=COMMAND".into(),
        ));
    }
    let mut names: Vec<&String> = options.bots.iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    if names.len() < options.bots.len() {
        return Err(UsageError("every bot needs a name of its own".into()));
    }
    Ok(Ok(options))
}

fn sprt(text: &str) -> Result<Sprt, UsageError> {
    match numbers("--sprt", text)?[..] {
        [elo0, elo1] if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err(UsageError(format!(
            "--sprt takes ELO0,ELO1, the lower first, not '{text}'"
        ))),
    }
}

/// The counts of `--from`: games won, drawn, lost, or five numbers of pairs.
fn counted(text: &str) -> Result<Score, UsageError> {
    let numbers = numbers::<u64>("--from", text)?;
    let most = 1 << 40;
    if numbers.iter().all(|&count| count == 0) || numbers.iter().any(|&count| count > most) {
        return Err(UsageError(format!(
            "--from '{text}': no games, or too many"
        )));
    }
    match numbers[..] {
        [won, drawn, lost] => Ok(Score {
            games: [won, drawn, lost],
            pairs: [0; 5],
        }),
        [a, b, c, d, e] => {
            // How the even pairs came about is not told: two draws count as a win and a loss would.
            let games = [2 * e + d + c, b + d, 2 * a + b + c];
            Ok(Score {
                games,
                pairs: [a, b, c, d, e],
            })
        }
        _ => Err(UsageError(format!(
            "--from takes WON,DRAWN,LOST or pairs with 0,1/2,1,3/2,2 points, not '{text}'"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_games_or_as_pairs() {
        assert_eq!(counted("6,2,2").unwrap().mean(), 0.7);
        let pairs = counted("1,0,4,2,3").unwrap();
        assert_eq!(pairs.count(), 20);
        assert_eq!(pairs.mean(), (4.0 + 3.0 + 6.0) / 20.0);
        for bad in [
            "1,2",
            "0,0,0",
            "0,0,0,0,0",
            "18446744073709551615,0,1",
            "1,-1,0",
        ] {
            assert!(counted(bad).is_err(), "{bad}");
        }
        assert!(sprt("5,0").is_err());
    }
}
