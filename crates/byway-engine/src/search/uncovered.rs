//! Blocks that no run has covered, or that are near one, each in its turn.

use super::groups::Groups;
use super::sum_tree::SumTree;
use super::{Facts, Searcher, View};
use crate::tree::PendingId;

/// `uncovered`: first a block, then any of the pendings that lead there.
///
/// A block weighs 1/(d+1)^2 if it takes d blocks from it to cover something new, divided by how often it was chosen before.
/// In `nurs:md2u` pendings have this weight, so that ten thousand of them that lead to the same loop outweigh the only one
/// that leads to something new; and one that never succeeds is chosen again and again. That is why this strategy, which is
/// byway's own, counts what it picks and not what runs did.
#[derive(Debug, Default)]
pub struct Uncovered {
    /// Group 0 has those whose target is unknown, group 1 + b those that lead to block b.
    groups: Groups,
    nearness: Vec<f64>,
    tries: Vec<u32>,
    sums: SumTree,
    version: u32,
}

/// The weight of what has no way to anything new.
const FAR: f64 = 1e-4;

impl Uncovered {
    fn weight(&self, group: u32) -> f64 {
        let nearness = self.nearness.get(group as usize).copied().unwrap_or(FAR);
        let tries = self.tries.get(group as usize).copied().unwrap_or(0);
        if self.groups.members(group).is_empty() { 0.0 } else { nearness / f64::from(tries + 1) }
    }

    fn update(&mut self, group: u32) {
        let weight = self.weight(group);
        self.sums.set(group as usize, weight);
    }

    /// New distances when something new was covered. What was tried in vain before may lead somewhere now.
    fn refresh(&mut self, view: &mut View<'_>) {
        if self.version == view.coverage.version() {
            return;
        }
        self.version = view.coverage.version();
        self.nearness = view.coverage.nearness(FAR);
        let groups = self.groups.count().max(self.nearness.len() as u32);
        let weights: Vec<f64> = (0..groups).map(|group| self.weight(group)).collect();
        self.sums.fill(weights.into_iter());
    }
}

impl Searcher for Uncovered {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        let group = facts.target.map_or(0, |block| block.number() + 1);
        self.groups.add(pending, group);
        self.update(group);
    }

    fn remove(&mut self, pending: PendingId) {
        if let Some(group) = self.groups.remove(pending) {
            self.update(group);
        }
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.refresh(view);
        let group = self.sums.at(view.dice.unit())?;
        if self.tries.len() <= group {
            self.tries.resize(group + 1, 0);
        }
        self.tries[group] += 1;
        self.update(group as u32);
        self.groups.choose(group as u32, view.dice)
    }
}
