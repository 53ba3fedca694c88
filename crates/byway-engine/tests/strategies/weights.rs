//! Random strategies choose with the probabilities they promise.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_engine::goals::Goals;
use byway_engine::search::{BlockCoverage, Dice, Facts, Frontier, Ran, RandomPath, RunFacts, Searcher, Subpath, View};
use byway_engine::tree::{BranchPath, PathTree, PendingId, PendingOutcome};
use byway_map::BlockId;
use byway_map::sketch::Sketch;

use crate::driver::frontier;

const SAMPLES: usize = 8_000;

/// How often each pending is picked, in parts of one, from a tree that does not change.
fn shares(searcher: &mut dyn Searcher, tree: &PathTree, coverage: &mut BlockCoverage) -> BTreeMap<u32, f64> {
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

fn path(choices: &[(u32, u32)]) -> BranchPath {
    let mut path = BranchPath::new();
    choices.iter().for_each(|&(site, side)| path.push(site, 0, site, side, 2));
    path
}

#[test]
fn a_random_path_chooses_among_live_sides_alike() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]));
    // Sites 1 and 2 have only one way on.
    tree.close(PendingId(1), PendingOutcome::Infeasible);
    tree.close(PendingId(2), PendingOutcome::Unknown);
    let mut random_path = RandomPath::default();
    let mut coverage = BlockCoverage::default();
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
    let shares = shares(&mut RandomPath::default(), &tree, &mut BlockCoverage::default());
    assert_shares(&shares, &[(0, 0.0), (1, 1.0)]);
}

/// A searcher that has learned of a run.
fn learned(search: &str, tree: &mut PathTree, path: &BranchPath, coverage: &BlockCoverage) -> Box<dyn Searcher> {
    let mut searcher = search.parse::<byway_engine::search::Search>().unwrap().strategies()[0].searcher();
    let inserted = tree.insert(0, path);
    let taken = tree.last_steps(inserted.leaf.unwrap(), path.steps().len());
    let run =
        RunFacts { tree, taken: &taken, took: None, target: &crate::driver::block, blocks: &[], points: &[], coverage };
    searcher.ran(&run);
    searcher
}

fn facts_of(tree: &PathTree, pending: PendingId) -> Facts<'_> {
    let (node, side) = tree.place_of(pending);
    Facts {
        also: &[],
        step: tree.step(node, side),
        node,
        depth: tree.depth(node),
        target: None,
        points: 0,
        run: 0,
        score: 0,
        since_new: None,
        cost: Duration::ZERO,
    }
}

/// Three pendings that differ in what weights are made of.
fn weighed(search: &str, coverage: &mut BlockCoverage, facts: impl Fn(&mut Facts)) -> BTreeMap<u32, f64> {
    let mut tree = PathTree::new(None);
    let mut searcher = learned(search, &mut tree, &path(&[(0, 0), (1, 0), (2, 0)]), coverage);
    for pending in (0..3).map(PendingId) {
        let mut these = facts_of(&tree, pending);
        facts(&mut these);
        searcher.add(pending, &these);
    }
    shares(searcher.as_mut(), &tree, coverage)
}

#[test]
fn nurs_depth_halves_the_weight_with_every_branch() {
    let shares = weighed("nurs:depth", &mut BlockCoverage::default(), |_| {});
    assert_shares(&shares, &[(0, 4.0 / 7.0), (1, 2.0 / 7.0), (2, 1.0 / 7.0)]);
}

#[test]
fn nurs_depth_has_weights_where_no_power_of_a_half_reaches() {
    let (mut tree, mut coverage) = (PathTree::new(None), BlockCoverage::default());
    let steps: Vec<(u32, u32)> = (0..5_003).map(|site| (site, 0)).collect();
    let mut searcher = learned("nurs:depth", &mut tree, &path(&steps), &coverage);
    (5_000..5_003).map(PendingId).for_each(|pending| searcher.add(pending, &facts_of(&tree, pending)));
    let shares = shares(searcher.as_mut(), &tree, &mut coverage);
    assert_shares(&shares, &[(5_000, 4.0 / 7.0), (5_001, 2.0 / 7.0), (5_002, 1.0 / 7.0)]);
}

#[test]
fn nurs_depth_counts_forks_only() {
    let (mut tree, mut coverage) = (PathTree::new(None), BlockCoverage::default());
    let mut searcher = learned("nurs:depth", &mut tree, &path(&[(0, 0), (1, 0), (2, 0), (3, 0)]), &coverage);
    (0..4).map(PendingId).for_each(|pending| searcher.add(pending, &facts_of(&tree, pending)));
    // Site 1 has one way on: what is below is less deep by one.
    tree.close(PendingId(1), PendingOutcome::Infeasible);
    searcher.remove(PendingId(1));
    searcher.fork_changed(&tree, tree.place_of(PendingId(1)).0);
    let shares = shares(searcher.as_mut(), &tree, &mut coverage);
    assert_shares(&shares, &[(0, 4.0 / 7.0), (2, 2.0 / 7.0), (3, 1.0 / 7.0)]);
}

