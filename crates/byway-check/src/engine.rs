//! The check itself: workers that follow seeds, ask, explore and judge, until a budget is used up.
//!
//! All seeds are followed first (distance 0; those with many questions have two turns), then all are explored at distance 1, and
//! so on. At each distance a seed has a share of the time that is left; what it does not get done is taken up again when all
//! others had theirs. From distance 1 on those that do other things than all before them come first. If one can be made smaller,
//! the smaller one is explored in its place, and it itself when nothing else is left.

mod explore;
mod follow;
mod ground;
mod judge;
mod keep;
mod rounds;
mod shrink;
mod smaller;
mod stats;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_confine::Handle;
use byway_exec::{Runner, RunnerConfig};
use byway_explore::{Mistake, Program, contain, rehearse, resident_memory};
use byway_reduce::{Order, Ruler, rank};
use byway_report::{CheckStats, CheckStore, Limit, SourceTexts};
use byway_solve::Solver;
use byway_suite::Seed;
use byway_trace::layout::NO_SITE;

use crate::Checks;
use crate::asker::PlaceLimits;
use crate::error::CheckError;
use crate::lock;

use ground::Ground;
use keep::Known;
use rounds::{Done, Job, Rounds};

pub use stats::INTERRUPTED;

/// When to stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Budget {
    /// After this time, with what was spent before.
    pub time: Option<Duration>,
    /// When we take so many bytes of memory, what is known of paths is forgotten.
    pub memory: Option<u64>,
}

/// Limits of parts of a check.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// At one place of the program.
    pub place: PlaceLimits,
    /// How many inputs are run around one divergence point, at one distance.
    pub branch_runs: u64,
    /// How long.
    pub branch_time: Duration,
}

/// Everything about a check that can be chosen.
#[derive(Debug, Clone)]
pub struct Settings {
    /// When to stop.
    pub budget: Budget,
    /// The time that preparing seeds took. All times of a check count from when that began.
    pub spent: Duration,
    /// The greatest distance from operations at which paths are left.
    pub max_distance: u32,
    /// How many times the distance it is explored from there, in forks.
    pub depth_factor: u32,
    /// What is asked of operations.
    pub checks: Checks,
    /// Limits of parts.
    pub limits: Limits,
    /// In which order seeds are explored, from distance 1 on; `None` if as they are given.
    pub order: Option<Order>,
    /// What its random choices are made of.
    pub seed: u64,
    /// Which share of a seed's time at distance 1 making it smaller may take; 0 if seeds stay as they are.
    pub reduce: f64,
    /// How many inputs are run at the same time.
    pub jobs: usize,
}

/// A program and its seeds.
#[derive(Debug)]
pub struct Target {
    /// The program's path.
    pub program: PathBuf,
    /// Its sources, as it was built from them.
    pub sources: SourceTexts,
    /// What is known of it.
    pub map: Arc<Program>,
    /// What there is to cover.
    pub ruler: Ruler,
    /// How it is run. If it can count what it covers, seeds are made smaller.
    pub config: RunnerConfig,
    /// Its seeds.
    pub seeds: Vec<Arc<Seed>>,
}

/// Why a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing left to try up to the greatest distance.
    Done,
    /// The time is over.
    Time,
    /// Someone wanted it.
    Interrupted,
}

/// How a check is doing.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The distance that is being worked on.
    pub distance: u32,
    /// Seeds that are done at this distance, and all.
    pub seeds: (usize, usize),
    /// Questions about operations so far.
    pub checks: u64,
    /// Runs so far, judged ones included.
    pub runs: u64,
    /// Findings so far: confirmed, and not.
    pub findings: (usize, usize),
    /// The time since its first run, without what was spent before.
    pub elapsed: Duration,
    /// The time that is left.
    pub left: Option<Duration>,
}

/// What the workers share.
struct Shared<'a> {
    settings: &'a Settings,
    grounds: Vec<Ground>,
    rounds: Mutex<Rounds>,
    changed: Condvar,
    store: Mutex<CheckStore>,
    known: Mutex<Known>,
    judged: AtomicU64,
    stopping: AtomicBool,
    stop: Mutex<Option<Result<Stop, CheckError>>>,
    begun: Instant,
    /// Whether seeds are explored as they are, after all smaller ones were.
    whole: AtomicBool,
    /// How often what was put off was taken up.
    extensions: AtomicU32,
    interrupted: &'a AtomicBool,
    /// The cells of the workers.
    cells: Mutex<Vec<Option<Handle>>>,
    new_solver: &'a (dyn Fn() -> Solver + Sync),
}

