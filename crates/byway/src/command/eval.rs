//! `byway eval`: what smaller seeds and their order bring to symbolic execution.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use byway_eval::{Conditions, Laboratory, Measured, Notebook, collect};
use byway_explore::search::Search;
use byway_suite::Suite;

use crate::command::measured::{self, Way, programs, suite};
use crate::command::{interruptions, solver};
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
    let measured: Vec<Measured> = programs.iter().map(|program| known(&flags, &notebook, program, &names)).collect();
    for program in &measured {
        println!("{} {}", program.program.display(), program.seeds.len());
        for name in &names {
            let sum = |get: &dyn Fn(&byway_eval::MeasuredSeed) -> Option<(usize, u64)>| {
                program.seeds.iter().filter_map(get).fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1))
            };
            let before = sum(&|seed| seed.original.explored.get(name).map(|it| (it.found.len(), it.runs)));
            let after = sum(&|seed| seed.reduced.explored.get(name).map(|it| (it.found.len(), it.runs)));
            println!("{name} {before:?} {after:?}");
        }
    }
    Ok(ExitCode::Success)
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
