//! What a check came to, in numbers.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use byway_report::{CheckStats, CheckStore, Checks, JunitCase, Limit, ProgramStats, Remainder, SeedStats, Skipped};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ground::{Ground, SeedState};
use super::{Progress, Shared, Stop};
use crate::error::CheckError;
use crate::lock;
use crate::tally::Tally;
use crate::world::World;

/// Why a seed was not checked, if somebody wanted it all to end.
pub const INTERRUPTED: &str = "interrupted before it";

impl Shared<'_> {
    /// The numbers of this moment, for people who wait.
    pub(super) fn progress(&self) -> Progress {
        let (distance, done, total) = lock(&self.rounds).progress();
        let (mut checks, mut runs) = (0, self.judged.load(Ordering::Relaxed));
        for ground in &self.grounds {
            let tally = &lock(&ground.ledger).tally;
            checks += tally.checks.asked;
            runs += tally.runs;
        }
        Progress {
            distance,
            seeds: (done, total),
            checks,
            runs,
            findings: self.counts(),
            elapsed: self.begun.elapsed(),
            left: self.left(),
        }
    }

    /// How many findings are confirmed, and how many are not.
    fn counts(&self) -> (usize, usize) {
        let store = lock(&self.store);
        let confirmed = store.findings().iter().filter(|entry| entry.confirmed).count();
        (confirmed, store.findings().len() - confirmed)
    }

    /// All numbers.
    pub(super) fn stats(&self) -> CheckStats {
        let (findings, unconfirmed) = self.counts();
        let judged = self.judged.load(Ordering::Relaxed);
        let mut stats = CheckStats {
            elapsed: self.elapsed().as_secs_f64(),
            judged,
            findings: findings as u64,
            unconfirmed: unconfirmed as u64,
            ..CheckStats::default()
        };
        for (number, ground) in self.grounds.iter().enumerate() {
            let program = self.program(number, ground, &mut stats);
            add_checks(&mut stats.checks, &program.checks);
            stats.paths += program.paths;
            stats.runs += program.runs;
            program.lost.iter().for_each(|(cause, count)| *stats.lost.entry(cause.clone()).or_default() += count);
            stats.remaining.extend(&program.remaining);
            stats.programs.insert(ground.target.program.display().to_string(), program);
        }
        stats.runs += judged;
        let reached = stats.programs.values().filter(|program| program.seeds > 0).map(|program| program.distance);
        stats.distance = reached.min().flatten();
        stats
    }

    fn program(&self, number: usize, ground: &Ground, stats: &mut CheckStats) -> ProgramStats {
        // Who has the rounds may take a world, not the other way round.
        let unfinished: Vec<(u32, u64)> = lock(&self.rounds).unfinished(number).collect();
        let mut program = {
            let world = lock(&ground.world);
            let tally = &lock(&ground.ledger).tally;
            for (name, layer) in tally.layers(world.solver().stats()) {
                stats.layers.entry(name).or_default().add(&layer);
            }
            let map = &ground.target.map.map;
            let lines: FxHashSet<_> =
                tally.sites().filter_map(|site| map.site(site)?.position.map(|(file, line, _)| (file, line))).collect();
            ProgramStats {
                checks: Checks { unique: lines.len() as u64, ..tally.checks.clone() },
                paths: tally.paths(world.paths()),
                runs: tally.runs,
                lost: tally.lost.clone(),
                remaining: self.remaining(&unfinished, ground, &world, tally),
                depends_on_input: tally.depends_on_input,
                sees_input: tally.sight.sees(),
                forgotten: ground.worlds.load(Ordering::Relaxed),
                ..ProgramStats::default()
            }
        };
        program.distance = lock(&self.rounds).reached(number);
        let why = self.why_unfinished();
        let seeds = lock(&ground.seeds);
        for (state, seed) in seeds.iter().zip(&ground.target.seeds) {
            program.times.extend(state.time.clone());
            note_seed(&mut stats.seeds, &seed.name, state, why);
        }
        stats.seeds.smaller += ground.with_smaller().count() as u64;
        program.seeds = program.times.len() as u64;
        program.sum_up();
        program
    }

    /// What was left undone with a program.
    fn remaining(&self, unfinished: &[(u32, u64)], ground: &Ground, world: &World, tally: &Tally) -> Remainder {
        let map = &ground.target.map;
        let place = |site| map.position(site).unwrap_or_default();
        let mut remaining = tally.remaining(map);
        // Places are many times fewer than what waits at them.
        let mut waiting: FxHashMap<(Limit, u32), u64> = FxHashMap::default();
        world.unknown_sites().for_each(|site| *waiting.entry((Limit::Unknown, site)).or_default() += 1);
        lock(&ground.seeds).iter().flat_map(SeedState::waiting).for_each(|at| *waiting.entry(at).or_default() += 1);
        let is_interrupted = matches!(*lock(&self.stop), Some(Ok(Stop::Interrupted)));
        let (time, seed_time) = match is_interrupted {
            true => (Limit::Interrupted, Limit::SeedInterrupted),
            false => (Limit::Time, Limit::SeedTime),
        };
        for ((limit, site), count) in waiting {
            remaining.add(if limit == Limit::Time { time } else { limit }, "", &place(site), count);
        }
        for &(distance, count) in unfinished {
            remaining.add(seed_time, &format!("distance {distance}"), "", count);
        }
        remaining
    }

    /// Why there are seeds that nobody has looked at.
    fn why_unfinished(&self) -> &'static str {
        match *lock(&self.stop) {
            Some(Ok(Stop::Time)) => "there was no time left for it",
            Some(Ok(Stop::Interrupted)) => INTERRUPTED,
            _ => "it had not begun",
        }
    }

    /// The end.
    pub(super) fn finish(self) -> Result<(Stop, CheckStats, CheckStore), CheckError> {
        let mut stats = self.stats();
        let why = self.why_unfinished();
        let cases: Vec<JunitCase> = self.grounds.iter().flat_map(|ground| cases(ground, why)).collect();
        let mut store = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stop = self.stop.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(Ok(Stop::Done));
        if let Ok(stop) = &stop {
            stats.ended = match stop {
                Stop::Done if stats.seeds.checked == 0 => "there was nothing to check".to_owned(),
                Stop::Done if stats.remaining.is_empty() => {
                    "everything up to the greatest distance was explored".to_owned()
                }
                Stop::Done => "nothing is left to try up to the greatest distance but what is listed below".to_owned(),
                Stop::Time => "the time is over".to_owned(),
                Stop::Interrupted => "interrupted".to_owned(),
            };
        }
        store.finish(&stats, &cases)?;
        Ok((stop?, stats, store))
    }
}

