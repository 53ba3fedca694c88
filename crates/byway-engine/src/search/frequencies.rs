//! How often subpaths were travelled, and which pendings lie at the end of the least travelled ones.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Dice;
use super::groups::Groups;
use super::sum_tree::SumTree;
use crate::tree::PendingId;

/// The number of times that each subpath was travelled, and the pendings of each. Every change, and choosing, costs at most
/// the logarithm of the number of subpaths.
#[derive(Debug, Default)]
pub(super) struct Frequencies {
    table: FxHashMap<u64, Frequency>,
    /// The pendings of each subpath that has some.
    groups: Groups,
    /// The subpath that each group stands for.
    names: Vec<u64>,
    free: Vec<u32>,
    ranks: Ranks,
}

/// How often a subpath was travelled, and the group of its pendings.
#[derive(Debug, Clone, Copy)]
struct Frequency {
    count: u32,
    group: u32,
}

const NO_GROUP: u32 = u32::MAX;

impl Frequencies {
    /// How often a subpath was travelled.
    #[cfg(test)]
    pub fn of(&self, name: u64) -> u32 {
        self.table.get(&name).map_or(0, |frequency| frequency.count)
    }

    /// The subpaths that were travelled, with their numbers.
    #[cfg(test)]
    pub fn travelled(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.table.iter().map(|(&name, frequency)| (name, frequency.count)).filter(|&(_, count)| count > 0)
    }

    /// The subpath that a pending lies at the end of.
    #[cfg(test)]
    pub fn subpath_of(&self, pending: PendingId) -> Option<u64> {
        self.groups.group_of(pending).map(|group| self.names[group as usize])
    }

    /// Travels a subpath once more.
    pub fn travel(&mut self, name: u64) {
        self.change(name, |count| count.saturating_add(1));
    }

    /// Takes back that a subpath was travelled once.
    pub fn take_back(&mut self, name: u64) {
        self.change(name, |count| count.saturating_sub(1));
        if self.table.get(&name).is_some_and(|frequency| frequency.count == 0 && frequency.group == NO_GROUP) {
            self.table.remove(&name);
        }
    }

    fn change(&mut self, name: u64, change: impl FnOnce(u32) -> u32) {
        let frequency = self.table.entry(name).or_insert(Frequency { count: 0, group: NO_GROUP });
        let Frequency { count: before, group } = *frequency;
        let after = change(before);
        frequency.count = after;
        if group != NO_GROUP {
            let size = self.ranks.remove(group, before);
            self.ranks.insert(group, after, size);
        }
    }

    /// Puts a pending at the end of a subpath.
    pub fn add(&mut self, pending: PendingId, name: u64) {
        let group = self.group_for(name);
        self.groups.add(pending, group);
        self.resize(group);
    }

    /// Removes a pending, if it is there, and returns the name of its subpath.
    pub fn remove(&mut self, pending: PendingId) -> Option<u64> {
        let group = self.groups.remove(pending)?;
        let name = self.names[group as usize];
        self.resize(group);
        Some(name)
    }

    fn group_for(&mut self, name: u64) -> u32 {
        let frequency = self.table.entry(name).or_insert(Frequency { count: 0, group: NO_GROUP });
        if frequency.group == NO_GROUP {
            frequency.group = self.free.pop().unwrap_or_else(|| {
                self.names.push(0);
                self.names.len() as u32 - 1
            });
            self.names[frequency.group as usize] = name;
            self.ranks.insert(frequency.group, frequency.count, 0.0);
        }
        frequency.group
    }

    /// The number of pendings of a group changed. An empty one goes.
    fn resize(&mut self, group: u32) {
        let name = self.names[group as usize];
        let size = self.groups.members(group).len();
        let Some(frequency) = self.table.get_mut(&name) else { return };
        if size > 0 {
            self.ranks.resize(group, frequency.count, size as f64);
            return;
        }
        self.ranks.remove(group, frequency.count);
        self.free.push(group);
        frequency.group = NO_GROUP;
        if frequency.count == 0 {
            self.table.remove(&name);
        }
    }

    /// Any of the pendings whose subpaths were travelled the least, all alike: where many share a subpath, it is likelier.
    pub fn choose(&self, dice: &mut Dice) -> Option<PendingId> {
        let group = self.ranks.choose_lowest(dice)?;
        self.groups.choose(group, dice)
    }

    /// The latest of them.
    pub fn latest(&self) -> Option<PendingId> {
        self.ranks.lowest()?.groups.iter().flat_map(|&group| self.groups.members(group)).max().copied()
    }
}

/// Groups by the count of their subpath.
#[derive(Debug, Default)]
struct Ranks {
    by_count: BTreeMap<u32, Rank>,
    /// The position of each group in its rank.
    positions: Vec<u32>,
}

