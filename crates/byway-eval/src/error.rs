//! Why a measurement cannot go on.

use std::path::PathBuf;

use byway_exec::ExecError;
use byway_report::ReportError;
use thiserror::Error;

/// Why a measurement cannot go on.
#[derive(Debug, Error)]
pub enum EvalError {
    /// Seeds cannot be run.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// The output directory cannot be written or read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// What is to be gone on with was measured otherwise.
    #[error(
        "{path} was measured with {was}, not with {wanted}: --resume goes on with the same; or choose another directory with -o"
    )]
    Other {
        /// The directory.
        path: PathBuf,
        /// What was other.
        was: String,
        /// What is wanted now.
        wanted: String,
    },
    /// What is to be gone on with is not of this program.
    #[error(
        "{path} speaks of branch {branch} of a program with {branches}: it is damaged; measure again without --resume"
    )]
    NoSuchBranch {
        /// The journal.
        path: PathBuf,
        /// The branch.
        branch: u32,
        /// How many outcomes the branches of the program have.
        branches: u32,
    },
    /// There is nothing to go on with.
    #[error("{path} has no measurement of byway eval to go on with: leave out --resume")]
    Nothing {
        /// The directory.
        path: PathBuf,
    },
}
