//! Random strategies choose with the probabilities they promise.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_explore::distance::{Graph, GraphBlock};
use byway_explore::search::{
    Coverage, Dice, Facts, Frontier, Ran, RandomPath, Searcher, Settings, Subpath, View,
};
use byway_explore::tree::{Outcome, Path, PathTree, PendingId};

use crate::driver::frontier;

const SAMPLES: usize = 8_000;

/// How often each pending is picked, in parts of one, from a tree that does not change.
fn shares(searcher: &mut dyn Searcher, tree: &PathTree, coverage: &mut Coverage) -> BTreeMap<u32, f64> {
    let mut dice = Dice::new(5);
    let mut shares = BTreeMap::new();
    for _ in 0..SAMPLES {
        let mut view = View { tree, coverage, dice: &mut dice };
        let picked = searcher.pick(&mut view).unwrap();
        *shares.entry(picked.0).or_default() += 1.0 / SAMPLES as f64;
    }
    shares
}

fn assert_shares(shares: &BTreeMap<u32, f64>, expected: &[(u32, f64)]) {
    for &(pending, share) in expected {
        let found = shares.get(&pending).copied().unwrap_or(0.0);
        assert!((found - share).abs() < 0.025, "pending {pending}: {found}, not {share}, of {shares:?}");
    }
}

fn path(choices: &[(u32, u32)]) -> Path {
    let mut path = Path::new();
    choices.iter().for_each(|&(site, side)| path.push(site, 0, site, side, 2));
    path
}

#[test]
fn a_random_path_chooses_among_live_sides_alike() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]));
    // Sites 1 and 2 have only one way on.
    tree.close(PendingId(1), Outcome::Infeasible);
    tree.close(PendingId(2), Outcome::Unknown);
    let mut random_path = RandomPath::default();
    let mut coverage = Coverage::default();
    assert_shares(&shares(&mut random_path, &tree, &mut coverage), &[(0, 0.5), (3, 0.25), (4, 0.25)]);
    // Now site 1 has another after all: no jump may miss it.
    tree.insert(1, &path(&[(0, 0), (1, 1), (5, 0)]));
    assert_shares(&shares(&mut random_path, &tree, &mut coverage), &[(0, 0.5), (3, 0.125), (4, 0.125), (5, 0.25)]);
}

#[test]
fn a_random_path_does_not_pick_what_is_being_tried() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(0, 0), (1, 0)]));
    tree.begin(PendingId(0));
    let shares = shares(&mut RandomPath::default(), &tree, &mut Coverage::default());
    assert_shares(&shares, &[(0, 0.0), (1, 1.0)]);
}

/// Three pendings that differ in what weights are made of.
fn weighed(search: &str, coverage: &mut Coverage, facts: impl Fn(&mut Facts)) -> BTreeMap<u32, f64> {
    let mut searcher = search.parse::<byway_explore::search::Search>().unwrap().strategies()[0].searcher();
    let (mut tree, path) = (PathTree::new(None), path(&[(0, 0), (1, 0), (2, 0)]));
    tree.insert(0, &path);
    for at in 0..3 {
        let depth = at as u32 + 1;
        let (node, side) = tree.place_of(PendingId(at as u32));
        let mut these = Facts {
            step: tree.step(node, side),
            node,
            depth,
            target: None,
            run: 0,
            score: 0,
            since_new: None,
            cost: Duration::ZERO,
        };
        facts(&mut these);
        searcher.add(PendingId(at as u32), &these);
    }
    shares(searcher.as_mut(), &tree, coverage)
}

#[test]
fn nurs_depth_halves_the_weight_with_every_branch() {
    let shares = weighed("nurs:depth", &mut Coverage::default(), |_| {});
    assert_shares(&shares, &[(0, 4.0 / 7.0), (1, 2.0 / 7.0), (2, 1.0 / 7.0)]);
    // As deep as no power of a half reaches.
    let shares = weighed("nurs:depth", &mut Coverage::default(), |facts| facts.depth += 5_000);
    assert_shares(&shares, &[(0, 4.0 / 7.0), (1, 2.0 / 7.0), (2, 1.0 / 7.0)]);
}

