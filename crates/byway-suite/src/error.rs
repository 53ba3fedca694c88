//! Why seeds cannot be captured, imported or read.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use byway_ktest::KTestError;
use byway_report::ReportError;
use thiserror::Error;

/// Why seeds cannot be captured, imported or read.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// There is no such command.
    #[error("cannot run {}: {source}", .command.display())]
    NoCommand {
        /// What was to be run.
        command: OsString,
        /// What the operating system said.
        source: io::Error,
    },
    /// The kernel does not let us see system calls.
    #[error("cannot supervisor the test command: {source}; this needs Linux 5.6 or newer with seccomp{}", hint(.source))]
    NoFilter {
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system refuses something that always works.
    #[error("cannot {what}: {source}")]
    Machine {
        /// What was to be done.
        what: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
    /// There is something else at the place of the seeds.
    #[error("{path} is not a directory of seeds and not empty: choose another directory with -o")]
    Foreign {
        /// The directory.
        path: PathBuf,
    },
    /// No seeds are there.
    #[error("{path} has no seeds: give a directory that byway record or byway import made")]
    NoSeeds {
        /// What was given.
        path: PathBuf,
    },
    /// The directory is not there.
    #[error("{path} has no seeds: there is no such directory")]
    NoDirectory {
        /// What was given.
        path: PathBuf,
    },
    /// A corpus has nothing in it.
    #[error("there are no files to import: give files, or directories with files")]
    NoInputs,
    /// Something that a seed needs is not there.
    #[error("{path}, a part of the seeds, is not there: capture or import them again")]
    Incomplete {
        /// What is not there.
        path: PathBuf,
    },
    /// Something that a seed needs is not what it was.
    #[error("{path}, a part of the seeds, has another content than when it was written: capture or import them again")]
    Damaged {
        /// What has changed.
        path: PathBuf,
    },
    /// The seeds cannot be written or read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The program that seeds are for is none.
    #[error("{path} carries no bitcode; build it with byway-cc (for example: make clean && make CC=byway-cc)")]
    NoBitcode {
        /// The program.
        path: PathBuf,
    },
    /// A `.ktest` file is none.
    #[error("{path}: {source}")]
    KTest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: KTestError,
    },
    /// A fraction is none.
    #[error("{0} is not a fraction: give a number above 0 and not above 1")]
    Fraction(f64),
}

impl SuiteError {
    /// For `map_err`.
    pub(crate) fn io(doing: &'static str, path: &std::path::Path) -> impl FnOnce(io::Error) -> SuiteError {
        move |source| ReportError::Io { doing, path: path.to_owned(), source }.into()
    }
}

fn hint(error: &io::Error) -> &'static str {
    match error.raw_os_error() {
        Some(nix::libc::EBUSY) => ". Something else watches already: is this byway record in byway record?",
        _ => "",
    }
}
