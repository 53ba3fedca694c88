//! `byway explore`: run a program down one path after the other, and keep what is worth keeping.

mod progress;
pub mod start;
mod summary;

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use byway_confine::Directory;
use byway_engine::search::SearchSettings;
use byway_engine::{Program, Stop};
use byway_exec::{RunnerConfig, Variants};
use byway_explore::{ExploreBudget, ExploreSettings, Start, explore};
use byway_report::{Level, Policy, Resumed, TestStore};
use byway_solve::smt::{External, default_command};
use byway_solve::{Solver, sat};
use byway_variant::{VariantKind, program_map};

use crate::command::check::UNSEEN;
use crate::command::live::Live;
use crate::command::{build_variant, interruptions, open_subject, policy, processors, say_ignored_sanitizers};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::ExploreFlags;

/// Runs the command.
pub fn run(flags: ExploreFlags) -> Result<ExitCode, Error> {
    let cache = flags.cache.open()?;
    let subject = open_subject(&cache, &flags.program)?;
    if subject.is_shared_library() {
        return Err(Error::NotProgram { command: "explore", path: subject.path });
    }
    say_ignored_sanitizers(&subject);
    let mut start = start::start(&flags.symbolic, &flags.arguments, flags.program.as_os_str())?;
    if let Some(changed) = &flags.changed {
        start::restrict(&mut start.model, changed);
    }
    let solver = solver(&flags)?;
    let sym = build_variant(&cache, &subject, VariantKind::Sym)?;
    let asan = match flags.no_judge {
        true => None,
        false => Some(build_variant(&cache, &subject, VariantKind::Asan)?),
    };
    let program = Arc::new(Program::new(program_map(&cache, &subject)?));
    let policy = judged_by(&flags)?;
    let (store, resumed) = match flags.resume {
        true => TestStore::resume(&flags.output)?,
        false => (TestStore::create(&flags.output)?, Resumed::default()),
    };
    let store = store.with_policy(policy);
    let (sym, asan) = (Some(sym.program.clone()), asan.map(|variant| variant.program));
    let variants = Variants { native: absolute(&flags.program), sym, asan, cov: None };
    let settings = ExploreSettings {
        config: config(&flags, variants, &start)?,
        program: absolute(&flags.program),
        sources: subject.source_texts(),
        start,
        seeds: resumed.tests.into_iter().map(|test| test.test.input).collect(),
        search: SearchSettings {
            max_depth: flags.max_branches,
            ..SearchSettings::new(flags.search.clone(), flags.seed)
        },
        budget: ExploreBudget { time: flags.time, runs: flags.max_runs, memory: Some(flags.memory) },
        jobs: flags.jobs.unwrap_or_else(processors),
        all_paths: flags.all_paths,
        ktest: flags.ktest,
        silent_assumptions: flags.silent_klee_assume,
        record: flags.record.clone(),
        checks: flags.checks,
        before: resumed.stats.unwrap_or_default(),
    };
    let interrupted = interruptions()?;
    let live = Live::new();
    let (stop, stats, mut store) = explore(&settings, program, solver, store, &interrupted, |stats, found| {
        found.iter().for_each(|entry| live.print(&summary::finding(&flags, entry)));
        live.show(|| progress::line(stats, &settings))
    })?;
    live.finish();
    console::print(&summary::in_words(&flags, stop, &stats, &mut store));
    let is_failed = store.findings().iter().any(|entry| store.policy().fails(&entry.standing));
    Ok(exit_code(&flags, stop, is_failed, stats.sees_input))
}

/// What findings count for. Without a judge nobody confirms anything, so notes count.
fn judged_by(flags: &ExploreFlags) -> Result<Policy, Error> {
    let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
    let policy = policy::policy(&flags.results, &here)?;
    Ok(if flags.no_judge { Policy { fail_on: Level::Note, ..policy } } else { policy })
}

fn exit_code(flags: &ExploreFlags, stop: Stop, is_failed: bool, sees_input: bool) -> ExitCode {
    match () {
        () if stop == Stop::Mistake => {
            console::error(
                "byway made a mistake, which ended the exploration; everything found before is kept; please report it",
            );
            ExitCode::Internal
        }
        () if is_failed => ExitCode::Findings,
        () if !sees_input => {
            console::error(&format!("{}: {UNSEEN}", flags.program.display()));
            ExitCode::NothingCaptured
        }
        () => ExitCode::Success,
    }
}

fn solver(flags: &ExploreFlags) -> Result<Solver, Error> {
    let command = flags.solver.clone().or_else(|| default_command().map(str::to_owned));
    if command.is_none() && flags.cross_check {
        return Err(Error::NoSolver);
    }
    let external =
        command.map(|command| External::new(&command, byway_solve::smt::ExternalSettings::default())).transpose()?;
    let settings = byway_solve::SolverSettings {
        sat: sat::SatLimits { time: flags.query_timeout, ..sat::SatLimits::default() },
        external_timeout: flags.query_timeout,
        cross_check: flags.cross_check,
    };
    Ok(Solver::new(settings, external))
}

/// What is run, and where.
fn config(flags: &ExploreFlags, variants: Variants, start: &Start) -> Result<RunnerConfig, Error> {
    let mut config = RunnerConfig::new(variants, sandbox(flags)?, flags.limits.limits(), flags.run_timeout);
    config.sandbox.unconfined = flags.unconfined;
    config.model = Arc::new(start.model.clone());
    Ok(config)
}

/// Exploring from nothing, a program finds nothing; from a run, what that run finds.
fn sandbox(flags: &ExploreFlags) -> Result<byway_confine::SandboxSettings, Error> {
    let here = || env::current_dir().map_err(|source| Error::Pass { what: "the directory", source });
    let directory = if flags.symbolic.is_from_nothing() { Directory::Empty } else { Directory::CopyOf(here()?) };
    Ok(byway_confine::SandboxSettings {
        directory,
        memory: flags.run_memory,
        ..byway_confine::SandboxSettings::default()
    })
}

fn absolute(path: &PathBuf) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.clone())
}
