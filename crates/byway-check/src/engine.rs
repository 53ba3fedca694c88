//! The check itself: workers that follow seeds, ask, explore and judge, until a budget is used up.
//!
//! All seeds are followed first (distance 0; those with many questions have two turns), then all are explored at distance 1, and
//! so on. At each distance a seed has a share of the time that is left; what it does not get done is taken up again when all
//! others had theirs. From distance 1 on those that do other things than all before them come first. If one can be made smaller,
//! the smaller one is explored in its place, and it itself when nothing else is left.

mod explore;
mod follow;
mod judge;
mod keep;
mod program;
mod rounds;
mod shrink;
mod smaller;
mod stats;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use byway_engine::{Checks, Driver, DriverLimits, Ended, Mistake, Program, Scheduler, Stop, rehearse, resident_memory};
use byway_exec::{Runner, RunnerConfig};
use byway_reduce::{Order, SeedMeasure, rank};
use byway_report::{CheckStats, CheckStore, Limit, SourceTexts};
use byway_solve::Solver;
use byway_suite::Seed;
use byway_trace::layout::NO_SITE;

use crate::checker::PlaceLimits;
use crate::error::CheckError;
use crate::lock;
use crate::seed::SeedRef;

use keep::Known;
use program::{CheckedProgram, ProgramAccess};
use rounds::{Done, Job, Rounds};

pub use stats::INTERRUPTED;

/// When to stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckBudget {
    /// After this time, with what was spent before.
    pub time: Option<Duration>,
    /// When we take so many bytes of memory, what is known of paths is forgotten.
    pub memory: Option<u64>,
}

/// Limits of parts of a check.
#[derive(Debug, Clone, Copy)]
pub struct CheckLimits {
    /// At one place of the program.
    pub place: PlaceLimits,
    /// How many inputs are run around one divergence point, at one distance.
    pub branch_runs: u64,
    /// How long.
    pub branch_time: Duration,
}

/// Everything about a check that can be chosen.
#[derive(Debug, Clone)]
pub struct CheckSettings {
    /// When to stop.
    pub budget: CheckBudget,
    /// The time that preparing seeds took. All times of a check count from when that began.
    pub spent: Duration,
    /// The greatest distance from operations at which paths are left.
    pub max_distance: u32,
    /// How many times the distance it is explored from there, in forks.
    pub depth_factor: u32,
    /// What is asked of operations.
    pub checks: Checks,
    /// Limits of parts.
    pub limits: CheckLimits,
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
    pub measure: SeedMeasure,
    /// How it is run. If it can count what it covers, seeds are made smaller.
    pub config: RunnerConfig,
    /// Its seeds.
    pub seeds: Vec<Arc<Seed>>,
}

/// How a check is doing.
#[derive(Debug, Clone, Default)]
pub struct CheckProgress {
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
    settings: &'a CheckSettings,
    driver: Driver<'a, CheckError>,
    programs: Vec<CheckedProgram>,
    rounds: Mutex<Rounds>,
    store: Mutex<CheckStore>,
    known: Mutex<Known>,
    judged: AtomicU64,
    /// Whether seeds are explored as they are, after all smaller ones were.
    whole: AtomicBool,
    /// How often what was put off was taken up.
    extensions: AtomicU32,
    new_solver: &'a (dyn Fn() -> Solver + Sync),
}

/// How many times the limits are larger each time that what was put off is taken up, and how often that happens at most.
const GROWTH: u32 = 4;
const MOST_EXTENSIONS: u32 = 8;

/// Checks programs. `progress` is called every now and then. Results are in the store, also if this fails.
pub fn check(
    settings: &CheckSettings,
    targets: Vec<Target>,
    new_solver: &(dyn Fn() -> Solver + Sync),
    store: CheckStore,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(&CheckProgress),
) -> Result<(Stop, CheckStats, CheckStore), CheckError> {
    let programs: Vec<CheckedProgram> =
        targets.into_iter().map(|target| CheckedProgram::new(target, new_solver(), settings)).collect();
    let counts = programs.iter().map(|program| program.target.seeds.len()).collect();
    // If memory is short, paths are forgotten: that is no reason to stop.
    let limits = DriverLimits { time: settings.budget.time, spent: settings.spent, memory: None };
    let shared = Shared {
        settings,
        rounds: Mutex::new(Rounds::new(counts, settings.max_distance)),
        programs,
        store: Mutex::new(store),
        known: Mutex::default(),
        judged: AtomicU64::new(0),
        driver: Driver::new(limits, settings.jobs, interrupted),
        whole: AtomicBool::new(false),
        extensions: AtomicU32::new(0),
        new_solver,
    };
    shared.driver.drive(&shared, || progress(&shared.progress()));
    shared.conclude()
}

/// A worker's own: the runner of the program that it works on.
struct Worker {
    number: usize,
    runner: Option<(usize, Runner)>,
}

