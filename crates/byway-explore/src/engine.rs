//! The exploration itself: workers that solve, run, learn and keep, until a budget is used up.

mod keep;
mod stats;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use byway_confine::Directory;
use byway_engine::search::{Frontier, SearchSettings};
use byway_engine::{Checks, Driver, DriverLimits, Ended, Explorer, Mistake, Program, Scheduler, Stop, rehearse};
use byway_exec::{Runner, RunnerConfig, TraceOptions, TracedRun};
use byway_input::ConcreteInput;
use byway_report::{CoveragePoint, Ending, Entry, ExploreStats, Limit, SourceTexts, TestStore};
use byway_solve::{ExpressionContext, Recorder, Solver};

use crate::error::ExploreError;
use crate::input::{Origin, Start};
use crate::state::{QueuedInput, State};

/// When to stop.
#[derive(Debug, Clone, Default)]
pub struct ExploreBudget {
    /// After this time.
    pub time: Option<Duration>,
    /// After so many runs.
    pub runs: Option<u64>,
    /// When we take so many bytes of memory.
    pub memory: Option<u64>,
}

/// Everything about an exploration that can be chosen.
pub struct ExploreSettings {
    /// What is run, and where.
    pub config: RunnerConfig,
    /// The program's path as the user gave it.
    pub program: PathBuf,
    /// Its sources, as it was built from them.
    pub sources: SourceTexts,
    /// The first input, and what of it can be changed.
    pub start: Start,
    /// Inputs to begin with besides the first.
    pub seeds: Vec<ConcreteInput>,
    /// How to search.
    pub search: SearchSettings,
    /// When to stop.
    pub budget: ExploreBudget,
    /// How many inputs are run at the same time.
    pub jobs: usize,
    /// Whether all paths become tests, not only those that cover something new or fail.
    pub all_paths: bool,
    /// Whether tests are written in KLEE's format too.
    pub ktest: bool,
    /// Whether nothing is said of what the program assumes and what cannot hold.
    pub silent_assumptions: bool,
    /// Where queries are recorded, if they are.
    pub record: Option<PathBuf>,
    /// Which operations are asked about.
    pub checks: Checks,
    /// What was done before this one went on.
    pub before: ExploreStats,
}

impl ExploreSettings {
    /// A file of the working directory as it was before any run, if it was there.
    fn original(&self, path: &Path) -> Option<Vec<u8>> {
        let Directory::CopyOf(directory) = &self.config.sandbox.settings.directory else { return None };
        byway_file::read(&directory.join(path), byway_file::INPUT).ok()
    }
}

/// Without a limit of time, a query may take so many times what its limits say when nothing else is left.
const MOST_EFFORT: u32 = 16;

/// What the workers share.
struct Shared<'a> {
    settings: &'a ExploreSettings,
    driver: Driver<'a, ExploreError>,
    state: Mutex<State>,
    store: Mutex<TestStore>,
    /// The runner of the first worker, until that begins.
    first: Mutex<Option<Runner>>,
    /// Faults that were judged already, by how and where they happened.
    judged: Mutex<rustc_hash::FxHashSet<(Ending, Option<String>)>>,
}

/// A worker.
struct Worker {
    number: usize,
    runner: Runner,
}

