//! Distances from 1 on: divergence points before operations, and what lies around them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_explore::tree::PendingId;
use byway_solve::Changes;
use byway_stage::{Given, Runner, StageError};

use super::Shared;
use super::ground::{Ground, SeedPath};
use super::judge::{Case, Cause};
use super::rounds::Job;
use crate::approach::{Approach, Next};
use crate::error::CheckError;
use crate::lock;
use crate::region::Region;
use crate::world::Spot;

/// How long the operations on a new path may be asked about.
const ASKING: Duration = Duration::from_secs(1);
/// How many runs around one divergence point may have no end.
const HANGS: u32 = 3;

/// An input for a side that no run has taken.
struct Attempt {
    family: usize,
    pending: PendingId,
    seed: usize,
    changes: Changes,
}

/// A divergence point that is explored.
struct Point {
    spot: Spot,
    bound: u32,
    distance: u32,
    /// When the seed's share is used up.
    deadline: Instant,
}

impl Shared<'_> {
    /// Explores around the operations of a seed at one distance. False if there was not time enough.
    pub(super) fn explore(&self, runner: &mut Runner, ground: &Ground, job: &Job) -> Result<bool, CheckError> {
        let begun = Instant::now();
        let is_finished = self.explore_until(runner, ground, job, begun + job.share);
        lock(&ground.seeds)[job.seed].spent += begun.elapsed();
        is_finished
    }

    fn explore_until(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        job: &Job,
        deadline: Instant,
    ) -> Result<bool, CheckError> {
        let seed = self.stand_in(runner, ground, job)?;
        let Some(path) = self.path(runner, ground, seed)? else { return Ok(true) };
        let Some(last) = path.last else { return Ok(true) };
        let nodes = lock(&ground.world).nodes_up_to(last);
        let mut approach = Approach::new(job.distance, nodes, &path.positions);
        loop {
            let Some(next) = self.approach(ground, &mut approach, last.family, deadline) else {
                return Ok(false);
            };
            let Next::Point(node, side) = next else { return Ok(true) };
            let (distance, bound) = (job.distance, job.distance * self.settings.depth_factor);
            let spot = Spot { family: last.family, node, side };
            if !lock(&ground.world).begin_region(spot, bound) {
                continue;
            }
            let point = Point { spot, bound, distance, deadline };
            if !self.explore_region(runner, ground, &point)? {
                return Ok(false);
            }
        }
    }

    /// The path of a seed; if it was forgotten it is run again.
    fn path(&self, runner: &mut Runner, ground: &Ground, seed: usize) -> Result<Option<SeedPath>, CheckError> {
        let (number, known) = ground.path(seed);
        if known.is_some() || lock(&ground.seeds)[seed].skipped.is_some() {
            return Ok(known);
        }
        let ran = runner.trace(&Given::of(ground.seed(seed)))?;
        lock(&ground.ledger).tally.note_run(&ran);
        let learned = lock(&ground.world).learn(seed, Changes::default(), &ran, None, &|| self.should_stop());
        let positions: Arc<[u32]> = learned.walk.positions.into();
        let path = SeedPath { last: learned.last, positions };
        lock(&ground.seeds)[seed].path = Some((number, path.clone()));
        Ok(Some(path))
    }

    /// The next divergence point. `None` if the time is over, or the paths are to be forgotten.
    fn approach(&self, ground: &Ground, approach: &mut Approach, family: usize, deadline: Instant) -> Option<Next> {
        let mut world = lock(&ground.world);
        loop {
            if self.is_over(ground, deadline) {
                return None;
            }
            match approach.next(world.tree(family), |pending| world.is_solved(family, pending)) {
                Next::Unknown(pending) => world.solve(family, pending),
                next => return Some(next),
            };
        }
    }

    /// Whether a job is to come to an end, done or not.
    fn is_over(&self, ground: &Ground, deadline: Instant) -> bool {
        Instant::now() >= deadline || self.should_stop() || ground.is_to_be_forgotten()
    }

    /// Explores what is around a divergence point. False if the seed's share is used up.
    fn explore_region(&self, runner: &mut Runner, ground: &Ground, point: &Point) -> Result<bool, CheckError> {
        let mut region = Region::new(point.spot.node, point.spot.side, point.bound);
        let limits = &self.settings.limits;
        let begun = Instant::now();
        let (mut runs, mut hangs) = (0, 0);
        loop {
            if self.is_over(ground, point.deadline) {
                lock(&ground.world).forget_region(point.spot);
                return Ok(false);
            }
            if runs >= limits.branch_runs || begun.elapsed() >= limits.branch_time || hangs >= HANGS {
                lock(&ground.ledger).tally.note_cut_region();
                return Ok(true);
            }
            match self.next_attempt(ground, &mut region, point) {
                Found::Attempt(attempt) => {
                    hangs += u32::from(self.attempt(runner, ground, point, attempt)?);
                    runs += 1;
                }
                Found::Time => continue,
                Found::Nothing => return Ok(true),
            }
        }
    }

    fn next_attempt(&self, ground: &Ground, region: &mut Region, point: &Point) -> Found {
        let mut world = lock(&ground.world);
        let family = point.spot.family;
        loop {
            let Some(pending) = region.next(world.tree(family)) else { return Found::Nothing };
            if let Some((seed, changes)) = world.take(family, pending) {
                return Found::Attempt(Attempt { family, pending, seed, changes });
            }
            if self.is_over(ground, point.deadline) {
                return Found::Time;
            }
        }
    }

    /// Runs an input, asks about the operations on the new part of its path, and judges it. Whether it had no end.
    fn attempt(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        point: &Point,
        attempt: Attempt,
    ) -> Result<bool, CheckError> {
        let Attempt { family, pending, seed, changes } = attempt;
        let given = lock(&ground.world).given(seed, &changes);
        let ran = match runner.trace(&given) {
            Err(StageError::Run(error)) if error.is_of_the_run() => {
                lock(&ground.world).give_up(family, pending);
                return Ok(false);
            }
            ran => ran?,
        };
        lock(&ground.ledger).tally.note_run(&ran);
        let (last, visits, candidates) = {
            let mut world = lock(&ground.world);
            let deadline = Instant::now() + ASKING;
            let learned = world.learn(seed, changes.clone(), &ran, Some(pending), &|| self.should_stop());
            let is_over = || Instant::now() >= deadline || self.should_stop();
            let candidates = world.ask(&learned, learned.known, &ground.ledger, &is_over);
            // What fails does so on the new part of the path: the old one was judged before.
            let visits = learned.walk.visits.iter().copied().filter(|&(steps, _)| steps as usize > learned.known);
            (learned.last, visits.collect(), candidates)
        };
        let timed_out = ran.timed_out;
        drop(ran);
        let case = Case { seed, changes, distance: point.distance, last, visits, cause: Cause::Path };
        // What takes too long takes five times as long to be judged.
        let examined = match timed_out && !self.wants_hangs() {
            true => Ok(()),
            false => self.examine(runner, ground, &case).map(drop),
        };
        let tried = self.try_candidates(runner, ground, candidates, point.distance);
        examined.map_err(|error| error.during("while a path near it was judged"))?;
        tried?;
        Ok(timed_out)
    }
}

enum Found {
    Attempt(Attempt),
    Time,
    Nothing,
}
