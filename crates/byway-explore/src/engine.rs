//! The exploration itself: workers that solve, run, learn and keep, until a budget is used up.

mod keep;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_confine::{Directory, Handle};
use byway_exec::{Outcome, Runner, RunnerConfig, TraceOptions};
use byway_input::ConcreteInput;
use byway_report::{CoveragePoint, Ending, Limit, SourceTexts, Stats, Store};
use byway_solve::Solver;

use crate::checks::Checks;
use crate::error::ExploreError;
use crate::input::{Origin, Start};
use crate::mistake::{Mistake, contain, rehearse};
use crate::paths::Paths;
use crate::program::Program;
use crate::recorder::Recorder;
use crate::search;
use crate::state::{State, Task};

pub use watch::resident_memory;

/// When to stop.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// After this time.
    pub time: Option<Duration>,
    /// After so many runs.
    pub runs: Option<u64>,
    /// When we take so many bytes of memory.
    pub memory: Option<u64>,
}

/// Everything about an exploration that can be chosen.
pub struct Settings {
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
    pub search: search::Settings,
    /// When to stop.
    pub budget: Budget,
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
    pub before: Stats,
}

impl Settings {
    /// A file of the working directory as it was before any run, if it was there.
    fn original(&self, path: &Path) -> Option<Vec<u8>> {
        let Directory::CopyOf(directory) = &self.config.sandbox.cell.directory else { return None };
        byway_file::read(&directory.join(path), byway_file::INPUT).ok()
    }
}

/// Without a limit of time, a query may take so many times what its limits say when nothing else is left.
const MOST_EFFORT: u32 = 16;

/// Why an exploration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing left to try.
    Exhausted,
    /// A budget was used up.
    Budget(&'static str),
    /// Someone wanted it.
    Interrupted,
    /// A mistake of ours: what is known of the paths may be half done.
    Mistake,
}

/// What the workers share.
struct Shared<'a> {
    settings: &'a Settings,
    state: Mutex<State>,
    store: Mutex<Store>,
    changed: Condvar,
    stopping: AtomicBool,
    stop: Mutex<Option<Result<Stop, ExploreError>>>,
    begun: Instant,
    interrupted: &'a AtomicBool,
    /// The cells of the workers.
    cells: Mutex<Vec<Option<Handle>>>,
    /// Faults that were judged already, by how and where they happened.
    judged: Mutex<rustc_hash::FxHashSet<(Ending, Option<String>)>>,
}

/// How often progress is reported, and how often it is written down.
const PROGRESS: Duration = Duration::from_millis(200);
/// How long runs may go on when it is time to stop.
const GRACE: Duration = Duration::from_millis(500);
const CHECKPOINT: Duration = Duration::from_secs(2);

