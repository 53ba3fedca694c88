//! What is run, and what came of it.

use std::ffi::{OsStr, OsString};
use std::os::fd::BorrowedFd;
use std::process::ExitStatus;
use std::time::Duration;

use byway_trace::{Limits, Trace, layout};

/// Which input is symbolic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbolic {
    /// The arguments.
    pub arguments: bool,
    /// Standard input.
    pub stdin: bool,
    /// Files that are read.
    pub files: bool,
    /// The values of environment variables.
    pub environment: bool,
    /// The files that are symbolic; empty: all.
    pub pattern: OsString,
}

impl Symbolic {
    /// As the header of a trace has it.
    pub(crate) fn bits(&self) -> u32 {
        let bits = [
            (self.arguments, layout::ARGUMENTS),
            (self.stdin, layout::STDIN),
            (self.files, layout::FILES),
            (self.environment, layout::ENVIRONMENT),
        ];
        bits.into_iter().filter(|&(is_set, _)| is_set).fold(0, |all, (_, bit)| all | bit)
    }
}

/// One run of a program.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// The arguments, the program's name first.
    pub arguments: Vec<&'a OsStr>,
    /// Standard input.
    pub stdin: BorrowedFd<'a>,
    /// Standard output.
    pub stdout: BorrowedFd<'a>,
    /// Standard error.
    pub stderr: BorrowedFd<'a>,
    /// The directory to run in.
    pub directory: BorrowedFd<'a>,
    /// Which input is symbolic.
    pub symbolic: &'a Symbolic,
    /// Whether the trace says when blocks are executed that have operations that can fail.
    pub visits: bool,
    /// How much the trace may hold.
    pub limits: Limits,
    /// After this time the program is killed.
    pub timeout: Option<Duration>,
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The trace. If the program was killed, up to there.
    pub trace: Trace,
    /// How the program ended.
    pub status: ExitStatus,
    /// Whether it was killed since its time was up.
    pub timed_out: bool,
    /// The processor time it took.
    pub cpu: Duration,
    /// The time from its beginning to its end.
    pub elapsed: Duration,
}
