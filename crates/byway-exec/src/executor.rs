//! Runs inputs in a sandbox: traced, judged by the sanitizers, counted, or as the program was built.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::{Handle, ProcessSpec};
use byway_coverage::CounterMemory;
use byway_input::{Behaviour, ConcreteInput, Content, Ending, Environment, FileChanges, Fixture, InputModel};
use byway_ktest::KTest;
use rustix::fs::{Mode, OFlags, openat};

use crate::error::ExecError;
use crate::files::{beginning, changes, memory, memory_with, written};
use crate::judge::Judge;
use crate::options::{Counted, JudgeOptions, Observed, RunOptions, SandboxOptions, TraceOptions};
use crate::plain::PlainRun;
use crate::run::{Argument, Extras, NamedFile, NamedObject, Run, Symbolic, TracedRun};
use crate::sandbox::{PreparedSandbox, Services};
use crate::server::Server;
use crate::sink::Sink;
use crate::variants::{JudgeServer, ProgramId, ServedProgram, Variants};

/// Variables that decide how a program begins, before its `main`: what waits for runs has begun already.
const BEGINNING: [&str; 3] = ["LD_", "GLIBC_", "MALLOC_"];

/// Where a program finds the objects that it asks for, and the variable that says so.
const KTEST: &str = ".byway.ktest";
const KTEST_VARIABLE: &str = "KTEST_FILE";

/// Why what is executed cannot be counted.
const THREADS: &str = "its program cannot wait for runs: it has threads before it begins";

/// Runs programs on inputs, one run at a time, in one sandbox.
#[derive(Debug)]
pub struct Executor {
    sandbox: PreparedSandbox,
    programs: Vec<ServedProgram>,
    judge: Judge,
    start_timeout: Duration,
    /// Those of the environment that decide how programs begin.
    beginning: Environment,
    null: File,
    /// What runs write that nobody reads.
    sink: Sink,
}

