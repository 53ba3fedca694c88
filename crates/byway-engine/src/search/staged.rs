//! Directed search with targets of its own for each pending: by what the run that it leaves came by before.

use std::collections::BTreeSet;
use std::sync::Arc;

use byway_map::BlockId;
use rustc_hash::FxHashMap;

use super::groups::Groups;
use super::{Facts, Searcher, View};
use crate::tree::PendingId;

/// Says which targets a pending has, and how near they are. A stage is what the targets depend on.
pub trait Stages: Send + Sync {
    /// The stage behind a place that a run came by last, as block and calls; or at its beginning.
    fn stage(&self, point: Option<(u32, u32)>) -> u32;

    /// How urgent it is to go on in a block at a stage: first a rank, then the distance to a target, the smallest first. `None` if no
    /// way leads to one.
    fn urgency(&self, stage: u32, block: BlockId) -> Option<(u32, u32)>;

    /// Changes whenever urgencies do.
    fn version(&self) -> u32;
}

/// The most urgent pending; of several the one whose stage and block were chosen least often. What leads to no target of its stage is left
/// to other searchers.
pub struct Staged {
    stages: Arc<dyn Stages>,
    version: u32,
    groups: Groups,
    /// The group of a stage and a block.
    numbers: FxHashMap<(u32, BlockId), u32>,
    /// For each group its stage and block, and how often it was chosen.
    places: Vec<(u32, BlockId, u32)>,
    /// Groups with pendings, in the order of choice.
    order: BTreeSet<Key>,
}

/// Rank, distance, how often it was chosen, group.
type Key = (u32, u32, u32, u32);

impl Staged {
    /// A search with these stages.
    pub fn new(stages: Arc<dyn Stages>) -> Staged {
        let version = stages.version();
        let (groups, numbers) = (Groups::default(), FxHashMap::default());
        Staged { stages, version, groups, numbers, places: Vec::new(), order: BTreeSet::new() }
    }

    fn key(&self, group: u32) -> Key {
        let (stage, block, tries) = self.places[group as usize];
        let (rank, distance) = self.stages.urgency(stage, block).unwrap_or((u32::MAX, u32::MAX));
        (rank, distance, tries, group)
    }

    /// The order, if urgencies are others now.
    fn refresh(&mut self) {
        let version = self.stages.version();
        if std::mem::replace(&mut self.version, version) != version {
            let groups: Vec<u32> = self.order.iter().map(|&(.., group)| group).collect();
            self.order = groups.into_iter().map(|group| self.key(group)).collect();
        }
    }

    fn group(&mut self, stage: u32, block: BlockId) -> u32 {
        let next = self.places.len() as u32;
        let group = *self.numbers.entry((stage, block)).or_insert(next);
        if group == next {
            self.places.push((stage, block, 0));
        }
        group
    }
}

impl Searcher for Staged {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.refresh();
        let stage = self.stages.stage(facts.point);
        let blocks: Vec<BlockId> = facts.target.into_iter().chain(facts.also.iter().copied()).collect();
        let groups: Vec<u32> = blocks.into_iter().map(|block| self.group(stage, block)).collect();
        if let Some(key) = groups.into_iter().map(|group| self.key(group)).min() {
            self.groups.add(pending, key.3);
            self.order.insert(key);
        }
    }

    fn remove(&mut self, pending: PendingId) {
        self.refresh();
        let Some(group) = self.groups.remove(pending) else { return };
        if self.groups.members(group).is_empty() {
            let key = self.key(group);
            self.order.remove(&key);
        }
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.refresh();
        let &(rank, _, _, group) = self.order.first()?;
        if rank == u32::MAX {
            return None;
        }
        self.order.pop_first();
        self.places[group as usize].2 += 1;
        self.order.insert(self.key(group));
        self.groups.choose(group, view.dice)
    }
}
