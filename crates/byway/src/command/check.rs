//! `byway check`: run the test suite, and every path near it.

mod prepare;
mod progress;
mod summary;

use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use byway_check::{CheckBudget, CheckLimits, CheckSettings, INTERRUPTED, PlaceLimits, Target, check};
use byway_engine::{Program, Stop};
use byway_exec::{Cov, RunnerConfig, Variants};
use byway_program::Subject;
use byway_reduce::{Order, SeedMeasure};
use byway_report::{CheckStats, CheckStore, Ending, JunitCase, Limit, Skipped};
use byway_suite::{Seed, Suite};
use byway_variant::{Cache, VariantKind, partly_checked, program_map};

use crate::command::live::Live;
use crate::command::{build_cov, build_variant, interruptions, open_subject, say_ignored_sanitizers, shown, solver};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::CheckFlags;

pub use summary::remaining;

/// Runs the command.
pub fn run(flags: CheckFlags) -> Result<ExitCode, Error> {
    let cache = flags.runs.cache.open()?;
    let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
    let store = create(&flags, &here)?;
    let interrupted = interruptions()?;
    if flags.unconfined {
        console::error(UNCONFINED);
    }
    let mut suite = match &flags.from {
        Some(directory) => Suite::open(directory)?,
        None => {
            let settings = super::record::settings(store.seeds());
            let recorded = byway_suite::record(&flags.command, settings, &interrupted)?;
            eprint!("{}", super::record::in_words(&recorded.suite));
            if let Some(trouble) = &recorded.trouble {
                console::error(&format!("{trouble}; what was captured before is checked"));
            }
            recorded.suite
        }
    };
    match failure(&suite) {
        _ if interrupted.load(Ordering::Relaxed) && suite.seeds.is_empty() => console::error("interrupted"),
        _ if interrupted.load(Ordering::Relaxed) => {
            let seeds = shown(&suite.directory);
            console::error(&format!("interrupted; byway check --from {seeds} checks what was captured before"));
        }
        Some(ending) if suite.seeds.is_empty() => console::error(&format!("the test command failed: {ending}")),
        Some(ending) => {
            console::error(&format!("the test command failed: {ending}; what it ran before is checked all the same"));
        }
        None => {}
    }
    let captured = suite.runs;
    if let Some(fraction) = flags.sample {
        suite.sample(fraction, flags.seed)?;
    }
    let spent = prepare::prepare(&flags, &mut suite, &interrupted)?;
    let (targets, skipped) = targets(&flags, &cache, &suite, &interrupted)?;
    let settings = settings(&flags, spent);
    let live = Live::new();
    let new_solver = || solver(flags.solving.query_timeout);
    let (stop, mut stats, mut store) =
        check(&settings, targets, &new_solver, store, &interrupted, |now| live.show(|| progress::line(now)))?;
    live.finish();
    describe(&mut stats, &suite, captured, &skipped);
    store.add_cases(skipped);
    store.checkpoint(&stats)?;
    console::print(&summary::in_words(&flags, &here, &stats, &store));
    let directory = store.directory().to_owned();
    if store.end()? {
        console::error(&super::record::as_it_was(&directory));
    }
    Ok(exit_code(&suite, &stats, stop))
}

/// Makes the output directory. What was there is not touched for a command that is not there, or seeds that are none.
fn create(flags: &CheckFlags, here: &Path) -> Result<CheckStore, Error> {
    let Some(from) = &flags.from else {
        byway_suite::find(&flags.command)?;
        return Ok(CheckStore::create(&flags.output, here)?);
    };
    Suite::open(from)?;
    let is_own = matches!((from.canonicalize(), flags.output.canonicalize()), (Ok(from), Ok(output)) if from.starts_with(&output));
    Ok(match is_own {
        true => CheckStore::create_again(&flags.output, here)?,
        false => CheckStore::create(&flags.output, here)?,
    })
}

