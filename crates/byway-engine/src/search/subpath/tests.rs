//! The books of the searcher are at any time those that a look at the whole tree gives.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::goals::Goals;
use crate::search::{Frontier, Ran, SearchSettings};
use crate::tree::{BranchPath, Constraint, PendingOutcome};

/// A searcher that can be looked at while a frontier has it.
#[derive(Clone)]
struct Seen(Arc<Mutex<Subpath>>);

impl Searcher for Seen {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.0.lock().unwrap().add(pending, facts);
    }
    fn remove(&mut self, pending: PendingId) {
        self.0.lock().unwrap().remove(pending);
    }
    fn picked(&mut self, pending: PendingId) {
        self.0.lock().unwrap().picked(pending);
    }
    fn failed(&mut self, pending: PendingId) {
        self.0.lock().unwrap().failed(pending);
    }
    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.0.lock().unwrap().pick(view)
    }
    fn ran(&mut self, run: &RunFacts<'_>) {
        self.0.lock().unwrap().ran(run);
    }
    fn fork_changed(&mut self, tree: &PathTree, node: NodeId) {
        self.0.lock().unwrap().fork_changed(tree, node);
    }
}

/// A frontier with one searcher, which can be looked at.
struct Watched {
    length: u32,
    searcher: Seen,
    frontier: Frontier,
    runs: u32,
}

/// The forks on a way, each with the side taken.
type Forks = Vec<Step>;

impl Watched {
    fn new(length: u32) -> Watched {
        let searcher = Seen(Arc::new(Mutex::new(Subpath::new(length))));
        let settings = SearchSettings::new("dfs".parse().unwrap(), 1);
        let frontier =
            Frontier::with_searchers(&settings, vec![Box::new(searcher.clone())], Goals::default(), |_, _| None);
        Watched { length, searcher, frontier, runs: 0 }
    }

    fn run(&mut self, steps: &[(u32, u32)]) {
        let mut path = BranchPath::new();
        // A site above 5 is a switch.
        steps.iter().for_each(|&(site, side)| path.push(site, 0, site, side, if site > 5 { 3 } else { 2 }));
        self.frontier.insert(&Ran { run: self.runs, path: &path, blocks: &[], cost: Duration::ZERO });
        self.runs += 1;
    }

    fn way_to(&self, pending: PendingId) -> Vec<(u32, u32)> {
        let decided = self.frontier.tree().constraints(pending).filter_map(|constraint| match constraint {
            Constraint::Decided { site, side, .. } => Some((site, side)),
            Constraint::Assumed(_) => None,
        });
        decided.collect()
    }

    /// The name of the subpath at the end of some forks.
    fn name(&self, forks: &[Step]) -> u64 {
        let window = &forks[forks.len().saturating_sub(self.length as usize)..];
        window.iter().fold(0, |name, step| longer(name, name_of(step)))
    }

    /// What the whole tree says: how often each subpath was travelled, and the subpath of each pending that waits.
    fn expected(&self) -> (BTreeMap<u64, u32>, BTreeMap<PendingId, u64>) {
        let (tree, mut counts, mut waiting) = (self.frontier.tree(), BTreeMap::new(), BTreeMap::new());
        let mut open: Vec<(NodeId, Forks)> = tree.root().into_iter().map(|root| (root, Vec::new())).collect();
        while let Some((node, forks)) = open.pop() {
            for (number, side) in (0..).zip(tree.sides(node)) {
                let with_this = [forks.as_slice(), &[tree.step(node, number)]].concat();
                let is_fork = tree.is_fork(node);
                match side {
                    Side::Pending(pending) => _ = waiting.insert(pending, self.name(&with_this)),
                    Side::Trying(_) => *counts.entry(self.name(&with_this)).or_insert(0) += 1,
                    Side::Node(_) | Side::End if is_fork => *counts.entry(self.name(&with_this)).or_insert(0) += 1,
                    _ => {}
                }
                if let Side::Node(below) = side {
                    open.push((below, if is_fork { with_this } else { forks.clone() }));
                }
            }
        }
        (counts, waiting)
    }

    /// What the searcher says.
    fn found(&self) -> (BTreeMap<u64, u32>, BTreeMap<PendingId, u64>) {
        let searcher = self.searcher.0.lock().unwrap();
        let all = (0..self.frontier.tree().pendings_ever() as u32).map(PendingId);
        let waiting = all.filter_map(|pending| Some((pending, searcher.frequencies.subpath_of(pending)?)));
        (searcher.frequencies.travelled().collect(), waiting.collect())
    }

    /// How often a subpath was travelled, from its sites and sides.
    fn travelled(&self, steps: &[(u32, u32)]) -> u32 {
        let mut path = BranchPath::new();
        steps.iter().for_each(|&(site, side)| path.push(site, 0, site, side, 2));
        self.searcher.0.lock().unwrap().frequencies.of(self.name(path.steps()))
    }

    /// Whether a pending lies at the end of a subpath.
    fn is_at(&self, pending: u32, steps: &[(u32, u32)]) -> bool {
        let mut path = BranchPath::new();
        steps.iter().for_each(|&(site, side)| path.push(site, 0, site, side, 2));
        let subpath = self.searcher.0.lock().unwrap().frequencies.subpath_of(PendingId(pending));
        subpath == Some(self.name(path.steps()))
    }

    fn close(&mut self, pending: u32, outcome: PendingOutcome) {
        self.frontier.close(PendingId(pending), outcome);
    }
}