#[test]
fn breadth_first_search_counts_forks_only() {
    let mut frontier = frontier("bfs", 0);
    let insert = |frontier: &mut Frontier, run, choices: &[(u32, u32)]| {
        let path = path(choices);
        frontier.insert(&Ran { run, path: &path, blocks: &[], cost: Duration::ZERO });
    };
    insert(&mut frontier, 0, &[(0, 0), (1, 0), (2, 0), (3, 0)]);
    insert(&mut frontier, 1, &[(0, 1), (4, 0), (5, 0)]);
    // Pendings 1 to 3 are those of sites 1 to 3, pendings 4 and 5 those of sites 4 and 5.
    frontier.close(PendingId(1), PendingOutcome::Infeasible);
    frontier.close(PendingId(2), PendingOutcome::Infeasible);
    let picked: Vec<u32> = std::iter::from_fn(|| frontier.pick()).map(|picked| picked.pending.0).collect();
    assert_eq!(picked, [3, 4, 5]);
}

#[test]
fn nurs_qc_weighs_by_the_seconds_of_queries() {
    let shares = weighed("nurs:qc", &mut BlockCoverage::default(), |facts| {
        facts.cost =
            [Duration::from_millis(5), Duration::from_secs(2), Duration::from_secs(4)][facts.step.site as usize];
    });
    assert_shares(&shares, &[(0, 4.0 / 7.0), (1, 2.0 / 7.0), (2, 1.0 / 7.0)]);
}

/// Blocks in a row, 0 to 3; those before the last are covered.
fn row() -> BlockCoverage {
    let mut sketch = Sketch::default();
    sketch.function("main", &[&[1], &[2], &[3], &[]]);
    let mut coverage = BlockCoverage::new(Goals::new(&sketch.finish(), vec![true; 4]));
    coverage.record(&[0, 1, 2].map(BlockId::new));
    coverage
}

#[test]
fn nurs_md2u_weighs_by_the_distance_to_something_new() {
    // Pending 0 leads to what is new; pendings 1 and 2 to one and two blocks before.
    let shares = weighed("nurs:md2u", &mut row(), |facts| facts.target = Some(BlockId::new(3 - facts.step.site)));
    let total = 1.0 + 1.0 / 4.0 + 1.0 / 9.0;
    assert_shares(&shares, &[(0, 1.0 / total), (1, 0.25 / total), (2, 1.0 / 9.0 / total)]);
}

#[test]
fn nurs_covnew_adds_how_recently_the_run_covered_something_new() {
    let shares = weighed("nurs:covnew", &mut row(), |facts| {
        facts.target = Some(BlockId::new(3 - facts.step.site));
        facts.depth += 100;
        facts.since_new = [None, Some(3), Some(52)][facts.step.site as usize];
    });
    let weights = [1.0, 0.25 + 1.0, 1.0 / 9.0 + 0.25];
    let total: f64 = weights.iter().sum();
    assert_shares(&shares, &[(0, weights[0] / total), (1, weights[1] / total), (2, weights[2] / total)]);
}

#[test]
fn nurs_covnew_remembers_news_on_the_way_of_the_run_before() {
    let mut picks = BTreeMap::new();
    for seed in 0..1000 {
        // No distance is known, so news is all that counts. Block 3 is where side 1 of site 1 leads.
        let mut frontier = frontier("nurs:covnew", seed);
        let mut insert = |run, choices: &[(u32, u32)], blocks: &[BlockId]| {
            let path = path(choices);
            frontier.insert(&Ran { run, path: &path, blocks, cost: Duration::ZERO });
        };
        insert(0, &[(0, 0), (1, 1), (2, 0)], &[BlockId::new(3)]);
        insert(1, &[(0, 0), (1, 1), (2, 1), (3, 0)], &[]);
        insert(2, &[(0, 1), (4, 0)], &[]);
        // Pending 3 is that of site 3, behind the news; pending 4, of site 4, is on another way; and so is pending 1.
        *picks.entry(frontier.pick().unwrap().pending.0).or_insert(0.0) += 0.001;
    }
    assert_shares(&picks, &[(3, 1.0), (4, 0.0), (1, 0.0)]);
}

#[test]
fn nurs_icnt_prefers_blocks_that_were_rarely_entered() {
    let mut picks = BTreeMap::new();
    for seed in 0..1000 {
        let mut frontier = frontier("nurs:icnt", seed);
        let mut insert = |run, choices: &[(u32, u32)]| {
            let path = path(choices);
            frontier.insert(&Ran { run, path: &path, blocks: &[], cost: Duration::ZERO });
        };
        // Pending 0 leads to side 1 of site 0, which is entered three times further down; pending 4 to side 1 of site 1,
        // entered once. Those between are closed.
        insert(0, &[(0, 0), (0, 1), (0, 1), (0, 1), (1, 0), (1, 1)]);
        // That a run repeats what is known counts for nothing.
        (1..9).for_each(|run| insert(run, &[(0, 0), (0, 1), (0, 1), (0, 1), (1, 0), (1, 1)]));
        frontier.close(PendingId(5), PendingOutcome::Infeasible);
        (1..4).for_each(|pending| frontier.close(PendingId(pending), PendingOutcome::Unknown));
        *picks.entry(frontier.pick().unwrap().pending.0).or_insert(0.0) += 0.001;
    }
    assert_shares(&picks, &[(0, 0.1), (4, 0.9)]);
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
        std::iter::from_fn(|| frontier.pick()).map(|picked| (picked.strategy.unwrap(), picked.pending.0)).collect();
    assert_eq!(picked, [(0, 5), (0, 4), (1, 0), (1, 1), (0, 3), (0, 2)]);
}

#[test]
fn a_frontier_can_be_shared_by_threads() {
    fn is_send<T: Send>() {}
    is_send::<std::sync::Mutex<Frontier>>();
}
