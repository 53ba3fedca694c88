//! Distances from 1 on: divergence points before operations, and what lies around them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_exec::{ExecError, Runner};
use byway_explore::tree::PendingId;
use byway_report::Limit;
use byway_solve::Changes;

use super::Shared;
use super::ground::{Ground, Postponed, SeedPath};
use super::judge::{Case, Cause};
use super::rounds::{Done, Job};
use crate::approach::{Approach, Next};
use crate::asker::{Byte, PutOff};
use crate::clock::{Allowance, charge};
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
    /// The seed's share.
    share: Allowance,
}

impl Shared<'_> {
    /// Explores around the operations of a seed at one distance.
    pub(super) fn explore(&self, runner: &mut Runner, ground: &Ground, job: &Job) -> Result<Done, CheckError> {
        let begun = Instant::now();
        let explored = self.explore_with(runner, ground, job, Allowance::new(job.share));
        lock(&ground.seeds)[job.seed].spent += begun.elapsed();
        explored
    }

    fn explore_with(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        job: &Job,
        share: Allowance,
    ) -> Result<Done, CheckError> {
        let seed = self.stand_in(runner, ground, job)?;
        if self.effort() > 1 {
            self.take_up(runner, ground, job, seed)?;
        }
        let Some(path) = self.path(runner, ground, seed)? else { return Ok(Done::All) };
        let Some(last) = path.last else { return Ok(Done::All) };
        lock(&ground.seeds)[seed].cut.retain(|&(distance, ..)| distance != job.distance);
        let nodes = lock(&ground.world).nodes_up_to(last);
        let mut approach = Approach::new(job.distance, nodes, &path.positions);
        loop {
            let Some(next) = self.approach(ground, &mut approach, last.family, &share) else {
                return Ok(Done::Part);
            };
            let Next::Point(node, side) = next else { break };
            let (distance, bound) = (job.distance, job.distance * self.settings.depth_factor);
            let spot = Spot { family: last.family, node, side };
            if !lock(&ground.world).begin_region(spot, bound) {
                continue;
            }
            let point = Point { spot, bound, distance, share };
            match self.explore_region(runner, ground, &point)? {
                Around::All => {}
                Around::Part => return Ok(Done::Part),
                Around::Cut(limit) => {
                    // What was tried is in the tree: to go through it again costs nothing.
                    let mut world = lock(&ground.world);
                    world.forget_region(spot);
                    let site = world.site(spot);
                    lock(&ground.seeds)[seed].cut.push((distance, limit, site));
                }
            }
        }
        let is_put_off = ground.waits(job.seed, job.distance) || lock(&ground.world).has_unknown(last.family);
        Ok(if is_put_off { Done::PutOff } else { Done::All })
    }

    /// Asks what waits for larger limits: on the path of a seed that stands in for another, and on paths near it.
    fn take_up(&self, runner: &mut Runner, ground: &Ground, job: &Job, seed: usize) -> Result<(), CheckError> {
        if ground.is_smaller(seed) {
            self.follow_on(runner, ground, seed, job.share)?;
        }
        let of = |path: &mut Postponed| path.distance == job.distance;
        let postponed: Vec<Postponed> = lock(&ground.seeds)[seed].postponed.extract_if(.., of).collect();
        for (number, path) in postponed.iter().enumerate() {
            if self.should_stop() || ground.is_to_be_forgotten() {
                lock(&ground.seeds)[seed].postponed.extend_from_slice(&postponed[number..]);
                return Ok(());
            }
            self.ask_again(runner, ground, seed, path)?;
        }
        Ok(())
    }

    /// Runs an input again, and asks what was put off on its path.
    fn ask_again(&self, runner: &mut Runner, ground: &Ground, seed: usize, path: &Postponed) -> Result<(), CheckError> {
        let changes = lock(&ground.world).changes(path.changed.clone());
        let input = lock(&ground.world).input(seed, &changes);
        let ran = self.trace(runner, &input)?;
        charge(ran.cpu);
        lock(&ground.ledger).tally.note_run(&ran);
        let (candidates, put_off) = {
            let mut world = lock(&ground.world);
            let allowance = Allowance::new(ASKING * self.effort());
            let learned = world.learn(seed, changes, &ran, None, &|| self.should_stop());
            let is_over = || allowance.is_over() || self.should_stop();
            world.ask(&learned, 0, Some(&path.questions), &ground.ledger, (&allowance, &is_over))
        };
        drop(ran);
        self.postpone(ground, seed, path.distance, path.changed.clone(), put_off);
        self.try_candidates(runner, ground, candidates, path.distance)
    }

    /// Questions on a path near a seed wait for larger limits.
    fn postpone(&self, ground: &Ground, seed: usize, distance: u32, changed: Vec<Byte>, questions: PutOff) {
        if !questions.is_empty() {
            lock(&ground.seeds)[seed].postponed.push(Postponed { distance, changed, questions });
        }
    }

    /// The path of a seed; if it was forgotten it is run again.
    fn path(&self, runner: &mut Runner, ground: &Ground, seed: usize) -> Result<Option<SeedPath>, CheckError> {
        let (number, known) = ground.path(seed);
        if known.is_some() || lock(&ground.seeds)[seed].skipped.is_some() {
            return Ok(known);
        }
        let ran = self.trace(runner, &ground.seed(seed).input)?;
        charge(ran.cpu);
        lock(&ground.ledger).tally.note_run(&ran);
        let learned = lock(&ground.world).learn(seed, Changes::default(), &ran, None, &|| self.should_stop());
        let positions: Arc<[u32]> = learned.walk.positions.into();
        let path = SeedPath { last: learned.last, positions };
        lock(&ground.seeds)[seed].path = Some((number, path.clone()));
        Ok(Some(path))
    }

    /// The next divergence point. `None` if the time is over, or the paths are to be forgotten.
    fn approach(&self, ground: &Ground, approach: &mut Approach, family: usize, share: &Allowance) -> Option<Next> {
        let mut world = lock(&ground.world);
        loop {
            if self.is_over(ground, share) {
                return None;
            }
            world.asker().limit_query(Some(share));
            match approach.next(world.tree(family), |pending| world.is_solved(family, pending)) {
                Next::Unknown(pending) => world.solve(family, pending),
                next => return Some(next),
            };
        }
    }

    /// Whether a job is to come to an end, done or not.
    fn is_over(&self, ground: &Ground, share: &Allowance) -> bool {
        share.is_over() || self.should_stop() || ground.is_to_be_forgotten()
    }

    /// Explores what is around a divergence point.
    fn explore_region(&self, runner: &mut Runner, ground: &Ground, point: &Point) -> Result<Around, CheckError> {
        let mut region = Region::new(point.spot.node, point.spot.side, point.bound);
        let (limits, effort) = (&self.settings.limits, self.effort());
        let time = Allowance::new(limits.branch_time.saturating_mul(effort));
        let (mut runs, mut hangs) = (0, 0);
        loop {
            if self.is_over(ground, &point.share) {
                lock(&ground.world).forget_region(point.spot);
                return Ok(Around::Part);
            }
            let limit = match () {
                () if runs >= limits.branch_runs.saturating_mul(effort.into()) => Some(Limit::BranchRuns),
                () if time.is_over() => Some(Limit::BranchTime),
                () if hangs >= HANGS * effort => Some(Limit::Hangs),
                () => None,
            };
            if let Some(limit) = limit {
                // What is left may be nothing.
                return Ok(if region.next(lock(&ground.world).tree(point.spot.family)).is_some() {
                    Around::Cut(limit)
                } else {
                    Around::All
                });
            }
            match self.next_attempt(ground, &mut region, point) {
                Found::Attempt(attempt) => {
                    hangs += u32::from(self.attempt(runner, ground, point, attempt)?);
                    runs += 1;
                }
                Found::Time => continue,
                Found::Nothing => return Ok(Around::All),
            }
        }
    }

    fn next_attempt(&self, ground: &Ground, region: &mut Region, point: &Point) -> Found {
        let mut world = lock(&ground.world);
        let family = point.spot.family;
        loop {
            world.asker().limit_query(Some(&point.share));
            let Some(pending) = region.next(world.tree(family)) else { return Found::Nothing };
            if let Some((seed, changes)) = world.take(family, pending) {
                return Found::Attempt(Attempt { family, pending, seed, changes });
            }
            if self.is_over(ground, &point.share) {
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
        let input = lock(&ground.world).input(seed, &changes);
        let ran = match self.trace(runner, &input) {
            Err(ExecError::Run(error)) if error.is_of_the_run() => {
                let mut world = lock(&ground.world);
                world.give_up(family, pending);
                lock(&ground.ledger).tally.give_up(Limit::Broken, world.site_of(family, pending));
                return Ok(false);
            }
            ran => ran?,
        };
        charge(ran.cpu);
        lock(&ground.ledger).tally.note_run(&ran);
        let (last, visits, candidates) = {
            let mut world = lock(&ground.world);
            let allowance = Allowance::new(ASKING * self.effort());
            let learned = world.learn(seed, changes.clone(), &ran, Some(pending), &|| self.should_stop());
            if learned.is_elsewhere {
                lock(&ground.ledger).tally.give_up(Limit::Missed, world.site_of(family, pending));
            }
            let is_over = || allowance.is_over() || self.should_stop();
            let (candidates, put_off) =
                world.ask(&learned, learned.known, None, &ground.ledger, (&allowance, &is_over));
            self.postpone(ground, seed, point.distance, world.bytes(&changes), put_off);
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

/// How far what is around a divergence point was explored.
enum Around {
    /// As far as it goes.
    All,
    /// The seed's share is used up.
    Part,
    /// As far as a limit allows.
    Cut(Limit),
}

enum Found {
    Attempt(Attempt),
    Time,
    Nothing,
}
