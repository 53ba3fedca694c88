//! The commands.

pub mod baseline;
pub mod build;
pub mod changes;
pub mod check;
pub mod coverage;
pub mod diff;
pub mod doctor;
pub mod eval;
pub mod explore;
pub mod import;
pub mod init;
pub mod ktest;
mod live;
mod machine;
pub mod manual;
mod measured;
pub mod plan;
mod policy;
pub mod rank;
mod reach;
pub mod record;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod trace;

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use byway_engine::Program;
use byway_exec::Cov;
use byway_program::{Subject, SubjectError};
use byway_solve::smt::{External, default_command};
use byway_solve::{Solver, sat};
use byway_suite::{Suite, SuiteError};
use byway_variant::{Cache, Variant, VariantError, VariantKind};

use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;

/// Opens a program, and says what is not as it was.
fn open_subject(cache: &Cache, path: &Path) -> Result<Subject, SubjectError> {
    let activity = Activity::new(format!("reading {}", shown(path)));
    let subject = cache.subject(path)?;
    drop(activity);
    for (program, error) in cache.take_unkept() {
        let (program, root) = (program.display(), cache.root().display());
        console::error(&format!(
            "cannot keep the sources of {program} in {root}: {error}; they are not there when it changes"
        ));
    }
    let replaced: Vec<_> = subject.everything().iter().flat_map(|part| part.kept.changed()).collect();
    if let [first, others @ ..] = replaced.as_slice() {
        let more = if others.is_empty() { String::new() } else { format!(" (and {} more)", others.len()) };
        let name = subject.name();
        console::error(&format!(
            "{}{more} belongs to another build of {name} now: what was there when {name} was first seen is used",
            first.display()
        ));
    }
    Ok(subject)
}

/// Builds a variant and says so while it takes its time.
fn build_variant(cache: &Cache, subject: &Subject, kind: VariantKind) -> Result<Variant, VariantError> {
    let (modules, name) = (subject.all_modules().len(), subject.name());
    let (work, before) = (Arc::clone(cache.work()), cache.work().modules());
    let activity = Activity::with(move || match work.modules() {
        now if now == before => format!("building the {kind} variant of {name} ({modules} modules)"),
        now => format!("building the {kind} variant of {name} ({} of {modules} modules)", now.0 - before.0),
    });
    let built = byway_variant::build(cache, subject, kind);
    drop(activity);
    say_damaged(cache);
    built
}

/// Says which entries of the cache had to be made again.
fn say_damaged(cache: &Cache) {
    for entry in cache.take_damaged() {
        console::error(&format!("{} was damaged and is made again", entry.display()));
    }
}

/// Builds the variant that counts what a run covers.
fn build_cov(cache: &Cache, subject: &Subject, map: &Program) -> Result<Cov, VariantError> {
    let variant = build_variant(cache, subject, VariantKind::Cov)?;
    Ok(Cov { program: variant.program, id: subject.id, blocks: map.map.blocks.len() })
}

/// Says which sanitizers the program was built with and that no variant has: what they would find is not found.
fn say_ignored_sanitizers(subject: &Subject) {
    let notes = subject.all_modules().into_iter().flat_map(|module| &module.notes);
    let ignored: BTreeSet<&String> =
        notes.filter(|note| note.starts_with("-fsanitize=") && note.ends_with("in no variant")).collect();
    ignored.iter().for_each(|note| console::error(&format!("{}: {note}", subject.name())));
}

/// Reads the seeds of a directory.
fn open_suite(directory: &Path) -> Result<Suite, SuiteError> {
    let _activity = Activity::new(format!("reading the seeds in {}", shown(directory)));
    Suite::open(directory)
}

/// Paths below the current directory are shown from there.
fn shown(path: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok());
    below.as_deref().unwrap_or(path).display().to_string()
}

/// The environment of confined runs is ours, with a place for temporary files that is there.
fn environment() -> Vec<(OsString, OsString)> {
    let ours = env::vars_os().filter(|(name, _)| name != "TMPDIR" && name != "BYWAY_CACHE");
    ours.chain([("TMPDIR".into(), "/tmp".into())]).collect()
}

/// How many processors there are.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// Ctrl-C and its likes end what we do, not us; the second time they do.
fn interruptions() -> Result<Arc<AtomicBool>, Error> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let again = signal_hook::flag::register_conditional_default(signal, Arc::clone(&interrupted));
        let first = again.and_then(|_| signal_hook::flag::register(signal, Arc::clone(&interrupted)));
        first.map_err(|source| Error::Pass { what: "signals", source })?;
    }
    Ok(interrupted)
}

/// A solver that gives up on a question after this time.
fn solver(timeout: Duration) -> Solver {
    let external = default_command().and_then(|command| External::new(command, Default::default()).ok());
    let settings = byway_solve::SolverSettings {
        sat: sat::SatLimits { time: timeout, ..sat::SatLimits::default() },
        external_timeout: timeout,
        cross_check: false,
    };
    Solver::new(settings, external)
}

/// Nothing came of any seed: says why, if nobody has.
fn nothing_of(suite: &Suite, what: &str) -> ExitCode {
    match suite.seeds.is_empty() {
        true => console::error(&format!("{} has no seeds", shown(&suite.directory))),
        false => console::error(&format!("nothing was {what}: no seed could be run, for the reasons above")),
    }
    ExitCode::NothingCaptured
}

/// A number of things.
fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{} {thing}s", console::thousands(number)),
    }
}
