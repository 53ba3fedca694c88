//! A fork server of a `sym` variant.

use std::ffi::{OsStr, OsString};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use byway_confine::Sandbox;
use byway_trace::Memories;
use byway_trace::layout::{ARITHMETIC, NEAR, OUTPUTS, REPEATS, Reply, VISITS};

use crate::connection::Connection;
use crate::error::RunError;
use crate::message::Asked;
use crate::run::{Run, TracedRun};

/// No program has more blocks: every trace has a byte for each.
const MOST_BLOCKS: u32 = 1 << 24;

/// A `sym` variant that waits for runs. It ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    connection: Connection,
    memories: Memories,
}

impl Server {
    /// Starts a variant under a name (what the library functions that print the program's name print), with an
    /// environment or else with ours.
    pub fn start(
        program: &Path,
        name: &OsStr,
        environment: Option<&[(OsString, OsString)]>,
    ) -> Result<Server, RunError> {
        Server::of(Connection::start(program, name, environment)?)
    }

    /// Starts a variant in a sandbox, where all its runs are then. It may take some time to get to its `main`.
    pub fn start_in(
        sandbox: &mut Sandbox,
        program: &Path,
        name: &OsStr,
        environment: Option<&[(OsString, OsString)]>,
        patience: Duration,
    ) -> Result<Server, RunError> {
        Server::of(Connection::start_in(sandbox, program, name, environment, patience)?)
    }

    fn of((connection, ready): (Connection, Reply)) -> Result<Server, RunError> {
        let foreign = || RunError::Foreign { program: connection.program().to_owned() };
        let blocks = u32::try_from(ready.blocks).ok().filter(|&blocks| blocks <= MOST_BLOCKS);
        let memories = Memories::new(blocks.ok_or_else(foreign)?);
        Ok(Server { connection, memories })
    }

    /// Runs the program once.
    pub fn run(&mut self, run: &Run<'_>) -> Result<TracedRun, RunError> {
        let asked = Asked::new(run).ok_or(RunError::ZeroByte)?;
        let wanted = [
            (run.visits, VISITS),
            (run.arithmetic, ARITHMETIC),
            (run.near, NEAR),
            (run.outputs, OUTPUTS),
            (run.repeats, REPEATS),
        ];
        let wanted = wanted.iter().filter(|(is_wanted, _)| *is_wanted).fold(0, |all, (_, flag)| all | flag);
        let memory = self.memories.take(run.limits, run.symbolic.bits() | wanted)?;
        let files = [memory.file().as_fd(), run.stdin, run.stdout, run.stderr, run.directory];
        let ended = self.connection.run(&asked, &files, run.timeout)?;
        let trace = memory.finish()?;
        let program = self.connection.program();
        let ended = ended.begun(program)?;
        let (status, timed_out, out_of_memory) = (ended.status, ended.timed_out, ended.out_of_memory);
        // A run that begins says so before anything else.
        if trace.header().nodes == 0 {
            return Err(RunError::NotBegun { program: program.to_owned(), status });
        }
        Ok(TracedRun { trace, status, timed_out, out_of_memory, cpu: ended.cpu, elapsed: ended.elapsed, outputs: None })
    }
}
