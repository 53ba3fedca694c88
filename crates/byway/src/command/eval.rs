//! `byway eval`: what smaller seeds and their order bring to symbolic execution.

mod words;

use std::fmt::Display;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use byway_engine::search::Search;
use byway_eval::{
    Analysis, AnalysisSettings, Conditions, EvalError, Experiment, ExperimentJournal, Measured, analyse, write_page,
    write_tables,
};
use byway_program::tool_fingerprint;
use byway_report::disk;
use byway_suite::Suite;
use serde::Serialize;

use crate::command::measured::{self, Way, programs, suite};
use crate::command::{interruptions, nothing_of, shown, solver};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::EvalFlags;

/// Runs the command.
pub fn run(flags: EvalFlags) -> Result<ExitCode, Error> {
    let suite = suite(&flags.measure, &flags.seeds)?;
    let interrupted = interruptions()?;
    let conditions = conditions(&flags, &suite);
    let resumed = flags.resume.then(|| ExperimentJournal::resume(&flags.output, &conditions)).transpose()?;
    let way = Way::new(&flags.measure.runs, flags.measure.unconfined)?.following(flags.solving.limits.limits());
    let mut programs = programs(&way, &suite)?;
    programs.retain(has_branches);
    if let Some(most) = flags.at_most {
        programs.iter_mut().for_each(|program| program.choose(most, flags.measure.seed));
    }
    if programs.is_empty() {
        return Ok(nothing_of(&suite, "measured"));
    }
    let journal = match resumed {
        Some(journal) => journal,
        None => ExperimentJournal::create(&flags.output, &conditions)?,
    };
    if journal.is_mixed() {
        console::error("some of it was measured by another build of byway, which may do better or worse");
    }
    let strategies: Vec<(String, Search)> =
        flags.strategies().into_iter().map(|search| (search.to_string(), search)).collect();
    let journal = measure(&flags, &programs, &strategies, journal, &interrupted)?;
    let names: Vec<String> = strategies.into_iter().map(|(name, _)| name).collect();
    let activity = Activity::new("comparing what was explored".to_owned());
    let measured = programs.iter().map(|program| known(&flags, &journal, program, &names));
    let measured = measured.collect::<Result<Vec<Measured>, Error>>()?;
    let all: Vec<(Measured, Analysis)> = measured
        .into_iter()
        .filter(|measured| !measured.seeds.is_empty())
        .map(|measured| {
            let analysis = analyse(&measured, &settings(&flags, measured.seeds.len()));
            (measured, analysis)
        })
        .collect();
    let json = all.iter().map(|(measured, analysis)| Entry { program: &measured.program, analysis });
    let json: Vec<Entry<'_>> = json.collect();
    write(&journal, &all, &json)?;
    drop(activity);
    match flags.measure.json {
        true => console::print(&String::from_utf8_lossy(&disk::to_json(&json))),
        false if all.is_empty() => {}
        false => {
            let page = shown(&journal.directory().join(PAGE));
            console::print(&format!("{}{page} has it all\n", words::in_words(&all)));
        }
    }
    let is_cut = interrupted.load(Ordering::Relaxed);
    if is_cut {
        console::error(&format!("interrupted; --resume goes on with {}", shown(journal.directory())));
    }
    Ok(match () {
        () if is_cut => ExitCode::Interrupted,
        () if all.is_empty() => nothing_of(&suite, "measured"),
        () => ExitCode::Success,
    })
}

/// What has no branches has none to discover.
fn has_branches(program: &measured::Measured) -> bool {
    let has = program.measure.branches() > 0;
    if !has {
        console::error(&format!("{} is left out: it has no branches", program.program.display()));
    }
    has
}

