//! What exploring by a strategy, or by all of them, found from each seed.

use crate::suites::Suite;
use crate::{Form, Found, Measured, MeasuredSeed};

/// How all strategies together are called.
pub const COMBINED: &str = "combined";

/// A strategy that can be compared with others, or all of them at once.
#[derive(Debug)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// Whether it is all of the others at once.
    pub is_combined: bool,
    /// The seeds from which all was explored, in all forms, by their index.
    pub pool: Vec<usize>,
    /// What was found, by [`Form`] and seed. Of seeds that are not in the pool it is nothing.
    finds: [Vec<Vec<Found>>; Form::ALL.len()],
}

impl Strategy {
    /// What is found from each seed of a suite that no original seed of the suite covers, in the order of time since its turn
    /// came. From other seeds it is nothing.
    pub fn new_finds(&self, form: Form, suite: &Suite) -> Vec<Vec<Found>> {
        let mut new = vec![Vec::new(); self.finds[form as usize].len()];
        for &seed in suite.seeds() {
            let finds = self.finds[form as usize][seed].iter();
            new[seed] = finds.filter(|found| !suite.covered[found.branch as usize]).copied().collect();
        }
        new
    }
}

/// The strategies for which there are seeds to compare. If there are several, then all of them combined, too.
pub fn strategies(measured: &Measured) -> Vec<Strategy> {
    let single = |name: &String| strategy(measured, name, std::slice::from_ref(name));
    let mut all: Vec<Strategy> = measured.strategies.iter().filter_map(single).collect();
    if all.len() > 1 {
        let names: Vec<String> = all.iter().map(|strategy| strategy.name.clone()).collect();
        let combined = strategy(measured, COMBINED, &names);
        all.extend(combined.map(|strategy| Strategy { is_combined: true, ..strategy }));
    }
    all
}

/// Those of these names at the same time, if there are at least two seeds.
fn strategy(measured: &Measured, name: &str, names: &[String]) -> Option<Strategy> {
    let is_complete = |seed: &MeasuredSeed| {
        let has = |form: Form| names.iter().all(|name| form.of(seed).explored.contains_key(name));
        Form::ALL.into_iter().all(has)
    };
    let pool: Vec<usize> = (0..measured.seeds.len()).filter(|&seed| is_complete(&measured.seeds[seed])).collect();
    let all = |form| measured.seeds.iter().map(|seed| finds(seed, form, names, measured.budget)).collect();
    (pool.len() > 1).then(|| Strategy { name: name.to_owned(), is_combined: false, pool, finds: Form::ALL.map(all) })
}

/// All that is found from a seed and that the original one does not cover, when it is first found. To make a seed smaller takes
/// its time, also if it is not used. Then what it covers is found, and exploring starts.
fn finds(seed: &MeasuredSeed, form: Form, names: &[String], budget: f64) -> Vec<Found> {
    let (version, start, is_smaller) = (form.of(seed), form.spent(seed), form.is_smaller(seed));
    let own: &[u32] = if is_smaller { &version.branches } else { &[] };
    let mut finds: Vec<Found> = own.iter().map(|&branch| Found { seconds: start, branch }).collect();
    for explored in names.iter().filter_map(|name| version.explored.get(name)) {
        finds.extend(explored.found.iter().map(|found| Found { seconds: start + found.seconds, ..*found }));
    }
    // One that was made smaller in vain was explored from for all of the time. What it found in the end is too late.
    finds.retain(|found| found.seconds <= budget);
    finds.retain(|found| seed.original.branches.binary_search(&found.branch).is_err());
    finds.sort_by(|a, b| (a.branch, a.seconds).partial_cmp(&(b.branch, b.seconds)).expect("seconds are numbers"));
    finds.dedup_by_key(|found| found.branch);
    finds.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    finds
}