#[test]
fn a_branch_with_one_feasible_side_is_no_part_of_a_subpath() {
    let mut watched = Watched::new(2);
    watched.run(&[(1, 0), (2, 0), (3, 0), (4, 0)]);
    assert!(watched.is_at(2, &[(2, 0), (3, 1)]) && watched.is_at(3, &[(3, 0), (4, 1)]));
    assert_eq!(watched.travelled(&[(2, 0), (3, 0)]), 1);
    watched.close(1, PendingOutcome::Infeasible);
    // Now 3 comes after 1.
    assert!(watched.is_at(2, &[(1, 0), (3, 1)]) && watched.is_at(3, &[(3, 0), (4, 1)]));
    assert_eq!((watched.travelled(&[(1, 0), (2, 0)]), watched.travelled(&[(2, 0), (3, 0)])), (0, 0));
    assert_eq!((watched.travelled(&[(1, 0), (3, 0)]), watched.travelled(&[(3, 0), (4, 0)])), (1, 1));
}

#[test]
fn a_side_counts_as_feasible_until_the_solver_has_said_that_it_is_not() {
    for outcome in [PendingOutcome::Unknown, PendingOutcome::Missed] {
        let mut watched = Watched::new(2);
        watched.run(&[(1, 0), (2, 0), (3, 0)]);
        watched.close(1, outcome);
        assert!(watched.is_at(2, &[(2, 0), (3, 1)]));
    }
}

#[test]
fn a_switch_is_a_fork_as_long_as_two_of_its_sides_are_feasible() {
    let mut watched = Watched::new(2);
    watched.run(&[(1, 0), (6, 0), (3, 0)]);
    watched.close(1, PendingOutcome::Infeasible);
    assert!(watched.is_at(3, &[(6, 0), (3, 1)]));
    watched.close(2, PendingOutcome::Infeasible);
    assert!(watched.is_at(3, &[(1, 0), (3, 1)]));
}

#[test]
fn what_is_picked_in_vain_was_not_travelled() {
    for outcome in [PendingOutcome::Infeasible, PendingOutcome::Unknown, PendingOutcome::Missed] {
        let mut watched = Watched::new(1);
        watched.run(&[(1, 0)]);
        let picked = watched.frontier.pick().unwrap();
        assert_eq!(watched.travelled(&[(1, 1)]), 1);
        watched.frontier.close(picked.pending, outcome);
        assert_eq!(watched.travelled(&[(1, 1)]), 0);
    }
}

#[test]
fn what_is_picked_and_taken_was_travelled_once() {
    let mut watched = Watched::new(1);
    watched.run(&[(1, 0)]);
    watched.frontier.pick().unwrap();
    watched.run(&[(1, 1), (2, 0)]);
    assert_eq!((watched.travelled(&[(1, 1)]), watched.travelled(&[(2, 0)])), (1, 1));
    // The way that is known already is not travelled again by going further.
    watched.frontier.pick().unwrap();
    watched.run(&[(1, 1), (2, 1)]);
    assert_eq!((watched.travelled(&[(1, 1)]), watched.travelled(&[(2, 1)])), (1, 1));
}

#[test]
fn a_side_that_a_run_takes_after_all_makes_a_fork_again() {
    let mut watched = Watched::new(2);
    watched.run(&[(1, 0), (2, 0), (3, 0)]);
    watched.close(1, PendingOutcome::Infeasible);
    watched.run(&[(1, 0), (2, 1), (4, 0)]);
    assert!(watched.is_at(2, &[(2, 0), (3, 1)]) && watched.is_at(3, &[(2, 1), (4, 1)]));
    assert_eq!((watched.travelled(&[(1, 0), (2, 0)]), watched.travelled(&[(1, 0), (2, 1)])), (1, 1));
}

/// What may happen to a frontier.
#[derive(Debug, Clone)]
enum Event {
    Run(Vec<(u32, u32)>),
    Pick,
    /// A run takes a pending, and goes on.
    Take(usize, Vec<(u32, u32)>),
    Close(usize, PendingOutcome),
}

fn steps() -> impl Strategy<Value = Vec<(u32, u32)>> {
    // Few sites, so that runs meet and subpaths repeat; and the same side mostly, so that they share more than the start.
    let step = (1..8u32, prop_oneof![3 => Just(0), 1 => 0..2u32]);
    (prop::collection::vec(step, 1..9), prop::bool::weighted(0.1)).prop_map(|(mut steps, is_stopped)| {
        if is_stopped && let Some(last) = steps.last_mut() {
            last.1 = Step::NEITHER;
        }
        steps
    })
}

fn event() -> impl Strategy<Value = Event> {
    let outcome = prop_oneof![4 => Just(PendingOutcome::Infeasible), 1 => Just(PendingOutcome::Unknown), 1 => Just(PendingOutcome::Missed)];
    prop_oneof![
        2 => steps().prop_map(Event::Run),
        3 => Just(Event::Pick),
        4 => (0..200usize, steps()).prop_map(|(pending, steps)| Event::Take(pending, steps)),
        5 => (0..200usize, outcome).prop_map(|(pending, outcome)| Event::Close(pending, outcome)),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_the_books_are_those_of_the_whole_tree(
        length in prop_oneof![Just(1u32), Just(2), Just(3), Just(8), Just(1000)],
        events in prop::collection::vec(event(), 1..40),
    ) {
        let mut watched = Watched::new(length);
        for event in events {
            let ever = watched.frontier.tree().pendings_ever();
            match event {
                Event::Run(steps) => watched.run(&steps),
                Event::Pick => _ = watched.frontier.pick(),
                Event::Take(which, steps) if ever > 0 => {
                    let way = watched.way_to(PendingId((which % ever) as u32));
                    watched.run(&[way, steps].concat());
                }
                Event::Close(which, outcome) if ever > 0 => watched.close((which % ever) as u32, outcome),
                _ => {}
            }
            prop_assert_eq!(watched.found(), watched.expected());
        }
    }
}
