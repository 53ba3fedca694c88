//! Why a comparison cannot go on.

use byway_exec::ExecError;
use byway_explore::ExploreError;
use byway_report::ReportError;
use thiserror::Error;

/// Why a comparison cannot go on.
#[derive(Debug, Error)]
pub enum DiffError {
    /// Programs cannot be run.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// The exploration from nothing failed.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// The output directory cannot be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A temporary directory cannot be made.
    #[error("cannot make a temporary directory: {0}")]
    Temporary(std::io::Error),
}
