//! `byway build`: make a variant, print where it is.

use byway_program::Subject;

use crate::command::build_variant;
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::BuildFlags;

/// Runs the command.
pub fn run(flags: BuildFlags) -> Result<ExitCode, Error> {
    let subject = Subject::open(&flags.program)?;
    let cache = flags.cache.open()?;
    let variant = build_variant(&cache, &subject, flags.variant)?;
    console::print(&format!("{}\n", variant.program.display()));
    Ok(ExitCode::Success)
}
