//! What an exploration did, in numbers: `stats.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::remaining::Remainder;

/// The version of `stats.json`.
pub const STATS_VERSION: u32 = 1;

/// What an exploration did so far. All times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExploreStats {
    /// The version of the format.
    pub version: u32,
    /// The search strategy, as the user named it.
    pub strategy: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// Since the exploration began, what came before a resumption included.
    pub elapsed: f64,
    /// How often the program was run.
    pub runs: u64,
    /// Of that, the time that runs took.
    pub running: f64,
    /// How many different paths were taken.
    pub paths: u64,
    /// How many sides of branches wait to be tried.
    pub pendings: u64,
    /// How many tests were kept.
    pub kept: u64,
    /// How many findings there are.
    pub findings: u64,
    /// What solving came to, by layer; the layer that answered counts the query.
    pub layers: BTreeMap<String, Layer>,
    /// What became of the branches to be flipped.
    pub flips: Flips,
    /// Lines of source that were covered.
    pub lines: Covered,
    /// Sides of branches that were covered.
    pub branches: Covered,
    /// Basic blocks that were covered.
    pub blocks: Covered,
    /// How coverage grew.
    pub coverage: Vec<CoveragePoint>,
    /// How often precision was lost, by cause.
    pub lost: BTreeMap<String, u64>,
    /// What was left undone.
    pub remaining: Remainder,
    /// Whether byway could follow the input of a run, if it had any.
    pub sees_input: bool,
    /// The time that half of the queries took at most.
    pub median_query: f64,
    /// How many queries the external solver answered in the same way, if it was asked.
    pub cross_checked: u64,
    /// How many bytes of inputs were changed for all flips.
    pub changed_bytes: u64,
    /// Lines that were covered, by source file.
    pub files: BTreeMap<String, Covered>,
    /// Queries about operations that can fail.
    pub operations: Answers,
    /// Where values were taken for what they were in a run, and how many others were tried.
    pub concretizations: Vec<Concretization>,
}

/// A place where a value that depends on the input was taken for what it was in a run; its other values were tried by other runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Concretization {
    /// File, line and column.
    pub place: String,
    /// Why.
    pub cause: String,
    /// How often, on all paths.
    pub paths: u64,
    /// How often another value was found.
    pub others: u64,
    /// How often there was no other.
    pub no_other: u64,
    /// How often the solver gave up.
    pub unknown: u64,
}

/// One layer of the solver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layer {
    /// What it answered.
    pub answers: Answers,
    /// The time spent in it, also on queries that it passed on.
    pub seconds: f64,
}

impl Layer {
    /// Adds what another one did.
    pub fn add(&mut self, other: &Layer) {
        self.answers.sat += other.answers.sat;
        self.answers.unsat += other.answers.unsat;
        self.answers.unknown += other.answers.unknown;
        self.seconds += other.seconds;
    }
}

/// Answers to queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answers {
    /// There is an input.
    pub sat: u64,
    /// There is none.
    pub unsat: u64,
    /// It took too long to say.
    pub unknown: u64,
}

/// What became of inputs that were solved for a branch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Flips {
    /// How many were run.
    pub attempted: u64,
    /// How many took the branch.
    pub taken: u64,
    /// How many did not, by cause.
    pub missed: BTreeMap<String, u64>,
}

/// Some of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Covered {
    /// How many were covered.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}

/// Coverage at one time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoveragePoint {
    /// When.
    pub seconds: f64,
    /// Lines covered.
    pub lines: u64,
    /// Sides of branches covered.
    pub branches: u64,
    /// Blocks covered.
    pub blocks: u64,
}

impl Default for ExploreStats {
    fn default() -> ExploreStats {
        ExploreStats {
            version: STATS_VERSION,
            strategy: String::new(),
            seed: 0,
            elapsed: 0.0,
            runs: 0,
            running: 0.0,
            paths: 0,
            pendings: 0,
            kept: 0,
            findings: 0,
            layers: BTreeMap::new(),
            flips: Flips::default(),
            lines: Covered::default(),
            branches: Covered::default(),
            blocks: Covered::default(),
            coverage: Vec::new(),
            lost: BTreeMap::new(),
            remaining: Remainder::default(),
            sees_input: true,
            median_query: 0.0,
            cross_checked: 0,
            changed_bytes: 0,
            files: BTreeMap::new(),
            operations: Answers::default(),
            concretizations: Vec::new(),
        }
    }
}

impl ExploreStats {
    /// The answers of all layers together.
    pub fn queries(&self) -> Answers {
        let add = |sum: Answers, layer: &Layer| Answers {
            sat: sum.sat + layer.answers.sat,
            unsat: sum.unsat + layer.answers.unsat,
            unknown: sum.unknown + layer.answers.unknown,
        };
        self.layers.values().fold(Answers::default(), add)
    }
}

impl Covered {
    /// In percent; all of nothing is 100.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }
}
