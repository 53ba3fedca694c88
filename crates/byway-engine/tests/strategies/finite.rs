//! On a finite program every strategy comes to an end, having tried everything once, and does so again with the same seed.

use std::collections::BTreeSet;

use crate::all;
use crate::driver::{ByRun, Choices, frontier};

/// Up to eleven forks at some twenty sites, in the shape that a hash of the choices gives.
fn program(choices: &[(u32, u32)]) -> Option<u32> {
    let hash = hash(choices);
    let ends = choices.len() > 3 && hash.is_multiple_of(5);
    (choices.len() < 11 && !ends).then_some((hash >> 8) % 20)
}

/// About one side in eight is infeasible; never both of a branch.
fn is_feasible(choices: &[(u32, u32)]) -> bool {
    let Some((&(_, side), before)) = choices.split_last() else { return true };
    hash(before) >> 16 & 7 != 5 || side == hash(before) >> 20 & 1
}

fn hash(choices: &[(u32, u32)]) -> u32 {
    choices.iter().fold(0x811c_9dc5, |hash: u32, &(site, side)| {
        let hash = (hash ^ (site << 1 | side)).wrapping_mul(0x0100_0193);
        hash ^ hash >> 15
    })
}

fn all_feasible_paths() -> BTreeSet<Choices> {
    let (mut open, mut paths) = (vec![Choices::new()], BTreeSet::new());
    while let Some(choices) = open.pop() {
        let Some(site) = program(&choices) else {
            paths.insert(choices);
            continue;
        };
        let sides = [0, 1].map(|side| [choices.as_slice(), &[(site, side)]].concat());
        open.extend(sides.into_iter().filter(|choices| is_feasible(choices)));
    }
    paths
}

fn explored(search: &str, seed: u64) -> (Vec<Choices>, Vec<Choices>) {
    let mut driver = ByRun::new(frontier(search, seed), program, is_feasible);
    let picks = driver.by_ref().collect();
    (picks, driver.paths)
}

#[test]
fn every_strategy_tries_every_pending_once_and_runs_every_path_once() {
    let expected = all_feasible_paths();
    assert!(expected.len() > 100);
    for search in all() {
        let (picks, paths) = explored(search, 3);
        let distinct: BTreeSet<&Choices> = picks.iter().collect();
        assert_eq!(picks.len(), distinct.len(), "{search} tries something twice");
        assert_eq!(paths.len(), expected.len(), "{search}");
        assert_eq!(paths.into_iter().collect::<BTreeSet<_>>(), expected, "{search}");
    }
}

#[test]
fn several_pendings_may_be_tried_at_the_same_time() {
    let expected = all_feasible_paths();
    for search in all() {
        let mut driver = ByRun::new(frontier(search, 3), program, is_feasible);
        let mut tried = Vec::new();
        loop {
            // Up to four are out at a time, and the latest comes back first.
            while tried.len() < 4
                && let Some(picked) = driver.frontier.pick()
            {
                tried.push(picked.pending);
            }
            let Some(pending) = tried.pop() else { break };
            driver.attempt(pending);
        }
        assert_eq!(driver.paths.len(), expected.len(), "{search}");
        assert_eq!(driver.paths.into_iter().collect::<BTreeSet<_>>(), expected, "{search}");
    }
}

#[test]
fn the_same_seed_gives_the_same_order_and_another_another() {
    let deterministic = ["dfs", "bfs", "generational"];
    for search in all() {
        let (once, again, other) = (explored(search, 3), explored(search, 3), explored(search, 4));
        assert_eq!(once, again, "{search}");
        assert_eq!(once == other, deterministic.contains(&search), "{search}");
    }
}

#[test]
fn generational_search_expands_a_run_completely_before_the_next() {
    let mut driver = ByRun::new(frontier("generational", 0), program, is_feasible);
    let mut parents = Vec::new();
    let parent_of = |driver: &ByRun, choices: &Choices| {
        let before = &choices[..choices.len() - 1];
        // The first run that came to the branch made its pending.
        driver.paths.iter().position(|path| path.starts_with(before)).unwrap()
    };
    while let Some(choices) = driver.next() {
        parents.push(parent_of(&driver, &choices));
    }
    parents.dedup();
    let distinct: BTreeSet<usize> = parents.iter().copied().collect();
    assert_eq!(parents.len(), distinct.len());
}
