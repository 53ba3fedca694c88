//! Why an exploration cannot go on.

use std::io;
use std::path::PathBuf;

use byway_confine::ConfineError;
use byway_exec::RunError;
use byway_report::ReportError;
use thiserror::Error;

/// Why an exploration cannot go on.
#[derive(Debug, Error)]
pub enum ExploreError {
    /// The program cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The program cannot be confined.
    #[error(transparent)]
    Confine(#[from] ConfineError),
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
