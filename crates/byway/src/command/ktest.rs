//! `byway ktest`: what is in KLEE's files.

use std::path::Path;

use byway_ktest::KTest;

use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::KtestFlags;

/// Runs the command. Files before one that cannot be read are printed.
pub fn run(flags: KtestFlags) -> Result<ExitCode, Error> {
    for path in &flags.files {
        let ktest = read(path)?;
        console::print(&ktest.shown(&path.to_string_lossy()).to_string());
    }
    Ok(ExitCode::Success)
}

fn read(path: &Path) -> Result<KTest, Error> {
    let content =
        byway_file::read(path, byway_file::INPUT).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    KTest::read(&content).map_err(|source| Error::KTest { path: path.to_owned(), source })
}
