//! What exploring by a strategy, or by several, found from each seed.

use crate::suites::Suite;
use crate::{Form, Found, Measured, MeasuredSeed};

/// How all strategies together are called.
pub const COMBINED: &str = "combined";

/// A strategy that can be compared with others, or several of them together.
#[derive(Debug)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// Whether it is what several others found.
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

/// How several strategies share the time.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Share {
    /// They run at the same time, and each has all of it.
    Parallel,
    /// One begins when the one before ends, and each has an equal part of it.
    Parts,
}

/// The strategies for which there are seeds to compare. If there are several, then all of them combined, too; and several
/// lengths of subpaths one after the other, which is how subpath-guided search combines them.
pub fn strategies(measured: &Measured) -> Vec<Strategy> {
    let single = |name: &String| strategy(measured, name, std::slice::from_ref(name), Share::Parallel);
    let mut all: Vec<Strategy> = measured.strategies.iter().filter_map(single).collect();
    let names: Vec<String> = all.iter().map(|strategy| strategy.name.clone()).collect();
    if let Some((name, lengths)) = lengths_in_parts(&names) {
        all.extend(strategy(measured, &name, &lengths, Share::Parts));
    }
    if names.len() > 1 {
        all.extend(strategy(measured, COMBINED, &names, Share::Parallel));
    }
    all
}

/// All strategies that are one length of subpaths, if there are several, and how they are called together: `subpath:1+2+4+8`.
fn lengths_in_parts(names: &[String]) -> Option<(String, Vec<String>)> {
    let length = |name: &String| name.strip_prefix("subpath:").and_then(|length| length.parse().ok());
    let mut lengths: Vec<(u32, &String)> = names.iter().filter_map(|name| Some((length(name)?, name))).collect();
    lengths.sort_unstable();
    let numbers: Vec<String> = lengths.iter().map(|(length, _)| length.to_string()).collect();
    let parts = lengths.into_iter().map(|(_, name)| name.clone()).collect();
    (numbers.len() > 1).then(|| (format!("subpath:{}", numbers.join("+")), parts))
}

/// Those of these names together, if there are at least two seeds.
fn strategy(measured: &Measured, name: &str, names: &[String], share: Share) -> Option<Strategy> {
    let is_complete = |seed: &MeasuredSeed| {
        let has = |form: Form| names.iter().all(|name| form.of(seed).explored.contains_key(name));
        Form::ALL.into_iter().all(has)
    };
    let pool: Vec<usize> = (0..measured.seeds.len()).filter(|&seed| is_complete(&measured.seeds[seed])).collect();
    let all = |form| measured.seeds.iter().map(|seed| finds(seed, form, names, share, measured.budget)).collect();
    let (name, is_combined) = (name.to_owned(), names.len() > 1);
    (pool.len() > 1).then(|| Strategy { name, is_combined, pool, finds: Form::ALL.map(all) })
}

/// All that is found from a seed and that the original one does not cover, when it is first found. To make a seed smaller takes
/// its time, also if it is not used. Then what it covers is found, and exploring starts.
fn finds(seed: &MeasuredSeed, form: Form, names: &[String], share: Share, budget: f64) -> Vec<Found> {
    let (version, start, is_smaller) = (form.of(seed), form.spent(seed), form.is_smaller(seed));
    let own: &[u32] = if is_smaller { &version.branches } else { &[] };
    let mut finds: Vec<Found> = own.iter().map(|&branch| Found { seconds: start, branch }).collect();
    let part = (budget - start) / names.len() as f64;
    let explored = names.iter().map(|name| version.explored.get(name));
    for (explored, place) in explored.zip(0..).filter_map(|(explored, place)| Some((explored?, f64::from(place)))) {
        let (begin, time) = match share {
            Share::Parallel => (start, budget),
            Share::Parts => (start + place * part, part),
        };
        // A search does the same whatever time it has: one that has less is the beginning of one that has more.
        let in_time = explored.found.iter().filter(|found| found.seconds <= time);
        finds.extend(in_time.map(|found| Found { seconds: begin + found.seconds, ..*found }));
    }
    // One that was made smaller in vain was explored from for all of the time. What it found in the end is too late.
    finds.retain(|found| found.seconds <= budget);
    finds.retain(|found| seed.original.branches.binary_search(&found.branch).is_err());
    finds.sort_by(|a, b| (a.branch, a.seconds).partial_cmp(&(b.branch, b.seconds)).expect("seconds are numbers"));
    finds.dedup_by_key(|found| found.branch);
    finds.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    finds
}
