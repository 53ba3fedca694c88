//! What was measured.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What was measured of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Where it was.
    pub program: PathBuf,
    /// How many outcomes its branches have. They have numbers from 0 on.
    pub branches: u32,
    /// The strategies, in the order in which they are shown.
    pub strategies: Vec<String>,
    /// How many seconds each seed has: to be explored from, or to be made smaller and explored from.
    pub budget: f64,
    /// Its seeds.
    pub seeds: Vec<MeasuredSeed>,
}

/// What was measured of a seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredSeed {
    /// Its name.
    pub name: String,
    /// As it is.
    pub original: MeasuredForm,
    /// Made smaller.
    pub reduced: MeasuredForm,
    /// How many seconds that took: its time to be explored from is less by these.
    pub reducing: f64,
    /// How many runs that took.
    pub runs: u64,
    /// Whether nothing more can be left out.
    pub is_minimal: bool,
}

impl MeasuredSeed {
    /// All outcomes of branches that are named in it.
    pub fn named_branches(&self) -> impl Iterator<Item = u32> {
        [&self.original, &self.reduced].into_iter().flat_map(|version| {
            let found = version.explored.values().flat_map(|explored| &explored.found).map(|found| found.branch);
            version.branches.iter().copied().chain(found)
        })
    }
}

/// A seed as it is, or made smaller.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredForm {
    /// How many branches its run executes, each as often as it does.
    pub path_length: u64,
    /// How many bytes its arguments, standard input and files have.
    pub bytes: u64,
    /// The outcomes of branches that it covers, in ascending order.
    pub branches: Vec<u32>,
    /// What exploring from it came to, by strategy. One that is missing was not tried yet.
    pub explored: BTreeMap<String, Explored>,
}

/// What exploring from a seed came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Explored {
    /// How long it took.
    pub seconds: f64,
    /// How many inputs were run.
    pub runs: u64,
    /// How many of them took different paths.
    pub paths: u64,
    /// Why it ended.
    pub ended: Ended,
    /// The outcomes of branches that the seed does not cover, each when it was first covered, in the order of time.
    pub found: Vec<Found>,
}

/// Why an exploration ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Its time was over.
    #[default]
    Time,
    /// Nothing was left to try.
    Exhausted,
    /// We had taken all the memory that we may.
    Memory,
}

/// Something that was covered for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// After how many seconds of exploring.
    pub seconds: f64,
    /// The outcome of a branch.
    pub branch: u32,
}
