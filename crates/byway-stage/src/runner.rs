//! Runs inputs in a cell: traced, judged by the sanitizers, or as the program was built.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use byway_confine::{Handle, Task};
use byway_coverage::CounterMemory;
use byway_exec::{Argument, Extras, Outcome, PlainRun, PlainServer, Run, RunError, Server, Sink, Symbolic};
use byway_exec::{Judge, Symbolizer};
use byway_map::SubjectId;
use byway_report::Ending;
use byway_suite::Seed;
use byway_trace::Limits;
use rustix::fs::{MemfdFlags, memfd_create};

use crate::error::StageError;
use crate::given::Given;
use crate::scene::{Scene, Services};

/// How much longer than a traced run a judged one may take: a program that is merely slow does not hang.
const PATIENCE: u32 = 5;
/// How long a program may take to get to its `main`, if runs may not take longer.
const STARTING: Duration = Duration::from_secs(5);
/// How much of what a program writes is looked at.
const MAX_OUTPUT: u64 = 1 << 20;

/// Which program is run, where, and under which limits.
#[derive(Debug, Clone)]
pub struct Site {
    /// The `sym` variant; without it nothing is followed.
    pub sym: Option<PathBuf>,
    /// The `asan` variant; without it nothing is judged.
    pub asan: Option<PathBuf>,
    /// The `cov` variant; without it nothing is counted.
    pub cov: Option<Cov>,
    /// The program as it was built.
    pub native: PathBuf,
    /// What confines runs. The working directory and the places that can be written are chosen by what the seeds need.
    pub cell: byway_confine::Settings,
    /// Whether runs are not confined.
    pub unconfined: bool,
    /// How much a trace may hold.
    pub limits: Limits,
    /// After this time a run is killed.
    pub timeout: Duration,
}

/// A `cov` variant.
#[derive(Debug, Clone)]
pub struct Cov {
    /// The program.
    pub program: PathBuf,
    /// What it was made of.
    pub id: SubjectId,
    /// How many blocks it counts.
    pub blocks: usize,
}

/// What a program executed for an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// How it ended.
    pub ending: Ending,
    /// How often each block ran, by block number.
    pub counts: Vec<u64>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What a program did with an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// How it ended.
    pub ending: Ending,
    /// The beginning of what it wrote to standard error.
    pub stderr: Vec<u8>,
    /// The beginning of what it wrote to standard output.
    pub stdout: Vec<u8>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Variables that decide how a program begins, before its `main`: what waits for runs has begun already.
const BEGINNING: [&str; 3] = ["LD_", "GLIBC_", "MALLOC_"];

/// Why what is executed cannot be counted.
const THREADS: &str = "its program cannot wait for runs: it has threads before it begins";

type Environment = Vec<(OsString, OsString)>;

/// Runs inputs of one program, one at a time: one cell, in which it waits for runs.
#[derive(Debug)]
pub struct Runner {
    /// Whether traces say which blocks with operations that can fail are executed.
    pub visits: bool,
    /// Whether traces have overflows and shifts.
    pub arithmetic: bool,
    /// Whether traces take the address as it is where an object that is made of much input is read at a symbolic one.
    pub near: bool,
    /// Whether judged runs go on behind what AddressSanitizer reports; users know them to end there.
    pub goes_on: bool,
    site: Site,
    judge: Judge,
    symbolizer: Symbolizer,
    scene: Scene,
    /// Those of the environment that decide how programs begin.
    beginning: Environment,
    server: Option<Server>,
    /// One that ends with its first report, and one that goes on.
    judge_servers: [Waiting; 2],
    cov_server: Waiting,
    counters: Option<CounterMemory>,
    limit: Option<Duration>,
    null: File,
    /// What runs write that nobody reads.
    sink: Sink,
}

/// A variant that waits for runs.
#[derive(Debug)]
enum Waiting {
    /// Not started yet, or gone.
    Idle,
    Waits(PlainServer),
    /// It cannot: each run is a new process.
    Never,
}

