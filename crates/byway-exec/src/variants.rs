//! The programs of an executor, and their variants that wait for runs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::Sandbox;
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
pub(crate) enum JudgeServer {
    /// Not started yet, or gone.
    #[default]
    Idle,
    Waits(PlainServer),
    /// It cannot: each run is a new process.
    Never,
}

/// A program with its servers.
#[derive(Debug)]
pub(crate) struct ServedProgram {
    pub variants: Variants,
    pub symbolizer: Symbolizer,
    pub sym: Option<Server>,
    /// One that ends with its first report, and one that goes on.
    pub judges: [JudgeServer; 2],
    pub cov: JudgeServer,
    pub counters: Option<CounterMemory>,
}

impl ServedProgram {
    pub fn new(variants: Variants, symbolizer: Option<PathBuf>) -> ServedProgram {
        let modules = variants.asan.as_ref().unwrap_or(&variants.native).parent().unwrap_or(Path::new("/"));
        let symbolizer = Symbolizer::new(symbolizer, modules);
        let judges = [JudgeServer::Idle, JudgeServer::Idle];
        ServedProgram { variants, symbolizer, sym: None, judges, cov: JudgeServer::Idle, counters: None }
    }

    /// Forgets the servers: they are gone, or began otherwise than they would now.
    pub fn forget_servers(&mut self) {
        self.sym = None;
        for server in self.judges.iter_mut().chain([&mut self.cov]) {
            if let JudgeServer::Waits(_) = server {
                *server = JudgeServer::Idle;
            }
        }
    }
}

impl JudgeServer {
    /// Starts a variant that waits for runs.
    pub fn start(
        sandbox: &mut Sandbox,
        program: &Path,
        name: &OsStr,
        environment: &Environment,
        patience: Duration,
    ) -> Result<JudgeServer, ExecError> {
        match PlainServer::start_in(sandbox, program, name, Some(environment), patience) {
            Ok(server) => Ok(JudgeServer::Waits(server)),
            // It has threads already, or no `main` that we know, or never gets there.
            Err(RunError::Gone { .. } | RunError::NotStarted { .. } | RunError::Foreign { .. }) => {
                Ok(JudgeServer::Never)
            }
            Err(error) => Err(error.into()),
        }
    }
}
