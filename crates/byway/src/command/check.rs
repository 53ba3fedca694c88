//! `byway check`: run the test suite, and every path near it.

mod little;
mod prepare;
mod progress;
mod summary;
mod targets;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use byway_check::{CheckBudget, CheckLimits, CheckSettings, PlaceLimits, Programs, check};
use byway_engine::Stop;
use byway_reduce::Order;
use byway_report::{CheckStats, CheckStore, DiagnosticStyle, Ending, JunitCase, Limit, Skipped, diagnostic};
use byway_suite::Suite;

use crate::command::live::Live;
use crate::command::{interruptions, open_suite, policy, shown, solver};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::CheckFlags;

use targets::Targets;

pub use summary::remaining;

/// Runs the command.
pub fn run(flags: CheckFlags) -> Result<ExitCode, Error> {
    let cache = flags.runs.cache.open()?;
    cache.probe()?;
    let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
    let policy = policy::policy(&flags.results, &here)?;
    let store = create(&flags, &here)?.with_policy(policy);
    let interrupted = interruptions()?;
    if flags.unconfined {
        console::error(UNCONFINED);
    }
    let mut suite = suite(&flags, &store, &interrupted)?;
    say_how_it_ended(&suite, &interrupted);
    let captured = suite.runs;
    choose_programs(&flags, &mut suite)?;
    if let Some(fraction) = flags.sample {
        suite.sample(fraction, flags.seed)?;
    }
    let spent = prepare::prepare(&flags, &mut suite, &interrupted)?;
    let mut targets = Targets::begin(&flags, &cache, &suite);
    let settings = settings(&flags, spent);
    let (stop, mut stats, mut store) = watched(&flags, &settings, &mut targets, store, &interrupted)?;
    let skipped = targets.finish()?;
    describe(&mut stats, &suite, captured, &skipped);
    store.add_cases(skipped);
    store.checkpoint(&stats)?;
    console::print(&summary::in_words(&flags, &here, &stats, &mut store));
    let code = exit_code(&suite, &stats, &store, stop);
    let directory = store.directory().to_owned();
    if store.end()? {
        console::error(&super::record::as_it_was(&directory));
    }
    Ok(code)
}

/// The seeds: those of a directory, or what the test command runs.
fn suite(flags: &CheckFlags, store: &CheckStore, interrupted: &AtomicBool) -> Result<Suite, Error> {
    if let Some(directory) = &flags.from {
        return Ok(open_suite(directory)?);
    }
    let recorded = super::record::watched(&flags.command, super::record::settings(store.seeds()), interrupted)?;
    console::say(&super::record::in_words(&recorded.suite));
    if let Some(trouble) = &recorded.trouble {
        console::error(&format!("{trouble}; what was captured before is checked"));
    }
    Ok(recorded.suite)
}

/// Leaves only the seeds of programs that are to be checked.
fn choose_programs(flags: &CheckFlags, suite: &mut Suite) -> Result<(), Error> {
    let is_one = |program: &Path, names: &[PathBuf]| names.iter().any(|name| program.ends_with(name));
    let is_run = |name: &PathBuf| suite.seeds.iter().any(|seed| seed.executable.path.ends_with(name));
    if let Some(unknown) = flags.only.iter().chain(&flags.skip).find(|name| !suite.seeds.is_empty() && !is_run(name)) {
        let programs: BTreeSet<String> = suite.seeds.iter().map(|seed| shown(&seed.executable.path)).collect();
        let programs: Vec<String> = programs.into_iter().collect();
        let name = unknown.display();
        return Err(Error::Ask(format!("no test runs a program called {name}; they run {}", programs.join(", "))));
    }
    suite.seeds.retain(|seed| {
        let program = &seed.executable.path;
        (flags.only.is_empty() || is_one(program, &flags.only)) && !is_one(program, &flags.skip)
    });
    Ok(())
}

/// What is to be said of a test command that did not end well.
fn say_how_it_ended(suite: &Suite, interrupted: &AtomicBool) {
    match failure(suite) {
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
}

/// Checks, and shows what is found when it is confirmed.
fn watched(
    flags: &CheckFlags,
    settings: &CheckSettings,
    targets: &mut Targets,
    store: CheckStore,
    interrupted: &AtomicBool,
) -> Result<(Stop, CheckStats, CheckStore), Error> {
    let here = store.policy().root.clone();
    let look =
        DiagnosticStyle { output: &flags.output, root: &here, colours: DiagnosticStyle::colours_on(&io::stdout()) };
    let live = Live::new();
    let new_solver = || solver(flags.solving.query_timeout);
    let seeds = targets.seeds();
    let targets = RefCell::new(targets);
    let mut arrivals = || targets.borrow_mut().arrivals();
    let programs = Programs { seeds, arrivals: &mut arrivals };
    let checked = check(settings, programs, &new_solver, store, interrupted, |now| {
        now.found.iter().for_each(|entry| live.print(&format!("{}\n", diagnostic(entry, &look))));
        live.show(|| progress::line(now, &targets.borrow().doing()));
    });
    live.finish();
    Ok(checked?)
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

fn exit_code(suite: &Suite, stats: &CheckStats, store: &CheckStore, stop: Stop) -> ExitCode {
    let is_failed = store.findings().iter().any(|entry| store.policy().fails(&entry.standing));
    let is_nothing = stats.seeds.checked == 0;
    if stats.remaining.count(Limit::Mistake) > 0 {
        console::error(MISTAKE);
        return ExitCode::Internal;
    }
    match stop {
        _ if is_failed => return ExitCode::Findings,
        Stop::Interrupted if is_nothing => console::error("interrupted before anything was checked"),
        Stop::Interrupted => return ExitCode::Interrupted,
        _ if suite.seeds.is_empty() => console::error(NOTHING_CAPTURED),
        _ if is_nothing && tests_give_no_input(stats) => console::error(READS_NOTHING),
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

const READS_NOTHING: &str = "nothing was checked: the tests run programs that are given no input, so there is nothing to change; name a \
                             command that runs a program on arguments, standard input or files, or byway import files for one";

/// Whether all seeds are of programs that are given no input.
fn tests_give_no_input(stats: &CheckStats) -> bool {
    !stats.seeds.skipped.is_empty() && stats.seeds.skipped.iter().all(|seed| seed.why == targets::NO_INPUT)
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