impl Scheduler for Shared<'_> {
    type Worker = Worker;
    type Job = Job;
    type Done = Done;
    type Error = CheckError;

    fn begin(&self, number: usize) -> Result<Worker, CheckError> {
        Ok(Worker { number, runner: None })
    }

    fn next(&self, worker: &mut Worker) -> Option<Job> {
        let current = worker.runner.as_ref().map(|&(target, _)| target);
        let mut rounds = lock(&self.rounds);
        loop {
            if self.should_stop() {
                return None;
            }
            if rounds.has_followed_all() {
                self.programs.iter().for_each(CheckedProgram::dismiss_followers);
                self.put_in_order(&mut rounds);
            }
            if let Some(job) = rounds.next(current, self.driver.left()) {
                let is_again = self.programs[job.target].is_followed(job.seed);
                return Some(Job { is_again, ..job });
            }
            if rounds.is_over() {
                if self.begin_whole(&mut rounds) || self.extend(&mut rounds) {
                    continue;
                }
                self.driver.end(Ok(Stop::Exhausted));
                return None;
            }
            rounds = self.driver.wait(rounds);
        }
    }

    fn run(&self, worker: &mut Worker, job: &mut Job) -> Result<Done, CheckError> {
        let program = &self.programs[job.target];
        if worker.runner.as_ref().is_none_or(|&(target, _)| target != job.target) {
            worker.runner = None;
            let inputs = program.target.seeds.iter().map(|seed| &*seed.input);
            let runner = Runner::new(program.target.config.clone(), inputs)?;
            worker.runner = Some((job.target, runner));
        }
        let (_, runner) = worker.runner.as_mut().expect("just made");
        self.driver.note_sandbox(worker.number, runner.handle());
        self.save_memory(program);
        let mut access = program.begin_job();
        rehearse(&program.target.seeds[job.seed].name);
        match job.distance {
            0 => self.follow(runner, &mut access, job),
            _ => self.explore(runner, &mut access, job),
        }
    }

    fn finish(&self, worker: &mut Worker, job: Job, done: Ended<Self>) -> Result<(), CheckError> {
        let done = match done {
            Ok(Ok(done)) => done,
            Ok(Err(error)) => {
                worker.runner = None;
                self.note_trouble(&job, error);
                match self.programs[job.target].has_left(job.seed) {
                    // What goes wrong with one of its inputs does not take its second pass away. What goes wrong in that
                    // may go wrong for ever.
                    true if job.is_again => Done::PutOff,
                    true => Done::Part,
                    false => Done::All,
                }
            }
            Err(mistake) => {
                worker.runner = None;
                self.give_up(&job, &mistake);
                Done::All
            }
        };
        lock(&self.rounds).finish(&job, done);
        Ok(())
    }

    fn note_mistake(&self, _mistake: &Mistake) {
        // What was to be done next is known to nobody: it belongs to no program, so all of them are incomplete.
        for program in &self.programs {
            program.access().statistics().counters.give_up(Limit::Mistake, NO_SITE);
        }
    }

    fn checkpoint(&self) {
        let stats = self.stats();
        let _ = lock(&self.store).checkpoint(&stats);
    }
}

impl Shared<'_> {
    /// A mistake of ours costs the seed that it was made with, and what was known of the paths of its program: that may be
    /// half done.
    fn give_up(&self, job: &Job, mistake: &Mistake) {
        let program = &self.programs[job.target];
        program.forget((self.new_solver)(), self.settings, self.effort());
        lock(&self.rounds).give_up(job.target, job.seed);
        let mut access = program.access();
        access.statistics().counters.give_up(Limit::Mistake, NO_SITE);
        access.seeds()[SeedRef::original(job.seed)].note_trouble(job.distance, mistake);
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
        self.programs.iter().for_each(|program| program.set_effort(self.settings, self.effort()));
        true
    }

    /// When all seeds were followed, it is known what they cover: then they can be put in order.
    fn put_in_order(&self, rounds: &mut Rounds) {
        let Some(order) = self.settings.order else { return };
        for (target, program) in self.programs.iter().enumerate() {
            rounds.set_order(target, rank(order, &program.profiles(), self.settings.seed));
        }
    }

    /// What goes wrong with one seed costs that seed, everything else the check.
    fn note_trouble(&self, job: &Job, error: CheckError) {
        let is_ours = matches!(error, CheckError::Report(_));
        if is_ours {
            return self.driver.end(Err(error));
        }
        if job.distance == 0 && !self.driver.is_stopping() {
            lock(&self.rounds).stay_on_path(job.target, job.seed);
        }
        self.keep_trouble(&mut self.programs[job.target].access(), job.seed, job.distance, &error);
    }

    /// What went wrong with a seed is said in the end. When it is time to stop, runs are ended by us.
    fn keep_trouble(&self, program: &mut ProgramAccess<'_>, seed: usize, distance: u32, error: &CheckError) {
        if self.driver.is_stopping() {
            return;
        }
        program.seeds()[SeedRef::original(seed)].note_trouble(distance, error);
    }

    fn should_stop(&self) -> bool {
        self.driver.should_stop()
    }

    /// If memory is short, what is known of a program's paths is forgotten.
    fn save_memory(&self, program: &CheckedProgram) {
        let Some(limit) = self.settings.budget.memory else { return };
        if program.is_worth_forgetting() && resident_memory().is_some_and(|bytes| bytes > limit) {
            self.programs.iter().for_each(CheckedProgram::dismiss_followers);
            program.forget((self.new_solver)(), self.settings, self.effort());
        }
    }
}
