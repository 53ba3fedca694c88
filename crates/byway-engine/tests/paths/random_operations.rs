//! Whatever is done to a tree, in whatever order, its books balance.

use std::collections::BTreeSet;

use byway_engine::search::{BlockCoverage, Dice, RandomPath, Searcher, View};
use byway_engine::tree::{BranchPath, Constraint, NodeId, PathTree, PendingId, PendingOutcome, Side, Step};
use proptest::prelude::*;

/// One thing to do.
#[derive(Debug, Clone)]
enum Operation {
    /// Insert a path: for each step its site, its side, and whether the run assumes something before it.
    Insert(Vec<(u32, u32, bool)>, bool),
    /// Insert a path that takes a pending.
    Take(usize, Vec<u32>),
    Begin(usize),
    Close(usize, PendingOutcome),
}

fn operation() -> impl Strategy<Value = Operation> {
    let step = (prop_oneof![9 => Just(0_u32), 1 => 1..3_u32], 0..3_u32, prop::bool::weighted(0.05));
    let outcome =
        prop_oneof![Just(PendingOutcome::Infeasible), Just(PendingOutcome::Unknown), Just(PendingOutcome::Missed)];
    prop_oneof![
        2 => (prop::collection::vec(step, 0..8), any::<bool>()).prop_map(|(steps, stops)| Operation::Insert(steps, stops)),
        4 => (any::<usize>(), prop::collection::vec(0..3_u32, 0..4)).prop_map(|(n, rest)| Operation::Take(n, rest)),
        3 => any::<usize>().prop_map(Operation::Begin),
        4 => (any::<usize>(), outcome).prop_map(|(n, outcome)| Operation::Close(n, outcome)),
    ]
}

/// Sites that are multiples of three are switches with three sides.
fn push(path: &mut BranchPath, site: u32, side: u32) {
    let sides = if site.is_multiple_of(3) { 3 } else { 2 };
    let side = if side == Step::NEITHER { side } else { side % sides };
    path.push(site, 0, site, side, sides);
}

fn path_of(steps: &[(u32, u32, bool)], stops: bool) -> BranchPath {
    let mut path = BranchPath::new();
    for (index, &(variant, side, assumes)) in steps.iter().enumerate() {
        if assumes {
            path.assume(side);
        }
        let stops = stops && index + 1 == steps.len();
        push(&mut path, 10 * index as u32 + variant, if stops { Step::NEITHER } else { side });
    }
    path
}

/// A path that meets what a pending demands, then takes these sides.
fn path_through(tree: &PathTree, pending: PendingId, rest: &[u32]) -> BranchPath {
    let mut path = BranchPath::new();
    for constraint in tree.constraints(pending) {
        match constraint {
            Constraint::Assumed(id) => path.assume(id),
            Constraint::Decided { site, side, .. } => push(&mut path, site, side),
        }
    }
    for &side in rest {
        let site = 10 * path.steps().len() as u32;
        push(&mut path, site, side);
    }
    path
}

fn apply(tree: &mut PathTree, run: u32, operation: &Operation) {
    let ever = tree.pendings_ever();
    let any = |n: usize| (ever > 0).then(|| PendingId((n % ever) as u32));
    match operation {
        Operation::Insert(steps, stops) => {
            tree.insert(run, &path_of(steps, *stops));
        }
        Operation::Take(n, rest) => {
            let Some(pending) = any(*n) else { return };
            tree.insert(run, &path_through(tree, pending, rest));
            assert!(!tree.is_waiting(pending), "{pending:?} was taken");
        }
        Operation::Begin(n) => {
            any(*n).map(|pending| tree.begin(pending));
        }
        Operation::Close(n, outcome) => {
            any(*n).map(|pending| tree.close(pending, *outcome));
        }
    }
}

/// Compares everything the tree keeps count of with what a walk over all of it finds.
fn check(tree: &PathTree) {
    let mut waiting = BTreeSet::new();
    let mut open: Vec<(NodeId, Vec<(u32, u32)>)> = tree.root().map(|root| (root, Vec::new())).into_iter().collect();
    let mut nodes = 0;
    while let Some((node, before)) = open.pop() {
        nodes += 1;
        let sides: Vec<Side> = (0..tree.side_count(node)).map(|side| tree.side(node, side)).collect();
        let live = sides.iter().filter(|&&side| tree.is_live(side)).count();
        assert_eq!(tree.live_sides(node) as usize, live, "live sides of {node:?}");
        assert_eq!(tree.depth(node) as usize, before.len() + usize::from(!tree.is_alternative(node)));
        for (number, side) in (0..).zip(sides) {
            let mut choices = before.clone();
            choices.extend((!tree.is_alternative(node)).then(|| (tree.step(node, number).site, number)));
            match side {
                Side::Node(next) => open.push((next, choices)),
                Side::Pending(pending) => {
                    check_pending(tree, pending, (node, number), &choices);
                    waiting.insert(pending);
                }
                Side::Trying(pending) => check_pending(tree, pending, (node, number), &choices),
                _ => {}
            }
        }
    }
    assert_eq!(nodes, tree.node_count(), "every node hangs on the root");
    assert_eq!(tree.waiting().iter().copied().collect::<BTreeSet<_>>(), waiting);
    assert!(waiting.iter().all(|&pending| tree.is_waiting(pending)));
}

fn check_pending(tree: &PathTree, pending: PendingId, place: (NodeId, u32), choices: &[(u32, u32)]) {
    assert_eq!(tree.place_of(pending), place);
    let decided = tree.constraints(pending).filter_map(|constraint| match constraint {
        Constraint::Decided { site, side, .. } => Some((site, side)),
        Constraint::Assumed(_) => None,
    });
    assert_eq!(decided.collect::<Vec<_>>(), choices);
}

/// A random path is the same with and without its jumps.
fn check_random_path(tree: &PathTree, random_path: &mut RandomPath, dice: &mut Dice) {
    let expected = random_path_without_jumps(tree, &mut dice.clone());
    let mut coverage = BlockCoverage::default();
    let picked = random_path.pick(&mut View { tree, coverage: &mut coverage, dice });
    assert_eq!(picked.is_some(), !tree.waiting().is_empty());
    assert!(picked.is_none_or(|pending| tree.is_waiting(pending)));
    assert!(expected.is_none() || expected == picked, "{expected:?} becomes {picked:?}");
}

/// Where the first walk ends, unless something is being tried there. Dice are thrown only where there is a choice.
fn random_path_without_jumps(tree: &PathTree, dice: &mut Dice) -> Option<PendingId> {
    let mut node = tree.root().filter(|_| !tree.waiting().is_empty())?;
    loop {
        let only = tree.live_side(node, 0).filter(|side| tree.live_sides(node) == 1 && matches!(side, Side::Node(_)));
        match only.or_else(|| tree.live_side(node, dice.below(tree.live_sides(node) as usize) as u32))? {
            Side::Node(next) => node = next,
            Side::Pending(pending) => return Some(pending),
            _ => return None,
        }
    }
}

proptest! {
    #[test]
    fn the_books_of_a_tree_balance(operations in prop::collection::vec(operation(), 0..60)) {
        let mut tree = PathTree::new(Some(9));
        let (mut random_path, mut dice) = (RandomPath::default(), Dice::new(1));
        for (run, operation) in (0..).zip(&operations) {
            apply(&mut tree, run, operation);
            check(&tree);
            check_random_path(&tree, &mut random_path, &mut dice);
        }
    }
}
