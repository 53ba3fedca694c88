//! Pendings whose weight is that of the block they lead to.

use byway_map::BlockId;

use super::Dice;
use super::groups::Groups;
use super::sum_tree::SumTree;
use crate::tree::PendingId;

/// Pendings grouped by target, so that a change of a block's weight costs the same however many lead there.
#[derive(Debug)]
pub(super) struct ByBlock {
    /// Group 0 has those whose target is unknown, group 1 + b those that lead to block b.
    groups: Groups,
    weights: Vec<f64>,
    sums: SumTree,
    default: f64,
}

impl ByBlock {
    /// Blocks have this weight until they are given another.
    pub fn new(default: f64) -> Self {
        ByBlock { groups: Groups::default(), weights: Vec::new(), sums: SumTree::default(), default }
    }

    pub fn add(&mut self, pending: PendingId, target: Option<BlockId>) {
        let group = group(target);
        self.groups.add(pending, group);
        self.update(group);
    }

    pub fn remove(&mut self, pending: PendingId) {
        if let Some(group) = self.groups.remove(pending) {
            self.update(group);
        }
    }

    pub fn set_weight(&mut self, target: Option<BlockId>, weight: f64) {
        let group = group(target);
        if self.weights.len() <= group as usize {
            self.weights.resize(group as usize + 1, self.default);
        }
        self.weights[group as usize] = weight;
        if !self.groups.members(group).is_empty() {
            self.update(group);
        }
    }

    /// Gives weights to unknown targets and to all blocks at once, in this order; others get the default.
    pub fn set_weights(&mut self, weights: Vec<f64>) {
        let groups = weights.len().max(self.weights.len());
        self.weights = weights;
        self.weights.resize(groups, self.default);
        let sums =
            (0..self.weights.len()).map(|group| self.weights[group] * self.groups.members(group as u32).len() as f64);
        self.sums.fill(sums);
    }

    pub fn total(&self) -> f64 {
        self.sums.total()
    }

    pub fn choose(&self, dice: &mut Dice) -> Option<PendingId> {
        let group = self.sums.at(dice.unit())?;
        self.groups.choose(group as u32, dice)
    }

    fn update(&mut self, group: u32) {
        if self.weights.len() <= group as usize {
            self.weights.resize(group as usize + 1, self.default);
        }
        let weight = self.weights[group as usize] * self.groups.members(group).len() as f64;
        self.sums.set(group as usize, weight);
    }
}

fn group(target: Option<BlockId>) -> u32 {
    target.map_or(0, |block| block.number() + 1)
}
