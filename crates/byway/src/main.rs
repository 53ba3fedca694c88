//! `byway`, the command line.
//!
//! [`flags`] is the command line as typed, with what [`config`] finds in `byway.toml`; each command in [`command`] does one job and returns an [`Error`] or an
//! [`ExitCode`](exit_code::ExitCode); [`console`] is the only part that knows about terminals.

mod command;
mod config;
mod console;
mod error;
mod exit_code;
mod flags;

use std::ffi::OsString;
use std::process;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use console::Activity;
use error::Error;
use exit_code::ExitCode;
use flags::{Command, Flags};

fn main() -> process::ExitCode {
    byway_confine::serve_if_asked();
    byway_suite::serve_if_asked();
    console::explain_panics();
    let arguments = match config::arguments(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => {
            console::error(&error.to_string());
            return error.exit_code().into();
        }
    };
    let flags = match Flags::try_parse_from(&arguments) {
        Ok(flags) => flags,
        Err(error) => {
            let _ = error.print();
            tip(&error, &arguments).iter().for_each(|tip| console::error(tip));
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

/// What to say to somebody who forgot the `--` before a command: `byway check make check`.
fn tip(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().skip(1).map(|word| word.to_str().unwrap_or_default()).collect();
    let Some(ContextValue::String(unexpected)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_ours = words.iter().any(|word| ["check", "record"].contains(word)) && !words.contains(&"--");
    let at = words.iter().position(|word| word == unexpected).filter(|_| is_ours && !unexpected.starts_with('-'))?;
    let (before, command) = words.split_at(at);
    Some(format!("the test command comes behind --:  byway {} -- {}", before.join(" "), command.join(" ")))
}

fn run(flags: Flags) -> Result<process::ExitCode, Error> {
    console::start_heartbeat(flags.progress);
    let _activity = Activity::unseen("still at work".to_owned());
    let code = match flags.command {
        Command::Build(flags) => command::build::run(flags),
        Command::Doctor(flags) => command::doctor::run(flags),
        Command::Coverage(flags) => command::coverage::run(flags),
        Command::Trace(flags) => command::trace::run(flags),
        Command::Explore(flags) => command::explore::run(flags),
        Command::Check(flags) => command::check::run(flags),
        Command::Report(flags) => command::report::run(flags),
        Command::Init(flags) => command::init::run(flags),
        Command::Completions(flags) => command::manual::completions(flags),
        Command::Manual(flags) => command::manual::pages(flags),
        Command::Baseline(flags) => command::baseline::run(flags),
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
