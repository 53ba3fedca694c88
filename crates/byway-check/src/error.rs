//! Why something cannot be checked.

use std::io;

use byway_confine::ConfineError;
use byway_report::ReportError;
use byway_run::RunError;
use thiserror::Error;

/// Why something cannot be checked.
#[derive(Debug, Error)]
pub enum CheckError {
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
    /// What one seed needs cannot be there; others may do.
    #[error("{seed} cannot be run: {why}")]
    Seed {
        /// The seed's name.
        seed: String,
        /// Why not.
        why: String,
    },
    /// What went wrong while something was done.
    #[error("{phase}: {error}")]
    During {
        /// What was done.
        phase: &'static str,
        /// What went wrong.
        error: Box<CheckError>,
    },
}

impl CheckError {
    /// The same, with what was done. What is wrong with results has nothing to do with that.
    pub(crate) fn during(self, phase: &'static str) -> CheckError {
        match self {
            CheckError::Report(_) => self,
            error => CheckError::During { phase, error: Box::new(error) },
        }
    }
}
