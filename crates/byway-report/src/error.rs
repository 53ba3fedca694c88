//! Why an output directory cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why an output directory cannot be written or read.
#[derive(Debug, Error)]
pub enum ReportError {
    /// There is something else at its place.
    #[error("{path} is not an output directory of byway and not empty: choose another directory with -o")]
    Foreign {
        /// The directory.
        path: PathBuf,
    },
    /// There is a file at its place.
    #[error("{path} is not a directory: choose another directory with -o")]
    NotDirectory {
        /// The file.
        path: PathBuf,
    },
    /// Another byway writes to it.
    #[error("{path} is in use by another byway: wait for it to end, or choose another directory with -o")]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// Nothing was found where something was to be read.
    #[error("{path} has no tests of byway: give a test, a finding, or an output directory")]
    NoTests {
        /// What was given.
        path: PathBuf,
    },
    /// It was written by another version of byway.
    #[error(
        "{path} has version {found}, this byway reads version {expected}: use the byway that wrote it, or start anew"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// Ours.
        expected: u32,
    },
    /// The file is not what it should be.
    #[error("{path} is damaged: {source}; remove it, or restore it from a copy")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A file of suppressions cannot be used.
    #[error("{path}: {why}")]
    Suppressions {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A file is no baseline.
    #[error(
        "{path} is no baseline: give what byway baseline wrote, or the findings.json or report.sarif of byway check"
    )]
    NoBaseline {
        /// The file.
        path: PathBuf,
    },
    /// There is no number for another test.
    #[error("the last test in {path} has the last number there is: it is damaged; remove it, or begin anew")]
    NoNumber {
        /// The directory.
        path: PathBuf,
    },
    /// The operating system refuses.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was to be done.
        doing: &'static str,
        /// With what.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

impl ReportError {
    /// For `map_err`.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ReportError {
        move |source| ReportError::Io { doing, path: path.to_owned(), source }
    }
}