impl Runner {
    /// Makes a cell in which all these seeds can be run.
    pub fn new(site: Site, seeds: &[Arc<Seed>]) -> Result<Runner, StageError> {
        let scene = Scene::new(&site, seeds)?;
        let null = File::options().read(true).write(true).open("/dev/null").map_err(StageError::Machine)?;
        let judge = Judge::new();
        let modules = site.asan.as_ref().unwrap_or(&site.native).parent().unwrap_or(Path::new("/"));
        let symbolizer = Symbolizer::new(judge.symbolizer.clone(), modules);
        Ok(Runner {
            visits: true,
            arithmetic: true,
            near: false,
            goes_on: false,
            site,
            judge,
            symbolizer,
            scene,
            beginning: Vec::new(),
            server: None,
            judge_servers: [Waiting::Idle, Waiting::Idle],
            cov_server: Waiting::Idle,
            counters: None,
            limit: None,
            null,
            sink: Sink::new().map_err(StageError::Machine)?,
        })
    }

    /// Lays out the files of a seed, in the place of the one before.
    pub fn load(&mut self, seed: &Arc<Seed>) -> Result<(), StageError> {
        let services = self.scene.load(seed)?;
        self.look_after(services, seed);
        Ok(())
    }

    /// Kills runs that are followed or only count after this time, if that is less than it would be anyway.
    pub fn limit(&mut self, time: Option<Duration>) {
        self.limit = time;
    }

    fn timeout(&self) -> Duration {
        self.limit.map_or(self.site.timeout, |limit| limit.min(self.site.timeout))
    }

    /// Runs an input and follows it.
    pub fn trace(&mut self, given: &Given) -> Result<Outcome, StageError> {
        let Some(program) = self.site.sym.clone() else { return Err(cannot(&given.seed, "there is no sym variant")) };
        self.prepare(given)?;
        let (stdin, directory) = (self.stdin(given)?, self.scene.directory(&given.seed)?);
        let timeout = self.timeout();
        let server = match &mut self.server {
            Some(server) => server,
            none => {
                let (name, environment) = (name(&given.seed), Some(given.seed.environment.as_slice()));
                let patience = self.site.timeout.max(STARTING);
                none.insert(Server::start_in(&mut self.scene.cell, &program, name, environment, patience)?)
            }
        };
        let arguments = given.arguments.iter().map(|bytes| Argument::from(OsStr::from_bytes(bytes)));
        let patterns = self.scene.patterns();
        let symbolic = Symbolic {
            arguments: true,
            stdin: given.stdin.is_some(),
            files: !patterns.is_empty(),
            environment: false,
            patterns: patterns.to_vec(),
        };
        let run = Run {
            arguments: std::iter::once(name(&given.seed).into()).chain(arguments).collect(),
            extras: Extras::default(),
            environment: Some(&given.seed.environment),
            stdin: stdin.as_fd(),
            stdout: self.sink.as_fd(),
            stderr: self.sink.as_fd(),
            directory: directory.as_fd(),
            symbolic: &symbolic,
            visits: self.visits,
            arithmetic: self.arithmetic,
            near: self.near,
            limits: self.site.limits,
            timeout: Some(timeout),
        };
        let mut outcome = server.run(&run);
        if let Ok(outcome) = &mut outcome {
            outcome.trace.rename_files(|path| self.scene.path_in_seed(path));
        } else {
            // The run broke its fork server; the next one gets another.
            self.server = None;
        }
        Ok(outcome?)
    }

    /// Runs an input in the build with sanitizers.
    pub fn judge(&mut self, given: &Given) -> Result<Judged, StageError> {
        let Some(program) = self.site.asan.clone() else { return self.confirm(given) };
        self.prepare(given)?;
        let environment = self.judge_environment(&given.seed);
        let kind = usize::from(self.goes_on);
        if matches!(self.judge_servers[kind], Waiting::Idle) {
            let environment = with(&given.seed.environment, self.sanitizers().environment_without_symbols());
            self.judge_servers[kind] = self.start(&program, &given.seed, &environment)?;
        }
        let (stdin, directory) = (self.stdin(given)?, self.scene.directory(&given.seed)?);
        let Waiting::Waits(server) = &mut self.judge_servers[kind] else { return self.confirm(given) };
        let (stdout, stderr) = (memory("stdout")?, memory("stderr")?);
        let arguments = given.arguments.iter().map(|bytes| OsStr::from_bytes(bytes));
        let outcome = server.run(&PlainRun {
            arguments: std::iter::once(name(&given.seed)).chain(arguments).collect(),
            environment: Some(&environment),
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            counters: None,
            directory: directory.as_fd(),
            timeout: Some(self.site.timeout * PATIENCE),
        });
        let Ok(outcome) = outcome else {
            // The run broke its fork server; what it does shows in a process of its own, and the next one gets another.
            self.judge_servers[kind] = Waiting::Idle;
            return self.confirm(given);
        };
        let ending = Ending::of_run(outcome.status, outcome.timed_out, outcome.out_of_memory);
        let stderr = self.symbolizer.complete(&content(stderr)?);
        Ok(Judged { ending, stderr, stdout: content(stdout)?, elapsed: outcome.elapsed })
    }

