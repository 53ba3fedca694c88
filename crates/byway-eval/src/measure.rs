//! Measuring a seed: made smaller, then explored from by each strategy, as it is and made smaller.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use byway_engine::Program;
use byway_engine::search::{Search, SearchSettings};
use byway_exec::{ExecError, Runner};
use byway_reduce::{Keep, Profile, Reduction, Ruler, reduce};
use byway_solve::Solver;
use byway_suite::Seed;

use crate::error::EvalError;
use crate::explore::{Task, explore};
use crate::form::Form;
use crate::measured::{Explored, MeasuredSeed, Version};
use crate::notebook::{Notebook, Reduced, SeedId, SmallerInput};

/// What all seeds of a program are measured with.
pub struct Laboratory<'a> {
    /// The program.
    pub program: Arc<Program>,
    /// What counts as a branch.
    pub ruler: &'a Ruler,
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
    pub notebook: &'a Mutex<Notebook>,
    /// Makes a solver.
    pub solver: &'a (dyn Fn() -> Solver + Sync),
    /// Called after each exploration.
    pub progress: &'a (dyn Fn() + Sync),
    /// Whether somebody wants it to end.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Laboratory<'_> {
    /// Measures what was not measured yet of a seed. Both versions are explored from one after the other, so that a machine that
    /// is slow for a while is so for both.
    pub fn measure(&self, runner: &mut Runner, seed: &Arc<Seed>) -> Result<(), EvalError> {
        let id = SeedId::of(seed);
        let Some(reduced) = self.reduced(runner, seed, &id)? else { return Ok(()) };
        let smaller = Arc::new(reduced.input.seed(seed));
        for (name, search) in self.strategies {
            for (form, seed) in [(Form::Original, seed), (Form::Reduced, &smaller)] {
                let is_known = self.notebook().is_explored(&id, form, name);
                if !is_known && !(self.stop)() {
                    if let Some(explored) = self.explore(runner, seed, form, search, &reduced.seed)? {
                        self.notebook().note_explored(&id, form, name, explored)?;
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
        let task = Task {
            program: &self.program,
            ruler: self.ruler,
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
        if let Some(known) = self.notebook().reduced(id) {
            return Ok(Some(known.clone()));
        }
        let original = self.profile(runner, seed)?;
        let reduction = reduce(runner, seed, self.ruler, self.keep, self.reducing, &|| (self.stop)())?;
        if (self.stop)() {
            return Ok(None);
        }
        let smaller = Arc::new(reduction.seed.clone());
        let profile = self.profile(runner, &smaller)?;
        let reduced =
            Reduced { input: SmallerInput::new(seed, &smaller), seed: measured(seed, &original, &profile, &reduction) };
        self.notebook().note_reduced(id, reduced.clone())?;
        Ok(Some(reduced))
    }

    fn profile(&self, runner: &mut Runner, seed: &Arc<Seed>) -> Result<Profile, ExecError> {
        Ok(self.ruler.profile(&runner.count(&seed.input, runner.timeout())?.counts, 0))
    }

    fn notebook(&self) -> MutexGuard<'_, Notebook> {
        self.notebook.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn measured(seed: &Seed, original: &Profile, smaller: &Profile, reduction: &Reduction) -> MeasuredSeed {
    let version = |profile: &Profile, bytes| Version {
        path_length: profile.path_length,
        bytes,
        branches: profile.branches.iter().map(|branch| branch as u32).collect(),
        ..Version::default()
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
