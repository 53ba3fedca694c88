//! Pendings that no searcher chooses: other values of concretizations, operations that may fail, and what the solver gave up on.
//!
//! A concretization in a loop has thousands of other values, most of which lead nowhere new. So pendings wait by the place that they
//! belong to: that of which the fewest were tried is next, and of its pendings the oldest.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use crate::tree::{PathTree, PendingId};

/// Pendings by place.
#[derive(Debug, Default)]
pub(super) struct Aside {
    places: FxHashMap<u32, Place>,
    /// Places with pendings: how many of theirs were tried, and the place.
    order: BTreeSet<(u32, u32)>,
}

#[derive(Debug, Default)]
struct Place {
    tried: u32,
    waiting: VecDeque<PendingId>,
}

impl Aside {
    pub fn add(&mut self, place: u32, pending: PendingId) {
        let entry = self.places.entry(place).or_default();
        if entry.waiting.is_empty() {
            self.order.insert((entry.tried, place));
        }
        entry.waiting.push_back(pending);
    }

    /// The next one that still waits, if fewer than `most` were tried at its place.
    pub fn pick(&mut self, tree: &PathTree, most: u32) -> Option<PendingId> {
        while let Some(&(tried, place)) = self.order.first() {
            if tried >= most {
                return None;
            }
            self.order.pop_first();
            let entry = self.places.get_mut(&place)?;
            let picked = loop {
                match entry.waiting.pop_front() {
                    Some(pending) if tree.is_waiting(pending) => break Some(pending),
                    Some(_) => {}
                    None => break None,
                }
            };
            entry.tried += u32::from(picked.is_some());
            if !entry.waiting.is_empty() {
                self.order.insert((entry.tried, place));
            }
            if picked.is_some() {
                return picked;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::BranchPath;

    #[test]
    fn places_of_which_few_were_tried_come_first_and_each_has_its_bound() {
        let mut tree = PathTree::new(None);
        let mut path = BranchPath::new();
        (0..6).for_each(|site| path.concretize((site, 0), 0, site));
        tree.insert(0, &path);
        let mut aside = Aside::default();
        let waiting = [(7, 0), (7, 1), (7, 2), (8, 3), (8, 4), (9, 5)];
        waiting.into_iter().for_each(|(place, pending)| aside.add(place, PendingId(pending)));
        tree.begin(PendingId(3));
        let mut picks = Vec::new();
        while let Some(pending) = aside.pick(&tree, 2) {
            tree.begin(pending);
            picks.push(pending.0);
        }
        assert_eq!(picks, [0, 4, 5, 1]);
        assert_eq!(aside.pick(&tree, u32::MAX), Some(PendingId(2)));
        assert_eq!(aside.pick(&tree, u32::MAX), None);
    }
}
