//! Other processes: their CPU time as the operating system counts it, and their end.
//!
//! Linux only: CPU clocks of processes, `/proc`, process groups. Owns no process; [`crate::tools`]' referee
//! does.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{read_clock, signal};

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGKILL: i32 = 9;
const SIGTERM: i32 = 15;
const PR_SET_PDEATHSIG: i32 = 1;
const SC_CLK_TCK: i32 = 2;
const SIG_IGN: usize = 1;

extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    fn prctl(option: i32, argument: u64, ...) -> i32;
    fn sysconf(name: i32) -> i64;
    fn clock_getcpuclockid(process: i32, clock: *mut i32) -> i32;
}

/// A variable in the environment of a bot and of all that it starts. It stays with a process that leaves the group
/// and whose parents are gone, where nothing else tells where it came from.
const MARK: &str = "REVERSI_BOT_TABLE";

/// The value of [`MARK`] for one bot, like no other on the machine at this time.
#[derive(Clone, Debug)]
pub struct Mark(String);

impl Mark {
    /// A mark that no other bot has.
    pub fn new() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Mark(format!("{}-{number}", std::process::id()))
    }

    /// Whether a process carries the mark.
    fn is_on(&self, process: u32) -> bool {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let entry = format!("{MARK}={}", self.0);
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == entry.as_bytes())
    }
}

/// Makes the command's process lead a group of its own, and die when the thread that starts it does.
pub fn isolate<'a>(command: &'a mut Command, mark: &Mark) -> &'a mut Command {
    command.process_group(0).env(MARK, &mark.0);
    // SAFETY: the closure runs in the child between fork and exec and makes one system call, which is
    // allowed there.
    unsafe {
        command.pre_exec(|| match prctl(PR_SET_PDEATHSIG, SIGKILL as u64) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        })
    }
}

/// Kills every process of the group that `leader` leads, for good.
pub fn kill_group(leader: u32) {
    if let Ok(group @ 2..) = i32::try_from(leader) {
        // SAFETY: no memory is involved. The group is one that `isolate` made.
        unsafe { kill(-group, SIGKILL) };
    }
}

/// Kills every process that carries the mark, whatever group or session it went to.
pub fn kill_marked(mark: &Mark) {
    /// Processes that start others while they are killed are met again; one that wins this race often gives up.
    const ROUNDS: usize = 20;
    for _ in 0..ROUNDS {
        let mut found = false;
        for process in processes() {
            let marked = mark.is_on(process);
            if let (true, Ok(process @ 2..)) = (marked, i32::try_from(process)) {
                found = true;
                // SAFETY: no memory is involved.
                unsafe { kill(process, SIGKILL) };
            }
        }
        if !found {
            return;
        }
    }
}

/// The numbers of all processes.
fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// CPU time in microseconds of a bot's processes that are still there, children that they have waited for included: its
/// leader, the leader's group and descendants, and what carries the mark although its parents are gone. `None` if
/// the leader is gone.
pub fn bot_cpu_us(leader: u32, mark: &Mark) -> Option<u64> {
    /// The parent of processes whose own has ended.
    const INIT: u32 = 1;
    let precise = process_cpu_us(leader)?;
    let processes: Vec<(u32, Stat)> = processes()
        .into_iter()
        .filter_map(|process| Some((process, Stat::read(process)?)))
        .collect();
    let mut found = vec![leader];
    let mut at = 0;
    let belongs = |(process, stat): &(u32, Stat)| {
        stat.group == leader || stat.parent == INIT && *process != leader && mark.is_on(*process)
    };
    found.extend(
        processes
            .iter()
            .filter(|one| one.0 != leader && belongs(one))
            .map(|one| one.0),
    );
    while let Some(&parent) = found.get(at) {
        let children = processes.iter().filter(|(_, stat)| stat.parent == parent);
        for (child, _) in children {
            if !found.contains(child) {
                found.push(*child);
            }
        }
        at += 1;
    }
    let mut total = precise;
    for (process, stat) in processes
        .iter()
        .filter(|(process, _)| found.contains(process))
    {
        total += stat.children_us;
        if *process != leader {
            total += stat.own_us;
        }
    }
    Some(total)
}

/// What `/proc` says of a process.
struct Stat {
    parent: u32,
    group: u32,
    own_us: u64,
    children_us: u64,
}

impl Stat {
    fn read(process: u32) -> Option<Stat> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name stands in parentheses and may hold anything; what follows is numbers (see proc(5)).
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        // SAFETY: no memory is involved.
        let ticks = unsafe { sysconf(SC_CLK_TCK) }.max(1) as u64;
        let micros = |ticks_used: u64| ticks_used * 1_000_000 / ticks;
        Some(Stat {
            parent: number(4)? as u32,
            group: number(5)? as u32,
            own_us: micros(number(14)? + number(15)?),
            children_us: micros(number(16)? + number(17)?),
        })
    }
}

/// CPU time of one process, all threads, to the microsecond.
fn process_cpu_us(process: u32) -> Option<u64> {
    let mut clock = 0;
    // SAFETY: `clock` is valid for the length of the call.
    if unsafe { clock_getcpuclockid(i32::try_from(process).ok()?, &mut clock) } != 0 {
        return None;
    }
    read_clock(clock)
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn note_interruption(_: i32) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// From now on interrupts, requests to end and the end of the terminal are noted and no longer end the program by
/// themselves. Under `nohup` the end of the terminal stays ignored.
pub fn catch_interruptions() {
    let handler: extern "C" fn(i32) = note_interruption;
    // SAFETY: the handler only stores to an atomic, which is allowed in one.
    unsafe {
        signal(SIGINT, handler as usize);
        signal(SIGTERM, handler as usize);
        if signal(SIGHUP, handler as usize) == SIG_IGN {
            signal(SIGHUP, SIG_IGN);
        }
    }
}

/// Whether an interruption was noted.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