    /// Runs an input, and counts what it executes.
    pub fn count(&mut self, given: &Given) -> Result<Counted, StageError> {
        let Some(cov) = self.site.cov.clone() else { return Err(cannot(&given.seed, "there is no cov variant")) };
        self.prepare(given)?;
        if matches!(self.cov_server, Waiting::Idle) {
            self.cov_server = self.start(&cov.program, &given.seed, &given.seed.environment)?;
        }
        let (stdin, directory) = (self.stdin(given)?, self.scene.directory(&given.seed)?);
        let timeout = self.timeout();
        let Waiting::Waits(server) = &mut self.cov_server else { return Err(cannot(&given.seed, THREADS)) };
        let counters = match &mut self.counters {
            Some(counters) => counters,
            none => none.insert(CounterMemory::new(cov.id, cov.blocks).map_err(StageError::Machine)?),
        };
        counters.clear().map_err(StageError::Machine)?;
        let arguments = given.arguments.iter().map(|bytes| OsStr::from_bytes(bytes));
        let outcome = server.run(&PlainRun {
            arguments: std::iter::once(name(&given.seed)).chain(arguments).collect(),
            environment: Some(&given.seed.environment),
            stdin: stdin.as_fd(),
            stdout: self.sink.as_fd(),
            stderr: self.sink.as_fd(),
            counters: Some(counters.file().as_fd()),
            directory: directory.as_fd(),
            timeout: Some(timeout),
        });
        if outcome.is_err() {
            // The run broke its fork server; the next one gets another.
            self.cov_server = Waiting::Idle;
        }
        let (outcome, mut counts) = (outcome?, counters.read().map_err(StageError::Machine)?);
        counts.truncate(cov.blocks);
        let ending = Ending::of_run(outcome.status, outcome.timed_out, outcome.out_of_memory);
        Ok(Counted { ending, counts, elapsed: outcome.elapsed })
    }

    /// Runs an input in a new process of the build with sanitizers, as a user would.
    pub fn confirm(&mut self, given: &Given) -> Result<Judged, StageError> {
        let program = self.site.asan.clone().unwrap_or_else(|| self.site.native.clone());
        let environment = self.judge_environment(&given.seed);
        self.run(&program, given, &environment, self.patience())
    }

    /// Runs an input in the program as it was built.
    pub fn native(&mut self, given: &Given) -> Result<Judged, StageError> {
        self.native_within(given, self.patience())
    }

    /// The same, killed after this time.
    pub fn native_within(&mut self, given: &Given, timeout: Duration) -> Result<Judged, StageError> {
        let program = self.site.native.clone();
        self.run(&program, given, &given.seed.environment, timeout)
    }

    /// How long a judged run may take.
    pub fn patience(&self) -> Duration {
        self.site.timeout * PATIENCE
    }

    /// A handle to end the cell with, whatever runs in it.
    pub fn handle(&self) -> Handle {
        self.scene.cell.handle()
    }