impl Executor {
    /// Makes a sandbox in which these inputs, and others with files in the same places, can be laid out.
    pub fn new<'a>(
        options: &SandboxOptions,
        inputs: impl IntoIterator<Item = &'a ConcreteInput>,
    ) -> Result<Executor, ExecError> {
        let sandbox = PreparedSandbox::new(options, inputs)?;
        let null = File::options().read(true).write(true).open("/dev/null").map_err(ExecError::Machine)?;
        Ok(Executor {
            sandbox,
            programs: Vec::new(),
            judge: Judge::new(),
            start_timeout: options.start_timeout,
            beginning: Vec::new(),
            null,
            sink: Sink::new().map_err(ExecError::Machine)?,
        })
    }

    /// Adds a program. Its variants are started when they are first run.
    pub fn program(&mut self, variants: Variants) -> ProgramId {
        self.programs.push(ServedProgram::new(variants, self.judge.symbolizer.clone()));
        ProgramId(self.programs.len() - 1)
    }

    /// A handle to end the sandbox with, whatever runs in it.
    pub fn handle(&self) -> Handle {
        self.sandbox.inner.handle()
    }

    /// The working directory of inputs that have none of their own, as programs see it.
    pub fn directory(&self) -> &Path {
        self.sandbox.inner.path()
    }

    /// Whether inputs can have files at a path.
    pub fn is_writable(&self, path: &Path) -> bool {
        self.sandbox.inner.is_writable(path)
    }

    /// A file below that directory as the last run left it.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = openat(self.sandbox.inner.directory(), path, flags, Mode::empty())?;
        byway_file::read_open(file.into(), byway_file::INPUT)
    }

    /// Runs an input and follows it.
    pub fn trace(
        &mut self,
        program: ProgramId,
        input: &ConcreteInput,
        options: &TraceOptions,
    ) -> Result<TracedRun, ExecError> {
        self.prepare(input)?;
        let (stdin, directory) = (self.stdin(input)?, self.sandbox.directory(&input.fixture)?);
        let symbolic = self.symbolic(input, &options.model);
        let mut kept = match options.outputs {
            true => Some([self.memory("stdout")?, self.memory("stderr")?]),
            false => None,
        };
        let Executor { sandbox, programs, start_timeout, sink, .. } = self;
        let of = &mut programs[program.0];
        let name = name(&input.fixture, &of.variants);
        let server = match (&mut of.sym, &of.variants.sym) {
            (Some(server), _) => server,
            (none, Some(sym)) => {
                let environment = Some(input.fixture.environment.as_slice());
                none.insert(Server::start_in(&mut sandbox.inner, sym, name, environment, *start_timeout)?)
            }
            (None, None) => return Err(cannot(input, "there is no sym variant")),
        };
        let run = Run {
            arguments: arguments(name, input, &options.model),
            extras: extras(input, &options.model),
            environment: Some(&input.fixture.environment),
            stdin: stdin.as_fd(),
            stdout: kept.as_ref().map_or(sink.as_fd(), |[stdout, _]| stdout.as_fd()),
            stderr: kept.as_ref().map_or(sink.as_fd(), |[_, stderr]| stderr.as_fd()),
            directory: directory.as_fd(),
            symbolic: &symbolic,
            visits: options.visits,
            arithmetic: options.arithmetic,
            near: options.near,
            outputs: options.outputs,
            repeats: options.repeats,
            limits: options.limits,
            timeout: Some(options.timeout),
        };
        let mut outcome = server.run(&run);
        match &mut outcome {
            Ok(outcome) => {
                outcome.trace.rename_files(|path| sandbox.path_in_input(&input.fixture, path));
                if let Some([stdout, stderr]) = &mut kept {
                    let read = |file: &mut File| beginning(file).map_err(ExecError::Machine);
                    outcome.outputs = Some([read(stdout)?, read(stderr)?]);
                }
            }
            // The run broke its fork server; the next one gets another.
            Err(_) => of.sym = None,
        }
        Ok(outcome?)
    }

    /// Runs an input in the build with sanitizers. If there is none, in the program as it was built.
    pub fn judge(
        &mut self,
        program: ProgramId,
        input: &ConcreteInput,
        options: &JudgeOptions,
    ) -> Result<Observed, ExecError> {
        let kind = usize::from(options.goes_on);
        let sanitizers = Judge { goes_on: options.goes_on, ..self.judge.clone() };
        let Some(asan) = self.programs[program.0].variants.asan.clone() else {
            let options = RunOptions { timeout: options.timeout, observe_files: options.observe_files };
            return self.native(program, input, &options);
        };
        let environment = with(&input.fixture.environment, sanitizers.environment_without_symbols());
        if options.new_process {
            return self.judge_in_new_process(program, input, options, environment);
        }
        self.prepare(input)?;
        if matches!(self.programs[program.0].judges[kind], JudgeServer::Idle) {
            self.programs[program.0].judges[kind] = self.start(program, &asan, input, &environment)?;
        }
        if !matches!(self.programs[program.0].judges[kind], JudgeServer::Waits(_)) {
            return self.judge_in_new_process(program, input, options, environment);
        }
        let environment = self.with_objects(input, environment)?;
        let (mut stdout, mut stderr) = (self.memory("stdout")?, self.memory("stderr")?);
        let (stdin, directory) = (self.stdin(input)?, self.sandbox.directory(&input.fixture)?);
        let of = &mut self.programs[program.0];
        let name = name(&input.fixture, &of.variants);
        let JudgeServer::Waits(server) = &mut of.judges[kind] else { return Err(cannot(input, THREADS)) };
        let outcome = server.run(&PlainRun {
            arguments: texts(name, input),
            environment: Some(&environment),
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            counters: None,
            directory: directory.as_fd(),
            timeout: Some(options.timeout),
        });
        let Ok(outcome) = outcome else {
            // The run broke its fork server; what it does shows in a process of its own, and the next one gets another.
            of.judges[kind] = JudgeServer::Idle;
            return self.judge_in_new_process(program, input, options, environment);
        };
        let report = of.symbolizer.complete(&beginning(&mut stderr).map_err(ExecError::Machine)?);
        let behaviour = Behaviour {
            ending: Ending::of_run(outcome.status, outcome.timed_out, outcome.out_of_memory),
            stdout: content(&mut stdout)?,
            stderr: content(&mut stderr)?,
            files: self.changes(input, options.observe_files)?,
            report: Some(report),
        };
        Ok(Observed { behaviour, elapsed: outcome.elapsed })
    }

    /// Runs an input in a new process of the build with sanitizers, as a user would. Only its symbolizer is ours: one of its own
    /// takes longer than all of the rest.
    fn judge_in_new_process(
        &mut self,
        program: ProgramId,
        input: &ConcreteInput,
        options: &JudgeOptions,
        environment: Environment,
    ) -> Result<Observed, ExecError> {
        let variants = &self.programs[program.0].variants;
        let executed = variants.asan.clone().unwrap_or_else(|| variants.native.clone());
        let run = RunOptions { timeout: options.timeout, observe_files: options.observe_files };
        let (mut observed, report) = self.run(program, &executed, input, environment, &run)?;
        observed.behaviour.report = Some(self.programs[program.0].symbolizer.complete(&report));
        Ok(observed)
    }

    /// Runs an input, and counts what it executes. After the timeout it is killed.
    pub fn count(
        &mut self,
        program: ProgramId,
        input: &ConcreteInput,
        timeout: Duration,
    ) -> Result<Counted, ExecError> {
        let Some(cov) = self.programs[program.0].variants.cov.clone() else {
            return Err(cannot(input, "there is no cov variant"));
        };
        self.prepare(input)?;
        if matches!(self.programs[program.0].cov, JudgeServer::Idle) {
            let started = self.start(program, &cov.program, input, &input.fixture.environment)?;
            self.programs[program.0].cov = started;
        }
        let (stdin, directory) = (self.stdin(input)?, self.sandbox.directory(&input.fixture)?);
        let of = &mut self.programs[program.0];
        let JudgeServer::Waits(server) = &mut of.cov else { return Err(cannot(input, THREADS)) };
        let counters = match &mut of.counters {
            Some(counters) => counters,
            none => none.insert(CounterMemory::new(cov.id, cov.blocks).map_err(ExecError::Machine)?),
        };
        counters.clear().map_err(ExecError::Machine)?;
        let outcome = server.run(&PlainRun {
            arguments: texts(name(&input.fixture, &of.variants), input),
            environment: Some(&input.fixture.environment),
            stdin: stdin.as_fd(),
            stdout: self.sink.as_fd(),
            stderr: self.sink.as_fd(),
            counters: Some(counters.file().as_fd()),
            directory: directory.as_fd(),
            timeout: Some(timeout),
        });
        if outcome.is_err() {
            // The run broke its fork server; the next one gets another.
            of.cov = JudgeServer::Idle;
        }
        let (outcome, mut counts) = (outcome?, counters.read().map_err(ExecError::Machine)?);
        counts.truncate(cov.blocks);
        let ending = Ending::of_run(outcome.status, outcome.timed_out, outcome.out_of_memory);
        Ok(Counted { ending, counts, elapsed: outcome.elapsed })
    }

    /// Runs an input in the program as it was built, in a process of its own.
    pub fn native(
        &mut self,
        program: ProgramId,
        input: &ConcreteInput,
        options: &RunOptions,
    ) -> Result<Observed, ExecError> {
        let native = self.programs[program.0].variants.native.clone();
        Ok(self.run(program, &native, input, input.fixture.environment.clone(), options)?.0)
    }

    /// What a new process does, and the beginning of what it wrote to standard error.
    fn run(
        &mut self,
        program: ProgramId,
        executed: &Path,
        input: &ConcreteInput,
        environment: Environment,
        options: &RunOptions,
    ) -> Result<(Observed, Vec<u8>), ExecError> {
        self.prepare(input)?;
        let environment = self.with_objects(input, environment)?;
        let stdin = self.stdin(input)?;
        let (mut stdout, mut stderr) = (self.memory("stdout")?, self.memory("stderr")?);
        let directory = self.sandbox.directory_path(&input.fixture);
        let task = ProcessSpec {
            program: executed,
            arguments: texts(name(&input.fixture, &self.programs[program.0].variants), input),
            environment: Some(&environment),
            directory: Some(&directory),
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            timeout: Some(options.timeout),
        };
        let ended = self.sandbox.inner.run(&task)?;
        let behaviour = Behaviour {
            ending: Ending::of_run(ended.status, ended.timed_out, ended.out_of_memory),
            stdout: content(&mut stdout)?,
            stderr: content(&mut stderr)?,
            files: self.changes(input, options.observe_files)?,
            report: None,
        };
        let report = beginning(&mut stderr).map_err(ExecError::Machine)?;
        Ok((Observed { behaviour, elapsed: ended.elapsed }, report))
    }

    fn changes(&self, input: &ConcreteInput, are_wanted: bool) -> Result<Option<FileChanges>, ExecError> {
        if !are_wanted {
            return Ok(None);
        }
        let directory = self.sandbox.directory_path(&input.fixture);
        changes(&self.sandbox.inner, &directory).map(Some).map_err(ExecError::Machine)
    }

    fn prepare(&mut self, input: &ConcreteInput) -> Result<(), ExecError> {
        let services = self.sandbox.prepare(input)?;
        self.look_after(services, &input.fixture);
        Ok(())
    }

    /// Lets go of what is gone, or began otherwise than it would with an input.
    fn look_after(&mut self, services: Services, fixture: &Fixture) {
        let decides = |name: &OsStr| BEGINNING.iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()));
        let is_same = fixture.environment.iter().filter(|(name, _)| decides(name)).eq(&self.beginning);
        if services == Services::Gone || !is_same {
            self.programs.iter_mut().for_each(ServedProgram::forget_servers);
        }
        if !is_same {
            self.beginning = fixture.environment.iter().filter(|(name, _)| decides(name)).cloned().collect();
        }
    }

    fn start(
        &mut self,
        program: ProgramId,
        executed: &Path,
        input: &ConcreteInput,
        environment: &Environment,
    ) -> Result<JudgeServer, ExecError> {
        let name = name(&input.fixture, &self.programs[program.0].variants);
        JudgeServer::start(&mut self.sandbox.inner, executed, name, environment, self.start_timeout)
    }

    fn symbolic(&self, input: &ConcreteInput, model: &InputModel) -> Symbolic {
        let patterns = self.sandbox.patterns(&input.fixture, model.files);
        Symbolic {
            arguments: model.arguments,
            stdin: model.stdin && input.stdin.is_some(),
            files: !patterns.is_empty(),
            environment: model.environment,
            patterns,
        }
    }

    /// Where the objects are that the program asks for, if there are any: a program that was not made for tracing reads them
    /// from a file.
    fn with_objects(&mut self, input: &ConcreteInput, mut environment: Environment) -> Result<Environment, ExecError> {
        if input.objects.is_empty() {
            return Ok(environment);
        }
        self.sandbox.write_beside(&input.fixture, Path::new(KTEST), ktest(input))?;
        let path = self.sandbox.directory_path(&input.fixture).join(KTEST);
        environment.retain(|(name, _)| name != KTEST_VARIABLE);
        environment.push((KTEST_VARIABLE.into(), path.into()));
        Ok(environment)
    }

    fn memory(&self, name: &str) -> Result<File, ExecError> {
        memory(name).map_err(ExecError::Machine)
    }

    fn stdin(&self, input: &ConcreteInput) -> Result<OwnedFd, ExecError> {
        let stdin = match &input.stdin {
            Some(content) => memory_with("stdin", content),
            None => self.null.try_clone(),
        };
        stdin.map(OwnedFd::from).map_err(ExecError::Machine)
    }
}

