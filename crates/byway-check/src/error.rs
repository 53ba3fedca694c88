//! Why something cannot be checked.

use byway_exec::ExecError;
use byway_report::ReportError;
use thiserror::Error;

/// Why something cannot be checked.
#[derive(Debug, Error)]
pub enum CheckError {
    /// Something cannot be run.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// Results cannot be written or read.
    #[error(transparent)]
    Report(#[from] ReportError),
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
    /// Whether something is wrong with a seed, or with one run of it, and nothing else.
    pub(crate) fn is_of_the_seed(&self) -> bool {
        match self {
            CheckError::Exec(error) => error.is_of_the_run() || matches!(error, ExecError::Input { .. }),
            CheckError::During { error, .. } => error.is_of_the_seed(),
            CheckError::Report(_) => false,
        }
    }

    /// The same, with what was done. What is wrong with results has nothing to do with that.
    pub(crate) fn during(self, phase: &'static str) -> CheckError {
        match self {
            CheckError::Report(_) => self,
            error => CheckError::During { phase, error: Box::new(error) },
        }
    }
}
