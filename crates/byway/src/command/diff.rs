//! `byway diff`: where two versions of a program behave differently.
//!
//! Versions are two programs, or two directories with programs. Whatever they come from ends in [`compare`].

mod inputs;
mod pair;
mod range;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use byway_diff::{DiffRequest, Options, diff};
use byway_exec::SandboxOptions;
use byway_input::{InputModel, SymbolicFiles};
use byway_report::diff::{DiffStats, DiffStore, Difference, in_words, markdown};

use crate::command::changes::{Versions, versions};
use crate::command::explore::start::restrict;
use crate::command::live::Live;
use crate::command::{interruptions, policy, solver};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::{CompareFlags, DiffFlags, SymbolicFlags};

use pair::Maker;

/// What is compared, wherever the versions come from.
pub struct Compared {
    /// The programs that both versions have.
    pub programs: Vec<Versions>,
    /// What the old and the new version are called: paths, commits.
    pub names: (String, String),
    /// The golden version: a program, or a directory with programs at the same paths.
    pub golden: Option<PathBuf>,
    /// The inputs to begin with.
    pub inputs: Inputs,
    /// Only changes in these files and directories are looked at; all, if there are none.
    pub paths: Vec<PathBuf>,
    /// Sources are named from here.
    pub root: PathBuf,
    /// Whether byway built the programs itself, by the user's command: their records are what it wrote.
    pub is_own_build: bool,
}

/// The inputs to begin with.
pub enum Inputs {
    /// The seeds in a directory.
    Seeds(PathBuf),
    /// One run with these arguments, our standard input, and the files of the current directory.
    Run(Vec<OsString>),
    /// From nothing: these arguments, then symbolic ones.
    Symbolic(SymbolicFlags, Vec<OsString>),
}

/// Runs the command.
pub fn run(flags: DiffFlags) -> Result<ExitCode, Error> {
    if let Some(build) = &flags.commits.build {
        return match range::prepare(&flags, build)? {
            Some(prepared) => compare(&prepared.compared, &flags.compare, Some(&prepared.interrupted)),
            None => Ok(ExitCode::Success),
        };
    }
    let [old, new] = flags.versions.as_slice() else {
        let only = flags.versions.first().map(|version| version.display().to_string()).unwrap_or_default();
        return Err(Error::Ask(format!(
            "{only} is one version: name two programs or two directories; to compare commits, say how they are built with --build"
        )));
    };
    let cache = flags.compare.runs.cache.open()?;
    let (programs, alone) = versions(&cache, Path::new(old), Path::new(new))?;
    alone.iter().for_each(|line| console::error(line));
    let names = (old.display().to_string(), new.display().to_string());
    let inputs = match (flags.from, flags.symbolic.is_from_nothing()) {
        (Some(seeds), _) => Inputs::Seeds(seeds),
        (None, true) => Inputs::Symbolic(flags.symbolic, flags.arguments),
        (None, false) => Inputs::Run(flags.arguments),
    };
    let golden = flags.compare.golden.clone();
    let root = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
    let compared = Compared { programs, names, golden, inputs, paths: Vec::new(), root, is_own_build: false };
    compare(&compared, &flags.compare, None)
}

