//! What packages want of a command line: manual pages and completions, made from the flags themselves.

use std::fs;

use clap::CommandFactory;

use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::{CompletionFlags, Flags, ManualFlags};

/// Writes the manual pages: `byway.1`, and one for each command.
pub fn pages(flags: ManualFlags) -> Result<ExitCode, Error> {
    let write = |source| Error::Write { path: flags.directory.clone(), source };
    fs::create_dir_all(&flags.directory).map_err(write)?;
    clap_mangen::generate_to(Flags::command(), &flags.directory).map_err(write)?;
    Ok(ExitCode::Success)
}

/// Prints the completions of a shell.
pub fn completions(flags: CompletionFlags) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut Flags::command(), "byway", &mut script);
    console::print(&String::from_utf8_lossy(&script));
    Ok(ExitCode::Success)
}
