//! Records of finished games: one line of JSON each, and the transcripts.
//!
//! A record is all that statistics need, so files of several shards are merged by putting them together, and
//! a match that was stopped goes on after the games that its file holds.

use super::bot::Used;
use super::play::Played;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A finished game as the record file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The number of the opening; each is played by a pairing twice.
    pub pair: u64,
    /// Names of the contestants on sides 0 and 1.
    pub names: [String; 2],
    /// Where the game began, if its moves do not tell.
    pub start: Option<String>,
    /// The moves, opening included.
    pub moves: String,
    /// How far side 0 came out ahead.
    pub margin: i32,
    /// The side that forfeited, the cause, and what happened.
    pub forfeit: Option<(usize, String, String)>,
    /// Time used by each side.
    pub used: [Used; 2],
    /// Wall time of each answer in microseconds.
    pub answer_us: Vec<u64>,
}

impl Record {
    /// The record of a game just played.
    pub fn new(pair: u64, names: [&str; 2], played: &Played) -> Record {
        let forfeit = played.forfeit.as_ref();
        Record {
            pair,
            names: names.map(str::to_owned),
            start: played.start.clone(),
            moves: played.moves.clone(),
            margin: played.margin,
            forfeit: forfeit
                .map(|(side, fault, _)| (*side, fault.cause.name().into(), fault.what.clone())),
            used: played.used,
            answer_us: played.answer_us.clone(),
        }
    }

    /// Points of side 0 in half points: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        (self.margin.signum() + 1) as usize
    }

    /// The line of JSON, with its line feed.
    pub fn to_json(&self) -> String {
        let [first, second] = self.names.each_ref().map(|name| quoted(name));
        let result = ["0-1", "1/2-1/2", "1-0"][self.half_points()];
        let forfeit = match &self.forfeit {
            Some((side, cause, what)) => format!(
                ",\"forfeit\":{side},\"cause\":{},\"what\":{}",
                quoted(cause),
                quoted(what)
            ),
            None => String::new(),
        };
        let start = match &self.start {
            Some(start) => format!("\"start\":{},", quoted(start)),
            None => String::new(),
        };
        let times: Vec<String> = self.answer_us.iter().map(u64::to_string).collect();
        let [one, other] = self.used;
        format!(
            "{{\"pair\":{},\"first\":{first},\"second\":{second},\"result\":\"{result}\",\"margin\":{}{forfeit},\
             \"wall_us_first\":{},\"wall_us_second\":{},\"cpu_us_first\":{},\"cpu_us_second\":{},\
             \"worst_us_first\":{},\"worst_us_second\":{},\
             {start}\"moves\":{},\"answer_us\":\"{}\"}}\n",
            self.pair,
            self.margin,
            one.wall_us,
            other.wall_us,
            one.cpu_us,
            other.cpu_us,
            one.worst_us,
            other.worst_us,
            quoted(&self.moves),
            times.join(" ")
        )
    }

    /// Reads a line that [`Record::to_json`] wrote.
    pub fn parse(line: &str) -> Option<Record> {
        let fields = fields(line)?;
        let text = |name: &str| fields.get(name).cloned();
        let number = |name: &str| fields.get(name)?.parse().ok();
        let used = |wall: &str, cpu: &str, worst: &str| {
            Some(Used {
                wall_us: number(wall)?,
                cpu_us: number(cpu)?,
                // Records of earlier versions do not tell whose answer was the longest.
                worst_us: number(worst).unwrap_or(0),
            })
        };
        let forfeit = match fields.get("forfeit") {
            Some(side) => Some((
                side.parse::<usize>().ok().filter(|side| *side < 2)?,
                text("cause")?,
                text("what")?,
            )),
            None => None,
        };
        let times = text("answer_us")?;
        let times: Option<Vec<u64>> = times
            .split_whitespace()
            .map(|time| time.parse().ok())
            .collect();
        Some(Record {
            pair: number("pair")?,
            names: [text("first")?, text("second")?],
            start: text("start"),
            moves: text("moves")?,
            margin: fields.get("margin")?.parse().ok()?,
            forfeit,
            used: [
                used("wall_us_first", "cpu_us_first", "worst_us_first")?,
                used("wall_us_second", "cpu_us_second", "worst_us_second")?,
            ],
            answer_us: times?,
        })
    }
}

/// A JSON string.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The fields of a flat JSON object of strings and numbers.
fn fields(line: &str) -> Option<HashMap<String, String>> {
    let mut fields = HashMap::new();
    let mut rest = line.trim().strip_prefix('{')?;
    loop {
        let (name, after) = value(rest)?;
        let (value, after) = value(after.strip_prefix(':')?)?;
        fields.insert(name, value);
        rest = match after.strip_prefix(',') {
            Some(rest) => rest,
            None => return (after == "}").then_some(fields),
        };
    }
}

