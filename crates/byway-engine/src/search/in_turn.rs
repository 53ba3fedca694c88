//! Several searchers as one: they have the same turn of the frontier, and share it pick by pick.

use super::{Facts, RunFacts, Searcher, View};
use crate::tree::{NodeId, PathTree, PendingId};

/// Each pick is of the next searcher that wants one.
pub struct InTurn {
    searchers: Vec<Box<dyn Searcher>>,
    next: usize,
}

impl InTurn {
    /// These searchers, the first one first.
    pub fn new(searchers: Vec<Box<dyn Searcher>>) -> InTurn {
        InTurn { searchers, next: 0 }
    }
}

impl Searcher for InTurn {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.searchers.iter_mut().for_each(|searcher| searcher.add(pending, facts));
    }

    fn remove(&mut self, pending: PendingId) {
        self.searchers.iter_mut().for_each(|searcher| searcher.remove(pending));
    }

    fn picked(&mut self, pending: PendingId) {
        self.searchers.iter_mut().for_each(|searcher| searcher.picked(pending));
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        let count = self.searchers.len();
        let first = self.next;
        self.next = (first + 1) % count.max(1);
        (0..count).find_map(|offset| self.searchers[(first + offset) % count].pick(view))
    }

    fn failed(&mut self, pending: PendingId) {
        self.searchers.iter_mut().for_each(|searcher| searcher.failed(pending));
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        self.searchers.iter_mut().for_each(|searcher| searcher.ran(run));
    }

    fn fork_changed(&mut self, tree: &PathTree, node: NodeId) {
        self.searchers.iter_mut().for_each(|searcher| searcher.fork_changed(tree, node));
    }
}
