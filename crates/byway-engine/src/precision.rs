//! What runs lost, and what the solver did, in the terms of reports.

use std::collections::BTreeMap;

use byway_report::{Answers, Layer as LayerEntry, Limit};
use byway_solve::{Layer, SolverStats};
use byway_trace::{Cause, Trace};

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
