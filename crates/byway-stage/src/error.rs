//! Why something cannot be run.

use std::io;

use byway_confine::ConfineError;
use byway_exec::RunError;
use thiserror::Error;

/// Why something cannot be run.
#[derive(Debug, Error)]
pub enum StageError {
    /// The program cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The program cannot be confined.
    #[error(transparent)]
    Confine(#[from] ConfineError),
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
}

impl StageError {
    /// Whether it is about one run, and the next one may do.
    pub fn is_of_the_run(&self) -> bool {
        matches!(self, StageError::Run(error) if error.is_of_the_run())
    }
}
