//! The exploration itself: workers that solve, run, learn and keep, until a budget is used up.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_confine::Handle;
use byway_report::{
    CoveragePoint, Covered, Discovery, Ending, Finding, FindingRef, Input, Judge, Kept, Stats, Store, Test, findings,
};
use byway_run::{Outcome, RunError};
use byway_solve::Solver;
use byway_trace::Ending as Said;

use crate::error::ExploreError;
use crate::input::{Given, Origin, Shape};
use crate::program::Program;
use crate::recorder::Recorder;
use crate::runner::{Runner, Subject};
use crate::search::{self, Frontier};
use crate::state::{Learned, State, Task};
use crate::tally;

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
    /// What is run.
    pub subject: Subject,
    /// The program's path as the user gave it.
    pub program: PathBuf,
    /// The first input, and what of it can be changed.
    pub shape: Shape,
    /// Inputs to begin with besides the first.
    pub seeds: Vec<Input>,
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
    /// Where queries are recorded, if they are.
    pub record: Option<PathBuf>,
    /// What the judge wants to know.
    pub judge: Judge,
    /// What was done before this one went on.
    pub before: Stats,
}

/// Why an exploration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing left to try.
    Exhausted,
    /// A budget was used up.
    Budget(&'static str),
    /// Someone wanted it.
    Interrupted,
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
    let target = Arc::clone(&program);
    let frontier = Frontier::new(&settings.search, program.graph(), move |step, side| target.target(step, side));
    let first = Runner::new(settings.subject.clone(), &settings.shape)?;
    let mut state = State::new(Arc::clone(&program), frontier, solver, Origin::new(settings.shape.clone()));
    if let Some(directory) = &settings.record {
        state.record(Recorder::new(directory.clone()).map_err(ExploreError::Machine)?);
    }
    for seed in &settings.seeds {
        state.add_seed(seed, first.directory(), |path| first.original(path));
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
            let begin =
                move || shared.work_until_stopped(worker, Runner::new(settings.subject.clone(), &settings.shape));
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
            while let Some(task) = self.next() {
                lock(&self.cells)[worker] = Some(runner.handle());
                self.step(&mut runner, task)?;
            }
            Ok(())
        });
        if let Err(error) = result {
            self.end(Err(error));
        }
        self.changed.notify_all();
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
            if self.should_stop(&state) {
                return None;
            }
            if let Some(task) = state.next() {
                state.in_flight += 1;
                return Some(task);
            }
            if let Some(disagreement) = state.solver().disagreement() {
                let directory = lock(&self.store).directory().to_owned();
                let path = crate::record::write_disagreement(state.pool(), disagreement, &directory);
                self.end(path.map_err(ExploreError::Machine).and_then(|path| Err(ExploreError::Disagreement(path))));
                return None;
            }
            if state.is_exhausted() {
                if state.in_flight == 0 {
                    self.end(Ok(Stop::Exhausted));
                    return None;
                }
                let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    fn should_stop(&self, state: &State) -> bool {
        if self.stopping.load(Ordering::Relaxed) {
            return true;
        }
        let budget = &self.settings.budget;
        let stop = match () {
            () if self.interrupted.load(Ordering::Relaxed) => Some(Stop::Interrupted),
            () if budget.time.is_some_and(|time| self.begun.elapsed() >= time) => Some(Stop::Budget("time")),
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
    fn step(&self, runner: &mut Runner, task: Task) -> Result<(), ExploreError> {
        let given = task.given.clone();
        let traced = runner.trace(&self.settings.shape, &given);
        let outcome = match traced {
            Ok(outcome) => outcome,
            Err(ExploreError::Run(error)) if is_of_the_run(&error) => {
                let mut state = lock(&self.state);
                state.give_up(&task);
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
                let path = path.strip_prefix(runner.directory()).map(Into::into).unwrap_or(path);
                let content = runner.original(&path).or_else(|| runner.read(&path).ok()).unwrap_or_default();
                state.note_file(&traced, path, content);
            }
            let learned = state.learn(task, &outcome);
            self.note_coverage(&mut state);
            state.in_flight -= 1;
            self.changed.notify_all();
            learned
        };
        self.keep(runner, &given, &outcome, &learned)
    }

    fn note_coverage(&self, state: &mut State) {
        let ((lines, _), (branches, _)) = (state.lines().lines(), state.lines().branches());
        let blocks = state.frontier().coverage().covered().0 as u64;
        let seconds = self.elapsed();
        state.tally.note_coverage(CoveragePoint { seconds, lines: lines as u64, branches: branches as u64, blocks });
    }

    fn elapsed(&self) -> f64 {
        self.settings.before.elapsed + self.begun.elapsed().as_secs_f64()
    }

    /// Keeps an input that covers something new or fails.
    fn keep(
        &self,
        runner: &mut Runner,
        given: &Given,
        outcome: &Outcome,
        learned: &Learned,
    ) -> Result<(), ExploreError> {
        let ending = match outcome.out_of_memory {
            true => Ending::OutOfMemory,
            false => Ending::new(outcome.status, outcome.timed_out),
        };
        let said = match outcome.trace.ending() {
            Said::Error(error) => Some(error),
            _ => None,
        };
        let suspicious = (ending.is_failure() || said.is_some()) && self.is_new_fault(ending, learned);
        let covers = learned.new_blocks > 0;
        let wanted = covers || suspicious || (self.settings.all_paths && learned.is_new_path);
        if learned.is_void || learned.is_kept || !wanted {
            return Ok(());
        }
        let given = &given.with_objects_of(&outcome.trace);
        let ktest = self.ktest(given);
        let judged = match runner.judge(&self.settings.judge, given, ktest.as_deref()) {
            // Nobody waits any more for what the sanitizers would say.
            Err(ExploreError::Confine(_)) if self.stopping.load(Ordering::Relaxed) => None,
            judged => judged?,
        };
        let name = self.settings.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (mut found, stderr, confirmed) = match &judged {
            Some(judged) => (findings(&name, &judged.stderr, judged.ending), judged.stderr.clone(), true),
            None => (Vec::new(), Vec::new(), false),
        };
        let mut confirmed = confirmed && !found.is_empty();
        if found.is_empty() && (ending.is_failure() || said.is_some()) {
            found = findings(&name, b"", ending);
            found.extend(said.map(|error| Finding::reported(&error.suffix, &error.message, &error.file, error.line)));
            confirmed = false;
        }
        let kept = match () {
            () if !found.is_empty() => Kept::Failure,
            () if covers => Kept::Coverage,
            () => Kept::Path,
        };
        let test = Test {
            program: self.settings.program.clone(),
            input: lock(&self.state).with_files(given, |path| runner.original(path)).to_input(),
            ending,
            kept,
            findings: found.iter().map(|finding| FindingRef { confirmed, ..FindingRef::from(finding) }).collect(),
            new_blocks: learned.new_blocks,
            seconds: self.elapsed(),
            parent: learned.parent,
            search: learned.strategy.map(|at| self.settings.search.search.strategies()[at].to_string()),
            flipped: learned.flipped.clone(),
            ktest: ktest.filter(|_| self.settings.ktest || !given.objects.is_empty()),
        };
        let number = {
            let mut store = lock(&self.store);
            let number = store.keep(&test)?;
            for finding in &found {
                let discovery = Discovery { finding, report: &stderr, number, test: &test, confirmed, changed: &[] };
                store.found(discovery)?;
            }
            number
        };
        lock(&self.state).note_test(learned.run, number);
        Ok(())
    }

    /// Whether a failure was not seen like this before: the same end after the same branch is judged once.
    fn is_new_fault(&self, ending: Ending, learned: &Learned) -> bool {
        lock(&self.judged).insert((ending, learned.flipped.clone()))
    }

    fn ktest(&self, given: &Given) -> Option<Vec<u8>> {
        let wanted = self.settings.ktest || !given.objects.is_empty();
        wanted.then(|| crate::record::ktest(&self.settings.program, &self.settings.shape, given))
    }

    /// Reports progress and writes it down until all workers have ended.
    fn watch(&self, progress: &mut impl FnMut(&Stats), is_done: impl Fn() -> bool) {
        let (mut written, mut shown, mut stopping) = (Instant::now(), Instant::now(), None);
        while !is_done() {
            thread::sleep(Duration::from_millis(10));
            if self.interrupted.load(Ordering::Relaxed) {
                self.end(Ok(Stop::Interrupted));
            }
            if self.is_urgent() && stopping.get_or_insert_with(Instant::now).elapsed() > GRACE {
                lock(&self.cells).iter_mut().filter_map(Option::take).for_each(|cell| cell.end());
            }
            if shown.elapsed() < PROGRESS {
                continue;
            }
            shown = Instant::now();
            self.watch_memory();
            let stats = self.stats();
            if written.elapsed() >= CHECKPOINT {
                let _ = lock(&self.store).checkpoint(&stats);
                written = Instant::now();
            }
            progress(&stats);
        }
    }

    /// Whether somebody waits for us to stop. When all is tried, what runs may come to its end.
    fn is_urgent(&self) -> bool {
        let stop = lock(&self.stop);
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        interrupted || matches!(&*stop, Some(Err(_) | Ok(Stop::Budget("time" | "memory"))))
    }

    fn watch_memory(&self) {
        let Some(limit) = self.settings.budget.memory else { return };
        if resident_memory().is_some_and(|bytes| bytes > limit) {
            self.end(Ok(Stop::Budget("memory")));
        }
    }

    /// The numbers of this moment.
    fn stats(&self) -> Stats {
        let (kept, found) = {
            let store = lock(&self.store);
            (store.kept(), store.findings().len())
        };
        let state = lock(&self.state);
        let covered = |(covered, total): (usize, usize)| Covered { covered: covered as u64, total: total as u64 };
        let before = &self.settings.before;
        let counts = state.frontier().tree().counts();
        let coverage = state.frontier().coverage();
        let files = state.lines().files();
        Stats {
            strategy: self.settings.search.search.to_string(),
            seed: self.settings.search.seed,
            elapsed: self.elapsed(),
            runs: before.runs + state.tally.runs,
            running: before.running + state.tally.running.as_secs_f64(),
            paths: counts.runs - counts.repeated,
            pendings: state.frontier().pending_count() as u64,
            kept: kept as u64,
            findings: found as u64,
            layers: tally::layers(state.solver().stats()),
            flips: state.tally.flips.clone(),
            lines: covered(state.lines().lines()),
            branches: covered(state.lines().branches()),
            blocks: covered(coverage.covered()),
            coverage: state.tally.coverage.clone(),
            lost: state.tally.lost.clone(),
            median_query: state.solver().stats().median().as_secs_f64(),
            cross_checked: state.solver().stats().cross_checked,
            changed_bytes: state.tally.changed_bytes,
            files: files.into_iter().map(|(path, ratio)| (path.display().to_string(), covered(ratio))).collect(),
            ..Stats::default()
        }
    }

    fn finish(self) -> Result<(Stop, Stats, Store), ExploreError> {
        let stats = self.stats();
        let mut store = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        store.checkpoint(&stats)?;
        let stop = self.stop.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((stop.unwrap_or(Ok(Stop::Exhausted))?, stats, store))
    }
}

/// Whether an error is the fault of what was run: then it costs this run, not the exploration.
fn is_of_the_run(error: &RunError) -> bool {
    matches!(
        error,
        RunError::Silent { .. }
            | RunError::Gone { .. }
            | RunError::Foreign { .. }
            | RunError::Socket { .. }
            | RunError::NotBegun { .. }
            | RunError::NoProcess { .. }
            | RunError::Trace(_)
    )
}

/// The memory that this process has.
fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
