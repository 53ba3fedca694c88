//! What is counted about a program.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_report::{Checks as Counts, Layer};
use byway_run::Outcome;
use byway_solve::{Answer, SolverStats};
use byway_trace::EventKind;
use byway_trace::layout::Event;
use rustc_hash::FxHashSet;

use crate::walk::{Asked, Item, Walk};

/// Counts that no other part keeps.
#[derive(Debug, Default)]
pub struct Tally {
    /// Questions about operations.
    pub checks: Counts,
    /// How many runs there were.
    pub runs: u64,
    /// The time that they took.
    pub running: Duration,
    /// How often precision was lost, by cause.
    pub lost: BTreeMap<String, u64>,
    /// Whether a branch was seen that depends on input.
    pub depends_on_input: bool,
    /// The sites that were asked about.
    sites: FxHashSet<u32>,
    /// The paths of worlds that were forgotten. A path that is found again counts again.
    forgotten_paths: u64,
    /// What solvers did, but that of the world that is there.
    other_layers: BTreeMap<String, Layer>,
}

impl Tally {
    /// The world that this belongs to is forgotten.
    pub fn note_forgotten(&mut self, paths: u64, solver: &SolverStats) {
        self.forgotten_paths += paths;
        self.note_solver(solver);
    }

    /// All paths, with those of the world that is there.
    pub fn paths(&self, paths: u64) -> u64 {
        self.forgotten_paths + paths
    }

    /// What all solvers did, with that of the world that is there.
    pub fn layers(&self, solver: &SolverStats) -> BTreeMap<String, Layer> {
        let mut layers = byway_explore::layers(solver);
        for (name, layer) in &self.other_layers {
            layers.entry(name.clone()).or_default().add(layer);
        }
        layers
    }

    /// What a solver did that is not of the world that is there.
    pub fn note_solver(&mut self, stats: &SolverStats) {
        self.other_layers = self.layers(stats);
    }

    /// Counts a run.
    pub fn note_run(&mut self, ran: &Outcome) {
        self.runs += 1;
        self.running += ran.elapsed;
        self.depends_on_input = self.depends_on_input || ran.trace.events().iter().any(is_branch);
        for lost in ran.trace.losses() {
            let function = lost.function.map(|name| format!(" {name}")).unwrap_or_default();
            *self.lost.entry(format!("{}{function}", lost.cause.name())).or_default() += lost.count;
        }
    }

    /// Counts what a walk has that needs no question; only that of whole paths, so that nothing is counted twice.
    pub fn note_walk(&mut self, walk: &Walk, from: usize) {
        let questions = walk.items.iter().filter_map(|item| match item {
            Item::Question(question) => Some(question.operation.site),
            _ => None,
        });
        self.sites.extend(questions);
        self.sites.extend(walk.safe.iter().map(|&(site, _)| site));
        if from > 0 {
            return;
        }
        for (_, check) in &walk.safe {
            self.checks.asked += 1;
            self.checks.unsat += 1;
            *self.checks.kinds.entry(check.name().to_owned()).or_default() += 1;
        }
        self.checks.repeated += walk.repeated;
    }

    /// Counts an answer.
    pub fn note_answer(&mut self, asked: Asked, answer: &Answer) {
        let checks = &mut self.checks;
        checks.asked += 1;
        match answer {
            Answer::Sat(_) => checks.sat += 1,
            Answer::Unsat => checks.unsat += 1,
            Answer::Unknown(_) => checks.unknown += 1,
        }
        *checks.kinds.entry(asked.check().name().to_owned()).or_default() += 1;
    }

    /// A question that was asked before came up.
    pub fn repeat(&mut self) {
        self.checks.repeated += 1;
    }

    /// Questions were not asked, since some limit was reached.
    pub fn leave_out(&mut self, limit: &str, count: u64) {
        *self.checks.left_out.entry(limit.to_owned()).or_default() += count;
    }

    /// There was more around a divergence point than its limits allow.
    pub fn note_cut_region(&mut self) {
        self.leave_out("branch", 1);
    }

    /// The sites that were asked about.
    pub fn sites(&self) -> impl Iterator<Item = u32> {
        self.sites.iter().copied()
    }
}

fn is_branch(event: &Event) -> bool {
    matches!(EventKind::of(event.kind), Some(EventKind::Branch | EventKind::Switch))
}
