//! Runs inputs in a cell: traced, judged by the sanitizers, or as the program was built.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use byway_confine::{Cell, Directory, Handle, Reset, Task};
use byway_report::{Ending, Judge};
use byway_run::{Argument, Extras, Outcome, Run, Server, Symbolic};
use byway_suite::Seed;
use byway_trace::Limits;
use rustix::fs::{MemfdFlags, memfd_create};

use crate::error::CheckError;
use crate::given::Given;

/// How much longer than a traced run a judged one may take: a program that is merely slow does not hang.
const PATIENCE: u32 = 5;
/// How much of what a program writes is looked at.
const MAX_OUTPUT: u64 = 1 << 20;

/// Which program is run, where, and under which limits.
#[derive(Debug, Clone)]
pub struct Site {
    /// The `sym` variant.
    pub sym: PathBuf,
    /// The `asan` variant; without it nothing is judged.
    pub asan: Option<PathBuf>,
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

/// Runs inputs of one program, one at a time: one cell, in which it waits for runs.
#[derive(Debug)]
pub struct Runner {
    /// Whether traces say which blocks with operations that can fail are executed.
    pub visits: bool,
    /// Whether traces have overflows and shifts.
    pub arithmetic: bool,
    site: Site,
    judge: Judge,
    cell: Cell,
    server: Option<Server>,
    loaded: Option<Arc<Seed>>,
    null: File,
}

impl Runner {
    /// Makes a cell in which all these seeds can be run.
    pub fn new(site: Site, _seeds: &[Arc<Seed>]) -> Result<Runner, CheckError> {
        let cell = make_cell(&site)?;
        let null = File::options().read(true).write(true).open("/dev/null").map_err(CheckError::Machine)?;
        let judge = Judge::new();
        Ok(Runner { visits: true, arithmetic: true, site, judge, cell, server: None, loaded: None, null })
    }

    /// Lays out the files of a seed, in the place of the one before.
    pub fn load(&mut self, seed: &Arc<Seed>) -> Result<(), CheckError> {
        if self.loaded.as_ref().is_some_and(|loaded| Arc::ptr_eq(loaded, seed)) {
            return Ok(());
        }
        self.server = None;
        self.site.cell.directory = Directory::CopyOf(seed.directory.clone());
        self.cell = make_cell(&self.site)?;
        for file in &seed.files {
            self.write(seed, &file.path, &file.content)?;
        }
        self.loaded = Some(Arc::clone(seed));
        Ok(())
    }

    /// Runs an input and follows it.
    pub fn trace(&mut self, given: &Given) -> Result<Outcome, CheckError> {
        self.prepare(given)?;
        let stdin = self.stdin(given)?;
        if self.server.is_none() {
            let (environment, name) = (Some(given.seed.environment.as_slice()), name(&given.seed));
            self.server = Some(Server::start_in(&mut self.cell, &self.site.sym, name, environment)?);
        }
        let server = self.server.as_mut().expect("just started");
        let arguments = given.arguments.iter().map(|bytes| Argument::from(OsStr::from_bytes(bytes)));
        let run = Run {
            arguments: std::iter::once(name(&given.seed).into()).chain(arguments).collect(),
            extras: Extras::default(),
            environment: Some(&given.seed.environment),
            stdin: stdin.as_fd(),
            stdout: self.null.as_fd(),
            stderr: self.null.as_fd(),
            directory: self.cell.directory(),
            symbolic: &Symbolic { arguments: true, stdin: true, files: true, ..Symbolic::default() },
            visits: self.visits,
            arithmetic: self.arithmetic,
            limits: self.site.limits,
            timeout: Some(self.site.timeout),
        };
        let outcome = server.run(&run);
        if outcome.is_err() {
            self.server = None;
        }
        Ok(outcome?)
    }

    /// Runs an input in the build with sanitizers.
    pub fn judge(&mut self, given: &Given) -> Result<Judged, CheckError> {
        self.confirm(given)
    }

