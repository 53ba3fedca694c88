//! `byway eval`: what smaller seeds and their order bring to symbolic execution.

mod words;

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use byway_eval::{
    Analysis, Conditions, Laboratory, Measured, Notebook, Settings, analyse, collect, write_page, write_tables,
};
use byway_explore::search::Search;
use byway_report::disk;
use byway_suite::Suite;
use serde::Serialize;

use crate::command::measured::{self, Way, programs, suite};
use crate::command::{interruptions, nothing_of, shown, solver};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::EvalFlags;

/// Runs the command.
pub fn run(flags: EvalFlags) -> Result<ExitCode, Error> {
    let suite = suite(&flags.measure, &flags.seeds)?;
    let interrupted = interruptions()?;
    let conditions = conditions(&flags, &suite);
    let notebook = match flags.resume {
        true => Notebook::resume(&flags.output, &conditions)?,
        false => Notebook::create(&flags.output, &conditions)?,
    };
    let notebook = Mutex::new(notebook);
    let way = Way::new(&flags.measure.runs, flags.measure.unconfined)?.following(flags.limits.limits());
    let mut programs = programs(&way, &suite)?;
    if let Some(most) = flags.at_most {
        programs.iter_mut().for_each(|program| program.choose(most, flags.measure.seed));
    }
    let strategies: Vec<(String, Search)> =
        flags.strategies().into_iter().map(|search| (search.to_string(), search)).collect();
    for program in &programs {
        let new_solver = || solver(flags.query_timeout);
        let stop = || interrupted.load(Ordering::Relaxed);
        program.each_in_steps("exploring seeds of", 2 * strategies.len(), &interrupted, |runner, seed, done| {
            let laboratory = Laboratory {
                program: program.map.clone(),
                ruler: &program.ruler,
                strategies: &strategies,
                time: flags.time,
                reducing: flags.time.mul_f64(flags.reduce),
                keep: flags.keep,
                memory: flags.memory,
                seed: flags.measure.seed,
                notebook: &notebook,
                solver: &new_solver,
                progress: done,
                stop: &stop,
            };
            laboratory.measure(runner, seed)
        })?;
    }
    let notebook = notebook.into_inner().unwrap_or_else(PoisonError::into_inner);
    let names: Vec<String> = strategies.into_iter().map(|(name, _)| name).collect();
    let measured = programs.iter().map(|program| known(&flags, &notebook, program, &names));
    // Programs without branches, or without seeds that could be run, have nothing to compare.
    let all: Vec<(Measured, Analysis)> = measured
        .filter(|measured| !measured.seeds.is_empty())
        .map(|measured| {
            let analysis = analyse(&measured, &settings(&flags, measured.seeds.len()));
            (measured, analysis)
        })
        .collect();
    let json = all.iter().map(|(measured, analysis)| Entry { program: &measured.program, analysis });
    let json: Vec<Entry<'_>> = json.collect();
    write(&notebook, &all, &json)?;
    match flags.measure.json {
        true => console::print(&String::from_utf8_lossy(&disk::to_json(&json))),
        false => {
            let page = shown(&notebook.directory().join(PAGE));
            console::print(&format!("{}{page} has it all\n", words::in_words(&all)));
        }
    }
    let is_cut = interrupted.load(Ordering::Relaxed);
    if is_cut {
        console::error(&format!("interrupted; --resume goes on with {}", shown(notebook.directory())));
    }
    Ok(match () {
        () if is_cut => ExitCode::Interrupted,
        () if all.is_empty() => nothing_of(&suite, "measured"),
        () => ExitCode::Success,
    })
}

const PAGE: &str = "index.html";

/// What is in `eval.json`.
#[derive(Serialize)]
struct Entry<'a> {
    program: &'a Path,
    #[serde(flatten)]
    analysis: &'a Analysis,
}

fn write(notebook: &Notebook, all: &[(Measured, Analysis)], json: &[Entry<'_>]) -> Result<(), Error> {
    let directory = notebook.directory();
    let page = directory.join(PAGE);
    write_page(&page, all).map_err(|source| Error::Write { path: page, source })?;
    write_tables(directory, all).map_err(|source| Error::Write { path: directory.to_owned(), source })?;
    Ok(disk::write_json(&directory.join("eval.json"), &json)?)
}

fn settings(flags: &EvalFlags, seeds: usize) -> Settings {
    let default = Settings::for_seeds(seeds);
    let size = flags.suite_size.unwrap_or(default.size);
    Settings { suites: flags.suites, size, seed: flags.measure.seed, orders: flags.orders() }
}

fn conditions(flags: &EvalFlags, suite: &Suite) -> Conditions {
    Conditions {
        suite: suite.directory.clone(),
        time: flags.time.as_secs_f64(),
        reduce: flags.reduce,
        keep: flags.keep.to_string(),
        jobs: flags.measure.runs.jobs(),
        seed: flags.measure.seed,
    }
}

/// All that is known of the seeds of a program.
fn known(flags: &EvalFlags, notebook: &Notebook, program: &measured::Measured, strategies: &[String]) -> Measured {
    let copy = &program.seeds[0].1.executable.copy;
    let names = program.seeds.iter().map(|(_, seed)| seed.name.clone());
    let branches = program.ruler.branches();
    collect(notebook, copy, &program.program, branches, strategies, flags.time.as_secs_f64(), names)
}
