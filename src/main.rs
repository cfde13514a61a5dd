//! The ordinary program: without arguments the bot that talks to the judge, else a tool for people.
//!
//! This file is the protocol side's shell: arguments in, one call out.

mod os;
mod tools;

use std::process::ExitCode;

fn main() -> ExitCode {
    tools::run(std::env::args_os().skip(1).collect())
}
