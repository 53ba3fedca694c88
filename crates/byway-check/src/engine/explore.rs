//! Distances from 1 on: divergence points before operations, and what lies around them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_engine::tree::PendingId;
use byway_engine::{FlipOutcome, ShardId, TreeEdge};
use byway_exec::{ExecError, Runner};
use byway_report::Limit;
use byway_solve::Changes;

use super::Shared;
use super::judge::{Case, InputCause};
use super::program::{CheckedProgram, Postponed, ProgramAccess, SeedPath};
use super::rounds::{Done, Job};
use crate::approach::{Approach, Next};
use crate::checker::PutOff;
use crate::clock::{Allowance, charge};
use crate::error::CheckError;
use crate::follower::Byte;
use crate::region::Region;
use crate::seed::SeedRef;

/// How long the operations on a new path may be asked about.
const ASKING: Duration = Duration::from_secs(1);
/// How many runs around one divergence point may have no end.
const HANGS: u32 = 3;

/// An input for a side that no run has taken.
struct Attempt {
    shard: ShardId,
    pending: PendingId,
    seed: SeedRef,
    changes: Changes,
}

/// A divergence point that is explored.
struct Point {
    edge: TreeEdge,
    bound: u32,
    distance: u32,
    /// The seed's share.
    share: Allowance,
}

