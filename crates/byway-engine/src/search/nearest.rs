//! Directed search: what is nearest to targets that a scheduler names.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use byway_map::Distances;

use super::groups::Groups;
use super::{Facts, Searcher, View};
use crate::tree::PendingId;

/// How far the blocks of a program are from the targets of a search. A scheduler keeps a copy, and can name other targets at any time.
#[derive(Debug, Clone)]
pub struct Targets(Arc<Mutex<Named>>);

#[derive(Debug)]
struct Named {
    distances: Distances,
    version: u32,
}

impl Targets {
    /// The distances from the first targets, by whichever metric.
    pub fn new(distances: Distances) -> Targets {
        Targets(Arc::new(Mutex::new(Named { distances, version: 0 })))
    }

    /// From now on the search has other targets.
    pub fn set(&self, distances: Distances) {
        let mut named = self.named();
        *named = Named { distances, version: named.version.wrapping_add(1) };
    }

    fn named(&self) -> MutexGuard<'_, Named> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pending that begins in the block nearest to a target; of several such blocks the one that was chosen least often, and any of its
/// pendings. What has no way to a target comes last. Another searcher in turn with this one has a share for what leads there by a detour.
#[derive(Debug)]
pub struct Nearest {
    targets: Targets,
    version: u32,
    /// Whether what has no way to a target is left to other searchers.
    is_strict: bool,
    /// Group 0 has pendings whose block is unknown, group 1 + b those that begin in block b.
    groups: Groups,
    /// For each group, how often it was chosen.
    tries: Vec<u32>,
    /// Groups with pendings, in the order of choice: distance, tries, group.
    order: BTreeSet<(u32, u32, u32)>,
}

const FAR: u32 = u32::MAX;

impl Nearest {
    /// A search for these targets.
    pub fn new(targets: Targets) -> Nearest {
        let version = targets.named().version;
        let (groups, tries, order) = (Groups::default(), Vec::new(), BTreeSet::new());
        Nearest { targets, version, is_strict: false, groups, tries, order }
    }

    /// The same, but what has no way to a target is never chosen.
    pub fn strict(targets: Targets) -> Nearest {
        Nearest { is_strict: true, ..Nearest::new(targets) }
    }

    fn key(&self, named: &Named, group: u32) -> (u32, u32, u32) {
        let block = group.checked_sub(1).map(byway_map::BlockId::new);
        let distance = block.and_then(|block| named.distances.of(block)).unwrap_or(FAR);
        (distance, self.tries.get(group as usize).copied().unwrap_or(0), group)
    }

    /// The order, if the targets are others now.
    fn refresh(&mut self) {
        let targets = self.targets.clone();
        let named = targets.named();
        if self.version == named.version {
            return;
        }
        self.version = named.version;
        self.order = std::mem::take(&mut self.order).into_iter().map(|(.., group)| self.key(&named, group)).collect();
    }
}

impl Searcher for Nearest {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.refresh();
        let blocks = facts.target.into_iter().chain(facts.also.iter().copied());
        let groups = blocks.map(|block| block.number() + 1);
        let key = {
            let named = self.targets.named();
            groups.map(|group| self.key(&named, group)).min().unwrap_or_else(|| self.key(&named, 0))
        };
        self.groups.add(pending, key.2);
        self.order.insert(key);
    }

    fn remove(&mut self, pending: PendingId) {
        self.refresh();
        let Some(group) = self.groups.remove(pending) else { return };
        if self.groups.members(group).is_empty() {
            let key = self.key(&self.targets.named(), group);
            self.order.remove(&key);
        }
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.refresh();
        let &(distance, tries, group) = self.order.first()?;
        if self.is_strict && distance == FAR {
            return None;
        }
        self.order.pop_first();
        if self.tries.len() <= group as usize {
            self.tries.resize(group as usize + 1, 0);
        }
        self.tries[group as usize] = tries + 1;
        self.order.insert((distance, tries + 1, group));
        self.groups.choose(group, view.dice)
    }
}