    fn run(
        &mut self,
        program: &Path,
        given: &Given,
        environment: &Environment,
        timeout: Duration,
    ) -> Result<Judged, StageError> {
        self.prepare(given)?;
        let stdin = self.stdin(given)?;
        let (stdout, stderr) = (memory("stdout")?, memory("stderr")?);
        let arguments: Vec<_> = given.arguments.iter().map(|bytes| text(bytes)).collect();
        let directory = self.scene.directory_path(&given.seed);
        let task = Task {
            program,
            arguments: std::iter::once(name(&given.seed)).chain(arguments).collect(),
            environment: Some(environment),
            directory: Some(&directory),
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            timeout: Some(timeout),
        };
        let ended = self.scene.cell.run(&task)?;
        let ending = Ending::of_run(ended.status, ended.timed_out, ended.out_of_memory);
        Ok(Judged { ending, stderr: content(stderr)?, stdout: content(stdout)?, elapsed: ended.elapsed })
    }

    fn prepare(&mut self, given: &Given) -> Result<(), StageError> {
        let services = self.scene.prepare(given)?;
        self.look_after(services, &given.seed);
        Ok(())
    }

    /// Lets go of what is gone, or began otherwise than it would for a seed.
    fn look_after(&mut self, services: Services, seed: &Seed) {
        let decides = |name: &OsStr| BEGINNING.iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()));
        let is_same = seed.environment.iter().filter(|(name, _)| decides(name)).eq(&self.beginning);
        if services == Services::Gone || !is_same {
            self.server = None;
            for server in self.judge_servers.iter_mut().chain([&mut self.cov_server]) {
                if let Waiting::Waits(_) = server {
                    *server = Waiting::Idle;
                }
            }
        }
        if !is_same {
            self.beginning = seed.environment.iter().filter(|(name, _)| decides(name)).cloned().collect();
        }
    }

    fn judge_environment(&self, seed: &Seed) -> Environment {
        with(&seed.environment, self.sanitizers().environment())
    }

    fn sanitizers(&self) -> Judge {
        Judge { goes_on: self.goes_on, ..self.judge.clone() }
    }

    /// Starts a variant that waits for runs.
    fn start(&mut self, program: &Path, seed: &Seed, environment: &Environment) -> Result<Waiting, StageError> {
        let patience = self.site.timeout.max(STARTING);
        match PlainServer::start_in(&mut self.scene.cell, program, name(seed), Some(environment), patience) {
            Ok(server) => Ok(Waiting::Waits(server)),
            // It has threads already, or no `main` that we know, or never gets there.
            Err(RunError::Gone { .. } | RunError::NotStarted { .. } | RunError::Foreign { .. }) => Ok(Waiting::Never),
            Err(error) => Err(error.into()),
        }
    }

    fn stdin(&self, given: &Given) -> Result<OwnedFd, StageError> {
        let Some(content) = &given.stdin else {
            return self.null.try_clone().map(OwnedFd::from).map_err(StageError::Machine);
        };
        let mut file = memory("stdin")?;
        file.write_all(content).and_then(|()| file.rewind()).map_err(StageError::Machine)?;
        Ok(file.into())
    }
}

/// An environment with other values for some variables.
fn with(environment: &Environment, others: Vec<(&'static str, String)>) -> Environment {
    let is_other = |name: &OsString| others.iter().any(|(other, _)| name == other);
    let rest = environment.iter().filter(|(name, _)| !is_other(name)).cloned();
    rest.chain(others.iter().map(|(name, value)| (name.into(), value.into()))).collect()
}

fn cannot(seed: &Seed, why: &str) -> StageError {
    StageError::Seed { seed: seed.name.clone(), why: why.to_owned() }
}

/// What the program is called.
fn name(seed: &Seed) -> &OsStr {
    seed.arguments.first().map_or(seed.executable.path.as_os_str(), |name| name.as_os_str())
}

/// An argument up to its first zero byte.
fn text(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes.split(|&byte| byte == 0).next().unwrap_or_default())
}

fn memory(name: &str) -> Result<File, StageError> {
    let file = memfd_create(name, MemfdFlags::CLOEXEC).map_err(|error| StageError::Machine(error.into()))?;
    Ok(file.into())
}

/// The beginning of what was written to a file.
fn content(mut file: File) -> Result<Vec<u8>, StageError> {
    let mut content = Vec::new();
    let read = file.rewind().and_then(|()| file.take(MAX_OUTPUT).read_to_end(&mut content));
    read.map(|_| content).map_err(StageError::Machine)
}