/// What the program is called.
fn name<'a>(fixture: &'a Fixture, variants: &'a Variants) -> &'a OsStr {
    fixture.name.as_deref().unwrap_or(variants.native.as_os_str())
}

/// The name and the arguments, as far as they go.
fn texts<'a>(name: &'a OsStr, input: &'a ConcreteInput) -> Vec<&'a OsStr> {
    std::iter::once(name).chain(input.texts().map(OsStr::from_bytes)).collect()
}

/// The name and the arguments with the room that they have.
fn arguments<'a>(name: &'a OsStr, input: &'a ConcreteInput, model: &InputModel) -> Vec<Argument<'a>> {
    let argument = |(index, bytes): (usize, &'a Vec<u8>)| {
        let text = Argument::from(OsStr::from_bytes(bytes));
        Argument { fixed: model.fixed_arguments.contains(&index), ..text }
    };
    std::iter::once(name.into()).chain(input.arguments.iter().enumerate().map(argument)).collect()
}

fn extras<'a>(input: &'a ConcreteInput, model: &'a InputModel) -> Extras<'a> {
    let file = |(path, size): &'a (PathBuf, Option<u32>)| NamedFile { name: path.as_os_str(), size: *size };
    let object = |(name, bytes): &'a (String, Vec<u8>)| NamedObject { name: OsStr::new(name), bytes };
    Extras {
        argument_count: model.argument_count.clone(),
        files: model.named_files.iter().map(file).collect(),
        stdin_size: model.stdin_size,
        objects: input.objects.iter().map(object).collect(),
    }
}

/// The objects of an input in KLEE's format.
fn ktest(input: &ConcreteInput) -> Vec<u8> {
    let object = |(name, bytes): &(String, Vec<u8>)| byway_ktest::Object::new(name.as_bytes(), bytes.as_slice());
    KTest { objects: input.objects.iter().map(object).collect(), ..KTest::default() }.write()
}

/// An environment with other values for some variables.
fn with(environment: &Environment, others: Vec<(&'static str, String)>) -> Environment {
    let is_other = |name: &OsString| others.iter().any(|(other, _)| name == other);
    let rest = environment.iter().filter(|(name, _)| !is_other(name)).cloned();
    rest.chain(others.iter().map(|(name, value)| (name.into(), value.into()))).collect()
}

fn cannot(input: &ConcreteInput, why: &str) -> ExecError {
    ExecError::Input { label: input.fixture.label.clone(), why: why.to_owned() }
}

fn content(file: &mut File) -> Result<Content, ExecError> {
    written(file).map_err(ExecError::Machine)
}