impl Shared<'_> {
    /// Explores around the operations of a seed at one distance.
    pub(super) fn explore(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        job: &Job,
    ) -> Result<Done, CheckError> {
        let begun = Instant::now();
        let explored = self.explore_with(runner, program, job, Allowance::new(job.share));
        program.seeds()[SeedRef::original(job.seed)].spent += begun.elapsed();
        explored
    }

    fn explore_with(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        job: &Job,
        share: Allowance,
    ) -> Result<Done, CheckError> {
        let seed = self.stand_in(runner, program, job)?;
        if self.effort() > 1 {
            self.take_up(runner, program, job, seed)?;
        }
        let Some(path) = self.path(runner, program, seed)? else { return Ok(Done::All) };
        let Some(last) = path.last else { return Ok(Done::All) };
        program.seeds()[seed].cut.retain(|&(distance, ..)| distance != job.distance);
        let nodes = program.space().nodes_up_to(last);
        let mut approach = Approach::new(job.distance, nodes, &path.positions);
        loop {
            let Some(next) = self.approach(program, &mut approach, last.shard, &share) else {
                return Ok(Done::Part);
            };
            let Next::Point(node, side) = next else { break };
            let (distance, bound) = (job.distance, job.distance * self.settings.depth_factor);
            let edge = TreeEdge { shard: last.shard, node, side };
            if !program.space().begin_region(edge, bound) {
                continue;
            }
            let point = Point { edge, bound, distance, share };
            match self.explore_region(runner, program, &point)? {
                Around::All => {}
                Around::Part => return Ok(Done::Part),
                Around::Cut(limit) => {
                    // What was tried is in the tree: to go through it again costs nothing.
                    let mut space = program.space();
                    space.forget_region(edge);
                    let site = space.site(edge);
                    space.seeds()[seed].cut.push((distance, limit, site));
                }
            }
        }
        let is_put_off = program.waits(job.seed, job.distance) || program.space().has_unknown(last.shard);
        Ok(if is_put_off { Done::PutOff } else { Done::All })
    }

    /// Asks what waits for larger limits: on the path of a seed that stands in for another, and on paths near it.
    fn take_up(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        job: &Job,
        seed: SeedRef,
    ) -> Result<(), CheckError> {
        if seed.is_reduced() {
            self.follow_on(runner, program, seed, job.share)?;
        }
        let of = |path: &mut Postponed| path.distance == job.distance;
        let postponed: Vec<Postponed> = program.seeds()[seed].postponed.extract_if(.., of).collect();
        for (number, path) in postponed.iter().enumerate() {
            if self.should_stop() || program.is_to_be_forgotten() {
                program.seeds()[seed].postponed.extend_from_slice(&postponed[number..]);
                return Ok(());
            }
            self.ask_again(runner, program, seed, path)?;
        }
        Ok(())
    }

    /// Runs an input again, and asks what was put off on its path.
    fn ask_again(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
        path: &Postponed,
    ) -> Result<(), CheckError> {
        let changes = program.space().changes(path.changed.clone());
        let input = program.space().input(seed, &changes);
        let ran = self.trace(runner, &input)?;
        charge(ran.cpu);
        program.statistics().counters.note_run(&ran, false);
        let (candidates, put_off) = {
            let mut space = program.space();
            let allowance = Allowance::new(ASKING * self.effort());
            let learned = space.learn(seed, changes, &ran, None, &|| self.should_stop());
            let is_over = || allowance.is_over() || self.should_stop();
            let (space, statistics) = space.with_statistics();
            space.check(&learned, 0, Some(&path.queries), statistics, (&allowance, &is_over))
        };
        drop(ran);
        self.postpone(program, seed, path.distance, (path.changed.clone(), put_off));
        self.try_candidates(runner, program, candidates, path.distance)
    }

    /// Queries on a path near a seed wait for larger limits.
    fn postpone(
        &self,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
        distance: u32,
        (changed, queries): (Vec<Byte>, PutOff),
    ) {
        if !queries.is_empty() {
            program.seeds()[seed].postponed.push(Postponed { distance, changed, queries });
        }
    }

    /// The path of a seed; if it was forgotten it is run again.
    fn path(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
    ) -> Result<Option<SeedPath>, CheckError> {
        let (number, known) = program.path(seed);
        if known.is_some() || program.seeds()[seed].skipped.is_some() {
            return Ok(known);
        }
        let ran = self.trace(runner, &program.seed(seed).input)?;
        charge(ran.cpu);
        program.statistics().counters.note_run(&ran, !seed.is_reduced());
        let learned = program.space().learn_path(seed, &ran, &|| self.should_stop());
        let positions: Arc<[u32]> = learned.path.positions.into();
        let path = SeedPath { last: learned.last, positions };
        program.seeds()[seed].path = Some((number, path.clone()));
        Ok(Some(path))
    }

    /// The next divergence point. `None` if the time is over, or the paths are to be forgotten.
    fn approach(
        &self,
        program: &mut ProgramAccess<'_>,
        approach: &mut Approach,
        shard: ShardId,
        share: &Allowance,
    ) -> Option<Next> {
        let checked = program.program();
        let mut space = program.space();
        loop {
            if self.is_over(checked, share) {
                return None;
            }
            space.limit_query(Some(share));
            match approach.next(space.tree(shard), |pending| space.is_solved(shard, pending)) {
                Next::Unknown(pending) => space.solve(shard, pending),
                next => return Some(next),
            };
        }
    }

    /// Whether a job is to come to an end, done or not.
    fn is_over(&self, program: &CheckedProgram, share: &Allowance) -> bool {
        share.is_over() || self.should_stop() || program.is_to_be_forgotten()
    }

    /// Explores what is around a divergence point.
    fn explore_region(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        point: &Point,
    ) -> Result<Around, CheckError> {
        let mut region = Region::new(point.edge.node, point.edge.side, point.bound);
        let (limits, effort) = (&self.settings.limits, self.effort());
        let time = Allowance::new(limits.branch_time.saturating_mul(effort));
        let (mut runs, mut hangs) = (0, 0);
        loop {
            if self.is_over(program.program(), &point.share) {
                program.space().forget_region(point.edge);
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
                return Ok(if region.next(program.space().tree(point.edge.shard)).is_some() {
                    Around::Cut(limit)
                } else {
                    Around::All
                });
            }
            match self.next_attempt(program, &mut region, point) {
                Found::Attempt(attempt) => {
                    hangs += u32::from(self.attempt(runner, program, point, attempt)?);
                    runs += 1;
                }
                Found::Time => continue,
                Found::Nothing => return Ok(Around::All),
            }
        }
    }

    fn next_attempt(&self, program: &mut ProgramAccess<'_>, region: &mut Region, point: &Point) -> Found {
        let checked = program.program();
        let mut space = program.space();
        let shard = point.edge.shard;
        loop {
            space.limit_query(Some(&point.share));
            let Some(pending) = region.next(space.tree(shard)) else { return Found::Nothing };
            if let Some((seed, changes)) = space.take(shard, pending) {
                return Found::Attempt(Attempt { shard, pending, seed, changes });
            }
            if self.is_over(checked, &point.share) {
                return Found::Time;
            }
        }
    }

    /// Runs an input, asks about the operations on the new part of its path, and judges it. Whether it had no end.
    fn attempt(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        point: &Point,
        attempt: Attempt,
    ) -> Result<bool, CheckError> {
        let Attempt { shard, pending, seed, changes } = attempt;
        let input = program.space().input(seed, &changes);
        let ran = match self.trace(runner, &input) {
            Err(ExecError::Run(error)) if error.is_of_the_run() => {
                let mut space = program.space();
                space.give_up(shard, pending);
                let site = space.site_of(shard, pending);
                space.statistics().counters.give_up(Limit::Broken, site);
                return Ok(false);
            }
            ran => ran?,
        };
        charge(ran.cpu);
        program.statistics().counters.note_run(&ran, false);
        let (last, visits, candidates, put_off) = {
            let mut space = program.space();
            let allowance = Allowance::new(ASKING * self.effort());
            let learned = space.learn(seed, changes.clone(), &ran, Some(pending), &|| self.should_stop());
            if learned.flip != Some(FlipOutcome::Taken) {
                let site = space.site_of(shard, pending);
                space.statistics().counters.give_up(Limit::Missed, site);
            }
            let is_over = || allowance.is_over() || self.should_stop();
            let (space, statistics) = space.with_statistics();
            let (candidates, put_off) = space.check(&learned, learned.known, None, statistics, (&allowance, &is_over));
            // What fails does so on the new part of the path: the old one was judged before.
            let visits = learned.path.visits.iter().copied().filter(|&(steps, _)| steps as usize > learned.known);
            (learned.last, visits.collect(), candidates, (space.bytes(&changes), put_off))
        };
        self.postpone(program, seed, point.distance, put_off);
        let timed_out = ran.timed_out;
        drop(ran);
        let case = Case { seed, changes, distance: point.distance, last, visits, cause: InputCause::Path };
        // What takes too long takes five times as long to be judged.
        let examined = match timed_out && !self.wants_hangs() {
            true => Ok(()),
            false => self.examine(runner, program, &case).map(drop),
        };
        let tried = self.try_candidates(runner, program, candidates, point.distance);
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