#[test]
fn nurs_qc_weighs_by_the_seconds_of_queries() {
    let shares = weighed("nurs:qc", &mut Coverage::default(), |facts| {
        facts.cost = [Duration::from_millis(5), Duration::from_secs(2), Duration::from_secs(4)][facts.step.site as usize];
    });
    assert_shares(&shares, &[(0, 4.0 / 7.0), (1, 2.0 / 7.0), (2, 1.0 / 7.0)]);
}

/// Blocks in a row, 0 to 3; those before the last are covered.
fn row() -> Coverage {
    let block =
        |successors: &[u32]| GraphBlock { successors: successors.to_vec(), wanted: true, ..GraphBlock::default() };
    let mut coverage = Coverage::new(Graph::new(&[block(&[1]), block(&[2]), block(&[3]), block(&[])]));
    coverage.record(&[0, 1, 2]);
    coverage
}

#[test]
fn nurs_md2u_weighs_by_the_distance_to_something_new() {
    // Pending 0 leads to what is new; pendings 1 and 2 to one and two blocks before.
    let shares = weighed("nurs:md2u", &mut row(), |facts| facts.target = Some(3 - facts.step.site));
    let total = 1.0 + 1.0 / 4.0 + 1.0 / 9.0;
    assert_shares(&shares, &[(0, 1.0 / total), (1, 0.25 / total), (2, 1.0 / 9.0 / total)]);
}

#[test]
fn nurs_covnew_adds_how_recently_the_run_covered_something_new() {
    let shares = weighed("nurs:covnew", &mut row(), |facts| {
        facts.target = Some(3 - facts.step.site);
        facts.since_new = [None, Some(3), Some(52)][facts.step.site as usize];
    });
    let weights = [1.0, 0.25 + 1.0, 1.0 / 9.0 + 0.25];
    let total: f64 = weights.iter().sum();
    assert_shares(&shares, &[(0, weights[0] / total), (1, weights[1] / total), (2, weights[2] / total)]);
}

#[test]
fn nurs_icnt_prefers_blocks_that_few_runs_came_by() {
    let mut picks = BTreeMap::new();
    for seed in 0..1000 {
        let settings = Settings::new("nurs:icnt".parse().unwrap(), seed);
        let mut frontier = Frontier::new(&settings, Graph::default(), |step, side| Some(2 * step.site + side));
        let path = path(&[(0, 0), (1, 0)]);
        for run in 0..3 {
            // Three runs came by block 1, where pending 0 leads; one by block 3, where pending 1 leads.
            let blocks: &[u32] = if run == 0 { &[1, 3] } else { &[1] };
            frontier.insert(&Ran { run, path: &path, blocks, cost: Duration::ZERO });
        }
        *picks.entry(frontier.pick().unwrap().pending.0).or_insert(0.0) += 0.001;
    }
    assert_shares(&picks, &[(0, 0.1), (1, 0.9)]);
}

#[test]
fn branches_that_a_run_passes_count_as_travelled() {
    let mut frontier = crate::driver::frontier_of(Subpath::new(1).latest_of_ties());
    let path = path(&[(1, 0), (2, 0), (1, 1)]);
    frontier.insert(&Ran { run: 0, path: &path, blocks: &[], cost: Duration::ZERO });
    // The other side of site 2 was never taken; both sides of site 1 were, once each.
    let picked: Vec<u32> = std::iter::from_fn(|| frontier.pick()).map(|picked| picked.pending.0).collect();
    assert_eq!(picked, [1, 2, 0]);
}

#[test]
fn strategies_in_turn_have_slices_of_picks() {
    let mut frontier = frontier("dfs,bfs", 0);
    let path = path(&[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]);
    frontier.insert(&Ran { run: 0, path: &path, blocks: &[], cost: Duration::ZERO });
    let picked: Vec<(usize, u32)> =
        std::iter::from_fn(|| frontier.pick()).map(|picked| (picked.strategy, picked.pending.0)).collect();
    assert_eq!(picked, [(0, 5), (0, 4), (1, 0), (1, 1), (0, 3), (0, 2)]);
}

#[test]
fn a_frontier_can_be_shared_by_threads() {
    fn is_send<T: Send>() {}
    is_send::<std::sync::Mutex<Frontier>>();
}
