//! The shell of a submission in C: the player around libc instead of std.
//!
//! Not part of the cargo build. `reversi-bot bundle c` compiles this file against the player library, takes the
//! machine code, and writes it into one C file whose `main` calls [`rb_entry`]. Everything outside comes from
//! a dozen libc functions. This file must not do anything that the ordinary shell does not: both must play
//! alike.
#![no_std]

extern crate alloc;

use alloc::vec::Vec;
use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;
use player::host::{Clock, Host, Instant, Line, MAX_LINE_BYTES};
use player::session::{self, Options};

extern "C" {
    fn read(file: i32, buffer: *mut u8, length: usize) -> isize;
    fn write(file: i32, buffer: *const u8, length: usize) -> isize;
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn posix_memalign(pointer: *mut *mut c_void, align: usize, size: usize) -> i32;
    fn free(pointer: *mut c_void);
    fn abort() -> !;
}

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

const CLOCK_MONOTONIC: i32 = 1;
const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;

/// Choices that the bundler writes into the finished code: milliseconds for a game of Reversi, milliseconds for
/// a turn of Isolation, nodes a move (0: by the clocks).
#[no_mangle]
pub static RB_OPTIONS: [u64; 3] = [5_000, 80, 0];

/// Memory from libc.
struct Libc;

/// What `malloc` aligns to.
const ALIGNED: usize = 16;

// SAFETY: the memory is what libc gives for the layout asked for, and goes back to libc.
unsafe impl GlobalAlloc for Libc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            return calloc(1, layout.size()).cast();
        }
        let mut pointer = core::ptr::null_mut();
        match posix_memalign(&mut pointer, layout.align(), layout.size()) {
            0 => pointer.cast(),
            _ => core::ptr::null_mut(),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let pointer = self.alloc(layout);
        if layout.align() > ALIGNED && !pointer.is_null() {
            pointer.write_bytes(0, layout.size());
        }
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        free(pointer.cast());
    }
}

#[global_allocator]
static ALLOCATOR: Libc = Libc;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: takes nothing and does not return.
    unsafe { abort() }
}

/// The landing pads of the precompiled standard crates end here. Nothing unwinds, so nothing comes.
#[no_mangle]
pub extern "C" fn _Unwind_Resume() -> ! {
    // SAFETY: takes nothing and does not return.
    unsafe { abort() }
}

fn microseconds(clock: i32) -> u64 {
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: `time` is a valid timespec of this platform (64-bit Linux) for the length of the call.
    let failed = unsafe { clock_gettime(clock, &mut time) } != 0;
    if failed {
        return 0;
    }
    time.seconds as u64 * 1_000_000 + time.nanoseconds as u64 / 1_000
}

const INPUT: i32 = 0;
const OUTPUT: i32 = 1;
const ERRORS: i32 = 2;

/// Standard input, output and error by libc alone.
struct LibcHost {
    start_us: u64,
    buffer: [u8; 4096],
    from: usize,
    to: usize,
}

impl LibcHost {
    fn next_byte(&mut self) -> Option<u8> {
        if self.from == self.to {
            // SAFETY: the buffer is as long as it says.
            let read = unsafe { read(INPUT, self.buffer.as_mut_ptr(), self.buffer.len()) };
            (self.from, self.to) = (0, usize::try_from(read).unwrap_or(0));
        }
        let byte = *self.buffer.get(self.from..self.to)?.first()?;
        self.from += 1;
        Some(byte)
    }

    fn write(file: i32, text: &str) {
        let mut line = Vec::with_capacity(text.len() + 1);
        line.extend_from_slice(text.as_bytes());
        line.push(b'\n');
        let mut rest = &line[..];
        while !rest.is_empty() {
            // SAFETY: the slice is as long as it says.
            let written = unsafe { write(file, rest.as_ptr(), rest.len()) };
            match usize::try_from(written) {
                Ok(written @ 1..) => rest = rest.get(written..).unwrap_or(&[]),
                // A judge that hung up reads nothing more.
                _ => return,
            }
        }
    }
}

impl Clock for LibcHost {
    fn now(&self) -> Instant {
        Instant {
            wall_us: microseconds(CLOCK_MONOTONIC) - self.start_us,
            cpu_us: microseconds(CLOCK_PROCESS_CPUTIME_ID),
        }
    }
}

impl Host for LibcHost {
    fn read_line(&mut self, line: &mut Vec<u8>) -> Line {
        line.clear();
        let mut any = false;
        let mut too_long = false;
        while let Some(byte) = self.next_byte() {
            any = true;
            if byte == b'\n' {
                break;
            }
            too_long |= line.len() == MAX_LINE_BYTES;
            if !too_long {
                line.push(byte);
            }
        }
        match (any, too_long) {
            (false, _) => Line::End,
            (_, true) => Line::TooLong,
            _ => Line::Text,
        }
    }

    fn write_line(&mut self, text: &str) {
        LibcHost::write(OUTPUT, text);
    }

    fn log(&mut self, text: &str) {
        LibcHost::write(ERRORS, text);
    }
}

/// Plays until the input ends. Called once by `main`.
#[no_mangle]
pub extern "C" fn rb_entry() -> i32 {
    // SAFETY: the static is always there; volatile, since the bundler may have changed what it says here.
    let [time_ms, turn_ms, nodes] = unsafe { core::ptr::read_volatile(&RB_OPTIONS) };
    let options = Options {
        time_ms,
        turn_ms,
        nodes: (nodes > 0).then_some(nodes),
        ..Options::default()
    };
    let mut host = LibcHost {
        start_us: microseconds(CLOCK_MONOTONIC),
        buffer: [0; 4096],
        from: 0,
        to: 0,
    };
    match option_env!("RB_GAME") {
        Some("isolation") => session::run_isolation(&mut host, &options),
        Some("reversi") => session::run_reversi(&mut host, &options),
        _ => session::run(&mut host, &options),
    };
    0
}