/// How often progress is reported, and how often it is written down.
const PROGRESS: Duration = Duration::from_millis(200);
const CHECKPOINT: Duration = Duration::from_secs(2);
/// How long runs may go on when it is time to stop.
const GRACE: Duration = Duration::from_millis(500);
/// How many times the limits are larger each time that what was put off is taken up, and how often that happens at most.
const GROWTH: u32 = 4;
const MOST_EXTENSIONS: u32 = 8;

/// Checks programs. `progress` is called every now and then. Results are in the store, also if this fails.
pub fn check(
    settings: &Settings,
    targets: Vec<Target>,
    new_solver: &(dyn Fn() -> Solver + Sync),
    store: CheckStore,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(&Progress),
) -> Result<(Stop, CheckStats, CheckStore), CheckError> {
    let grounds: Vec<Ground> = targets.into_iter().map(|target| Ground::new(target, new_solver(), settings)).collect();
    let counts = grounds.iter().map(|ground| ground.target.seeds.len()).collect();
    let shared = Shared {
        settings,
        rounds: Mutex::new(Rounds::new(counts, settings.max_distance)),
        grounds,
        changed: Condvar::new(),
        store: Mutex::new(store),
        known: Mutex::default(),
        judged: AtomicU64::new(0),
        stopping: AtomicBool::new(false),
        stop: Mutex::new(None),
        begun: Instant::now(),
        whole: AtomicBool::new(false),
        extensions: AtomicU32::new(0),
        interrupted,
        cells: Mutex::new(vec![None; settings.jobs.max(1)]),
        new_solver,
    };
    thread::scope(|scope| {
        let shared = &shared;
        let worker = |number| scope.spawn(move || shared.work(number));
        let workers: Vec<_> = (0..settings.jobs.max(1)).map(worker).collect();
        shared.watch(&mut progress, || workers.iter().all(|worker| worker.is_finished()));
    });
    shared.finish()
}

/// A worker's own: the runner of the program that it works on.
struct Worker {
    number: usize,
    runner: Option<(usize, Runner)>,
}

