//! A loop that forks for ever, and something else beside it.

use crate::driver::{ByFork, frontier};

/// Site 0 leads to something else (side 0) or into the loop at site 1, which goes on (side 0) or ends.
fn loops_for_ever(choices: &[(u32, u32)]) -> Option<u32> {
    match choices.last() {
        None => Some(0),
        Some((0, 0) | (1, 1)) => None,
        Some(_) => Some(1),
    }
}

/// After how many picks the something else is tried.
fn picks_until_something_else(search: &str, seed: u64) -> Option<usize> {
    ByFork::new(frontier(search, seed), loops_for_ever).take(1000).position(|pick| pick.choices == [(0, 0)])
}

#[test]
fn a_loop_that_forks_for_ever_starves_depth_first_search() {
    assert_eq!(picks_until_something_else("dfs", 0), None);
}

#[test]
fn a_loop_that_forks_for_ever_does_not_starve_subpaths_nor_random_paths() {
    for search in ["subpath:1", "subpath:2", "subpath:4", "subpath:8", "subpath:1,2,4,8", "random-path"] {
        for seed in 0..20 {
            let picks = picks_until_something_else(search, seed);
            assert!(picks.is_some_and(|picks| picks < 100), "{search} with seed {seed}: {picks:?}");
        }
    }
}