fn exit_code(suite: &Suite, stats: &CheckStats, stop: Stop) -> ExitCode {
    let is_nothing = stats.seeds.checked == 0;
    if stats.remaining.count(Limit::Mistake) > 0 {
        console::error(MISTAKE);
        return ExitCode::Internal;
    }
    match stop {
        _ if stats.findings > 0 => return ExitCode::Findings,
        Stop::Interrupted if is_nothing => console::error("interrupted before anything was checked"),
        Stop::Interrupted => return ExitCode::Interrupted,
        _ if suite.seeds.is_empty() => console::error(NOTHING_CAPTURED),
        _ if is_nothing => console::error("nothing was checked: no seed could be followed, for the reasons above"),
        _ => {}
    }
    let unseen: Vec<&str> =
        stats.programs.iter().filter(|(_, program)| !program.sees_input).map(|(path, _)| path.as_str()).collect();
    if !unseen.is_empty() {
        console::error(&format!("{}: {UNSEEN}", unseen.join(", ")));
    }
    match () {
        () if stop != Stop::Interrupted && failure(suite).is_some() => ExitCode::TestsFailed,
        () if is_nothing || !unseen.is_empty() => ExitCode::NothingCaptured,
        () => ExitCode::Success,
    }
}

/// What is wrong with a program of which byway can follow no input.
pub const UNSEEN: &str = "byway cannot follow the input: code that byway did not compile reads it, as listed above; build that library \
                          with byway-cc, or read input with the C library";

const MISTAKE: &str = "byway made a mistake with the seeds named above; everything else was checked; please report it";

const UNCONFINED: &str = "unconfined: programs run in copies of their directories; what they open by an absolute path is read, \
                          and written, where it is: its content is not varied";

const NOTHING_CAPTURED: &str = "nothing was captured: no program that carries bitcode was run; build the project with \
                                CC=byway-cc first, byway doctor PROG says what a program carries";

/// How the test command ended, if it should have ended otherwise.
fn failure(suite: &Suite) -> Option<Ending> {
    suite.ending.filter(|&ending| ending != Ending::Exited(0))
}

/// What the numbers do not know of themselves.
fn describe(stats: &mut CheckStats, suite: &Suite, captured: u64, skipped: &[JunitCase]) {
    stats.command = suite.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    stats.command_ended = suite.ending.map(|ending| ending.to_string());
    stats.recording = suite.elapsed.as_secs_f64();
    stats.seeds.captured = captured;
    stats.seeds.different = suite.seeds.len() as u64;
    let entry = |case: &JunitCase| Skipped { seed: case.seed.clone(), why: case.skipped.clone().unwrap_or_default() };
    stats.seeds.skipped.extend(skipped.iter().map(entry));
}

/// The order in which seeds are explored, if nobody says anything else: the best on the whole of what `tests/real/eval` measures.
const EXPLORED: Order = Order::FurthestPointFirst;

fn settings(flags: &CheckFlags, spent: Duration) -> CheckSettings {
    CheckSettings {
        budget: CheckBudget { time: flags.time, memory: Some(flags.solving.memory) },
        spent,
        max_distance: flags.max_distance,
        depth_factor: flags.depth_factor,
        checks: flags.checks,
        limits: CheckLimits {
            place: PlaceLimits {
                tries: flags.operation_tries,
                unknown: flags.operation_unknown,
                time: flags.operation_time,
            },
            branch_runs: flags.branch_runs,
            branch_time: flags.branch_time,
        },
        // Those that were put in order before anything else stay so.
        order: (flags.order.is_none() && flags.max_distance > 0).then_some(EXPLORED),
        seed: flags.seed,
        reduce: flags.reduce,
        jobs: flags.runs.jobs(),
    }
}

