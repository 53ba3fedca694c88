//! Why an exploration cannot go on.

use std::io;
use std::path::PathBuf;

use byway_exec::{ExecError, RunError};
use byway_report::ReportError;
use thiserror::Error;

/// Why an exploration cannot go on.
#[derive(Debug, Error)]
pub enum ExploreError {
    /// The program cannot be run.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// Results cannot be written or read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The machine does not give us what we need.
    #[error("cannot prepare a run: {0}")]
    Machine(io::Error),
    /// The external solver said something else than ours.
    #[error(
        "two solvers disagree; the question and both answers are in {0}; this is a mistake in byway, or in the solver"
    )]
    Disagreement(PathBuf),
}

impl ExploreError {
    /// Whether it is about one run, and the next one may do.
    pub(crate) fn is_of_the_run(&self) -> bool {
        matches!(self, ExploreError::Exec(error) if error.is_of_the_run())
    }

    /// Whether the sandbox is gone, as it is when it is time to stop.
    pub(crate) fn is_of_the_sandbox(&self) -> bool {
        matches!(self, ExploreError::Exec(ExecError::Confine(_) | ExecError::Run(RunError::Cell(_))))
    }
}
