//! What a check did, in numbers: `stats.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::remaining::Remainder;
use crate::stats::{Layer, STATS_VERSION};

/// What a check did so far. All times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckStats {
    /// The version of the format.
    pub version: u32,
    /// The test command.
    pub command: Vec<String>,
    /// How it ended, in words.
    pub command_ended: Option<String>,
    /// How long it took.
    pub recording: f64,
    /// How long the check took, with what was done with seeds before they were checked; running the test command and building
    /// are not included.
    pub elapsed: f64,
    /// Why the check ended, in words.
    pub ended: String,
    /// The seeds.
    pub seeds: SeedStats,
    /// What was asked of operations.
    pub checks: Checks,
    /// The distance up to which all seeds were explored; nothing if not even their own paths.
    pub distance: Option<u32>,
    /// How many different paths were taken.
    pub paths: u64,
    /// How often programs were run.
    pub runs: u64,
    /// How many inputs the sanitizers judged.
    pub judged: u64,
    /// How many findings were confirmed.
    pub findings: u64,
    /// How many were not.
    pub unconfirmed: u64,
    /// What solving came to, by layer.
    pub layers: BTreeMap<String, Layer>,
    /// How often precision was lost, by cause.
    pub lost: BTreeMap<String, u64>,
    /// What was left undone, in all programs.
    pub remaining: Remainder,
    /// The programs, by path.
    pub programs: BTreeMap<String, ProgramStats>,
}

/// The seeds of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedStats {
    /// How many runs the test command made.
    pub captured: u64,
    /// How many of them are different.
    pub different: u64,
    /// How many were checked.
    pub checked: u64,
    /// For how many a smaller one, with a shorter path, was explored first.
    pub smaller: u64,
    /// Those that were not.
    pub skipped: Vec<Skipped>,
    /// Those that were, though they do not end as they did when they were captured.
    pub changed: Vec<Skipped>,
    /// What went wrong with those that were, each time: not all was done with them that should have been.
    pub troubles: Vec<Skipped>,
}

/// A seed, and what is wrong with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its name.
    pub seed: String,
    /// What is wrong, in words.
    pub why: String,
}

/// What was asked of operations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checks {
    /// How many questions there were; those that were asked before are not among them.
    pub asked: u64,
    /// At how many lines of source.
    pub unique: u64,
    /// Some input breaks the operation.
    pub sat: u64,
    /// None does.
    pub unsat: u64,
    /// It took too long to say.
    pub unknown: u64,
    /// How many came up again, with the same operands.
    pub repeated: u64,
    /// How many were not asked again, since their operation was found to fail.
    pub found: u64,
    /// How many were asked, by kind of check.
    pub kinds: BTreeMap<String, u64>,
}

/// What was done with one program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramStats {
    /// Seeds that were checked.
    pub seeds: u64,
    /// What was asked of its operations.
    pub checks: Checks,
    /// Paths that were taken.
    pub paths: u64,
    /// Runs.
    pub runs: u64,
    /// The distance up to which all seeds were explored.
    pub distance: Option<u32>,
    /// Whether a branch was seen that depends on input.
    pub depends_on_input: bool,
    /// Half of the seeds take at most this many times their native run, to be traced and checked.
    pub median_ratio: f64,
    /// The same without the constant of 20 ms each.
    pub median_ratio_beyond: f64,
    /// How long each seed took.
    pub times: Vec<SeedTime>,
    /// How often precision was lost, by cause.
    pub lost: BTreeMap<String, u64>,
    /// What was left undone.
    pub remaining: Remainder,
    /// Whether byway could follow the input of a run, if it had any.
    pub sees_input: bool,
    /// How often all that was known of its paths was forgotten, since it took too much memory.
    pub forgotten: u64,
}

/// How long a seed took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SeedTime {
    /// Its name.
    pub seed: String,
    /// The program as it is.
    pub native: f64,
    /// The same run traced.
    pub traced: f64,
    /// The run, and every question of distance 0.
    pub checked: f64,
}

/// The constant of a ratio that goes beyond it.
const CONSTANT: f64 = 0.020;

impl ProgramStats {
    /// Computes the ratios from the times.
    pub fn sum_up(&mut self) {
        let ratio = |time: &SeedTime, constant: f64| (time.checked - constant).max(0.0) / time.native.max(1e-6);
        self.median_ratio = median(self.times.iter().map(|time| ratio(time, 0.0)));
        self.median_ratio_beyond = median(self.times.iter().map(|time| ratio(time, CONSTANT)));
    }
}

/// The median; 0 of nothing.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

impl Default for CheckStats {
    fn default() -> CheckStats {
        CheckStats {
            version: STATS_VERSION,
            command: Vec::new(),
            command_ended: None,
            recording: 0.0,
            elapsed: 0.0,
            ended: String::new(),
            seeds: SeedStats::default(),
            checks: Checks::default(),
            distance: None,
            paths: 0,
            runs: 0,
            judged: 0,
            findings: 0,
            unconfirmed: 0,
            layers: BTreeMap::new(),
            lost: BTreeMap::new(),
            remaining: Remainder::default(),
            programs: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_medians() {
        let time = |native: f64, checked: f64| SeedTime { native, checked, ..SeedTime::default() };
        let times = vec![time(0.001, 0.030), time(0.001, 0.010), time(0.002, 0.500)];
        let mut program = ProgramStats { times, ..ProgramStats::default() };
        program.sum_up();
        assert!((program.median_ratio - 30.0).abs() < 1e-9);
        assert!((program.median_ratio_beyond - 10.0).abs() < 1e-9);
    }
}
