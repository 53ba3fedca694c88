//! What inserting single paths does.

use byway_engine::tree::{BranchPath, Constraint, PathTree, PendingId, PendingOutcome, Side, Step, StepKind};

/// A path through these sites and sides; a branch's condition has its site's number.
fn path(choices: &[(u32, u32)]) -> BranchPath {
    let mut path = BranchPath::new();
    choices.iter().for_each(|&(site, side)| path.push(site, 0, site, side, 2));
    path
}

fn decided(site: u32, side: u32) -> Constraint {
    Constraint::Decided { kind: StepKind::Branch, site, condition: site, side, sides: 2 }
}

fn constraints(tree: &PathTree, pending: u32) -> Vec<Constraint> {
    tree.constraints(PendingId(pending)).collect()
}

#[test]
fn every_side_that_a_run_did_not_take_is_pending() {
    let mut tree = PathTree::new(None);
    let inserted = tree.insert(0, &path(&[(1, 0), (2, 1)]));
    assert_eq!((inserted.known, inserted.added.clone(), inserted.took), (0, 0..2, None));
    assert_eq!(constraints(&tree, 0), [decided(1, 1)]);
    assert_eq!(constraints(&tree, 1), [decided(1, 0), decided(2, 0)]);
    let (leaf, side) = inserted.leaf.unwrap();
    assert_eq!((tree.step(leaf, side).site, tree.side(leaf, side)), (2, Side::End));
}

#[test]
fn a_switch_has_a_pending_for_each_case_not_taken() {
    let mut tree = PathTree::new(None);
    let mut path = BranchPath::new();
    path.push(1, 0, 9, 2, 5);
    assert_eq!(tree.insert(0, &path).added, 0..4);
    let sides: Vec<u32> = (0..4).map(|pending| tree.place_of(PendingId(pending)).1).collect();
    assert_eq!(sides, [0, 1, 3, 4]);
}

#[test]
fn a_run_that_takes_what_was_tried_adds_what_follows() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0), (2, 1)]));
    assert!(tree.begin(PendingId(0)));
    assert!(!tree.begin(PendingId(0)));
    let inserted = tree.insert(1, &path(&[(1, 1), (3, 0)]));
    assert_eq!((inserted.known, inserted.took, inserted.was_tried), (0, Some(PendingId(0)), true));
    assert_eq!(inserted.added, 2..3);
    assert_eq!(constraints(&tree, 2), [decided(1, 1), decided(3, 1)]);
    assert_eq!(tree.run_of(PendingId(2)), 1);
    assert_eq!(tree.waiting().len(), 2);
}

#[test]
fn a_run_may_take_a_pending_that_nobody_tried() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0), (2, 1)]));
    let inserted = tree.insert(1, &path(&[(1, 0), (2, 0)]));
    assert_eq!((inserted.known, inserted.took, inserted.was_tried), (1, Some(PendingId(1)), false));
    assert_eq!(tree.waiting(), [PendingId(0)]);
}

#[test]
fn the_same_path_again_adds_nothing_and_is_counted() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0), (2, 1)]));
    let inserted = tree.insert(1, &path(&[(1, 0), (2, 1)]));
    assert_eq!((inserted.known, inserted.added), (2, 2..2));
    tree.insert(2, &path(&[(1, 0)]));
    assert_eq!((tree.counts().runs, tree.counts().repeated, tree.counts().ended_early), (3, 1, 1));
}

#[test]
fn another_branch_in_the_same_place_goes_beside_it() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0), (2, 0)]));
    tree.insert(1, &path(&[(1, 0), (7, 0), (8, 0)]));
    tree.insert(2, &path(&[(1, 0), (9, 0)]));
    assert_eq!(tree.counts().diverged, 2);
    assert_eq!(constraints(&tree, 1), [decided(1, 0), decided(2, 1)]);
    assert_eq!(constraints(&tree, 3), [decided(1, 0), decided(7, 0), decided(8, 1)]);
    assert_eq!(constraints(&tree, 4), [decided(1, 0), decided(9, 1)]);
    let again = tree.insert(3, &path(&[(1, 0), (7, 0), (8, 1)]));
    assert_eq!((again.known, again.took, tree.counts().diverged), (2, Some(PendingId(3)), 2));
}

#[test]
fn another_first_branch_goes_beside_the_root() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0)]));
    tree.insert(1, &path(&[(2, 0)]));
    assert_eq!(constraints(&tree, 0), [decided(1, 1)]);
    assert_eq!(constraints(&tree, 1), [decided(2, 1)]);
    assert_eq!(tree.live_sides(tree.root().unwrap()), 2);
}

