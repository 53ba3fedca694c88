//! A fork server of a variant that runs as the program does: `asan` and `cov`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use byway_confine::Sandbox;

use crate::connection::Connection;
use crate::error::RunError;
use crate::message::Asked;
use crate::run::Argument;

/// One run of a program that the sanitizers watch, or that counts.
#[derive(Debug, Clone)]
pub struct PlainRun<'a> {
    /// The arguments, the program's name first. Each ends before its first zero byte.
    pub arguments: Vec<&'a OsStr>,
    /// Its environment, or else that of the server. What it says to the sanitizers comes too late.
    pub environment: Option<&'a [(OsString, OsString)]>,
    /// Standard input.
    pub stdin: BorrowedFd<'a>,
    /// Standard output.
    pub stdout: BorrowedFd<'a>,
    /// What a `cov` variant counts into.
    pub counters: Option<BorrowedFd<'a>>,
    /// Standard error, where the sanitizers report.
    pub stderr: BorrowedFd<'a>,
    /// The directory to run in.
    pub directory: BorrowedFd<'a>,
    /// After this time the program is killed.
    pub timeout: Option<Duration>,
}

/// How such a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainOutcome {
    /// How the program ended.
    pub status: ExitStatus,
    /// Whether it was killed since its time was up.
    pub timed_out: bool,
    /// Whether it was killed since it had too much memory. Only in a sandbox that is known.
    pub out_of_memory: bool,
    /// The time from its beginning to its end.
    pub elapsed: Duration,
}

/// A variant that waits for runs. It ends when this is dropped.
#[derive(Debug)]
pub struct PlainServer {
    connection: Connection,
    /// In the place of a memory, where there is none.
    null: File,
}

impl PlainServer {
    /// Starts a variant under a name, with an environment (what it says to the sanitizers holds for all runs) or else
    /// with ours.
    pub fn start(
        program: &Path,
        name: &OsStr,
        environment: Option<&[(OsString, OsString)]>,
    ) -> Result<PlainServer, RunError> {
        PlainServer::of(Connection::start(program, name, environment)?.0)
    }

    /// Starts a variant in a sandbox, where all its runs are then. It may take some time to get to its `main`.
    pub fn start_in(
        sandbox: &mut Sandbox,
        program: &Path,
        name: &OsStr,
        environment: Option<&[(OsString, OsString)]>,
        patience: Duration,
    ) -> Result<PlainServer, RunError> {
        PlainServer::of(Connection::start_in(sandbox, program, name, environment, patience)?.0)
    }

    fn of(connection: Connection) -> Result<PlainServer, RunError> {
        let failed = |source| RunError::Start { program: connection.program().to_owned(), source };
        let null = File::open("/dev/null").map_err(failed)?;
        Ok(PlainServer { connection, null })
    }

    /// Runs the program once.
    pub fn run(&mut self, run: &PlainRun<'_>) -> Result<PlainOutcome, RunError> {
        let texts = run.arguments.iter();
        let arguments: Vec<_> = texts.map(|&text| Argument { text, room: 0, fixed: false }).collect();
        let asked = Asked::plain(&arguments, run.environment).ok_or(RunError::ZeroByte)?;
        let memory = run.counters.unwrap_or(self.null.as_fd());
        let files = [memory, run.stdin, run.stdout, run.stderr, run.directory];
        let ended = self.connection.run(&asked, &files, run.timeout)?.begun(self.connection.program())?;
        let (status, timed_out, out_of_memory) = (ended.status, ended.timed_out, ended.out_of_memory);
        Ok(PlainOutcome { status, timed_out, out_of_memory, elapsed: ended.elapsed })
    }
}
