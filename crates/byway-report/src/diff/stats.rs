//! What was done, and which changes were reached.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{ChangeGraph, ChangedLine};

/// `stats.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DiffStats {
    /// What the old version is called: a path, a commit.
    pub old: String,
    /// What the new version is called.
    pub new: String,
    /// How long it took, in seconds, without building.
    pub elapsed: f64,
    /// Why it ended before all was tried, if it did.
    pub ended: Option<String>,
    /// Whether it goes on: this is what was known when it was written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
    /// The programs.
    pub programs: Vec<ProgramStats>,
}

/// What was done with a program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramStats {
    /// What both versions are called.
    pub program: String,
    /// The old version.
    pub old: PathBuf,
    /// The new version.
    pub new: PathBuf,
    /// How many inputs of each kind were tried.
    pub tried: Tried,
    /// The changes, and which inputs execute them.
    pub changes: Vec<ReachedChange>,
    /// Inputs that could not be run or compared, with the reason.
    pub skipped: Vec<(String, String)>,
    /// What differs between runs of the same version, and on how many inputs.
    pub masked: Vec<(String, u64)>,
    /// What says where statements stand (`__LINE__`) and was not compared for it, and on how many inputs.
    #[serde(default)]
    pub positions: Vec<(String, u64)>,
    /// How many inputs differ in the same kind on the same changes as simpler ones, and were not run again for it.
    #[serde(default)]
    pub put_off: u64,
    /// Seeds with the time that both versions took, for reports of tests.
    pub seeds: Vec<(String, f64)>,
    /// How many differences did not show again.
    pub unconfirmed: u64,
    /// On how many inputs versions seemed to differ that could not be run again, or not in time.
    pub unsettled: u64,
    /// In which orders the changes can be executed, if somebody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<ChangeGraph>,
    /// Which sequences of changes were executed, if somebody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequences: Option<SequenceStats>,
    /// Whether the differences are an error of changes that interact, as far as the inputs tried can tell; only with a golden version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction_error: Option<InteractionError>,
}

/// Sequences of changes in the new version: ways through the graph of changed lines and interaction locations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceStats {
    /// Changed lines in the graph.
    pub changes: u64,
    /// Interaction locations in the graph.
    pub interactions: u64,
    /// Steps in the graph: from one node to the next.
    pub steps: u64,
    /// Those that inputs executed.
    pub steps_executed: u64,
    /// Steps that inputs executed and that the graph does not have. There are none, unless the graph is wrong or control went a way that
    /// it does not know (`longjmp`, signals).
    pub steps_outside: u64,
    /// Different sequences that inputs executed, without repetitions.
    pub sequences_executed: u64,
    /// The inputs that executed them.
    pub inputs: u64,
    /// These sequences, those that show most first; at most 500.
    #[serde(default)]
    pub executed: Vec<ExecutedSequence>,
}

/// A sequence that inputs executed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutedSequence {
    /// Its changed lines (`+file.c:12`) and interaction locations (`*file.c:14`), without repetitions; at most 64.
    pub lines: Vec<String>,
    /// How many inputs executed it.
    pub inputs: u64,
    /// On how many of them the versions differ.
    pub differing: u64,
    /// On how many of these the new version differs from the golden one as well; 0 without a golden version.
    pub erroneous: u64,
}

/// An error of changes that interact (Böhme, Oliveira and Roychoudhury, 2013): each input that shows it executes all of some changes, and
/// no input that leaves one of them out shows an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InteractionError {
    /// The changes that all inputs which show an error execute.
    pub changes: Vec<ChangedLine>,
    /// The differences that are errors.
    pub differences: Vec<String>,
    /// How many inputs show one.
    pub erroneous: u64,
    /// How many inputs were compared in all.
    pub compared: u64,
}

/// How many inputs were tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Inputs that were given.
    pub given: u64,
    /// Random changes of them.
    pub random: u64,
    /// Those of them that execute a change, and were compared.
    pub random_compared: u64,
    /// Paths of the new version.
    pub new_explored: u64,
    /// Paths of the old version.
    pub old_explored: u64,
    /// Paths that execute a change, and were compared.
    pub explored_compared: u64,
    /// Queries about both versions at once.
    #[serde(default)]
    pub joint_queries: u64,
    /// Those of them that no input satisfies.
    #[serde(default)]
    pub joint_refuted: u64,
    /// Inputs that satisfy such a query.
    #[serde(default)]
    pub joint_inputs: u64,
    /// Those queries that hold both paths only up to an interaction location.
    #[serde(default)]
    pub meeting_queries: u64,
}

/// A change, and what became of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReachedChange {
    /// The change.
    #[serde(flatten)]
    pub line: ChangedLine,
    /// How many inputs execute it; `None` if that cannot be told.
    pub reached: Option<u64>,
    /// The first of them.
    pub first: Option<String>,
    /// How many of them were given.
    #[serde(default)]
    pub given: u64,
    /// The differences of inputs that execute it.
    pub differences: Vec<String>,
}
