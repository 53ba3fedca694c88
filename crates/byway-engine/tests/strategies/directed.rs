//! Searchers and targets from outside.

use std::time::Duration;

use byway_engine::goals::{Goals, GraphMetric, Metric};
use byway_engine::search::{Facts, Frontier, Nearest, Ran, SearchSettings, Searcher, Targets, View};
use byway_engine::tree::{BranchPath, PendingId};
use byway_map::sketch::Sketch;
use byway_map::{BlockGraph, BlockId, Distances, FlowEdge};

/// Blocks 0 to 5, one behind the other.
fn distances(length: fn(&FlowEdge) -> Option<u32>, targets: &[u32]) -> Distances {
    let mut sketch = Sketch::default();
    sketch.function("main", &[&[1], &[2], &[3], &[4], &[5], &[]]);
    let metric = GraphMetric::new(BlockGraph::control_flow(&sketch.finish()), length);
    metric.distances(&mut targets.iter().copied().map(BlockId::new))
}

fn each_successor(edge: &FlowEdge) -> Option<u32> {
    Some(u32::from(*edge == FlowEdge::Successor))
}

/// A frontier after a run past branches at sites 1 to 4; the other side of each begins in the block with that number.
fn frontier(searchers: Vec<Box<dyn Searcher>>) -> Frontier {
    let settings = SearchSettings { slice: 1, ..SearchSettings::new("dfs".parse().unwrap(), 1) };
    let target = |step: &byway_engine::tree::Step, _| Some(BlockId::new(step.site));
    let mut frontier = Frontier::with_searchers(&settings, searchers, Goals::default(), target);
    let mut path = BranchPath::new();
    (1..5).for_each(|site| path.push(site, 0, site, 0, 2));
    frontier.insert(&Ran { run: 0, path: &path, blocks: &[], cost: Duration::ZERO });
    frontier
}

fn sites(frontier: &mut Frontier) -> Vec<u32> {
    std::iter::from_fn(|| frontier.pick()).map(|picked| picked.step.site).collect()
}

#[test]
fn what_is_nearest_to_a_target_comes_first_and_what_leads_to_none_last() {
    let targets = Targets::new(distances(each_successor, &[3]));
    assert_eq!(sites(&mut frontier(vec![Box::new(Nearest::new(targets))])), [3, 2, 1, 4]);
}

#[test]
fn what_leads_to_no_target_can_be_left_to_others() {
    let nearest = || Box::new(Nearest::strict(Targets::new(distances(each_successor, &[3]))));
    assert_eq!(sites(&mut frontier(vec![nearest()])), [3, 2, 1]);
    assert_eq!(sites(&mut frontier(vec![nearest(), Box::new(First::default())])), [3, 1, 2, 4]);
}

#[test]
fn targets_can_be_changed_while_a_search_goes_on() {
    let targets = Targets::new(distances(each_successor, &[5]));
    let mut frontier = frontier(vec![Box::new(Nearest::new(targets.clone()))]);
    assert_eq!(frontier.pick().unwrap().step.site, 4);
    targets.set(distances(each_successor, &[2]));
    assert_eq!(sites(&mut frontier), [2, 1, 3]);
}

#[test]
fn a_kind_of_edge_that_has_no_length_is_no_way() {
    let targets = Targets::new(distances(|edge| (*edge != FlowEdge::Successor).then_some(0), &[3]));
    assert_eq!(sites(&mut frontier(vec![Box::new(Nearest::new(targets))]))[0], 3);
}

/// A searcher that is not ours: the pending with the least number.
#[derive(Default)]
struct First(std::collections::BTreeSet<PendingId>);

impl Searcher for First {
    fn add(&mut self, pending: PendingId, _facts: &Facts) {
        self.0.insert(pending);
    }

    fn remove(&mut self, pending: PendingId) {
        self.0.remove(&pending);
    }

    fn pick(&mut self, _view: &mut View<'_>) -> Option<PendingId> {
        self.0.first().copied()
    }
}

#[test]
fn a_searcher_from_outside_has_its_turn() {
    let targets = Targets::new(distances(each_successor, &[4]));
    let searchers: Vec<Box<dyn Searcher>> = vec![Box::new(Nearest::new(targets)), Box::new(First::default())];
    assert_eq!(sites(&mut frontier(searchers)), [4, 1, 3, 2]);
}
