//! The operating system for the player: standard input and output, and both clocks.
//!
//! The place with foreign functions: std has no CPU clock. [`process`] has those for other processes.

pub mod process;

use player::host::{Clock, Host, Instant, Line, MAX_LINE_BYTES};
use std::io::{self, BufRead, Read, StdinLock, Write};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

const CLOCK_MONOTONIC: i32 = 1;
const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    fn signal(signal: i32, handler: usize) -> usize;
}

/// From now on the program ends quietly when nobody reads its output any more, as in `solve ... | head`. Std ignores
/// the signal, and would panic instead.
pub fn end_with_the_reader() {
    const SIGPIPE: i32 = 13;
    const SIG_DFL: usize = 0;
    // SAFETY: the default action is a valid one for any signal.
    unsafe {
        signal(SIGPIPE, SIG_DFL);
    }
}

/// What a clock of the system shows, in microseconds; `None` if there is no such clock.
fn read_clock(clock: i32) -> Option<u64> {
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: `time` is a valid timespec of this platform (64-bit Linux) for the length of the call.
    let failed = unsafe { clock_gettime(clock, &mut time) } != 0;
    (!failed).then_some(time.seconds as u64 * 1_000_000 + time.nanoseconds as u64 / 1_000)
}

/// What a clock shows that every system has.
fn microseconds(clock: i32) -> u64 {
    read_clock(clock).unwrap_or(0)
}

/// Microseconds of CPU time that this process has used, all threads.
pub fn cpu_us() -> u64 {
    microseconds(CLOCK_PROCESS_CPUTIME_ID)
}

/// The real clocks. Wall time counts from the making of this value.
pub struct SystemClock {
    start_us: u64,
}

impl SystemClock {
    /// Clocks whose wall time begins now.
    pub fn new() -> SystemClock {
        SystemClock {
            start_us: microseconds(CLOCK_MONOTONIC),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant {
            wall_us: microseconds(CLOCK_MONOTONIC) - self.start_us,
            cpu_us: cpu_us(),
        }
    }
}

/// Standard input, output and error as the player's world.
pub struct StdHost {
    input: StdinLock<'static>,
    clock: SystemClock,
}

impl StdHost {
    /// Takes over standard input.
    pub fn new() -> StdHost {
        let clock = SystemClock::new();
        StdHost {
            input: io::stdin().lock(),
            clock,
        }
    }
}

impl Clock for StdHost {
    fn now(&self) -> Instant {
        self.clock.now()
    }
}

impl Host for StdHost {
    fn read_line(&mut self, line: &mut Vec<u8>) -> Line {
        line.clear();
        let limit = MAX_LINE_BYTES as u64 + 1;
        match self.input.by_ref().take(limit).read_until(b'\n', line) {
            Ok(0) | Err(_) => return Line::End,
            Ok(_) => {}
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > MAX_LINE_BYTES {
            // What is left of the line cannot matter, nor can an error while passing over it.
            let _ = self.input.skip_until(b'\n');
            return Line::TooLong;
        }
        Line::Text
    }

    fn write_line(&mut self, text: &str) {
        // A judge that hung up reads nothing more; the end of its input ends the program.
        let mut output = io::stdout().lock();
        let _ = writeln!(output, "{text}").and_then(|()| output.flush());
    }

    fn log(&mut self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }
}
