//! Runs inputs in a cell: traced, or judged by the sanitizers.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::{Cell, Directory, Handle, Reset, Task};
use byway_exec::Judge;
use byway_exec::{Argument, Extras, NamedFile, Object, Outcome, Run, Server, Sink, Symbolic};
use byway_report::Ending;
use byway_trace::Limits;
use rustix::fs::{MemfdFlags, Mode, OFlags, memfd_create, openat};

use crate::error::ExploreError;
use crate::input::{Given, Shape};

/// What is run, and under which limits.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The `sym` variant.
    pub sym: PathBuf,
    /// The `asan` variant; without it nothing is judged.
    pub asan: Option<PathBuf>,
    /// What the program is called: its `argv[0]`.
    pub name: OsString,
    /// The environment of runs.
    pub environment: Vec<(OsString, OsString)>,
    /// What confines runs.
    pub cell: byway_confine::Settings,
    /// Whether runs are not confined.
    pub unconfined: bool,
    /// How much a trace may hold.
    pub limits: Limits,
    /// After this time a run is killed.
    pub timeout: Duration,
}

/// What the sanitizers' build did with an input.
#[derive(Debug)]
pub struct Judged {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// How long it took.
    pub elapsed: Duration,
}

/// How much longer than a traced run a judged one may take: a program that is merely slow does not hang.
const PATIENCE: u32 = 5;
/// How long a program may take to get to its `main`, if runs may not take longer.
const STARTING: Duration = Duration::from_secs(5);
/// How much of standard error is looked at.
const MAX_STDERR: u64 = 1 << 20;

/// Runs inputs, one at a time.
pub struct Runner {
    subject: Subject,
    cell: Cell,
    /// The program that waits for runs, once there was one.
    server: Option<Server>,
    symbolic: Symbolic,
    null: File,
    /// What runs write that nobody reads.
    sink: Sink,
    /// Files that the last input had and that others may not have.
    written: Vec<PathBuf>,
    /// What was in files of the directory before an input changed them.
    originals: BTreeMap<PathBuf, Vec<u8>>,
    /// Files that an input had.
    known: BTreeSet<PathBuf>,
}

impl Runner {
    /// Makes a cell, in which the program is started with its first run.
    pub fn new(subject: Subject, shape: &Shape) -> Result<Runner, ExploreError> {
        let cell = match subject.unconfined {
            true => Cell::unconfined(&subject.cell)?,
            false => Cell::start(&subject.cell)?,
        };
        let null = File::options().read(true).write(true).open("/dev/null").map_err(ExploreError::Machine)?;
        let symbolic = symbolic(shape, cell.path());
        Ok(Runner {
            subject,
            cell,
            server: None,
            symbolic,
            null,
            sink: Sink::new().map_err(ExploreError::Machine)?,
            written: Vec::new(),
            originals: BTreeMap::new(),
            known: BTreeSet::new(),
        })
    }

    /// The working directory as the program sees it.
    pub fn directory(&self) -> &Path {
        self.cell.path()
    }

    /// A handle to end the cell with, whatever runs in it.
    pub fn handle(&self) -> Handle {
        self.cell.handle()
    }

    /// A file of the working directory as it was before any run, if it was there.
    pub fn original(&self, path: &Path) -> Option<Vec<u8>> {
        let Directory::CopyOf(directory) = &self.subject.cell.directory else { return None };
        let path = directory.join(path);
        byway_file::read(&path, byway_file::INPUT).ok()
    }