/// Explores a program. `progress` is called every now and then. Results are in the store, also if this fails.
pub fn explore(
    settings: &Settings,
    program: Arc<Program>,
    solver: Solver,
    store: Store,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(&Stats),
) -> Result<(Stop, Stats, Store), ExploreError> {
    let mut first = Runner::new(settings.config.clone(), [&settings.start.first])?;
    let mut paths = Paths::new(program, &settings.search, solver, Some(settings.checks));
    if let Some(directory) = &settings.record {
        paths.record(Recorder::new(directory.clone()).map_err(ExploreError::Machine)?);
    }
    let mut state = State::new(paths, Origin::new(settings.start.clone()));
    for seed in &settings.seeds {
        state.add_seed(seed, first.executor().directory(), |path| settings.original(path));
    }
    let shared = Shared {
        settings,
        state: Mutex::new(state),
        store: Mutex::new(store),
        changed: Condvar::new(),
        stopping: AtomicBool::new(false),
        stop: Mutex::new(None),
        begun: Instant::now(),
        interrupted,
        cells: Mutex::new(vec![None; settings.jobs.max(1)]),
        judged: Mutex::default(),
    };
    thread::scope(|scope| {
        let mut workers = vec![scope.spawn(|| shared.work_until_stopped(0, Ok(first)))];
        let shared = &shared;
        for worker in 1..settings.jobs.max(1) {
            let begin = move || {
                let runner = Runner::new(settings.config.clone(), [&settings.start.first]);
                shared.work_until_stopped(worker, runner.map_err(ExploreError::from))
            };
            workers.push(scope.spawn(begin));
        }
        shared.watch(&mut progress, || workers.iter().all(|worker| worker.is_finished()));
    });
    shared.finish()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    fn work_until_stopped(&self, worker: usize, runner: Result<Runner, ExploreError>) {
        let result = runner.and_then(|mut runner| {
            while let Some(task) = self.next_contained() {
                lock(&self.cells)[worker] = Some(runner.handle());
                contain(|| self.step(&mut runner, task)).unwrap_or_else(|mistake| {
                    self.note_mistake(&mistake);
                    Ok(())
                })?;
            }
            Ok(())
        });
        if let Err(error) = result {
            self.end(Err(error));
        }
        self.changed.notify_all();
    }

    fn next_contained(&self) -> Option<Task> {
        contain(|| self.next()).unwrap_or_else(|mistake| {
            self.note_mistake(&mistake);
            None
        })
    }

    fn note_mistake(&self, mistake: &Mistake) {
        lock(&self.state).tally.remaining.add(Limit::Mistake, &mistake.to_string(), "", 1);
        self.end(Ok(Stop::Mistake));
    }

    fn end(&self, how: Result<Stop, ExploreError>) {
        lock(&self.stop).get_or_insert(how);
        self.stopping.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The next input to run; `None` if it is time to stop.
    fn next(&self) -> Option<Task> {
        let mut state = lock(&self.state);
        loop {
            if let Some(disagreement) = state.solver().disagreement() {
                let directory = lock(&self.store).directory().to_owned();
                let path = crate::record::write_disagreement(state.paths().pool(), disagreement, &directory);
                self.end(path.map_err(ExploreError::Machine).and_then(|path| Err(ExploreError::Disagreement(path))));
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
                    if self.may_extend(&state) && state.paths_mut().extend() {
                        continue;
                    }
                    self.end(Ok(Stop::Exhausted));
                    return None;
                }
                let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Whether what the solver gave up on may be asked again: until the time is over, or as long as anybody would wait.
    fn may_extend(&self, state: &State) -> bool {
        self.settings.budget.time.is_some() || state.paths().effort() < MOST_EFFORT
    }

    fn is_time_over(&self) -> bool {
        self.settings.budget.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    fn should_stop(&self, state: &State) -> bool {
        if self.stopping.load(Ordering::Relaxed) {
            return true;
        }
        let budget = &self.settings.budget;
        let stop = match () {
            () if self.interrupted.load(Ordering::Relaxed) => Some(Stop::Interrupted),
            () if self.is_time_over() => Some(Stop::Budget("time")),
            () if budget.runs.is_some_and(|runs| state.tally.runs + state.in_flight as u64 >= runs) => {
                Some(Stop::Budget("runs"))
            }
            () => None,
        };
        if let Some(stop) = stop {
            self.end(Ok(stop));
        }
        stop.is_some()
    }

    /// Runs an input, learns from it, and keeps it if it is worth that.
    fn step(&self, runner: &mut Runner, mut task: Task) -> Result<(), ExploreError> {
        let input = std::mem::take(&mut task.input);
        rehearse("explore");
        let traced = self.trace(runner, &input);
        let outcome = match traced {
            Ok(outcome) => outcome,
            Err(error) if error.is_of_the_run() && task.is_solved() => {
                let mut state = lock(&self.state);
                // When it is time to stop, runs are ended by us.
                if !self.stopping.load(Ordering::Relaxed) {
                    state.give_up(&task);
                }
                state.in_flight -= 1;
                self.changed.notify_all();
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
            self.changed.notify_all();
            learned
        };
        self.keep(runner, &input, &outcome, &learned)
    }

    /// Runs an input and follows it.
    fn trace(&self, runner: &mut Runner, input: &ConcreteInput) -> Result<Outcome, ExploreError> {
        let arithmetic = self.settings.checks.need_arithmetic();
        Ok(runner.trace(input, &TraceOptions { visits: false, arithmetic, ..runner.trace_options() })?)
    }

    fn note_coverage(&self, state: &mut State) {
        let (lines, branches) = (state.covered().line_ratio().hit, state.covered().branch_ratio().hit);
        let blocks = state.frontier().coverage().covered().0 as u64;
        let seconds = self.elapsed();
        state.tally.note_coverage(CoveragePoint { seconds, lines: lines as u64, branches: branches as u64, blocks });
    }

    fn elapsed(&self) -> f64 {
        self.settings.before.elapsed + self.begun.elapsed().as_secs_f64()
    }

    fn finish(self) -> Result<(Stop, Stats, Store), ExploreError> {
        let stats = self.stats();
        let mut store = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        store.checkpoint(&stats)?;
        let stop = self.stop.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((stop.unwrap_or(Ok(Stop::Exhausted))?, stats, store))
    }
}
