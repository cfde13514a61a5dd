//! A bot as a process of its own: started, asked, timed by both clocks, and killed for good.

use crate::os::process::{self, Mark};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Lines of a bot that wait to be read; a bot that writes more is blocked until then.
const WAITING_LINES: usize = 64;

/// A line longer than this, in bytes, is cut: no answer is.
const LONGEST_LINE: u64 = 4_096;

/// The last lines of a bot that are kept for reports.
const KEPT_LINES: usize = 8;

/// Time between two looks at the CPU clock of a bot that is thinking.
const POLL: Duration = Duration::from_millis(20);

/// Why a bot loses although its opponent did not beat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Its process ended, or could not be started.
    Crash,
    /// Its wall time ran out.
    WallTime,
    /// Its CPU time ran out.
    CpuTime,
    /// It made an illegal move.
    Illegal,
    /// It wrote something other than the one line asked for.
    Output,
}

impl Cause {
    /// All causes, in the order of tables.
    pub const ALL: [Cause; 5] = [
        Cause::Crash,
        Cause::WallTime,
        Cause::CpuTime,
        Cause::Illegal,
        Cause::Output,
    ];

    /// The word for it in records and tables.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Crash => "crash",
            Cause::WallTime => "timeout",
            Cause::CpuTime => "cpu-timeout",
            Cause::Illegal => "illegal-move",
            Cause::Output => "bad-output",
        }
    }
}

/// A bot's fault: the cause and what exactly happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind, for tables.
    pub cause: Cause,
    /// For people.
    pub what: String,
}

impl Fault {
    /// A fault.
    pub fn new(cause: Cause, what: impl Into<String>) -> Fault {
        Fault {
            cause,
            what: what.into(),
        }
    }
}

/// Time used, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Wall time while the referee waited.
    pub wall_us: u64,
    /// CPU time of the process and its children.
    pub cpu_us: u64,
    /// Wall time of the longest answer to a turn.
    pub worst_us: u64,
}

/// What a bot may use: microseconds of each clock; `None` for no limit.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Wall time.
    pub wall_us: u64,
    /// CPU time.
    pub cpu_us: Option<u64>,
}

/// The last lines that a bot wrote, to either stream.
type Kept = Arc<Mutex<VecDeque<String>>>;

/// A running bot.
pub struct Bot {
    child: Child,
    mark: Mark,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    kept: Kept,
    /// Time used so far.
    pub used: Used,
}

