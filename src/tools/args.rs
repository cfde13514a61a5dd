//! Command-line arguments: a reader that tools share.

use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;

/// Why the arguments cannot be used. The program prints it with a hint and exits with status 2.
#[derive(Debug, PartialEq, Eq)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for UsageError {
    fn from(text: String) -> UsageError {
        UsageError(text)
    }
}

/// The games that tools know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Reversi,
    Isolation,
}

/// The arguments not yet taken, first to last.
#[derive(Debug)]
pub struct Args {
    words: std::vec::IntoIter<String>,
}

impl Args {
    /// Arguments as the system gave them; what is not UTF-8 is kept readable and will match no option.
    pub fn new(words: Vec<OsString>) -> Args {
        let words: Vec<String> = words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        Args {
            words: words.into_iter(),
        }
    }

    /// The next argument, which stays.
    pub fn peek(&self) -> Option<&str> {
        self.words.as_slice().first().map(String::as_str)
    }

    /// The next argument, which is taken.
    pub fn next(&mut self) -> Option<String> {
        self.words.next()
    }

    /// All arguments after the next one.
    pub fn rest(mut self) -> Args {
        self.words.next();
        self
    }

    /// Takes `--game NAME` out of the arguments, wherever it stands. Reversi where it is missing.
    pub fn take_game(&mut self) -> Result<Kind, UsageError> {
        let mut words: Vec<String> = self.words.by_ref().collect();
        let mut game = Kind::Reversi;
        while let Some(at) = words.iter().position(|word| word == "--game") {
            game = match words.get(at + 1).map(String::as_str) {
                Some("reversi") => Kind::Reversi,
                Some("isolation") => Kind::Isolation,
                _ => return Err(UsageError("--game is reversi or isolation".into())),
            };
            words.drain(at..at + 2);
        }
        self.words = words.into_iter();
        Ok(game)
    }

    /// The value that must follow `option`, parsed.
    pub fn value<T: FromStr>(&mut self, option: &str) -> Result<T, UsageError> {
        let text = self
            .next()
            .ok_or_else(|| UsageError(format!("{option} needs a value")))?;
        parse(option, &text)
    }

    /// The value `i/n` that must follow `option`: shard `i` of `n`, counted from 1. Returned counted from 0.
    pub fn shard(&mut self, option: &str) -> Result<(u64, u64), UsageError> {
        let text: String = self.value(option)?;
        let numbers = text.split_once('/').and_then(|(shard, shards)| {
            Some((shard.parse::<u64>().ok()?, shards.parse::<u64>().ok()?))
        });
        match numbers {
            Some((shard, shards)) if (1..=shards).contains(&shard) => Ok((shard - 1, shards)),
            _ => Err(UsageError(format!(
                "'{text}' is no shard: {option} 1/4 to {option} 4/4, for instance"
            ))),
        }
    }

    /// The error for an argument that means nothing here.
    pub fn unknown<T>(word: &str) -> Result<T, UsageError> {
        Err(UsageError(format!("unknown argument '{word}'")))
    }
}

/// Parses the text of an argument called `what`.
pub fn parse<T: FromStr>(what: &str, text: &str) -> Result<T, UsageError> {
    text.parse()
        .map_err(|_| UsageError(format!("'{text}' is no value for {what}")))
}