/// The groups of one count, and how many pendings each has.
#[derive(Debug, Default)]
struct Rank {
    groups: Vec<u32>,
    sizes: SumTree,
}

impl Ranks {
    fn insert(&mut self, group: u32, count: u32, size: f64) {
        if self.positions.len() <= group as usize {
            self.positions.resize(group as usize + 1, 0);
        }
        let rank = self.by_count.entry(count).or_default();
        self.positions[group as usize] = rank.groups.len() as u32;
        rank.sizes.set(rank.groups.len(), size);
        rank.groups.push(group);
    }

    fn resize(&mut self, group: u32, count: u32, size: f64) {
        if let Some(rank) = self.by_count.get_mut(&count) {
            rank.sizes.set(self.positions[group as usize] as usize, size);
        }
    }

    /// Removes a group that is there, and returns its size.
    fn remove(&mut self, group: u32, count: u32) -> f64 {
        let Some(rank) = self.by_count.get_mut(&count) else { return 0.0 };
        let position = self.positions[group as usize] as usize;
        let (last, size) = (rank.groups.len() - 1, rank.sizes.get(position));
        rank.groups.swap_remove(position);
        if let Some(&moved) = rank.groups.get(position) {
            self.positions[moved as usize] = position as u32;
            rank.sizes.set(position, rank.sizes.get(last));
        }
        rank.sizes.set(last, 0.0);
        if rank.groups.is_empty() {
            self.by_count.remove(&count);
        }
        size
    }

    fn lowest(&self) -> Option<&Rank> {
        self.by_count.first_key_value().map(|(_, rank)| rank)
    }

    fn choose_lowest(&self, dice: &mut Dice) -> Option<u32> {
        let rank = self.lowest()?;
        rank.sizes.at(dice.unit()).map(|position| rank.groups[position])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Change {
        Travel(u64),
        TakeBack(u64),
        Add(u64),
        Remove(usize),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            (0..6u64).prop_map(Change::Travel),
            (0..6u64).prop_map(Change::TakeBack),
            (0..6u64).prop_map(Change::Add),
            (0..40usize).prop_map(Change::Remove),
        ]
    }

    proptest! {
        /// The books agree with the plainest ones: a count for each subpath, and a list of pendings.
        #[test]
        fn any_of_the_least_travelled_can_be_chosen(changes in prop::collection::vec(change(), 0..60)) {
            let mut frequencies = Frequencies::default();
            let (mut counts, mut pendings) = ([0_u32; 6], Vec::new());
            for change in changes {
                match change {
                    Change::Travel(name) => { frequencies.travel(name); counts[name as usize] += 1; }
                    Change::TakeBack(name) if counts[name as usize] > 0 => {
                        frequencies.take_back(name);
                        counts[name as usize] -= 1;
                    }
                    Change::TakeBack(_) => {}
                    Change::Add(name) => {
                        let pending = PendingId(pendings.len() as u32);
                        frequencies.add(pending, name);
                        pendings.push(Some(name));
                    }
                    Change::Remove(pending) => {
                        let expected = pendings.get_mut(pending).and_then(Option::take);
                        prop_assert_eq!(frequencies.remove(PendingId(pending as u32)), expected);
                    }
                }
            }
            for name in 0..6 {
                prop_assert_eq!(frequencies.of(name), counts[name as usize]);
            }
            let waiting = || pendings.iter().enumerate().filter_map(|(id, name)| Some((id as u32, (*name)?)));
            let least = waiting().map(|(_, name)| counts[name as usize]).min();
            let tied: Vec<u32> =
                waiting().filter(|&(_, name)| Some(counts[name as usize]) == least).map(|(id, _)| id).collect();
            let mut dice = Dice::new(1);
            for _ in 0..5 {
                match frequencies.choose(&mut dice) {
                    Some(chosen) => prop_assert!(tied.contains(&chosen.0)),
                    None => prop_assert!(tied.is_empty()),
                }
            }
            prop_assert_eq!(frequencies.latest(), tied.iter().max().copied().map(PendingId));
        }
    }

    #[test]
    fn pendings_that_tie_are_equally_likely_however_they_share_subpaths() {
        let mut frequencies = Frequencies::default();
        // One subpath has a pending, the other has three; a third is travelled more.
        for (pending, name) in [(0, 10), (1, 20), (2, 20), (3, 20), (4, 30)] {
            frequencies.add(PendingId(pending), name);
        }
        frequencies.travel(30);
        let mut dice = Dice::new(2);
        let mut shares = [0; 5];
        (0..8_000).for_each(|_| shares[frequencies.choose(&mut dice).unwrap().index()] += 1);
        assert!(shares[..4].iter().all(|&share| (1_800..2_200).contains(&share)), "{shares:?}");
        assert_eq!(shares[4], 0);
    }
}
