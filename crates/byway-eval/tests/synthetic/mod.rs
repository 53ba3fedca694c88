//! Measurements that were made up, so that what they come to is known.

use std::collections::BTreeMap;

use byway_eval::{Ended, Explored, Found, Measured, MeasuredForm, MeasuredSeed};

/// The seconds that each seed has.
pub const BUDGET: f64 = 10.0;
/// All seeds cover the branches below.
const COMMON: u32 = 100;
/// A seed can find these branches and the following ones.
const HIDDEN: u32 = 1000;

/// Seed i has a path of length 10 (i + 1), and half of that made smaller.
///
/// Of the branches that no seed covers, `dfs` finds the first 100 / (i + 1), and twice as many from reduced seeds: whoever is
/// shortest in a suite finds all that its seeds find. `rps` finds the same 50 from each seed. `none` finds nothing.
pub fn measured(seeds: u32) -> Measured {
    Measured {
        program: "/opt/programs/sort".into(),
        branches: 2000,
        strategies: ["dfs", "rps", "none"].map(str::to_owned).to_vec(),
        budget: BUDGET,
        seeds: (0..seeds).map(seed).collect(),
    }
}

/// As [`measured()`], but the path of odd seeds does not get shorter, and they find nothing by `dfs` when they are made smaller. Each
/// seed finds branches of its own.
#[allow(dead_code, reason = "not all tests need it")]
pub fn mixed(seeds: u32) -> Measured {
    let mut mixed = measured(seeds);
    for (number, seed) in (0..).zip(&mut mixed.seeds) {
        let is_odd = number % 2 == 1;
        let own = |count| {
            let found = |branch| Found { seconds: 2.0, branch: HIDDEN + 20 * number + branch };
            Explored { found: (0..count).map(found).collect(), ..explored(0) }
        };
        seed.original.explored.insert("dfs".to_owned(), own(10));
        seed.reduced.explored.insert("dfs".to_owned(), own(if is_odd { 0 } else { 20 }));
        if is_odd {
            seed.reduced.path_length = seed.original.path_length;
        }
    }
    mixed
}

/// As [`measured()`], with subpaths of lengths 1, 2, 4 and 8, and with these in turn. Each length finds two branches of its own
/// from the original seed, one after a second and one after three.
#[allow(dead_code, reason = "not all tests need it")]
pub fn by_subpaths(seeds: u32) -> Measured {
    let mut measured = measured(seeds);
    for (place, name) in (0..).zip(["subpath:8", "subpath:1", "subpath:4", "subpath:2", "subpath:1,2,4,8"]) {
        let found = |branch| Found { seconds: f64::from(1 + 2 * branch), branch: HIDDEN + 10 * place + branch };
        for seed in &mut measured.seeds {
            let explored = Explored { found: (0..2).map(found).collect(), ..explored(0) };
            seed.original.explored.insert(name.to_owned(), explored.clone());
            seed.reduced.explored.insert(name.to_owned(), explored);
        }
        measured.strategies.push(name.to_owned());
    }
    measured
}

fn seed(number: u32) -> MeasuredSeed {
    MeasuredSeed {
        name: format!("seed-{number}"),
        original: version(number, 1),
        reduced: version(number, 2),
        reducing: 1.0,
        runs: 20,
        is_minimal: number.is_multiple_of(2),
    }
}

fn version(number: u32, smaller: u32) -> MeasuredForm {
    let found = [("dfs", smaller * 100 / (number + 1)), ("rps", 50), ("none", 0)];
    MeasuredForm {
        path_length: u64::from(10 * (number + 1) / smaller),
        bytes: u64::from(4 * (number + 1) / smaller),
        branches: (0..COMMON).collect(),
        explored: found.into_iter().map(|(name, count)| (name.to_owned(), explored(count))).collect::<BTreeMap<_, _>>(),
    }
}

fn explored(count: u32) -> Explored {
    let found = |branch| Found { seconds: 2.0, branch: HIDDEN + branch };
    Explored { seconds: 8.0, runs: 100, paths: 50, ended: Ended::Time, found: (0..count).map(found).collect() }
}
