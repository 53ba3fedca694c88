//! `byway report`: the page of an output directory, made again.

use std::env;

use byway_report::page;

use crate::command::shown;
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::ReportFlags;

/// Runs the command.
pub fn run(flags: ReportFlags) -> Result<ExitCode, Error> {
    let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
    let _activity = Activity::new(format!("making the page of {}", shown(&flags.directory)));
    let path = page::write(&flags.directory, &here)?;
    console::print(&format!("{}\n", shown(&path)));
    Ok(ExitCode::Success)
}
