//! Generational search, as SAGE does it: the run that covered the most new blocks is expanded, all of it, then the next.
//!
//! SAGE gives a run a bound, the branch that was flipped for it, and expands only what comes after it, lest children be
//! made twice. The path tree does this by itself: a run adds pendings only on the part of its path that is new.
//!
//! A run's score is what it covered when it ran, as with SAGE. What differs: with several workers the next run is expanded
//! while the last children of the one before still run, so that nobody waits.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::FxHashMap;

use super::{Facts, Searcher, View};
use crate::tree::{PathTree, PendingId, RunId};

/// `generational`.
#[derive(Debug, Default)]
pub struct Generational {
    children: FxHashMap<RunId, VecDeque<PendingId>>,
    /// Runs that wait to be expanded: by score, the oldest first.
    runs: BinaryHeap<(u32, Reverse<RunId>)>,
    /// The run that is being expanded.
    parent: Option<RunId>,
}

impl Generational {
    /// The next child of a run that still waits. Others may have taken those before.
    fn child(&mut self, run: RunId, tree: &PathTree) -> Option<PendingId> {
        let children = self.children.get_mut(&run)?;
        while let Some(&child) = children.front() {
            if tree.is_waiting(child) {
                return Some(child);
            }
            children.pop_front();
        }
        self.children.remove(&run);
        None
    }
}

impl Searcher for Generational {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        let children = self.children.entry(facts.run).or_insert_with(|| {
            self.runs.push((facts.score, Reverse(facts.run)));
            VecDeque::new()
        });
        children.push_back(pending);
    }

    fn remove(&mut self, _pending: PendingId) {}

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        loop {
            if let Some(child) = self.parent.and_then(|parent| self.child(parent, view.tree)) {
                return Some(child);
            }
            let (_, Reverse(next)) = self.runs.pop()?;
            self.parent = Some(next);
        }
    }
}