/// A string or number at the beginning of `text`, and what follows it.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(inside) = text.strip_prefix('"') else {
        let end = text.find([',', '}', ':'])?;
        return Some((text[..end].to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &inside[at + 1..])),
            '\\' => match chars.next()?.1 {
                'u' => {
                    let code = inside.get(at + 2..at + 6)?;
                    value.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
                    chars.nth(3)?;
                }
                escaped => value.push(escaped),
            },
            c => value.push(c),
        }
    }
    None
}

/// Reads a file of records. A last line that was cut off by a crash is dropped; anything else that is no record
/// is an error with its line number.
pub fn read(path: &Path) -> io::Result<Vec<Record>> {
    let text = fs::read_to_string(path)?;
    let mut records = Vec::new();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        match Record::parse(line) {
            Some(record) if line.ends_with('\n') => records.push(record),
            _ if !line.ends_with('\n') => break,
            _ => {
                let what = format!("{}: line {number} is no record of a game", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
    }
    Ok(records)
}

/// The file of what one side was sent and answered. In a round robin a side meets several opponents on an opening,
/// so both are named; letters and digits stand for themselves, so that no two names look alike.
fn transcript_name(record: &Record, side: usize) -> String {
    let [own, other] = [side, 1 - side].map(|side| {
        let plain = |c: char| match c {
            c if c.is_ascii_alphanumeric() => c.to_string(),
            c => format!("_{:x}_", u32::from(c)),
        };
        record.names[side].chars().map(plain).collect::<String>()
    });
    let place = ["first", "second"][side];
    format!("{:05}-{place}-{own}-against-{other}.txt", record.pair)
}

/// Where a match keeps its records and transcripts.
pub struct Archive {
    directory: PathBuf,
}

impl Archive {
    /// Opens a directory, which is made if it is not there.
    pub fn open(directory: &Path) -> io::Result<Archive> {
        fs::create_dir_all(directory)?;
        Ok(Archive {
            directory: directory.to_owned(),
        })
    }

    /// The file of records.
    pub fn records(&self) -> PathBuf {
        self.directory.join("games.jsonl")
    }

    /// Notes the terms of the match, or compares them with those noted. An error if they differ: the games would be counted
    /// together.
    pub fn check(&self, terms: &str) -> io::Result<()> {
        let path = self.directory.join("match.txt");
        if !path.exists() {
            return fs::write(path, terms);
        }
        let noted = fs::read_to_string(&path)?;
        let mut lines = noted.lines().zip(terms.lines());
        match lines.find(|(noted, now)| noted != now) {
            None if noted.lines().count() == terms.lines().count() => Ok(()),
            differing => {
                let (noted, now) = differing.unwrap_or(("other bots", "these"));
                let directory = self.directory.display();
                let what =
                    format!("{directory} holds another match: '{noted}' there, '{now}' here");
                Err(io::Error::new(io::ErrorKind::InvalidInput, what))
            }
        }
    }

    /// What is already there; a line cut off by a crash is removed from the file.
    pub fn resume(&self) -> io::Result<Vec<Record>> {
        let path = self.records();
        if !path.exists() {
            return Ok(Vec::new());
        }
        let records = read(&path)?;
        let whole: String = records.iter().map(Record::to_json).collect();
        fs::write(&path, whole)?;
        Ok(records)
    }

    /// Keeps a finished game: both transcripts first, then the record that says it is done.
    pub fn keep(&self, record: &Record, played: &Played) -> io::Result<()> {
        for side in 0..2 {
            fs::write(
                self.directory.join(transcript_name(record, side)),
                &played.transcripts[side],
            )?;
        }
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.records())?;
        io::Write::write_all(&mut file, record.to_json().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip() {
        let mut record = Record {
            pair: 12,
            names: ["A \"quoted\"".into(), "B\\x".into()],
            start: Some("7 7 2 2 4 4 .".into()),
            moves: "f5d6".into(),
            margin: -64,
            forfeit: Some((0, "crash".into(), "ended\twith é".into())),
            used: [
                Used {
                    wall_us: 1,
                    cpu_us: 2,
                    worst_us: 7,
                },
                Used {
                    wall_us: 3,
                    cpu_us: 4,
                    worst_us: 8,
                },
            ],
            answer_us: vec![5, 6],
        };
        let parsed = Record::parse(&record.to_json());
        assert_eq!(parsed.as_ref(), Some(&record));
        record.forfeit = None;
        record.start = None;
        record.answer_us.clear();
        assert_eq!(Record::parse(&record.to_json()), Some(record));
        for bad in ["", "{}", "{\"pair\":1", "[1]", "{\"pair\":\"\\u00\"}"] {
            assert_eq!(Record::parse(bad), None, "{bad}");
        }
    }
}
