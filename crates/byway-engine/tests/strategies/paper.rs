//! The example of "Steering Symbolic Execution to Less Traveled Paths" (OOPSLA 2013), section 2.3.
//!
//! Its tables give the tree of branches; `s8` to `s10` are a function that is called in two places:
//!
//! ```text
//! s0 true   s5 true   s6                            path 7
//!           s5 false  s8 true   s9 true   s10       path 6
//!                               s9 false  s4        path 5
//!                     s8 false  s4                  path 4
//! s0 false  s8 true   s9 true   s10                 path 3
//!                     s9 false  s4                  path 2
//!           s8 false  s4                            path 1
//! ```
//!
//! The paths are numbered as depth-first search finds them. Each side of each branch has statements of its own; a
//! statement is seen when a path through it has come to its end, since only then is there a test.

use std::collections::BTreeSet;

use byway_engine::search::{Dfs, Searcher, Subpath};

use crate::all;
use crate::driver::{ByFork, Pick, frontier, frontier_of};

/// At a fork the true side stays the old state and the false one becomes the latest: so it has the greater number.
const TRUE: u32 = 0;

fn example(choices: &[(u32, u32)]) -> Option<u32> {
    match choices.last() {
        None => Some(0),
        Some(&(0, TRUE)) => Some(5),
        Some(&(5, TRUE)) => None,
        Some(&(0 | 5, _)) => Some(8),
        Some(&(8, TRUE)) => Some(9),
        _ => None,
    }
}

/// A state as the tables write it.
fn name(pick: &Pick) -> String {
    let sides = pick.choices.iter().map(|&(site, side)| format!("s{site}{}", if side == TRUE { "t" } else { "f" }));
    sides.collect::<Vec<_>>().join(" ")
}

fn picks(searcher: impl Searcher + 'static) -> Vec<Pick> {
    ByFork::new(frontier_of(searcher), example).collect()
}

/// How many paths it takes to see every statement.
fn paths_to_see_all(picks: &[Pick]) -> usize {
    let mut seen: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut paths = picks.iter().filter(|pick| pick.ended);
    let all = paths.position(|path| {
        seen.extend(&path.choices);
        seen.len() == 8
    });
    1 + all.expect("every statement is on some path")
}

#[test]
fn subpaths_of_length_1_are_picked_in_the_order_of_table_1() {
    let picks = picks(Subpath::new(1).latest_of_ties());
    let names: Vec<String> = picks.iter().map(name).collect();
    let table = [
        "s0f",
        "s0f s8f",
        "s0f s8t",
        "s0f s8t s9f",
        "s0f s8t s9t",
        "s0t",
        "s0t s5f",
        // The table has 3 as the path to pick, but the case it generates, and the text, are those of path 1.
        "s0t s5t",
        "s0t s5f s8f",
    ];
    assert_eq!(names[..9], table);
    assert_eq!(paths_to_see_all(&picks), 5);
}

#[test]
fn subpaths_of_length_2_are_picked_in_the_order_of_table_2() {
    let picks = picks(Subpath::new(2).latest_of_ties());
    let names: Vec<String> = picks.iter().map(name).collect();
    let table = [
        "s0f",
        "s0f s8f",
        "s0f s8t",
        "s0f s8t s9f",
        "s0f s8t s9t",
        "s0t",
        "s0t s5f",
        "s0t s5f s8f",
        "s0t s5f s8t",
        // Here too the table says 3 and generates the case of path 1.
        "s0t s5t",
    ];
    assert_eq!(names[..10], table);
    assert_eq!(paths_to_see_all(&picks), 5);
}

#[test]
fn depth_first_search_needs_all_seven_paths_to_see_every_statement() {
    let picks = picks(Dfs::default());
    assert_eq!(picks.iter().filter(|pick| pick.ended).count(), 7);
    assert_eq!(paths_to_see_all(&picks), 7);
    assert_eq!(name(picks.last().unwrap()), "s0t s5t");
}

#[test]
fn breadth_first_search_picks_level_by_level() {
    let picks: Vec<Pick> = ByFork::new(frontier("bfs", 0), example).collect();
    assert!(picks.windows(2).all(|pair| pair[0].choices.len() <= pair[1].choices.len()));
    let first: Vec<String> = picks[..6].iter().map(name).collect();
    assert_eq!(first, ["s0t", "s0f", "s0t s5t", "s0t s5f", "s0f s8t", "s0f s8f"]);
}

#[test]
fn every_strategy_picks_each_of_the_twelve_states_once() {
    for search in all() {
        let picks: Vec<Pick> = ByFork::new(frontier(search, 7), example).collect();
        let distinct: BTreeSet<String> = picks.iter().map(name).collect();
        assert_eq!((picks.len(), distinct.len()), (12, 12), "{search}");
        assert_eq!(picks.iter().filter(|pick| pick.ended).count(), 7, "{search}");
    }
}
