//! What an exploration counts.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_exec::Outcome;
use byway_report::{Answers, CoveragePoint, Flips, Layer as LayerEntry, Limit, Remainder};
use byway_solve::{Layer, SolverStats};
use byway_trace::{Cause, Trace};

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
    /// Whether byway can follow the input.
    pub sight: Sight,
}

/// Whether byway can follow what a program reads: standard input and files.
#[derive(Debug, Default, Clone, Copy)]
pub struct Sight {
    is_seen: bool,
    is_unseen: bool,
}

impl Sight {
    /// Looks at a run.
    pub fn note(&mut self, trace: &Trace) {
        self.is_seen |= trace.is_input_seen();
        self.is_unseen |= !trace.unseen_inputs().is_empty();
    }

    /// Whether some input could be followed, or none had to be.
    pub fn sees(self) -> bool {
        self.is_seen || !self.is_unseen
    }
}

impl Tally {
    /// Counts a run of a program. What it lost leaves nothing undone if its path ends at an operation that was to fail.
    pub fn note_run(&mut self, program: &Program, outcome: &Outcome, is_to_fail: bool) {
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

/// What a loss of precision leaves undone; nothing if the program itself wants it so, or if it is a concretization: other values
/// are sides that are tried like those of branches.
pub fn limit_of(cause: Cause) -> Option<Limit> {
    match cause {
        Cause::Assumption => None,
        cause if cause.is_concretization() => None,
        Cause::UnseenInput => Some(Limit::Unseen),
        cause if cause.is_limit() => Some(Limit::Full),
        _ => Some(Limit::Lost),
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
