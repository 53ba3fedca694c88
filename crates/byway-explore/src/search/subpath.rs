//! Subpath-guided search: what lies at the end of the least travelled subpath first.
//!
//! After "Steering Symbolic Execution to Less Traveled Paths" (OOPSLA 2013). A table counts how often each subpath of a
//! length was travelled; the pending whose subpath, with the side not taken at its end, has the lowest count is next. In
//! the paper a state runs from fork to fork and is picked anew at each; here a run goes to its end at once. So picking a
//! pending counts its subpath, and each branch that the run passes after it counts as one pick of the state that passed it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::groups::Groups;
use super::trail::Window;
use super::{Dice, Facts, RunFacts, Searcher, View};
use crate::tree::PendingId;

/// `subpath:N`.
#[derive(Debug)]
pub struct Subpath {
    window: Window,
    table: FxHashMap<u64, Frequency>,
    /// The pendings of each subpath that has some.
    groups: Groups,
    /// The subpath that each group stands for.
    names: Vec<u64>,
    free: Vec<u32>,
    ranks: Ranks,
    latest_of_ties: bool,
}

/// How often a subpath was travelled, and the group of its pendings.
#[derive(Debug, Clone, Copy)]
struct Frequency {
    count: u32,
    group: u32,
}

const NO_GROUP: u32 = u32::MAX;

impl Subpath {
    /// Subpaths of a length, which is at least 1.
    pub fn new(length: u32) -> Self {
        Subpath {
            window: Window::new(length),
            table: FxHashMap::default(),
            groups: Groups::default(),
            names: Vec::new(),
            free: Vec::new(),
            ranks: Ranks::default(),
            latest_of_ties: false,
        }
    }

    /// Breaks ties not at random but in favour of the latest pending, as the paper's example does. This looks at all
    /// pendings that tie: it is meant for examples.
    pub fn latest_of_ties(mut self) -> Self {
        self.latest_of_ties = true;
        self
    }

    /// Travels a subpath once more.
    fn count(&mut self, name: u64) {
        let frequency = self.table.entry(name).or_insert(Frequency { count: 0, group: NO_GROUP });
        let before = *frequency;
        frequency.count = frequency.count.saturating_add(1);
        if before.group != NO_GROUP {
            let after = frequency.count;
            self.ranks.remove(before.group, before.count);
            self.ranks.insert(before.group, after);
        }
    }

    fn group_for(&mut self, name: u64) -> u32 {
        let frequency = self.table.entry(name).or_insert(Frequency { count: 0, group: NO_GROUP });
        if frequency.group == NO_GROUP {
            frequency.group = self.free.pop().unwrap_or_else(|| {
                self.names.push(0);
                self.names.len() as u32 - 1
            });
            self.names[frequency.group as usize] = name;
            self.ranks.insert(frequency.group, frequency.count);
        }
        frequency.group
    }

    /// Removes a pending and returns the name of its subpath.
    fn take(&mut self, pending: PendingId) -> Option<u64> {
        let group = self.groups.remove(pending)?;
        let name = self.names[group as usize];
        if self.groups.members(group).is_empty()
            && let Some(frequency) = self.table.get_mut(&name)
        {
            frequency.group = NO_GROUP;
            self.ranks.remove(group, frequency.count);
            self.free.push(group);
        }
        Some(name)
    }

    fn choose(&self, dice: &mut Dice) -> Option<PendingId> {
        let lowest = self.ranks.lowest();
        if self.latest_of_ties {
            return lowest.iter().flat_map(|&group| self.groups.members(group)).max().copied();
        }
        // First a subpath, then one of its pendings: a loop has many pendings and few subpaths.
        let group = dice.one_of(lowest)?;
        self.groups.choose(group, dice)
    }
}

impl Searcher for Subpath {
    fn add(&mut self, pending: PendingId, facts: &Facts<'_>) {
        let group = self.group_for(self.window.ending(facts.trail, facts.at, facts.side));
        self.groups.add(pending, group);
    }

    fn remove(&mut self, pending: PendingId) {
        self.take(pending);
    }

    fn picked(&mut self, pending: PendingId) {
        if let Some(name) = self.take(pending) {
            self.count(name);
        }
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.choose(view.dice)
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        for (at, step) in run.trail.taken().iter().enumerate().skip(run.first) {
            self.count(self.window.ending(run.trail, at, step.side));
        }
    }
}

/// Groups by the count of their subpath.
#[derive(Debug, Default)]
struct Ranks {
    by_count: BTreeMap<u32, Vec<u32>>,
    /// The position of each group among those of its count.
    positions: Vec<u32>,
}

impl Ranks {
    fn insert(&mut self, group: u32, count: u32) {
        if self.positions.len() <= group as usize {
            self.positions.resize(group as usize + 1, 0);
        }
        let groups = self.by_count.entry(count).or_default();
        self.positions[group as usize] = groups.len() as u32;
        groups.push(group);
    }

    fn remove(&mut self, group: u32, count: u32) {
        let Some(groups) = self.by_count.get_mut(&count) else { return };
        let position = self.positions[group as usize];
        groups.swap_remove(position as usize);
        if let Some(&moved) = groups.get(position as usize) {
            self.positions[moved as usize] = position;
        }
        if groups.is_empty() {
            self.by_count.remove(&count);
        }
    }

    fn lowest(&self) -> &[u32] {
        self.by_count.first_key_value().map_or(&[], |(_, groups)| groups)
    }
}
