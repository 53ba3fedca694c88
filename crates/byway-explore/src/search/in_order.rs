//! Depth first and breadth first.
//!
//! Both keep pendings that others took until they come upon them; each is looked at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Facts, Searcher, View};
use crate::tree::PendingId;

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

/// The pending nearest to the start of the program first, the oldest of those.
#[derive(Debug, Default)]
pub struct Bfs(BinaryHeap<Reverse<(u32, PendingId)>>);

impl Searcher for Bfs {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.0.push(Reverse((facts.depth, pending)));
    }

    fn remove(&mut self, _pending: PendingId) {}

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        while let Some(&Reverse((_, pending))) = self.0.peek() {
            if view.tree.is_waiting(pending) {
                return Some(pending);
            }
            self.0.pop();
        }
        None
    }
}