/// Explores from all seeds of all programs. What cannot be written down ends it.
fn measure(
    flags: &EvalFlags,
    programs: &[measured::Measured],
    strategies: &[(String, Search)],
    journal: ExperimentJournal,
    interrupted: &AtomicBool,
) -> Result<ExperimentJournal, Error> {
    let journal = Mutex::new(journal);
    let failure: OnceLock<EvalError> = OnceLock::new();
    for program in programs {
        let new_solver = || solver(flags.solving.query_timeout);
        let stop = || interrupted.load(Ordering::Relaxed) || failure.get().is_some();
        program.each_in_steps("exploring seeds of", 2 * strategies.len(), interrupted, |runner, seed, done| {
            let experiment = Experiment {
                program: program.map.clone(),
                measure: &program.measure,
                strategies,
                time: flags.time,
                reducing: flags.time.mul_f64(flags.reduce),
                keep: flags.keep,
                memory: flags.solving.memory,
                seed: flags.measure.seed,
                journal: &journal,
                solver: &new_solver,
                progress: done,
                stop: &stop,
            };
            match experiment.measure(runner, seed) {
                Err(EvalError::Exec(error)) => Err(error),
                Err(error) => {
                    let _ = failure.set(error);
                    Ok(())
                }
                Ok(()) => Ok(()),
            }
        })?;
    }
    match failure.into_inner() {
        Some(error) => Err(error.into()),
        None => Ok(journal.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

const PAGE: &str = "index.html";

/// What is in `eval.json`.
#[derive(Serialize)]
struct Entry<'a> {
    program: &'a Path,
    #[serde(flatten)]
    analysis: &'a Analysis,
}

fn write(journal: &ExperimentJournal, all: &[(Measured, Analysis)], json: &[Entry<'_>]) -> Result<(), Error> {
    let directory = journal.directory();
    let page = directory.join(PAGE);
    write_page(&page, all).map_err(|source| Error::Write { path: page, source })?;
    write_tables(directory, all).map_err(|source| Error::Write { path: directory.to_owned(), source })?;
    Ok(disk::write_json(&directory.join("eval.json"), &json)?)
}

fn settings(flags: &EvalFlags, seeds: usize) -> AnalysisSettings {
    let default = AnalysisSettings::for_seeds(seeds);
    let size = flags.suite_size.unwrap_or(default.size);
    AnalysisSettings { suites: flags.suites, size, seed: flags.measure.seed, orders: flags.orders() }
}

fn conditions(flags: &EvalFlags, suite: &Suite) -> Conditions {
    let runs = &flags.measure.runs;
    let all: [(&str, &dyn Display); 13] = [
        ("seeds of", &suite.directory.display()),
        ("--time", &flags.time.as_secs_f64()),
        ("--reduce", &flags.reduce),
        ("--keep", &flags.keep),
        ("--jobs", &runs.jobs()),
        ("--seed", &flags.measure.seed),
        ("--query-timeout", &flags.solving.query_timeout.as_secs_f64()),
        ("--run-timeout", &runs.run_timeout.as_secs_f64()),
        ("--run-memory", &(runs.run_memory >> 20)),
        ("--memory", &(flags.solving.memory >> 20)),
        ("--max-nodes", &flags.solving.limits.max_nodes),
        ("--max-events", &flags.solving.limits.max_events),
        ("--unconfined", &flags.measure.unconfined),
    ];
    Conditions {
        flags: all.iter().map(|(flag, value)| ((*flag).to_owned(), value.to_string())).collect(),
        build: tool_fingerprint().to_hex()[..16].to_owned(),
    }
}

/// All that is known of the seeds of a program.
fn known(
    flags: &EvalFlags,
    journal: &ExperimentJournal,
    program: &measured::Measured,
    strategies: &[String],
) -> Result<Measured, Error> {
    let branches = program.measure.branches() as u32;
    let seeds = program.seeds.iter().map(|(_, seed)| journal.measured(seed, strategies, branches));
    Ok(Measured {
        program: program.program.clone(),
        branches,
        strategies: strategies.to_vec(),
        budget: flags.time.as_secs_f64(),
        seeds: seeds.filter_map(Result::transpose).collect::<Result<_, _>>()?,
    })
}
