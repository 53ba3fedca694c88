//! What a check came to, in numbers.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use byway_engine::Stop;
use byway_report::{
    CheckStats, CheckStore, Checks, JunitCase, Limit, LineCoverage, ProgramStats, Remainder, SeedStats, Skipped,
    SourceTexts,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::{CheckedProgram, ProgramAccess, SeedState};
use super::{CheckProgress, Shared};
use crate::counters::CheckCounters;
use crate::error::CheckError;
use crate::lock;

/// Why a seed was not checked, if somebody wanted it all to end.
pub const INTERRUPTED: &str = "interrupted before it";

impl Shared<'_> {
    /// The numbers of this moment, for people who wait.
    pub(super) fn progress(&self) -> CheckProgress {
        let (distance, done, total) = lock(&self.rounds).progress();
        let (mut checks, mut runs) = (0, self.judged.load(Ordering::Relaxed));
        for (_, program) in self.programs() {
            let mut access = program.access();
            let counters = &access.statistics().counters;
            checks += counters.checks.asked;
            runs += counters.runs;
        }
        CheckProgress {
            distance,
            seeds: (done, total),
            checks,
            runs,
            findings: self.counts(),
            elapsed: self.driver.working(),
            left: self.driver.left(),
            awaited: (lock(&self.rounds).awaited(), self.programs.len()),
            found: lock(&self.store).take_fresh(),
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
            elapsed: self.driver.elapsed().as_secs_f64(),
            judged,
            findings: findings as u64,
            unconfirmed: unconfirmed as u64,
            ..CheckStats::default()
        };
        for (number, program) in self.programs() {
            let numbers = self.numbers(number, program, &mut stats);
            add_checks(&mut stats.checks, &numbers.checks);
            stats.paths += numbers.paths;
            stats.runs += numbers.runs;
            numbers.lost.iter().for_each(|(cause, count)| *stats.lost.entry(cause.clone()).or_default() += count);
            stats.remaining.extend(&numbers.remaining);
            stats.programs.insert(program.target.program.display().to_string(), numbers);
        }
        stats.runs += judged;
        let reached = stats.programs.values().filter(|program| program.seeds > 0).map(|program| program.distance);
        stats.distance = reached.min().flatten();
        stats
    }

    fn numbers(&self, number: usize, program: &CheckedProgram, stats: &mut CheckStats) -> ProgramStats {
        // Who has the rounds may take the path space of a program, not the other way round.
        let unfinished: Vec<(u32, u64)> = lock(&self.rounds).unfinished(number).collect();
        let mut access = program.access();
        let waiting = waiting(&mut access);
        let mut numbers = {
            let mut space = access.space();
            let (space, statistics) = space.with_statistics();
            let counters = &lock(statistics).counters;
            for (name, layer) in counters.layers(space.solver().stats()) {
                stats.layers.entry(name).or_default().add(&layer);
            }
            let map = &program.target.map.map;
            let lines: FxHashSet<_> = counters
                .sites()
                .filter_map(|site| map.site(site)?.position.map(|(file, line, _)| (file, line)))
                .collect();
            ProgramStats {
                checks: Checks { unique: lines.len() as u64, ..counters.checks.clone() },
                paths: counters.paths(space.paths()),
                runs: counters.runs,
                lost: counters.lost.clone(),
                remaining: self.remaining(&unfinished, program, waiting, counters),
                depends_on_input: counters.depends_on_input,
                sees_input: counters.sight.sees(),
                forgotten: program.forgotten.load(Ordering::Relaxed),
                ..ProgramStats::default()
            }
        };
        numbers.distance = lock(&self.rounds).reached(number);
        let why = self.why_unfinished();
        let seeds = access.seeds();
        for (state, seed) in seeds.originals().iter().zip(&program.target.seeds) {
            numbers.times.extend(state.time.clone());
            note_seed(&mut stats.seeds, &seed.name, state, why);
        }
        stats.seeds.smaller += program.with_smaller().count() as u64;
        numbers.seeds = numbers.times.len() as u64;
        numbers.sum_up();
        numbers
    }

    /// What was left undone with a program.
    fn remaining(
        &self,
        unfinished: &[(u32, u64)],
        program: &CheckedProgram,
        waiting: FxHashMap<(Limit, u32), u64>,
        counters: &CheckCounters,
    ) -> Remainder {
        let map = &program.target.map;
        let place = |site| map.position(site).unwrap_or_default();
        let mut remaining = counters.remaining(map);
        let is_interrupted = self.driver.stop() == Some(Stop::Interrupted);
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

    /// Which lines of which sources were executed.
    pub(super) fn coverage(&self) -> (LineCoverage, Vec<SourceTexts>) {
        let (mut coverage, mut sources) = (LineCoverage::new(), Vec::new());
        for (_, program) in self.programs() {
            let mut access = program.access();
            access.statistics().counters.add_lines(program.target.measure.model(), &mut coverage);
            sources.push(program.target.sources.clone());
        }
        (coverage, sources)
    }

    /// Why there are seeds that nobody has looked at.
    fn why_unfinished(&self) -> &'static str {
        match self.driver.stop() {
            Some(Stop::Time) => "there was no time left for it",
            Some(Stop::Interrupted) => INTERRUPTED,
            _ => "it had not begun",
        }
    }

    /// The end.
    pub(super) fn conclude(self) -> Result<(Stop, CheckStats, CheckStore), CheckError> {
        let (mut stats, (lines, sources)) = (self.stats(), self.coverage());
        let why = self.why_unfinished();
        let cases: Vec<JunitCase> = self.programs().flat_map(|(_, program)| cases(program, why)).collect();
        let mut store = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stop = self.driver.into_stop();
        if let Ok(stop) = &stop {
            stats.ended = match stop {
                Stop::Exhausted if stats.seeds.checked == 0 => "there was nothing to check".to_owned(),
                Stop::Exhausted if stats.remaining.is_empty() => {
                    "everything up to the greatest distance was explored, for inputs as long as those of the tests"
                        .to_owned()
                }
                Stop::Exhausted => {
                    "nothing is left to try up to the greatest distance but what is listed below".to_owned()
                }
                Stop::Time => "the time is over".to_owned(),
                Stop::Interrupted => "interrupted".to_owned(),
                Stop::Mistake => "a mistake in byway".to_owned(),
                Stop::Runs | Stop::Memory => "a budget is used up".to_owned(),
            };
        }
        store.note_coverage(lines, &sources)?;
        store.finish(&stats, &cases)?;
        Ok((stop?, stats, store))
    }
}