fn note_seed(seeds: &mut SeedStats, name: &str, state: &super::ground::SeedState, unfinished: &str) {
    seeds.different += 1;
    seeds.checked += u64::from(state.time.is_some());
    let entry = |why: &str| Skipped { seed: name.to_owned(), why: why.to_owned() };
    seeds.changed.extend(state.changed.as_deref().map(entry));
    seeds.troubles.extend(state.troubles.iter().map(|why| entry(why)));
    if state.time.is_none() {
        seeds.skipped.push(entry(state.skipped.as_deref().unwrap_or(unfinished)));
    }
}

fn cases(ground: &Ground, unfinished: &str) -> Vec<JunitCase> {
    let seeds = lock(&ground.seeds);
    let case = |(state, seed): (&super::ground::SeedState, &std::sync::Arc<byway_suite::Seed>)| JunitCase {
        program: ground.target.program.clone(),
        seed: seed.name.clone(),
        seconds: state.spent.as_secs_f64(),
        skipped: match state.time {
            Some(_) => state.troubles.first().cloned(),
            None => Some(state.skipped.clone().unwrap_or_else(|| unfinished.to_owned())),
        },
    };
    seeds.iter().zip(&ground.target.seeds).map(case).collect()
}

fn add_checks(sum: &mut Checks, more: &Checks) {
    sum.asked += more.asked;
    sum.unique += more.unique;
    sum.sat += more.sat;
    sum.unsat += more.unsat;
    sum.unknown += more.unknown;
    sum.repeated += more.repeated;
    sum.found += more.found;
    let add = |sum: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>| {
        more.iter().for_each(|(name, count)| *sum.entry(name.clone()).or_default() += count);
    };
    add(&mut sum.kinds, &more.kinds);
}
