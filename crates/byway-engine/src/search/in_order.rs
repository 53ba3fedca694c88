//! Depth first and breadth first.
//!
//! Both keep pendings that others took until they come upon them; each is looked at once.

use std::collections::BTreeSet;

use super::fork_depth::ForkDepths;
use super::{Facts, RunFacts, Searcher, View};
use crate::tree::{NodeId, PathTree, PendingId};

/// The latest pending first: the deepest of the latest run.
#[derive(Debug, Default)]
pub struct Dfs(Vec<PendingId>);

impl Searcher for Dfs {
    fn add(&mut self, pending: PendingId, _facts: &Facts) {
        self.0.push(pending);
    }

    fn remove(&mut self, _pending: PendingId) {}

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        while let Some(&pending) = self.0.last() {
            if view.tree.is_waiting(pending) {
                return Some(pending);
            }
            self.0.pop();
        }
        None
    }
}

/// The pending with the fewest forks on its way first, the oldest of those. (KLEE puts a state that forks at the end of its
/// queue.)
#[derive(Debug, Default)]
pub struct Bfs {
    queue: BTreeSet<(u32, PendingId)>,
    depths: ForkDepths,
}

impl Searcher for Bfs {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.queue.insert((self.depths.of(facts.node), pending));
    }

    fn remove(&mut self, _pending: PendingId) {}

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        while let Some(&(_, pending)) = self.queue.first() {
            if view.tree.is_waiting(pending) {
                return Some(pending);
            }
            self.queue.pop_first();
        }
        None
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        self.depths.ran(run);
    }

    fn fork_changed(&mut self, tree: &PathTree, node: NodeId) {
        let queue = &mut self.queue;
        self.depths.fork_changed(tree, node, |moved| {
            if queue.remove(&(moved.from, moved.pending)) {
                queue.insert((moved.to, moved.pending));
            }
        });
    }
}