/// Explores a program. `progress` is called every now and then, with what was confirmed since it was last called. Results are in the store, also if this fails.
pub fn explore(
    settings: &ExploreSettings,
    program: Arc<Program>,
    solver: Solver,
    store: TestStore,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(&ExploreStats, &[Entry]),
) -> Result<(Stop, ExploreStats, TestStore), ExploreError> {
    let mut first = Runner::new(settings.config.clone(), [&settings.start.first])?;
    let mut context = ExpressionContext::new(solver);
    if let Some(directory) = &settings.record {
        context.record(Recorder::new(directory.clone()).map_err(ExploreError::Machine)?);
    }
    let frontier = Frontier::of_program(&program, &settings.search, settings.search.searchers());
    let explorer = Explorer::new(program, frontier, Some(settings.checks)).revisiting(settings.search.revisits());
    let mut state = State::new(context, explorer, Origin::new(settings.start.clone()));
    for seed in &settings.seeds {
        state.add_seed(seed, first.executor().directory(), |path| settings.original(path));
    }
    let ExploreBudget { time, memory, .. } = settings.budget;
    let limits = DriverLimits { time, spent: Duration::ZERO, memory };
    let shared = Shared {
        settings,
        driver: Driver::new(limits, settings.jobs, interrupted),
        state: Mutex::new(state),
        store: Mutex::new(store),
        first: Mutex::new(Some(first)),
        judged: Mutex::default(),
    };
    shared.driver.drive(&shared, || {
        let found = lock(&shared.store).take_fresh();
        progress(&shared.stats(), &found);
    });
    shared.conclude()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Scheduler for Shared<'_> {
    type Worker = Worker;
    type Job = QueuedInput;
    type Done = ();
    type Error = ExploreError;

    fn begin(&self, number: usize) -> Result<Worker, ExploreError> {
        let first = lock(&self.first).take();
        let new = || Runner::new(self.settings.config.clone(), [&self.settings.start.first]);
        Ok(Worker { number, runner: first.map_or_else(new, Ok)? })
    }

    fn next(&self, _worker: &mut Worker) -> Option<QueuedInput> {
        let mut state = lock(&self.state);
        loop {
            if let Some(disagreement) = state.context().solver.disagreement() {
                let directory = lock(&self.store).directory().to_owned();
                let path = crate::record::write_disagreement(&state.context().pool, disagreement, &directory);
                let path = path.map_err(ExploreError::Machine);
                self.driver.end(path.and_then(|path| Err(ExploreError::Disagreement(path))));
                return None;
            }
            if self.should_stop(&state) {
                return None;
            }
            if let Some(task) = state.next() {
                state.in_flight += 1;
                return Some(task);
            }
            if state.is_exhausted() {
                if state.in_flight == 0 {
                    if self.may_extend(&state) && state.extend() {
                        continue;
                    }
                    self.driver.end(Ok(Stop::Exhausted));
                    return None;
                }
                state = self.driver.wait(state);
            }
        }
    }

    fn run(&self, worker: &mut Worker, task: &mut QueuedInput) -> Result<(), ExploreError> {
        self.driver.note_sandbox(worker.number, worker.runner.handle());
        self.step(&mut worker.runner, task)
    }

    fn finish(&self, _worker: &mut Worker, _task: QueuedInput, done: Ended<Self>) -> Result<(), ExploreError> {
        done.unwrap_or_else(|mistake| {
            self.note_mistake(&mistake);
            self.driver.end(Ok(Stop::Mistake));
            Ok(())
        })
    }

    fn note_mistake(&self, mistake: &Mistake) {
        lock(&self.state).counters.remaining.add(Limit::Mistake, &mistake.to_string(), "", 1);
    }

    fn checkpoint(&self) {
        let stats = self.stats();
        let lines = lock(&self.state).line_coverage();
        let mut store = lock(&self.store);
        let _ = store.note_coverage(lines, &self.settings.sources).and_then(|()| store.checkpoint(&stats));
    }
}

impl Shared<'_> {
    /// Whether what the solver gave up on may be asked again: until the time is over, or as long as anybody would wait.
    fn may_extend(&self, state: &State) -> bool {
        self.settings.budget.time.is_some() || state.explorer().effort() < MOST_EFFORT
    }

    fn should_stop(&self, state: &State) -> bool {
        let runs = state.counters.runs + state.in_flight as u64;
        if !self.driver.should_stop() && self.settings.budget.runs.is_some_and(|most| runs >= most) {
            self.driver.end(Ok(Stop::Runs));
        }
        self.driver.is_stopping()
    }

    /// Runs an input, learns from it, and keeps it if it is worth that.
    fn step(&self, runner: &mut Runner, task: &mut QueuedInput) -> Result<(), ExploreError> {
        let input = std::mem::take(&mut task.input);
        rehearse("explore");
        let traced = self.trace(runner, &input);
        let outcome = match traced {
            Ok(outcome) => outcome,
            Err(error) if error.is_of_the_run() && task.is_solved() => {
                let mut state = lock(&self.state);
                // When it is time to stop, runs are ended by us.
                if !self.driver.is_stopping() {
                    state.give_up(task);
                }
                state.in_flight -= 1;
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let learned = {
            let mut state = lock(&self.state);
            for traced in state.unknown_files(&outcome.trace) {
                let path = PathBuf::from(&traced);
                let executor = runner.executor();
                let path = path.strip_prefix(executor.directory()).map(Into::into).unwrap_or(path);
                let content = self.settings.original(&path).or_else(|| executor.read(&path).ok()).unwrap_or_default();
                state.note_file(&traced, path, content);
            }
            let learned = state.learn(task, &outcome);
            if learned.new_blocks > 0 {
                self.note_coverage(&mut state);
            }
            state.in_flight -= 1;
            self.driver.wake();
            learned
        };
        self.keep(runner, &input, &outcome, &learned)
    }

    /// Runs an input and follows it.
    fn trace(&self, runner: &mut Runner, input: &ConcreteInput) -> Result<TracedRun, ExploreError> {
        let arithmetic = self.settings.checks.need_arithmetic();
        Ok(runner.trace(input, &TraceOptions { visits: false, arithmetic, ..runner.trace_options() })?)
    }

    fn note_coverage(&self, state: &mut State) {
        let (lines, branches) = (state.covered().line_ratio().hit, state.covered().branch_ratio().hit);
        let blocks = state.frontier().coverage().covered().0 as u64;
        let seconds = self.elapsed();
        state.counters.note_coverage(CoveragePoint { seconds, lines: lines as u64, branches: branches as u64, blocks });
    }

    fn elapsed(&self) -> f64 {
        self.settings.before.elapsed + self.driver.working().as_secs_f64()
    }

    fn conclude(self) -> Result<(Stop, ExploreStats, TestStore), ExploreError> {
        let (stats, lines) = (self.stats(), lock(&self.state).line_coverage());
        let mut store = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        store.note_coverage(lines, &self.settings.sources)?;
        store.finish(&stats)?;
        Ok((self.driver.into_stop()?, stats, store))
    }
}