/// The programs with their seeds, and the seeds that are not checked: those of programs that cannot be built, and of all
/// that were to be built when somebody wanted it to end. Without a cache there is nothing.
fn targets(
    flags: &CheckFlags,
    cache: &Cache,
    suite: &Suite,
    interrupted: &AtomicBool,
) -> Result<(Vec<Target>, Vec<JunitCase>), Error> {
    let mut programs: BTreeMap<&PathBuf, Vec<&Seed>> = BTreeMap::new();
    for seed in &suite.seeds {
        programs.entry(&seed.executable.copy).or_default().push(seed);
    }
    let (mut targets, mut skipped) = (Vec::new(), Vec::new());
    let count = programs.len();
    for (number, (copy, seeds)) in programs.into_iter().enumerate() {
        let is_interrupted = || interrupted.load(Ordering::Relaxed);
        let made = (!is_interrupted()).then(|| target(flags, cache, copy, &seeds, (number + 1, count)));
        let why = match made {
            Some(Ok(target)) => {
                targets.push(target);
                continue;
            }
            // A compiler that was interrupted with us has not failed.
            _ if is_interrupted() => INTERRUPTED.to_owned(),
            Some(Err(error)) if error.exit_code() == ExitCode::Cache => return Err(error),
            Some(Err(error)) => {
                console::error(&format!("{} is not checked: {error}", seeds[0].executable.path.display()));
                error.to_string()
            }
            None => INTERRUPTED.to_owned(),
        };
        skipped.extend(seeds.iter().map(|seed| JunitCase {
            program: seed.executable.path.clone(),
            seed: seed.name.clone(),
            seconds: 0.0,
            skipped: Some(why.clone()),
        }));
    }
    Ok((targets, skipped))
}

fn target(
    flags: &CheckFlags,
    cache: &Cache,
    copy: &Path,
    seeds: &[&Seed],
    (number, count): (usize, usize),
) -> Result<Target, Error> {
    let subject = open_subject(cache, copy)?;
    say_ignored_sanitizers(&subject);
    if !io::stderr().is_terminal() && !cache.contains(&subject, VariantKind::Sym.name()) {
        eprintln!("byway: building the variants of {} ({number} of {count})", subject.name());
    }
    let sym = build_variant(cache, &subject, VariantKind::Sym)?;
    let asan = build_variant(cache, &subject, VariantKind::Asan)?;
    if let [(_, changed), others @ ..] = partly_checked(&subject).as_slice() {
        let more = if others.is_empty() { String::new() } else { " (and others)".to_owned() };
        let name = subject.name();
        eprintln!(
            "byway: {}{more} changed since {name} was built: lines may not be what they were, and only AddressSanitizer \
             checks what was compiled from it; build it again",
            changed.display()
        );
    }
    let map = Arc::new(Program::new(program_map(cache, &subject)?));
    let cov = (flags.reduce > 0.0).then(|| cov(cache, &subject, &map)).flatten();
    let measure = SeedMeasure::new(&map.map);
    let (sym, asan) = (Some(sym.program.clone()), Some(asan.program.clone()));
    let variants = Variants { native: copy.to_owned(), sym, asan, cov };
    let sandbox =
        byway_confine::SandboxSettings { memory: flags.runs.run_memory, ..byway_confine::SandboxSettings::default() };
    let mut config = RunnerConfig::new(variants, sandbox, flags.solving.limits.limits(), flags.runs.run_timeout);
    config.sandbox.unconfined = flags.unconfined;
    let seeds = seeds.iter().map(|&seed| Arc::new(seed.clone())).collect::<Vec<_>>();
    let (program, sources) = (seeds[0].executable.path.clone(), subject.source_texts());
    Ok(Target { program, sources, map, measure, config, seeds })
}

/// What counts what a seed covers, so that a smaller one covers the same. Without it seeds stay as they are.
fn cov(cache: &Cache, subject: &Subject, map: &Program) -> Option<Cov> {
    match build_cov(cache, subject, map) {
        Ok(cov) => Some(cov),
        Err(error) => {
            console::error(&format!("tests of {} are not made smaller: {error}", subject.name()));
            None
        }
    }
}
