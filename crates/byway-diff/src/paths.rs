//! Inputs that take other paths: of the new version, and of the old one.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use byway_engine::Checks;
use byway_engine::search::SearchSettings;
use byway_eval::{ExplorationTask, explore as explore_seed};
use byway_exec::{Runner, RunnerConfig};
use byway_explore::{ExploreBudget, ExploreSettings, Start, explore};
use byway_input::ConcreteInput;
use byway_reduce::{Branches, SeedMeasure};
use byway_report::diff::Found;
use byway_report::{ExploreStats, TestStore, read_test};
use byway_solve::Solver;
use byway_suite::Seed;

use crate::error::DiffError;
use crate::gather::{DiffContext, Looked, Trial};
use crate::lab::{Lab, Side};
use crate::request::Version;

/// The search that is best on the whole, as `byway explore` has it.
pub const UNDIRECTED: &str = "branches:1,2,4,8,rare";
/// An input is explored from for at least this time.
const LEAST: Duration = Duration::from_secs(1);

impl DiffContext<'_> {
    fn explored(&self, found: Found) -> &Version {
        self.version(if found == Found::OldExplored { Side::Old } else { Side::New })
    }

    fn config(&self, version: &Version) -> RunnerConfig {
        let options = self.site.options;
        let sandbox = options.sandbox.settings.clone();
        let mut config = RunnerConfig::new(version.variants.clone(), sandbox, options.limits, options.run_timeout);
        config.sandbox.unconfined = options.sandbox.unconfined;
        config.model = Arc::clone(&options.model);
        config
    }

    fn search(&self) -> SearchSettings {
        SearchSettings::new(UNDIRECTED.parse().expect("a strategy"), self.site.options.seed)
    }

    /// Explores a version from inputs, the first ones first, for a time.
    pub fn explore_from(
        &self,
        seeds: &[Arc<Seed>],
        found: Found,
        time: Duration,
        solver: &(dyn Fn() -> Solver + Sync),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), DiffError> {
        let version = self.explored(found);
        if version.variants.sym.is_none() || seeds.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let share = self.share(time, seeds.len());
        let measure = SeedMeasure::new(&version.program.map);
        let must_end = || stop() || begun.elapsed() >= time;
        let explored = self.site.each(seeds, &must_end, |lab, seed| {
            let mut runner = Runner::new(self.config(version), [&*seed.input])?;
            let mut failed = None;
            let mut on_input = |input: &ConcreteInput| {
                let trial = Trial { base: Arc::clone(seed), input: input.clone(), found };
                if let Err(error) = self.try_path(lab, trial).map(drop) {
                    failed = Some(error);
                }
            };
            let task = ExplorationTask {
                program: &version.program,
                measure: &measure,
                covered: Branches::default(),
                search: self.search(),
                time: share.min(time.saturating_sub(begun.elapsed())),
                memory: self.site.options.memory,
                stop: &must_end,
                on_input: &mut on_input,
            };
            let explored = explore_seed(&mut runner, seed, task, solver());
            match (explored, failed) {
                (_, Some(error)) => Err(error),
                (Err(error), None) => Err(error.into()),
                (Ok(_), None) => Ok(()),
            }
        })?;
        pass_on(explored)
    }

    /// What each of so many inputs, at least one, gets of a time.
    pub fn share(&self, time: Duration, inputs: usize) -> Duration {
        let jobs = self.site.options.jobs.max(1) as u32;
        (time * jobs / inputs as u32).clamp(LEAST.min(time), time)
    }

    /// Explores a version from nothing for a time. The inputs that were found.
    pub fn explore_from_nothing(
        &self,
        start: &Start,
        found: Found,
        time: Duration,
        solver: &(dyn Fn() -> Solver + Sync),
        interrupted: &AtomicBool,
    ) -> Result<Vec<ConcreteInput>, DiffError> {
        let version = self.explored(found);
        if version.variants.sym.is_none() {
            return Ok(Vec::new());
        }
        let temporary = tempfile::tempdir().map_err(DiffError::Temporary)?;
        let mut config = self.config(version);
        config.model = Arc::new(start.model.clone());
        // What the sanitizers say is asked for both versions together.
        config.variants.asan = None;
        let settings = ExploreSettings {
            config,
            program: version.variants.native.clone(),
            sources: version.sources.clone(),
            start: start.clone(),
            seeds: Vec::new(),
            search: self.search(),
            budget: ExploreBudget { time: Some(time), runs: None, memory: Some(self.site.options.memory) },
            jobs: self.site.options.jobs,
            all_paths: true,
            ktest: false,
            silent_assumptions: true,
            record: None,
            checks: Checks::ALL,
            before: ExploreStats::default(),
        };
        let store = TestStore::create(&temporary.path().join("explored"))?;
        let (_, _, store) = explore(&settings, Arc::clone(&version.program), solver(), store, interrupted, |_, _| {})?;
        inputs(store.directory(), start)
    }

    /// Looks at an input that takes another path, if it executes a change.
    pub fn try_path(&self, lab: &mut Lab<'_>, trial: Trial) -> Result<Looked, DiffError> {
        {
            let tried = &mut self.gathered().tried;
            match trial.found {
                Found::OldExplored => tried.old_explored += 1,
                Found::NewExplored => tried.new_explored += 1,
                _ => {}
            }
        }
        let reach = self.reach(lab, &trial)?;
        if !self.targets.may_differ(reach.as_ref()) {
            return Ok(Looked::default());
        }
        self.gathered().tried.explored_compared += u64::from(trial.found != Found::Joint);
        self.look(lab, trial, reach.as_ref())
    }
}

/// Passes on what went wrong with more than one input.
pub fn pass_on(results: Vec<Option<Result<(), DiffError>>>) -> Result<(), DiffError> {
    for result in results.into_iter().flatten() {
        match result {
            Err(DiffError::Exec(error)) if error.is_of_the_run() || is_of_input(&error) => {}
            result => result?,
        }
    }
    Ok(())
}

fn is_of_input(error: &byway_exec::ExecError) -> bool {
    matches!(error, byway_exec::ExecError::Input { .. })
}

/// The inputs of the tests in an output directory, with what surrounds them.
fn inputs(directory: &Path, start: &Start) -> Result<Vec<ConcreteInput>, DiffError> {
    let mut inputs = Vec::new();
    for path in byway_report::disk::list(&directory.join("tests"))? {
        if let Some(stored) = read_test(&path)? {
            inputs.push(ConcreteInput { fixture: Arc::clone(&start.first.fixture), ..stored.test.input });
        }
    }
    Ok(inputs)
}
