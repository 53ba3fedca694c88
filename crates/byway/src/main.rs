//! `byway`, the command line.
//!
//! [`flags`] is the command line as typed; each command in [`command`] does one job and returns an [`Error`] or an
//! [`ExitCode`](exit_code::ExitCode); [`console`] is the only part that knows about terminals.

mod command;
mod console;
mod error;
mod exit_code;
mod flags;

use std::process;

use clap::Parser;
use error::Error;
use exit_code::ExitCode;
use flags::{Command, Flags};

fn main() -> process::ExitCode {
    byway_confine::serve_if_asked();
    byway_suite::serve_if_asked();
    console::explain_panics();
    let flags = match Flags::try_parse() {
        Ok(flags) => flags,
        Err(error) => {
            let _ = error.print();
            let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Success };
            return code.into();
        }
    };
    match run(flags) {
        Ok(code) => code,
        Err(error) => {
            console::error(&error.to_string());
            error.exit_code().into()
        }
    }
}

fn run(flags: Flags) -> Result<process::ExitCode, Error> {
    let code = match flags.command {
        Command::Build(flags) => command::build::run(flags),
        Command::Doctor(flags) => command::doctor::run(flags),
        Command::Coverage(flags) => command::coverage::run(flags),
        Command::Trace(flags) => command::trace::run(flags),
        Command::Explore(flags) => command::explore::run(flags),
        Command::Check(flags) => command::check::run(flags),
        Command::Replay(flags) => command::replay::run(flags),
        Command::Ktest(flags) => command::ktest::run(flags),
        Command::Import(flags) => command::import::run(flags),
        Command::Plan(flags) => command::plan::run(flags),
        Command::Reduce(flags) => command::reduce::run(flags),
        Command::Rank(flags) => command::rank::run(flags),
        Command::Changes(flags) => command::changes::run(flags),
        Command::Diff(flags) => command::diff::run(flags),
        Command::Eval(flags) => command::eval::run(flags),
        // This one ends as what it runs.
        Command::Record(flags) => return command::record::run(flags),
    };
    code.map(process::ExitCode::from)
}
