//! What an exploration counts.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_report::{Answers, CoveragePoint, Flips, Layer as LayerEntry};
use byway_run::Outcome;
use byway_solve::{Layer, SolverStats};

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
}

impl Tally {
    /// Counts a run.
    pub fn note_run(&mut self, outcome: &Outcome) {
        self.runs += 1;
        self.running += outcome.elapsed;
        for lost in outcome.trace.losses() {
            let function = lost.function.map(|name| format!(" {name}")).unwrap_or_default();
            *self.lost.entry(format!("{}{function}", lost.cause.name())).or_default() += lost.count;
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