    /// Runs an input in a new process of the build with sanitizers, as a user would.
    pub fn confirm(&mut self, given: &Given) -> Result<Judged, CheckError> {
        let program = self.site.asan.clone().unwrap_or_else(|| self.site.native.clone());
        self.run(&program, given, true)
    }

    /// Runs an input in the program as it was built.
    pub fn native(&mut self, given: &Given) -> Result<Judged, CheckError> {
        let program = self.site.native.clone();
        self.run(&program, given, false)
    }

    /// A handle to end the cell with, whatever runs in it. A cell that had to be made anew has another.
    pub fn handle(&self) -> Handle {
        self.cell.handle()
    }

    fn run(&mut self, program: &Path, given: &Given, is_judge: bool) -> Result<Judged, CheckError> {
        self.prepare(given)?;
        let stdin = self.stdin(given)?;
        let (stdout, stderr) = (memory("stdout")?, memory("stderr")?);
        let mut environment = given.seed.environment.clone();
        if is_judge {
            environment.extend(self.judge.environment().into_iter().map(|(name, value)| (name.into(), value.into())));
        }
        let arguments = given.arguments.iter().map(|bytes| OsStr::from_bytes(bytes));
        let task = Task {
            program,
            arguments: std::iter::once(name(&given.seed)).chain(arguments).collect(),
            environment: Some(&environment),
            directory: None,
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            timeout: Some(self.site.timeout * PATIENCE),
        };
        let ended = self.cell.run(&task)?;
        let ending = match ended.out_of_memory {
            true => Ending::OutOfMemory,
            false => Ending::new(ended.status, ended.timed_out),
        };
        Ok(Judged { ending, stderr: content(stderr)?, stdout: content(stdout)?, elapsed: ended.elapsed })
    }

    /// Makes the files what an input says.
    fn prepare(&mut self, given: &Given) -> Result<(), CheckError> {
        self.load(&given.seed)?;
        if self.cell.reset()? == Reset::Renewed {
            self.server = None;
        }
        for file in &given.seed.files {
            let content = given.files.get(&file.path).map_or(&*file.content, Vec::as_slice);
            self.write(&given.seed, &file.path, content)?;
        }
        Ok(())
    }

    fn write(&mut self, seed: &Seed, path: &Path, content: &[u8]) -> Result<(), CheckError> {
        let bad = |error: std::io::Error| CheckError::Seed {
            seed: seed.name.clone(),
            why: format!("{} cannot be written: {error}", path.display()),
        };
        self.cell.write(path, content).map_err(bad)
    }

    fn stdin(&self, given: &Given) -> Result<OwnedFd, CheckError> {
        let Some(content) = &given.stdin else {
            return self.null.try_clone().map(OwnedFd::from).map_err(CheckError::Machine);
        };
        let mut file = memory("stdin")?;
        file.write_all(content).and_then(|()| file.rewind()).map_err(CheckError::Machine)?;
        Ok(file.into())
    }
}

fn make_cell(site: &Site) -> Result<Cell, CheckError> {
    Ok(match site.unconfined {
        true => Cell::unconfined(&site.cell)?,
        false => Cell::start(&site.cell)?,
    })
}

/// What the program is called.
fn name(seed: &Seed) -> &OsStr {
    seed.arguments.first().map_or(seed.executable.path.as_os_str(), |name| name.as_os_str())
}

fn memory(name: &str) -> Result<File, CheckError> {
    let file = memfd_create(name, MemfdFlags::CLOEXEC).map_err(|error| CheckError::Machine(error.into()))?;
    Ok(file.into())
}

/// The beginning of what was written to a file.
fn content(mut file: File) -> Result<Vec<u8>, CheckError> {
    let mut content = Vec::new();
    let read = file.rewind().and_then(|()| file.take(MAX_OUTPUT).read_to_end(&mut content));
    read.map(|_| content).map_err(CheckError::Machine)
}
