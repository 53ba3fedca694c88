//! Why a run could not be made.
//!
//! A [`RunError`] is about a variant and its fork server, an [`ExecError`] about all that an executor does.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use byway_confine::ConfineError;
use byway_trace::TraceError;
use thiserror::Error;

/// Why a run could not be made. How the program ended is never an error.
#[derive(Debug, Error)]
pub enum RunError {
    /// The variant cannot be executed.
    #[error("cannot run {program}: {source}")]
    Start {
        /// The variant.
        program: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The variant does not get to its `main`.
    #[error(
        "{program} has not reached its main function after {:.1} s: a constructor takes long, or never ends{}\n\
         (--run-timeout SECONDS gives it more time)",
        .patience.as_secs_f64(), quote(.said)
    )]
    NotStarted {
        /// The variant.
        program: PathBuf,
        /// How long we waited.
        patience: Duration,
        /// What it wrote to standard error.
        said: String,
    },
    /// The variant does not answer.
    #[error("{program} does not answer as a fork server ({doing})")]
    Silent {
        /// The variant.
        program: PathBuf,
        /// What we waited for.
        doing: &'static str,
    },
    /// The fork server ended, or closed its socket.
    #[error("the fork server of {program} is gone ({doing}): {}{}", describe(.status), quote(.said))]
    Gone {
        /// The variant.
        program: PathBuf,
        /// What it was asked to do.
        doing: &'static str,
        /// How it ended; `None` if it still runs.
        status: Option<ExitStatus>,
        /// What it wrote to standard error.
        said: String,
    },
    /// The fork server says something that makes no sense.
    #[error("{program} is a fork server of another version of byway, or none")]
    Foreign {
        /// The variant.
        program: PathBuf,
    },
    /// The fork server could not make a process.
    #[error("the fork server of {program} cannot make a process: is there a limit to their number?")]
    NoProcess {
        /// The variant.
        program: PathBuf,
    },
    /// The process could not become the run that was asked for.
    #[error("{program} cannot set up a run ({status}): is there a limit to its memory?")]
    NotBegun {
        /// The variant.
        program: PathBuf,
        /// How it ended.
        status: ExitStatus,
    },
    /// A name, a variable or a pattern for files has a zero byte in it.
    #[error("a name, a variable or a pattern for files has a zero byte in it")]
    ZeroByte,
    /// The socket cannot be used.
    #[error("cannot talk to the fork server of {program}: {source}")]
    Socket {
        /// The variant.
        program: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The sandbox that the program runs in does not work.
    #[error(transparent)]
    Cell(#[from] ConfineError),
    /// There is no trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
}

/// Why an executor cannot run something. How the program ended is never an error.
#[derive(Debug, Error)]
pub enum ExecError {
    /// The program cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The program cannot be confined.
    #[error(transparent)]
    Confine(#[from] ConfineError),
    /// The machine does not give us what we need.
    #[error("cannot prepare a run: {0}")]
    Machine(io::Error),
    /// What one input needs cannot be there; others may do.
    #[error("{label} cannot be run: {why}")]
    Input {
        /// What messages call a run of the input.
        label: String,
        /// Why not.
        why: String,
    },
}

impl ExecError {
    /// Whether it is about one run, and the next one may do.
    pub fn is_of_the_run(&self) -> bool {
        matches!(self, ExecError::Run(error) if error.is_of_the_run())
    }
}

impl RunError {
    /// Whether this is the fault of what was run: then it costs this run, and others may do.
    pub fn is_of_the_run(&self) -> bool {
        matches!(
            self,
            RunError::NotStarted { .. }
                | RunError::Silent { .. }
                | RunError::Gone { .. }
                | RunError::Foreign { .. }
                | RunError::Socket { .. }
                | RunError::NotBegun { .. }
                | RunError::NoProcess { .. }
                | RunError::Trace(_)
        )
    }
}

fn quote(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("; it said: {said}") }
}

fn describe(status: &Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("it ended with {status}"),
        None => "it closed its socket".to_owned(),
    }
}
