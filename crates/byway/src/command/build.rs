//! `byway build`: make a variant, print where it is.

use crate::command::{build_variant, open_subject};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::BuildFlags;

/// Runs the command.
pub fn run(flags: BuildFlags) -> Result<ExitCode, Error> {
    let cache = flags.cache.open()?;
    let subject = open_subject(&cache, &flags.program)?;
    let variant = build_variant(&cache, &subject, flags.variant)?;
    console::print(&format!("{}\n", variant.program.display()));
    Ok(ExitCode::Success)
}
