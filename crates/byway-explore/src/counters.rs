//! What an exploration counts.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_engine::{Program, Sight, limit_of};
use byway_exec::TracedRun;
use byway_report::{CoveragePoint, Flips, Limit, Remainder};

/// Counts of an exploration that no other part keeps.
#[derive(Debug, Default)]
pub struct ExploreCounters {
    /// How many runs there were.
    pub runs: u64,
    /// The time that they took.
    pub running: Duration,
    /// What became of inputs that were solved for a branch.
    pub flips: Flips,
    /// How many bytes were changed for them.
    pub changed_bytes: u64,
    /// How often precision was lost, by cause.
    pub lost: BTreeMap<String, u64>,
    /// How coverage grew.
    pub coverage: Vec<CoveragePoint>,
    /// What was left undone.
    pub remaining: Remainder,
    /// Whether byway can follow the input.
    pub sight: Sight,
}

impl ExploreCounters {
    /// Counts a run of a program. What it lost leaves nothing undone if its path ends at an operation that was to fail.
    pub fn note_run(&mut self, program: &Program, outcome: &TracedRun, is_to_fail: bool) {
        self.runs += 1;
        self.running += outcome.elapsed;
        self.sight.note(&outcome.trace);
        self.remaining.add(Limit::RunTime, "", "", outcome.timed_out.into());
        self.remaining.add(Limit::RunMemory, "", "", outcome.out_of_memory.into());
        for lost in outcome.trace.losses() {
            let function = lost.function.map(|name| format!(" {name}")).unwrap_or_default();
            let cause = format!("{}{function}", lost.cause.name());
            if let Some(limit) = limit_of(lost.cause).filter(|_| !is_to_fail) {
                let place = program.position(lost.site).unwrap_or_default();
                self.remaining.add(limit, &cause, &place, lost.count);
            }
            *self.lost.entry(cause).or_default() += lost.count;
        }
    }

    /// Notes coverage, if it grew.
    pub fn note_coverage(&mut self, point: CoveragePoint) {
        let same = self.coverage.last().is_some_and(|last| last.blocks == point.blocks);
        if !same {
            self.coverage.push(point);
        }
    }
}
