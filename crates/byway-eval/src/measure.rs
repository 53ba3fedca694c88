//! Measuring a seed: made smaller, then explored from by each strategy, as it is and made smaller.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use byway_engine::Program;
use byway_engine::search::{Search, SearchSettings};
use byway_exec::{ExecError, Runner};
use byway_reduce::{Keep, Profile, Reduction, SeedMeasure, reduce};
use byway_solve::Solver;
use byway_suite::Seed;

use crate::error::EvalError;
use crate::explore::{ExplorationTask, explore};
use crate::form::Form;
use crate::journal::{ExperimentJournal, Reduced, SeedId, SmallerInput};
use crate::measured::{Explored, MeasuredForm, MeasuredSeed};

/// What all seeds of a program are measured with.
pub struct Experiment<'a> {
    /// The program.
    pub program: Arc<Program>,
    /// What counts as a branch.
    pub measure: &'a SeedMeasure,
    /// The strategies, as they are called.
    pub strategies: &'a [(String, Search)],
    /// How long each seed is explored from.
    pub time: Duration,
    /// How much of it making it smaller may take.
    pub reducing: Duration,
    /// What a smaller seed still covers.
    pub keep: Keep,
    /// When byway has taken so many bytes of memory, an exploration ends.
    pub memory: u64,
    /// What random choices are made of.
    pub seed: u64,
    /// Where results go.
    pub journal: &'a Mutex<ExperimentJournal>,
    /// Makes a solver.
    pub solver: &'a (dyn Fn() -> Solver + Sync),
    /// Called after each exploration.
    pub progress: &'a (dyn Fn() + Sync),
    /// Whether somebody wants it to end.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Experiment<'_> {
    /// Measures what was not measured yet of a seed. Both versions are explored from one after the other, so that a machine that
    /// is slow for a while is so for both.
    pub fn measure(&self, runner: &mut Runner, seed: &Arc<Seed>) -> Result<(), EvalError> {
        let id = SeedId::of(seed);
        let Some(reduced) = self.reduced(runner, seed, &id)? else { return Ok(()) };
        let smaller = Arc::new(reduced.input.seed(seed));
        for (name, search) in self.strategies {
            for (form, seed) in [(Form::Original, seed), (Form::Reduced, &smaller)] {
                let is_known = self.journal().is_explored(&id, form, name);
                if !is_known && !(self.stop)() {
                    if let Some(explored) = self.explore(runner, seed, form, search, &reduced.seed)? {
                        self.journal().note_explored(&id, form, name, explored)?;
                    }
                }
                (self.progress)();
            }
        }
        Ok(())
    }

    fn explore(
        &self,
        runner: &mut Runner,
        seed: &Arc<Seed>,
        form: Form,
        search: &Search,
        measured: &MeasuredSeed,
    ) -> Result<Option<Explored>, ExecError> {
        let (version, spent) = (form.of(measured), form.spent(measured));
        let task = ExplorationTask {
            program: &self.program,
            measure: self.measure,
            covered: version.branches.iter().map(|&branch| branch as usize).collect(),
            search: SearchSettings::new(search.clone(), self.seed),
            time: self.time.saturating_sub(Duration::from_secs_f64(spent)),
            memory: self.memory,
            stop: &|| (self.stop)(),
            on_input: &mut |_| {},
        };
        explore(runner, seed, task, (self.solver)())
    }

    /// A seed made smaller: now, or before. `None` if somebody wanted it to end.
    fn reduced(&self, runner: &mut Runner, seed: &Arc<Seed>, id: &SeedId) -> Result<Option<Reduced>, EvalError> {
        if let Some(known) = self.journal().reduced(id) {
            return Ok(Some(known.clone()));
        }
        let original = self.profile(runner, seed)?;
        let reduction = reduce(runner, seed, self.measure, self.keep, self.reducing, &|| (self.stop)())?;
        if (self.stop)() {
            return Ok(None);
        }
        let smaller = Arc::new(reduction.seed.clone());
        let profile = self.profile(runner, &smaller)?;
        let reduced =
            Reduced { input: SmallerInput::new(seed, &smaller), seed: measured(seed, &original, &profile, &reduction) };
        self.journal().note_reduced(id, reduced.clone())?;
        Ok(Some(reduced))
    }

    fn profile(&self, runner: &mut Runner, seed: &Arc<Seed>) -> Result<Profile, ExecError> {
        Ok(self.measure.profile(&runner.count(&seed.input, runner.timeout())?.counts, 0))
    }

    fn journal(&self) -> MutexGuard<'_, ExperimentJournal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn measured(seed: &Seed, original: &Profile, smaller: &Profile, reduction: &Reduction) -> MeasuredSeed {
    let version = |profile: &Profile, bytes| MeasuredForm {
        path_length: profile.path_length,
        bytes,
        branches: profile.branches.iter().map(|branch| branch as u32).collect(),
        ..MeasuredForm::default()
    };
    MeasuredSeed {
        name: seed.name.clone(),
        original: version(original, reduction.before.bytes),
        reduced: version(smaller, reduction.after.bytes),
        reducing: reduction.elapsed.as_secs_f64(),
        runs: reduction.runs,
        is_minimal: reduction.is_minimal,
    }
}
