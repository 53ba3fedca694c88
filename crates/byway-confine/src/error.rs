//! Why a program could not be confined.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a program could not be confined, or not be run. How a program ended is never an error.
#[derive(Debug, Error)]
pub enum ConfineError {
    /// The machine does not let us.
    #[error(
        "cannot confine programs on this machine: failed {what}: {source}\n\
         (`byway doctor` says what is missing; with --unconfined programs run without protection)"
    )]
    Wall {
        /// What we tried.
        what: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The directory cannot be the working directory of a sandbox.
    #[error("{} cannot be the working directory of confined programs: {why}", .directory.display())]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// Why not.
        why: String,
    },
    /// The helper does not do what it should.
    #[error("the helper that confines programs {what}: {source}")]
    Helper {
        /// What it did.
        what: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
    /// The helper made a mistake.
    #[error("a mistake of byway's in the helper that confines programs: {0}")]
    Mistake(String),
    /// The program cannot be executed.
    #[error("cannot run {program}: {source}")]
    Start {
        /// The program.
        program: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// What a run wrote cannot be undone.
    #[error("cannot restore the working directory of confined programs: {0}")]
    Restore(io::Error),
    /// A text has a zero byte in it.
    #[error("an argument, a variable or a path has a zero byte in it")]
    ZeroByte,
}
