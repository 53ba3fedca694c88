//! What an exploration counts.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_report::{Answers, CoveragePoint, Flips, Layer as LayerEntry, Limit, Remainder};
use byway_run::Outcome;
use byway_solve::{Layer, SolverStats};
use byway_trace::Cause;

use crate::program::Program;

/// Counts of an exploration that no other part keeps.
#[derive(Debug, Default)]
pub struct Tally {
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
}

impl Tally {
    /// Counts a run of a program.
    pub fn note_run(&mut self, program: &Program, outcome: &Outcome) {
        self.runs += 1;
        self.running += outcome.elapsed;
        self.remaining.add(Limit::RunTime, "", "", outcome.timed_out.into());
        self.remaining.add(Limit::RunMemory, "", "", outcome.out_of_memory.into());
        for lost in outcome.trace.losses() {
            let function = lost.function.map(|name| format!(" {name}")).unwrap_or_default();
            let cause = format!("{}{function}", lost.cause.name());
            if lost.cause != Cause::Assumption {
                let place = program.position(lost.site).unwrap_or_default();
                let limit = if lost.cause.is_limit() { Limit::Full } else { Limit::Lost };
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

/// What the layers of the solver did, for `stats.json`.
pub fn layers(stats: &SolverStats) -> BTreeMap<String, LayerEntry> {
    let entry = |(layer, stats): (Layer, &byway_solve::LayerStats)| {
        let answers = Answers { sat: stats.sat, unsat: stats.unsat, unknown: stats.unknown };
        (layer.name().to_owned(), LayerEntry { answers, seconds: stats.seconds })
    };
    Layer::ALL.into_iter().zip(&stats.layers).map(entry).collect()
}