impl Shared<'_> {
    fn work(&self, number: usize) {
        let mut worker = Worker { number, runner: None };
        while let Some(job) = self.next(worker.runner.as_ref().map(|&(target, _)| target)) {
            let is_again = self.grounds[job.target].is_followed(job.seed);
            let done = match contain(|| self.run(&mut worker, &job)) {
                Ok(Ok(done)) => done,
                Ok(Err(error)) => {
                    worker.runner = None;
                    self.note_trouble(&job, error);
                    match self.grounds[job.target].has_left(job.seed) {
                        // What goes wrong with one of its inputs does not take its second turn away. What goes wrong in that
                        // may go wrong for ever.
                        true if is_again => Done::PutOff,
                        true => Done::Part,
                        false => Done::All,
                    }
                }
                Err(mistake) => {
                    worker.runner = None;
                    self.note_mistake(&job, &mistake);
                    Done::All
                }
            };
            lock(&self.rounds).finish(&job, done);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// A mistake of ours costs the seed that it was made with, and what was known of the paths of its program: that may be
    /// half done.
    fn note_mistake(&self, job: &Job, mistake: &Mistake) {
        let ground = &self.grounds[job.target];
        ground.forget((self.new_solver)(), self.settings, self.effort());
        lock(&ground.ledger).tally.give_up(Limit::Mistake, NO_SITE);
        lock(&self.rounds).give_up(job.target, job.seed);
        lock(&ground.seeds)[job.seed].note_trouble(job.distance, mistake);
    }

    /// The next job; `None` if it is time to stop.
    fn next(&self, current: Option<usize>) -> Option<Job> {
        let mut rounds = lock(&self.rounds);
        loop {
            if self.should_stop() {
                return None;
            }
            if rounds.has_followed_all() {
                self.grounds.iter().for_each(Ground::dismiss_askers);
                self.put_in_order(&mut rounds);
            }
            if let Some(job) = rounds.next(current, self.left()) {
                return Some(job);
            }
            if rounds.is_over() {
                if self.begin_whole(&mut rounds) || self.extend(&mut rounds) {
                    continue;
                }
                self.end(Ok(Stop::Done));
                return None;
            }
            let waited = self.changed.wait_timeout(rounds, Duration::from_millis(50));
            rounds = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// How many times the limits may be used now.
    fn effort(&self) -> u32 {
        GROWTH.saturating_pow(self.extensions.load(Ordering::Relaxed))
    }

    /// When nothing cheaper is left, takes up with larger limits what was put off. Without a budget of time that would never
    /// end. False if there is nothing.
    fn extend(&self, rounds: &mut Rounds) -> bool {
        let is_possible =
            self.settings.budget.time.is_some() && self.extensions.load(Ordering::Relaxed) < MOST_EXTENSIONS;
        if !is_possible || !rounds.take_up() {
            return false;
        }
        self.extensions.fetch_add(1, Ordering::Relaxed);
        self.grounds.iter().for_each(|ground| ground.set_effort(self.settings, self.effort()));
        true
    }

    /// When all seeds were followed, it is known what they cover: then they can be put in order.
    fn put_in_order(&self, rounds: &mut Rounds) {
        let Some(order) = self.settings.order else { return };
        for (target, ground) in self.grounds.iter().enumerate() {
            rounds.set_order(target, rank(order, &ground.profiles(), self.settings.seed));
        }
    }

    /// Does a job.
    fn run(&self, worker: &mut Worker, job: &Job) -> Result<Done, CheckError> {
        let ground = &self.grounds[job.target];
        if worker.runner.as_ref().is_none_or(|&(target, _)| target != job.target) {
            worker.runner = None;
            let inputs = ground.target.seeds.iter().map(|seed| &*seed.input);
            let runner = Runner::new(ground.target.config.clone(), inputs)?;
            worker.runner = Some((job.target, runner));
        }
        let (_, runner) = worker.runner.as_mut().expect("just made");
        lock(&self.cells)[worker.number] = Some(runner.handle());
        self.save_memory(ground);
        let _world = ground.work();
        rehearse(&ground.target.seeds[job.seed].name);
        match job.distance {
            0 => self.follow(runner, ground, job),
            _ => self.explore(runner, ground, job),
        }
    }

    /// What goes wrong with one seed costs that seed, everything else the check.
    fn note_trouble(&self, job: &Job, error: CheckError) {
        let is_ours = matches!(error, CheckError::Report(_));
        if is_ours {
            return self.end(Err(error));
        }
        if job.distance == 0 && !self.stopping.load(Ordering::Relaxed) {
            lock(&self.rounds).stay_on_path(job.target, job.seed);
        }
        self.keep_trouble(&self.grounds[job.target], job.seed, job.distance, &error);
    }

    /// What went wrong with a seed is said in the end. When it is time to stop, runs are ended by us.
    fn keep_trouble(&self, ground: &Ground, seed: usize, distance: u32, error: &CheckError) {
        if self.stopping.load(Ordering::Relaxed) {
            return;
        }
        lock(&ground.seeds)[ground.whole(seed)].note_trouble(distance, error);
    }

    fn end(&self, how: Result<Stop, CheckError>) {
        lock(&self.stop).get_or_insert(how);
        self.stopping.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn should_stop(&self) -> bool {
        if self.stopping.load(Ordering::Relaxed) {
            return true;
        }
        let stop = match () {
            () if self.interrupted.load(Ordering::Relaxed) => Some(Stop::Interrupted),
            () if self.left().is_some_and(|left| left.is_zero()) => Some(Stop::Time),
            () => None,
        };
        if let Some(stop) = stop {
            self.end(Ok(stop));
        }
        stop.is_some()
    }

    fn left(&self) -> Option<Duration> {
        self.settings.budget.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// The time since the check began, with its preparation.
    fn elapsed(&self) -> Duration {
        self.settings.spent + self.begun.elapsed()
    }

    /// Reports progress and writes it down until all workers have ended.
    fn watch(&self, progress: &mut impl FnMut(&Progress), is_done: impl Fn() -> bool) {
        let (mut written, mut shown, mut stopping) = (Instant::now(), Instant::now(), None);
        while !is_done() {
            thread::sleep(Duration::from_millis(10));
            self.should_stop();
            let is_urgent = !matches!(*lock(&self.stop), None | Some(Ok(Stop::Done)));
            if is_urgent && stopping.get_or_insert_with(Instant::now).elapsed() > GRACE {
                let cells: Vec<_> = lock(&self.cells).iter_mut().filter_map(Option::take).collect();
                Handle::end_all(cells);
            }
            if shown.elapsed() < PROGRESS {
                continue;
            }
            shown = Instant::now();
            if written.elapsed() >= CHECKPOINT {
                let stats = self.stats();
                let _ = lock(&self.store).checkpoint(&stats);
                written = Instant::now();
            }
            progress(&self.progress());
        }
    }

    /// If memory is short, what is known of a program's paths is forgotten.
    fn save_memory(&self, ground: &Ground) {
        let Some(limit) = self.settings.budget.memory else { return };
        if ground.is_worth_forgetting() && resident_memory().is_some_and(|bytes| bytes > limit) {
            self.grounds.iter().for_each(Ground::dismiss_askers);
            ground.forget((self.new_solver)(), self.settings, self.effort());
        }
    }
}