impl Bot {
    /// Starts a command by the shell. The clock runs from here until the first answer.
    pub fn start(command: &str) -> Result<Bot, Fault> {
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(without_shell(command));
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let cannot =
            |error: std::io::Error| Fault::new(Cause::Crash, format!("cannot start: {error}"));
        let mark = Mark::new();
        let mut child = process::isolate(&mut shell, &mark)
            .spawn()
            .map_err(cannot)?;
        let kept = Kept::default();
        let (sender, lines) = sync_channel(WAITING_LINES);
        if let Some(output) = child.stdout.take() {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || {
                each_line(output, |line| {
                    keep(&kept, format!("out: {line}"));
                    sender.send(line).is_ok()
                });
            });
        }
        if let Some(errors) = child.stderr.take() {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || {
                each_line(errors, |line| {
                    keep(&kept, format!("err: {line}"));
                    true
                });
            });
        }
        Ok(Bot {
            input: child.stdin.take(),
            child,
            mark,
            lines,
            kept,
            used: Used::default(),
        })
    }

    /// Sends lines and waits for the one answer. `since` is when the clock began to run for it.
    pub fn ask(
        &mut self,
        request: &str,
        since: Instant,
        allowance: Allowance,
    ) -> Result<String, Fault> {
        if let Ok(line) = self.lines.try_recv() {
            return Err(Fault::new(Cause::Output, format!("unasked: '{line}'")));
        }
        // A bot that does not read cannot block this: all requests of a game fit into the pipe.
        let sent = self.input.as_mut().map(|input| {
            input.write_all(format!("{request}\n").as_bytes())?;
            input.flush()
        });
        let answer = self.wait(since, allowance);
        self.used.wall_us += micros(since.elapsed());
        let answer = answer?;
        if let Some(Err(error)) = sent {
            return Err(Fault::new(
                Cause::Crash,
                format!("its input is closed: {error}"),
            ));
        }
        self.check_cpu(allowance)?;
        if self.used.wall_us > allowance.wall_us {
            return Err(self.out_of_wall_time(allowance));
        }
        Ok(answer)
    }

    fn wait(&mut self, since: Instant, allowance: Allowance) -> Result<String, Fault> {
        loop {
            let used = self.used.wall_us + micros(since.elapsed());
            let left = Duration::from_micros(allowance.wall_us.saturating_sub(used));
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {
                    self.check_cpu(allowance)?;
                    // Its children may hold the output open after it has ended.
                    if let Ok(Some(status)) = self.child.try_wait() {
                        let ended = || Fault::new(Cause::Crash, format!("ended with {status}"));
                        return self.lines.try_recv().map_err(|_| ended());
                    }
                    if process::interrupted() {
                        return Err(Fault::new(Cause::Crash, "interrupted"));
                    }
                    if left.is_zero() {
                        return Err(self.out_of_wall_time(allowance));
                    }
                }
            }
        }
    }

    fn out_of_wall_time(&self, allowance: Allowance) -> Fault {
        let limit = allowance.wall_us / 1_000;
        Fault::new(Cause::WallTime, format!("no answer within {limit} ms"))
    }

    /// Reads the CPU clock, and compares it with the limit.
    fn check_cpu(&mut self, allowance: Allowance) -> Result<(), Fault> {
        if let Some(cpu_us) = process::bot_cpu_us(self.child.id(), &self.mark) {
            self.used.cpu_us = self.used.cpu_us.max(cpu_us);
        }
        match allowance.cpu_us {
            Some(limit) if self.used.cpu_us > limit => Err(Fault::new(
                Cause::CpuTime,
                format!(
                    "{} ms of CPU time used, {} ms allowed",
                    self.used.cpu_us / 1_000,
                    limit / 1_000
                ),
            )),
            _ => Ok(()),
        }
    }

    /// The fault of a bot that closed its output: how its process ended, if it did.
    fn ended(&mut self) -> Fault {
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Fault::new(Cause::Crash, format!("ended with {status}"));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Fault::new(Cause::Crash, "closed its output")
    }

    /// Ends the bot after its last answer, its children too. Its fault, if it used too much CPU time or wrote a line
    /// unasked.
    pub fn finish(&mut self, allowance: Allowance) -> Result<(), Fault> {
        self.check_cpu(allowance)?;
        self.kill();
        // The readers end with the pipes, which may be held open by no one any more.
        match self.lines.recv_timeout(Duration::from_secs(2)) {
            Ok(line) => Err(Fault::new(Cause::Output, format!("unasked: '{line}'"))),
            Err(_) => Ok(()),
        }
    }

    /// The last lines that it wrote, oldest first.
    pub fn last_lines(&self) -> Vec<String> {
        let kept = self.kept.lock();
        kept.map_or_else(|_| Vec::new(), |kept| kept.iter().cloned().collect())
    }

    fn kill(&mut self) {
        self.input = None;
        process::kill_group(self.child.id());
        process::kill_marked(&self.mark);
        // Already gone, or killed just now: there is nothing else to do about an error.
        let _ = self.child.wait();
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A plain command takes the shell's place; one with shell syntax needs the shell.
fn without_shell(command: &str) -> String {
    let command = command.trim_start();
    if command.contains(|c| ";|&(){}<>`\n".contains(c)) {
        command.to_owned()
    } else if begins_with_assignment(command) {
        // The shell's `exec` takes an assignment for a program's name.
        format!("exec env {command}")
    } else {
        format!("exec {command}")
    }
}

/// Whether the first word sets a variable, as in `THREADS=1 ./bot`.
fn begins_with_assignment(command: &str) -> bool {
    let Some((name, _)) = command.split_once('=') else {
        return false;
    };
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}

fn keep(kept: &Kept, line: String) {
    if let Ok(mut kept) = kept.lock() {
        if kept.len() == KEPT_LINES {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}

/// Hands each line to `take` until that says `false` or the stream ends. A last line without line feed counts.
fn each_line(stream: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        if !take(String::from_utf8_lossy(&line).into_owned()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_shell;

    #[test]
    fn plain_commands_replace_the_shell_with_or_without_variables() {
        assert_eq!(without_shell("./bot --x=1"), "exec ./bot --x=1");
        assert_eq!(without_shell(" A_1=x ./bot"), "exec env A_1=x ./bot");
        assert_eq!(without_shell("./a=b"), "exec ./a=b");
        assert_eq!(without_shell("cd x && ./bot"), "cd x && ./bot");
    }
}
