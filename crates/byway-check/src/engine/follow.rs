//! Distance 0: a seed is run, its path is followed, and all its operations are asked about.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use byway_reduce::{Profile, Ruler};
use byway_report::{Ending, Finding, SeedTime};
use byway_run::Outcome;
use byway_solve::Changes;
use byway_stage::{Given, Runner, StageError};
use byway_trace::Trace;

use super::Shared;
use super::ground::{Ground, SeedPath};
use super::judge::{Case, Cause};
use super::rounds::Job;
use crate::asker::Suspect;
use crate::error::CheckError;
use crate::lock;
use crate::world::{Candidate, Spot};

/// How often the program is run without us, for its time.
const NATIVE_RUNS: u32 = 2;
/// What takes longer is not run again for its time.
const LONG: Duration = Duration::from_millis(200);
/// All questions of one seed take no longer than this, or a part of the budget if that is more.
const LEAST_TIME: Duration = Duration::from_secs(2);
const PART_OF_BUDGET: u32 = 20;

impl Shared<'_> {
    /// Follows a seed and asks about its operations.
    pub(super) fn follow(&self, runner: &mut Runner, ground: &Ground, job: &Job) -> Result<(), CheckError> {
        let begun = Instant::now();
        self.compare_with_capture(runner, ground, job.seed)?;
        let limit = self.settings.budget.time.map_or(LEAST_TIME, |time| (time / PART_OF_BUDGET).max(LEAST_TIME));
        let followed = self.follow_path(runner, ground, job.target, job.seed, limit);
        lock(&ground.seeds)[job.seed].spent += begun.elapsed();
        followed
    }

    /// Follows the path of a seed, or of a smaller one, and asks about its operations for at most `limit`.
    pub(super) fn follow_path(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        target: usize,
        seed: usize,
        limit: Duration,
    ) -> Result<(), CheckError> {
        let given = Given::of(ground.seed(seed));
        let since = Instant::now();
        let ran = runner.trace(&given).map_err(|error| CheckError::from(error).during("while it was followed"))?;
        let traced = since.elapsed();
        lock(&ground.ledger).tally.note_run(&ran);
        let mut asker = ground.asker(self.new_solver, self.settings);
        let since = Instant::now();
        let is_over = || since.elapsed() >= limit || self.should_stop();
        let suspects = asker.follow(ground.seed(seed), &ran, &ground.ledger, &is_over);
        self.note_time(ground, seed, traced, traced + since.elapsed());
        ground.give_back(asker);
        if self.settings.order.is_some() {
            lock(&ground.seeds)[seed].profile = profile(&ground.target.ruler, &ran.trace);
        }
        if ran.timed_out && !ground.is_smaller(seed) {
            // All runs near it would take as long.
            lock(&self.rounds).stay_on_path(target, seed);
        }
        let judged = self.judge(runner, &given);
        let own = judged.as_ref().map(|judged| self.findings(ground, judged)).unwrap_or_default();
        let own: Vec<String> = own.iter().map(Finding::id).collect();
        let is_sound = own.is_empty();
        lock(&ground.seeds)[seed].own = own;
        lock(&ground.world).note_followed(seed);
        let (last, visits, candidates) = match suspects.is_empty() && is_sound {
            true => (None, Vec::new(), Vec::new()),
            false => self.locate(ground, seed, &ran, suspects),
        };
        drop(ran);
        let case = Case { seed, changes: Changes::default(), distance: 0, last, visits, cause: Cause::Seed };
        // What can fail is tried, whatever becomes of the seed itself.
        let kept = judged.and_then(|judged| self.keep_findings(runner, ground, &case, &judged));
        let tried = self.try_candidates(runner, ground, candidates, 0);
        kept.map_err(|error| error.during("while it was judged"))?;
        tried
    }

    fn note_time(&self, ground: &Ground, seed: usize, traced: Duration, checked: Duration) {
        let mut seeds = lock(&ground.seeds);
        seeds[seed].time = Some(SeedTime {
            seed: ground.seed(seed).name.clone(),
            native: seeds[seed].native.as_secs_f64(),
            traced: traced.as_secs_f64(),
            checked: checked.as_secs_f64(),
        });
    }

    /// Only what was found needs its place on the path: the last branch before each, the last of all, and the visits.
    fn locate(
        &self,
        ground: &Ground,
        seed: usize,
        ran: &Outcome,
        suspects: Vec<Suspect>,
    ) -> (Option<Spot>, Vec<(u32, u32)>, Vec<Candidate>) {
        let mut world = lock(&ground.world);
        let number = ground.worlds.load(Ordering::Relaxed);
        let learned = world.learn(seed, Changes::default(), ran, None, &|| self.should_stop());
        let candidate = |Suspect { question, options }| Candidate {
            question,
            seed,
            last: world.locate(&learned, &question),
            options: options.into_iter().map(|bytes| world.changes(bytes)).collect(),
        };
        let candidates = suspects.into_iter().map(candidate).collect();
        let path = SeedPath { last: learned.last, positions: learned.walk.positions.into() };
        lock(&ground.seeds)[seed].path = Some((number, path));
        (learned.last, learned.walk.visits, candidates)
    }

    /// Whether a seed does here what it did when it was captured, and how long it takes.
    fn compare_with_capture(&self, runner: &mut Runner, ground: &Ground, seed: usize) -> Result<(), CheckError> {
        let given = &Given::of(ground.seed(seed));
        let mut shortest = Duration::MAX;
        let mut ending = Ending::Exited(0);
        for _ in 0..NATIVE_RUNS {
            let native = runner.native(given)?;
            shortest = shortest.min(native.elapsed);
            ending = native.ending;
            if shortest > LONG {
                break;
            }
        }
        if ending == Ending::TimedOut {
            let why = format!("it does not end within {:.0} s", shortest.as_secs_f64());
            return Err(StageError::Seed { seed: given.seed.name.clone(), why }.into());
        }
        let mut seeds = lock(&ground.seeds);
        seeds[seed].native = shortest;
        let captured = given.seed.ending.filter(|&captured| captured != ending);
        seeds[seed].changed = captured.map(|captured| format!("{ending} instead of {captured}"));
        Ok(())
    }
}

/// What a run covers. How often it is not known: its path is as long as its part that depends on the input.
fn profile(ruler: &Ruler, trace: &Trace) -> Profile {
    let branches = trace.executed().filter_map(|block| ruler.branch(block)).collect();
    Profile { branches, path_length: trace.events().len() as u64 }
}