#[test]
fn assumptions_come_before_the_branch_that_follows_them() {
    let mut tree = PathTree::new(None);
    let mut path = path(&[(1, 0)]);
    path.assume(70);
    path.assume(71);
    path.push(2, 0, 2, 0, 2);
    path.assume(72);
    tree.insert(0, &path);
    assert_eq!(constraints(&tree, 0), [decided(1, 1)]);
    let expected = [decided(1, 0), Constraint::Assumed(70), Constraint::Assumed(71), decided(2, 1)];
    assert_eq!(constraints(&tree, 1), expected);
}

#[test]
fn the_same_branch_under_other_assumptions_is_another() {
    let mut tree = PathTree::new(None);
    for assumption in [5, 6, 5] {
        let mut path = BranchPath::new();
        path.assume(assumption);
        path.push(1, 0, 1, 0, 2);
        tree.insert(assumption, &path);
    }
    assert_eq!((tree.counts().assumed_otherwise, tree.counts().diverged, tree.counts().repeated), (1, 0, 1));
    assert_eq!(constraints(&tree, 1), [Constraint::Assumed(6), decided(1, 1)]);
}

#[test]
fn what_is_deeper_than_the_bound_is_not_pending() {
    let mut tree = PathTree::new(Some(2));
    let inserted = tree.insert(0, &path(&[(1, 0), (2, 0), (3, 0), (4, 0)]));
    assert_eq!((inserted.added, tree.counts().too_deep), (0..2, 2));
}

#[test]
fn a_run_that_was_stopped_at_a_branch_leaves_all_its_sides_pending() {
    let mut tree = PathTree::new(None);
    let inserted = tree.insert(0, &path(&[(1, Step::NEITHER)]));
    assert_eq!(inserted.added, 0..2);
    let inserted = tree.insert(1, &path(&[(1, 1)]));
    assert_eq!((inserted.took, tree.waiting()), (Some(PendingId(1)), &[PendingId(0)][..]));
}

#[test]
fn closing_says_why_and_counts() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0), (2, 0), (3, 0)]));
    for (pending, outcome) in
        [(0, PendingOutcome::Infeasible), (1, PendingOutcome::Unknown), (2, PendingOutcome::Missed)]
    {
        tree.begin(PendingId(pending));
        tree.close(PendingId(pending), outcome);
        let (node, side) = tree.place_of(PendingId(pending));
        assert_eq!(tree.side(node, side), Side::Closed(outcome));
    }
    assert_eq!((tree.counts().infeasible, tree.counts().unknown, tree.counts().missed), (1, 1, 1));
    assert_eq!(tree.live_sides(tree.root().unwrap()), 0);
}

#[test]
fn closing_what_a_run_took_meanwhile_changes_nothing() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0)]));
    tree.begin(PendingId(0));
    tree.insert(1, &path(&[(1, 1), (2, 0)]));
    tree.close(PendingId(0), PendingOutcome::Missed);
    assert_eq!((tree.counts().missed, tree.waiting()), (0, &[PendingId(1)][..]));
}

#[test]
fn a_side_found_infeasible_that_a_run_takes_all_the_same_is_counted() {
    let mut tree = PathTree::new(None);
    tree.insert(0, &path(&[(1, 0)]));
    tree.close(PendingId(0), PendingOutcome::Infeasible);
    assert_eq!(tree.live_sides(tree.root().unwrap()), 0);
    tree.insert(1, &path(&[(1, 1), (2, 0)]));
    assert_eq!(tree.counts().infeasible_taken, 1);
    assert_eq!((tree.live_sides(tree.root().unwrap()), tree.revivals()), (1, 1));
}

#[test]
fn a_run_without_symbolic_branches_has_no_place() {
    let mut tree = PathTree::new(None);
    assert_eq!(tree.insert(0, &BranchPath::new()).leaf, None);
    assert_eq!((tree.root(), tree.counts().runs), (None, 1));
}

#[test]
fn paths_of_a_million_branches_are_no_problem() {
    let mut tree = PathTree::new(None);
    let long: Vec<(u32, u32)> = (0..1_000_000).map(|site| (site, 0)).collect();
    let added = tree.insert(0, &path(&long)).added;
    assert_eq!(tree.constraints(PendingId(added.end - 1)).count(), 1_000_000);
    added.rev().for_each(|pending| {
        tree.close(PendingId(pending), PendingOutcome::Infeasible);
    });
    assert_eq!(tree.live_sides(tree.root().unwrap()), 0);
}