/// What waits for larger limits, by reason and site: places are many times fewer than what waits at them.
fn waiting(program: &mut ProgramAccess<'_>) -> FxHashMap<(Limit, u32), u64> {
    let mut waiting: FxHashMap<(Limit, u32), u64> = FxHashMap::default();
    program.space().unknown_sites().for_each(|site| *waiting.entry((Limit::Unknown, site)).or_default() += 1);
    program.seeds().iter().flat_map(SeedState::waiting).for_each(|at| *waiting.entry(at).or_default() += 1);
    waiting
}

fn note_seed(seeds: &mut SeedStats, name: &str, state: &super::program::SeedState, unfinished: &str) {
    seeds.different += 1;
    seeds.checked += u64::from(state.time.is_some());
    let entry = |why: &str| Skipped { seed: name.to_owned(), why: why.to_owned() };
    seeds.changed.extend(state.changed.as_deref().map(entry));
    seeds.troubles.extend(state.troubles.iter().map(|why| entry(why)));
    if state.time.is_none() {
        seeds.skipped.push(entry(state.skipped.as_deref().unwrap_or(unfinished)));
    }
}

fn cases(program: &CheckedProgram, unfinished: &str) -> Vec<JunitCase> {
    let mut access = program.access();
    let seeds = access.seeds();
    let case = |(state, seed): (&super::program::SeedState, &std::sync::Arc<byway_suite::Seed>)| JunitCase {
        program: program.target.program.clone(),
        seed: seed.name.clone(),
        seconds: state.spent.as_secs_f64(),
        skipped: match state.time {
            Some(_) => state.troubles.first().cloned(),
            None => Some(state.skipped.clone().unwrap_or_else(|| unfinished.to_owned())),
        },
    };
    seeds.originals().iter().zip(&program.target.seeds).map(case).collect()
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