/// Compares versions, prints and writes what differs. While variants are built there is nothing to keep: Ctrl-C then just ends it,
/// unless somebody looks for it already.
fn compare(
    compared: &Compared,
    flags: &CompareFlags,
    watched_for: Option<&Arc<AtomicBool>>,
) -> Result<ExitCode, Error> {
    let here = &compared.root;
    let suppressions = policy::suppressions(&flags.suppressions)?;
    let is_interrupted = || watched_for.is_some_and(|interrupted| interrupted.load(Ordering::Relaxed));
    let Some(pairs) = Maker::new(flags, compared)?.pairs(compared, &is_interrupted)? else {
        return Ok(ExitCode::Interrupted);
    };
    let interrupted = watched_for.map_or_else(interruptions, |interrupted| Ok(Arc::clone(interrupted)))?;
    for pair in pairs.iter().filter(|pair| pair.changes.changes.is_empty()) {
        let name = &pair.name;
        console::error(&format!("{name}: nothing changed, so only the given inputs are run in both versions"));
    }
    let (names, solver) = (compared.names.clone(), || solver(flags.solving.query_timeout));
    let request = DiffRequest { pairs, names, options: options(flags), solver: &solver };
    let mut store = DiffStore::create(&flags.output, here)?.with_suppressions(suppressions);
    let stats = watched(&request, &mut store, &interrupted)?;
    report(flags, here, &stats, &store)?;
    let code = exit_code(flags, &stats, store.differences());
    let directory = store.directory().to_owned();
    if store.finish(&stats)? {
        console::error(&super::record::as_it_was(&directory));
    }
    Ok(code)
}

/// Compares, and says meanwhile what is being done.
fn watched(request: &DiffRequest<'_>, store: &mut DiffStore, interrupted: &AtomicBool) -> Result<DiffStats, Error> {
    let live = Live::new();
    let stats = diff(request, store, interrupted, &mut |now| {
        live.show(|| {
            let found = super::count(now.differences, "difference");
            format!("{}: {}; {found}", now.program, now.doing)
        });
    });
    live.finish();
    Ok(stats?)
}

/// Prints what was found, and writes it for a pull request.
fn report(flags: &CompareFlags, here: &Path, stats: &DiffStats, store: &DiffStore) -> Result<(), Error> {
    let differences = store.differences();
    let text = match flags.json {
        true => serde_json::to_string_pretty(differences).expect("differences are plain data") + "\n",
        false => {
            let unused = store.unused_suppressions().into_iter();
            let unused: String = unused.map(|rule| format!("suppression without a difference: {rule}\n")).collect();
            in_words(differences, stats, here, &flags.output) + &unused
        }
    };
    console::print(&text);
    match &flags.markdown {
        Some(path) => fs::write(path, markdown(differences, stats, here))
            .map_err(|source| Error::Write { path: path.clone(), source }),
        None => Ok(()),
    }
}

fn exit_code(flags: &CompareFlags, stats: &DiffStats, differences: &[Difference]) -> ExitCode {
    let is_wanted = |difference: &Difference| {
        difference.suppressed.is_none() && flags.fail_on.iter().any(|wanted| wanted.is(difference.class))
    };
    let is_compared = stats.programs.iter().any(|program| !program.seeds.is_empty());
    match () {
        () if differences.iter().any(is_wanted) => ExitCode::Findings,
        () if stats.ended.as_deref() == Some("interrupted") => ExitCode::Interrupted,
        () if !is_compared => {
            console::error("nothing could be compared: no input could be run, for the reasons above");
            ExitCode::NothingCaptured
        }
        () => ExitCode::Success,
    }
}

fn options(flags: &CompareFlags) -> Options {
    let mut model = InputModel { arguments: true, stdin: true, files: SymbolicFiles::OfInput, ..InputModel::default() };
    restrict(&mut model, &flags.changed);
    let sandbox =
        byway_confine::SandboxSettings { memory: flags.runs.run_memory, ..byway_confine::SandboxSettings::default() };
    let sandbox = SandboxOptions { settings: sandbox, unconfined: flags.unconfined, ..SandboxOptions::default() };
    Options {
        ignore: flags.ignore,
        time: flags.time,
        model: Arc::new(model),
        goes_on: !flags.only_given,
        search: flags.search.search,
        first: flags.first,
        directions: flags.search.directions(),
        jobs: flags.runs.jobs(),
        run_timeout: flags.runs.run_timeout,
        sandbox: SandboxOptions { start_timeout: sandbox.start_timeout.max(flags.runs.run_timeout), ..sandbox },
        limits: flags.solving.limits.limits(),
        memory: flags.solving.memory,
        seed: flags.seed,
    }
}
