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
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use byway_engine::{Checks, Driver, DriverLimits, Ended, Mistake, Program, Scheduler, Stop, rehearse, resident_memory};
use byway_exec::{Runner, RunnerConfig};
use byway_reduce::{Order, SeedMeasure, rank};
use byway_report::{CheckEntry, CheckStats, CheckStore, Limit, SourceTexts};
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
    /// Programs that are not ready to be checked yet, and all.
    pub awaited: (usize, usize),
    /// What was confirmed since this was last asked.
    pub found: Vec<CheckEntry>,
}

/// A program that is ready to be checked, or none, since that came to nothing.
#[derive(Debug)]
pub struct Arrival {
    /// Its number.
    pub number: usize,
    /// The program.
    pub target: Option<Target>,
}

/// The programs of a check. Who begins first does not wait for the others.
pub struct Programs<'a> {
    /// How many seeds each has.
    pub seeds: Vec<usize>,
    /// Those that have become ready since this was last asked.
    pub arrivals: &'a mut dyn FnMut() -> Vec<Arrival>,
}

/// What the workers share.
struct Shared<'a> {
    settings: &'a CheckSettings,
    driver: Driver<'a, CheckError>,
    /// By number; empty as long as they are not ready.
    programs: Vec<OnceLock<CheckedProgram>>,
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
    programs: Programs<'_>,
    new_solver: &(dyn Fn() -> Solver + Sync),
    store: CheckStore,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(&CheckProgress),
) -> Result<(Stop, CheckStats, CheckStore), CheckError> {
    let Programs { seeds, arrivals } = programs;
    // If memory is short, paths are forgotten: that is no reason to stop.
    let limits = DriverLimits { time: settings.budget.time, spent: settings.spent, memory: None };
    let shared = Shared {
        settings,
        programs: seeds.iter().map(|_| OnceLock::new()).collect(),
        rounds: Mutex::new(Rounds::new(seeds, settings.max_distance)),
        store: Mutex::new(store),
        known: Mutex::default(),
        judged: AtomicU64::new(0),
        driver: Driver::new(limits, settings.jobs, interrupted),
        whole: AtomicBool::new(false),
        extensions: AtomicU32::new(0),
        new_solver,
    };
    shared.welcome(arrivals());
    shared.driver.drive(&shared, || {
        shared.welcome(arrivals());
        progress(&shared.progress());
    });
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
                self.programs().for_each(|(_, program)| program.dismiss_followers());
                self.put_in_order(&mut rounds);
            }
            if let Some(job) = rounds.next(current, self.driver.left()) {
                let is_again = self.program(job.target).is_followed(job.seed);
                return Some(Job { is_again, ..job });
            }
            if rounds.is_over() {
                if self.begin_whole(&mut rounds) || self.extend(&mut rounds) {
                    continue;
                }
                self.driver.end(Ok(Stop::Exhausted));
                return None;
            }
            let is_waiting = rounds.is_waiting();
            rounds = match is_waiting {
                true => self.driver.wait_uncounted(rounds),
                false => self.driver.wait(rounds),
            };
        }
    }

    fn run(&self, worker: &mut Worker, job: &mut Job) -> Result<Done, CheckError> {
        let program = self.program(job.target);
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
                match self.program(job.target).has_left(job.seed) {
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
        for (_, program) in self.programs() {
            program.access().statistics().counters.give_up(Limit::Mistake, NO_SITE);
        }
    }

    fn checkpoint(&self) {
        let (stats, lines) = (self.stats(), self.coverage());
        let mut store = lock(&self.store);
        let _ = store.note_coverage(lines.0, &lines.1).and_then(|()| store.checkpoint(&stats));
    }
}

impl Shared<'_> {
    /// A program that is ready: who has one of its seeds knows that it is.
    fn program(&self, number: usize) -> &CheckedProgram {
        self.programs[number].get().expect("only seeds of programs that are ready are given out")
    }

    /// The programs that are ready, with their numbers.
    fn programs(&self) -> impl Iterator<Item = (usize, &CheckedProgram)> {
        self.programs.iter().enumerate().filter_map(|(number, program)| Some((number, program.get()?)))
    }

    /// Programs have become ready.
    fn welcome(&self, arrivals: Vec<Arrival>) {
        for Arrival { number, target } in arrivals {
            let is_ready = target.is_some();
            if let Some(target) = target {
                let program = CheckedProgram::new(target, (self.new_solver)(), self.settings);
                program.set_effort(self.settings, self.effort());
                let _ = self.programs[number].set(program);
            }
            lock(&self.rounds).arrive(number, is_ready);
            self.driver.wake();
        }
    }

    /// A mistake of ours costs the seed that it was made with, and what was known of the paths of its program: that may be
    /// half done.
    fn give_up(&self, job: &Job, mistake: &Mistake) {
        let program = self.program(job.target);
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
        self.programs().for_each(|(_, program)| program.set_effort(self.settings, self.effort()));
        true
    }

    /// When all seeds were followed, it is known what they cover: then they can be put in order.
    fn put_in_order(&self, rounds: &mut Rounds) {
        let Some(order) = self.settings.order else { return };
        for (target, program) in self.programs() {
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
        self.keep_trouble(&mut self.program(job.target).access(), job.seed, job.distance, &error);
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
            self.programs().for_each(|(_, program)| program.dismiss_followers());
            program.forget((self.new_solver)(), self.settings, self.effort());
        }
    }
}
