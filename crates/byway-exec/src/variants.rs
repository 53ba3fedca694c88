//! The programs of an executor, and their variants that wait for runs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::Cell;
use byway_coverage::CounterMemory;
use byway_input::Environment;
use byway_map::SubjectId;

use crate::error::{ExecError, RunError};
use crate::plain::PlainServer;
use crate::server::Server;
use crate::symbolizer::Symbolizer;

/// A program: as it was built, and the variants of it that there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variants {
    /// The program as it was built.
    pub native: PathBuf,
    /// The `sym` variant; without it nothing is traced.
    pub sym: Option<PathBuf>,
    /// The `asan` variant; without it, the program as it was built is judged by how it ends.
    pub asan: Option<PathBuf>,
    /// The `cov` variant; without it nothing is counted.
    pub cov: Option<Cov>,
}

impl Variants {
    /// A program without variants.
    pub fn of(native: PathBuf) -> Variants {
        Variants { native, sym: None, asan: None, cov: None }
    }
}

/// A `cov` variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cov {
    /// The program.
    pub program: PathBuf,
    /// What it was made of.
    pub id: SubjectId,
    /// How many blocks it counts.
    pub blocks: usize,
}

/// A program of an executor. It means nothing to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProgramId(pub(crate) usize);

/// A variant that waits for runs.
#[derive(Debug, Default)]
pub(crate) enum Waiting {
    /// Not started yet, or gone.
    #[default]
    Idle,
    Waits(PlainServer),
    /// It cannot: each run is a new process.
    Never,
}

/// A program with its servers.
#[derive(Debug)]
pub(crate) struct Program {
    pub variants: Variants,
    pub symbolizer: Symbolizer,
    pub sym: Option<Server>,
    /// One that ends with its first report, and one that goes on.
    pub judges: [Waiting; 2],
    pub cov: Waiting,
    pub counters: Option<CounterMemory>,
}

impl Program {
    pub fn new(variants: Variants, symbolizer: Option<PathBuf>) -> Program {
        let modules = variants.asan.as_ref().unwrap_or(&variants.native).parent().unwrap_or(Path::new("/"));
        let symbolizer = Symbolizer::new(symbolizer, modules);
        let judges = [Waiting::Idle, Waiting::Idle];
        Program { variants, symbolizer, sym: None, judges, cov: Waiting::Idle, counters: None }
    }

    /// Forgets the servers: they are gone, or began otherwise than they would now.
    pub fn forget_servers(&mut self) {
        self.sym = None;
        for server in self.judges.iter_mut().chain([&mut self.cov]) {
            if let Waiting::Waits(_) = server {
                *server = Waiting::Idle;
            }
        }
    }
}

impl Waiting {
    /// Starts a variant that waits for runs.
    pub fn start(
        cell: &mut Cell,
        program: &Path,
        name: &OsStr,
        environment: &Environment,
        patience: Duration,
    ) -> Result<Waiting, ExecError> {
        match PlainServer::start_in(cell, program, name, Some(environment), patience) {
            Ok(server) => Ok(Waiting::Waits(server)),
            // It has threads already, or no `main` that we know, or never gets there.
            Err(RunError::Gone { .. } | RunError::NotStarted { .. } | RunError::Foreign { .. }) => Ok(Waiting::Never),
            Err(error) => Err(error.into()),
        }
    }
}
