//! `byway import`: seeds of a fuzzer's corpus, or of KLEE's tests.

use crate::command::record::in_words;
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::ImportFlags;

/// Runs the command.
pub fn run(flags: ImportFlags) -> Result<ExitCode, Error> {
    let activity = Activity::new("reading the corpora".to_owned());
    let suite = byway_suite::import(&flags.corpora, &flags.command, &flags.output)?;
    drop(activity);
    console::print(&in_words(&suite));
    Ok(ExitCode::Success)
}