    /// A file of the working directory as the program would find it now.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = openat(self.cell.directory(), path, flags, Mode::empty())?;
        byway_file::read_open(file.into(), byway_file::INPUT)
    }

    /// Runs an input and follows it; with `arithmetic`, what it computes from signed numbers too.
    pub fn trace(&mut self, shape: &Shape, given: &Given, arithmetic: bool) -> Result<Outcome, ExploreError> {
        self.prepare(given)?;
        let stdin = self.stdin(given)?;
        let server = match &mut self.server {
            Some(server) => server,
            none => none.insert(start(&self.subject, &mut self.cell)?),
        };
        let mut arguments: Vec<Argument<'_>> = vec![self.subject.name.as_os_str().into()];
        for (bytes, argument) in given.arguments[..given.count].iter().zip(&shape.arguments) {
            let text = Argument::with_room(OsStr::from_bytes(bytes), bytes.len());
            arguments.push(Argument { fixed: argument.fixed, ..text });
        }
        let size = |full: usize| shape.sizes.then_some(full as u32);
        let objects = given.objects.iter().map(|(name, bytes)| Object { name: OsStr::new(name), bytes });
        let extras = Extras {
            argument_count: shape.count.clone(),
            files: match shape.names {
                true => shape.files.iter().map(|(path, full)| named(path, size(full.len()))).collect(),
                false => Vec::new(),
            },
            stdin_size: shape.stdin.as_ref().and_then(|stdin| size(stdin.len())),
            objects: objects.collect(),
        };
        let run = Run {
            arguments,
            extras,
            environment: None,
            stdin: stdin.as_fd(),
            stdout: self.sink.as_fd(),
            stderr: self.sink.as_fd(),
            directory: self.cell.directory(),
            symbolic: &self.symbolic,
            limits: self.subject.limits,
            timeout: Some(self.subject.timeout),
            visits: false,
            arithmetic,
            near: false,
        };
        let outcome = server.run(&run);
        if outcome.is_err() {
            // The run broke its fork server; the next one gets another.
            self.server = None;
        }
        Ok(outcome?)
    }

    /// Runs an input in the build with sanitizers. `None` if there is none.
    pub fn judge(
        &mut self,
        judge: &Judge,
        given: &Given,
        ktest: Option<&[u8]>,
    ) -> Result<Option<Judged>, ExploreError> {
        let Some(program) = self.subject.asan.clone() else { return Ok(None) };
        let settings = judge.environment().into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        self.run(&program, settings, given, ktest, self.patience()).map(Some)
    }

    /// Runs an input in the program as it was built, for so long at most.
    pub fn native(
        &mut self,
        program: &Path,
        given: &Given,
        ktest: Option<&[u8]>,
        timeout: Duration,
    ) -> Result<Judged, ExploreError> {
        self.run(program, Vec::new(), given, ktest, timeout)
    }

    /// How long a judged run may take.
    pub fn patience(&self) -> Duration {
        self.subject.timeout * PATIENCE
    }

    fn run(
        &mut self,
        program: &Path,
        settings: Vec<(OsString, OsString)>,
        given: &Given,
        ktest: Option<&[u8]>,
        timeout: Duration,
    ) -> Result<Judged, ExploreError> {
        self.prepare(given)?;
        let stdin = self.stdin(given)?;
        let input = given.to_input();
        let mut environment = self.subject.environment.clone();
        environment.extend(settings);
        if let Some(ktest) = ktest {
            let name = Path::new(KTEST);
            self.cell.write(name, ktest).map_err(ExploreError::Machine)?;
            environment.push(("KTEST_FILE".into(), self.cell.path().join(name).into()));
        }
        let mut stderr = memory("stderr")?;
        let name = self.subject.name.clone();
        let arguments = input.arguments.iter().map(|argument| OsStr::from_bytes(argument));
        let task = Task {
            program,
            arguments: std::iter::once(name.as_os_str()).chain(arguments).collect(),
            environment: Some(&environment),
            directory: None,
            stdin: stdin.as_fd(),
            stdout: self.sink.as_fd(),
            stderr: stderr.as_fd(),
            timeout: Some(timeout),
        };
        let ended = self.cell.run(&task)?;
        if ktest.is_some() {
            self.cell.remove(Path::new(KTEST)).map_err(ExploreError::Machine)?;
        }
        let mut text = Vec::new();
        stderr.rewind().and_then(|()| stderr.take(MAX_STDERR).read_to_end(&mut text)).map_err(ExploreError::Machine)?;
        let ending = Ending::of_run(ended.status, ended.timed_out, ended.out_of_memory);
        Ok(Judged { ending, stderr: text, elapsed: ended.elapsed })
    }

    /// Makes the directory what an input says.
    fn prepare(&mut self, given: &Given) -> Result<(), ExploreError> {
        if self.cell.reset()? == Reset::Renewed {
            self.server = None;
        }
        for path in std::mem::take(&mut self.written) {
            match self.originals.get(&path) {
                _ if given.files.contains_key(&path) => {}
                Some(original) => self.cell.write(&path, original).map_err(ExploreError::Machine)?,
                None => self.cell.remove(&path).map_err(ExploreError::Machine)?,
            }
        }
        for (path, content) in &given.files {
            if !self.known.contains(path) {
                self.known.insert(path.clone());
                self.originals.extend(self.read(path).ok().map(|original| (path.clone(), original)));
            }
            self.cell.write(path, content).map_err(ExploreError::Machine)?;
            self.written.push(path.clone());
        }
        Ok(())
    }

    fn stdin(&self, given: &Given) -> Result<OwnedFd, ExploreError> {
        let Some(content) = &given.stdin else {
            return self.null.try_clone().map(OwnedFd::from).map_err(ExploreError::Machine);
        };
        let mut file = memory("stdin")?;
        file.write_all(content).and_then(|()| file.rewind()).map_err(ExploreError::Machine)?;
        Ok(file.into())
    }
}

fn named(path: &Path, size: Option<u32>) -> NamedFile<'_> {
    NamedFile { name: path.as_os_str(), size }
}

/// Where the sanitizers' build finds the objects that the program asks for.
const KTEST: &str = ".byway.ktest";

fn memory(name: &str) -> Result<File, ExploreError> {
    let file = memfd_create(name, MemfdFlags::CLOEXEC).map_err(|error| ExploreError::Machine(error.into()))?;
    Ok(file.into())
}

fn start(subject: &Subject, cell: &mut Cell) -> Result<Server, ExploreError> {
    let patience = subject.timeout.max(STARTING);
    Ok(Server::start_in(cell, &subject.sym, &subject.name, Some(&subject.environment), patience)?)
}

fn symbolic(shape: &Shape, directory: &Path) -> Symbolic {
    let mut pattern = Symbolic::pattern_of(directory.as_os_str());
    pattern.push("/*");
    Symbolic {
        arguments: true,
        stdin: shape.stdin.is_some(),
        files: shape.other_files || !shape.files.is_empty(),
        environment: false,
        patterns: vec![pattern],
    }
}
