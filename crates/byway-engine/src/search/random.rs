//! Random choices: among all pendings, or among the sides of the tree on a way down from the root.

use super::{Facts, Searcher, View};
use crate::tree::{NodeId, PathTree, PendingId, Side};

/// Any pending, all alike. The tree knows which wait, so there is nothing to keep.
#[derive(Debug, Default)]
pub struct RandomState;

impl Searcher for RandomState {
    fn add(&mut self, _pending: PendingId, _facts: &Facts) {}

    fn remove(&mut self, _pending: PendingId) {}

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        view.dice.one_of(view.tree.waiting())
    }
}

/// Down from the root, at each branch any side that has something to try, all alike: what is near the root is likelier,
/// however many pendings there are deep down.
///
/// KLEE makes binary forks of a switch, in random order; here its sides are all alike. Sides that are being tried are live,
/// which KLEE's, with one worker, need not be.
///
/// A way among n pendings has at most log n true choices on average. The nodes between, with only one live side, are
/// jumped over: a jump is remembered for as long as no dead part of the tree comes to life.
#[derive(Debug, Default)]
pub struct RandomPath {
    jumps: Vec<Jump>,
    passed: Vec<NodeId>,
}

#[derive(Debug, Clone, Copy)]
struct Jump {
    to: NodeId,
    /// It holds while the tree has seen this many revivals.
    revivals: u32,
}

impl RandomPath {
    /// How many walks may end at something that is being tried already before any pending will do.
    const WALKS: usize = 32;

    fn walk(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        let mut node = view.tree.root()?;
        loop {
            node = self.jump(view.tree, node);
            let choice = view.dice.below(view.tree.live_sides(node).max(1) as usize);
            match view.tree.live_side(node, choice as u32)? {
                Side::Node(next) => node = next,
                Side::Pending(pending) => return Some(pending),
                _ => return None,
            }
        }
    }

    /// The first node from here on that has a choice or no node below.
    fn jump(&mut self, tree: &PathTree, mut node: NodeId) -> NodeId {
        while tree.live_sides(node) == 1 {
            let next = match self.remembered(tree, node) {
                Some(next) => Some(Side::Node(next)),
                None => tree.live_side(node, 0),
            };
            let Some(Side::Node(next)) = next else { break };
            self.passed.push(node);
            node = next;
        }
        let jump = Jump { to: node, revivals: tree.revivals() };
        for passed in self.passed.drain(..) {
            self.jumps[passed.index()] = jump;
        }
        node
    }

    fn remembered(&mut self, tree: &PathTree, node: NodeId) -> Option<NodeId> {
        if self.jumps.len() < tree.node_count() {
            let nothing = Jump { to: node, revivals: u32::MAX };
            self.jumps.resize(tree.node_count(), nothing);
        }
        let jump = self.jumps[node.index()];
        (jump.revivals == tree.revivals()).then_some(jump.to)
    }
}

impl Searcher for RandomPath {
    fn add(&mut self, _pending: PendingId, _facts: &Facts) {}

    fn remove(&mut self, _pending: PendingId) {}

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        if view.tree.waiting().is_empty() {
            return None;
        }
        for _ in 0..RandomPath::WALKS {
            if let Some(pending) = self.walk(view) {
                return Some(pending);
            }
        }
        view.dice.one_of(view.tree.waiting())
    }
}
