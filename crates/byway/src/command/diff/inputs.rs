//! The inputs that a comparison begins with.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_diff::{ProgramPair, as_seed};
use byway_exec::{Executor, SandboxOptions, TraceOptions, Variants};
use byway_input::{ConcreteInput, Fixture, InputFile, InputModel, SymbolicFiles};
use byway_report::diff::GIVEN;
use byway_suite::{Seed, Suite};
use byway_trace::SourceKind;

use crate::command::changes::Versions;
use crate::command::explore::start;
use crate::command::open_suite;
use crate::error::Error;
use crate::flags::{CompareFlags, SymbolicFlags};

use super::Inputs;

/// The inputs that are given.
pub enum Given<'a> {
    /// Seeds, each of a program.
    Seeds(Suite),
    /// The arguments of a run, and its standard input.
    Run(&'a [OsString], Option<Vec<u8>>),
    /// Nothing.
    Symbolic(&'a SymbolicFlags, &'a [OsString]),
}

impl<'a> Given<'a> {
    /// Reads seeds, or standard input.
    pub fn open(inputs: &'a Inputs) -> Result<Given<'a>, Error> {
        Ok(match inputs {
            Inputs::Seeds(directory) => Given::Seeds(open_suite(directory)?),
            Inputs::Run(arguments) => Given::Run(arguments, start::own_stdin()?),
            Inputs::Symbolic(flags, arguments) => Given::Symbolic(flags, arguments),
        })
    }

    /// Whether there are inputs for a program.
    pub fn is_for(&self, versions: &Versions) -> bool {
        match self {
            Given::Seeds(suite) => seeds_of(suite, versions.new.path.file_name()).next().is_some(),
            Given::Run(..) | Given::Symbolic(..) => true,
        }
    }

    /// Why there is nothing to run.
    pub fn nothing_for(&self, programs: &[Versions]) -> String {
        let names: BTreeSet<String> = programs.iter().map(|versions| versions.new.name().to_string()).collect();
        let names: Vec<String> = names.into_iter().collect();
        match self {
            Given::Seeds(suite) if suite.seeds.is_empty() => {
                format!(
                    "{} has no seeds: record the tests of the old version with byway record",
                    suite.directory.display()
                )
            }
            Given::Seeds(suite) => {
                let directory = suite.directory.display();
                format!("none of the seeds in {directory} runs a program called {}", names.join(" or "))
            }
            _ => "there is no program to run".to_owned(),
        }
    }

    /// Whether it takes a trace to know what a run reads.
    pub fn needs_traces(&self) -> bool {
        matches!(self, Given::Run(..))
    }

    /// Gives a pair its inputs.
    pub fn add_to(&self, pair: &mut ProgramPair, flags: &CompareFlags) -> Result<(), Error> {
        let name = pair.new.variants.native.file_name().unwrap_or_default().to_owned();
        match self {
            Given::Seeds(suite) => {
                pair.seeds = seeds_of(suite, Some(&name)).map(|seed| Arc::new(seed.clone())).collect();
            }
            Given::Symbolic(symbolic, arguments) => pair.start = Some(start::start(symbolic, arguments, &name)?),
            Given::Run(arguments, stdin) => {
                let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
                let fixture = Fixture {
                    directory: Some(here),
                    label: GIVEN.to_owned(),
                    ..Fixture::clone(&*start::fixture(&name))
                };
                let input = ConcreteInput {
                    fixture: Arc::new(fixture),
                    arguments: start::texts(arguments),
                    stdin: stdin.clone(),
                    ..ConcreteInput::default()
                };
                let input = with_files(input, pair, flags)?;
                pair.seeds = vec![Arc::new(as_seed(pair, GIVEN, input))];
            }
        }
        Ok(())
    }
}

/// The seeds that run a program of this name.
fn seeds_of<'s>(suite: &'s Suite, name: Option<&'s OsStr>) -> impl Iterator<Item = &'s Seed> {
    suite.seeds.iter().filter(move |seed| seed.executable.path.file_name() == name)
}

/// The input with the files of its directory that one of the versions reads.
fn with_files(mut input: ConcreteInput, pair: &ProgramPair, flags: &CompareFlags) -> Result<ConcreteInput, Error> {
    for variants in [&pair.old.variants, &pair.new.variants] {
        for path in files_read(&input, variants, flags)? {
            if let Ok(content) = byway_file::read(&path, byway_file::INPUT) {
                input.files.insert(path, InputFile::from(content));
            }
        }
    }
    Ok(input)
}

fn files_read(input: &ConcreteInput, variants: &Variants, flags: &CompareFlags) -> Result<Vec<PathBuf>, Error> {
    if variants.sym.is_none() {
        return Ok(Vec::new());
    }
    let sandbox =
        byway_confine::SandboxSettings { memory: flags.runs.run_memory, ..byway_confine::SandboxSettings::default() };
    let sandbox = SandboxOptions { settings: sandbox, unconfined: flags.unconfined, ..SandboxOptions::default() };
    let mut executor = Executor::new(&sandbox, [input])?;
    let program = executor.program(variants.clone());
    let model = InputModel { files: SymbolicFiles::InDirectory, ..InputModel::default() };
    let options = TraceOptions {
        model: Arc::new(model),
        timeout: flags.runs.run_timeout,
        limits: flags.solving.limits.limits(),
        visits: false,
        arithmetic: false,
        near: false,
        outputs: false,
        repeats: false,
    };
    // A run that cannot be followed reads what nobody knows.
    let Ok(outcome) = executor.trace(program, input, &options) else { return Ok(Vec::new()) };
    let trace = &outcome.trace;
    let files = trace.inputs().iter().enumerate().filter(|(_, source)| source.kind == SourceKind::File);
    let paths = files.filter_map(|(number, _)| trace.input_path(number));
    let here = input.fixture.directory.as_deref().unwrap_or(Path::new("/"));
    Ok(paths.map(|path| here.join(path)).filter(|path| path.is_file()).collect())
}
