//! `byway baseline`: what was found, as what is known.

use byway_report::Baseline;

use crate::command::{count, shown};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::BaselineFlags;

/// Runs the command.
pub fn run(flags: BaselineFlags) -> Result<ExitCode, Error> {
    let file = if flags.from.is_dir() { flags.from.join("findings.json") } else { flags.from.clone() };
    let baseline = Baseline::read(&file)?;
    let number = baseline.len();
    baseline.write(&flags.output)?;
    console::print(&format!("{} in {}\n", count(number, "finding"), shown(&flags.output)));
    Ok(ExitCode::Success)
}
