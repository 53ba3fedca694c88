//! Blocks that few runs reach, each in its turn: what lies near a run that reached it.

use byway_map::BlockId;

use super::{Dice, Facts, RunFacts, Searcher, View};
use crate::tree::{NodeId, PathTree, PendingId, Side};

/// `rare`: first a group of blocks, then a run that executed one of them, then a pending near the path of that run.
///
/// Blocks that the same run was the first to cover are one group. The group that was chosen least often is next. So what was covered late
/// gets as many tries as what was covered early, however many pendings lie there. A block counts however control got there: also
/// by a branch that is concrete, as one on the length of what a loop read, which subpaths of symbolic branches do not show.
/// Measured with 12,000 runs: `tr` 577 lines, 439 with `branches:1,2,4,8`.
#[derive(Debug, Default)]
pub struct Rare {
    groups: Vec<Group>,
    /// The group of each block.
    group_of: Vec<u32>,
    /// The nodes on the path of a run that have something to try.
    path: Vec<NodeId>,
}

#[derive(Debug, Default)]
struct Group {
    /// How often it was chosen.
    tries: u32,
    /// The last nodes of some of the runs that executed one of its blocks.
    leaves: Vec<NodeId>,
    /// How many such runs there were.
    runs: u64,
}

const NO_GROUP: u32 = u32::MAX;
/// So many choices may end at something that is being tried already before any pending will do.
const WALKS: usize = 8;

impl Group {
    /// A group knows so many runs.
    const LEAVES: usize = 64;

    /// One more run. The place of its leaf follows from the number of the run, so that old and new ones stay known.
    fn note(&mut self, leaf: NodeId) {
        self.runs += 1;
        if self.leaves.len() < Group::LEAVES {
            self.leaves.push(leaf);
            return;
        }
        let place = self.runs.wrapping_mul(0x9e37_79b9_7f4a_7c15) % self.runs;
        if let Some(known) = self.leaves.get_mut(place as usize) {
            *known = leaf;
        }
    }
}

impl Rare {
    /// Any of the groups that were chosen least often.
    fn choose_group(&mut self, dice: &mut Dice) -> Option<&Group> {
        let least = self.groups.iter().map(|group| group.tries).min()?;
        let tied = || self.groups.iter().enumerate().filter(|(_, group)| group.tries == least);
        let (chosen, _) = tied().nth(dice.below(tied().count()))?;
        let group = &mut self.groups[chosen];
        group.tries += 1;
        Some(group)
    }

    /// From any node on the way to a leaf down to a pending, at each node any side that has something to try.
    fn walk(&mut self, view: &mut View<'_>, leaf: NodeId) -> Option<PendingId> {
        self.path.clear();
        let way = std::iter::successors(Some(leaf), |&node| view.tree.parent(node).map(|(node, _)| node));
        self.path.extend(way.filter(|&node| view.tree.live_sides(node) > 0));
        let start = view.dice.one_of(&self.path)?;
        down(view.tree, view.dice, start)
    }

    /// The group of a block. Blocks that have none yet become the group `new`.
    fn group_or(&mut self, block: BlockId, new: u32) -> u32 {
        if self.group_of.len() <= block.index() {
            self.group_of.resize(block.index() + 1, NO_GROUP);
        }
        let group = &mut self.group_of[block.index()];
        if *group == NO_GROUP {
            *group = new;
        }
        *group
    }
}

fn down(tree: &PathTree, dice: &mut Dice, mut node: NodeId) -> Option<PendingId> {
    loop {
        let choice = dice.below(tree.live_sides(node).max(1) as usize);
        match tree.live_side(node, choice as u32)? {
            Side::Node(next) => node = next,
            Side::Pending(pending) => return Some(pending),
            _ => return None,
        }
    }
}

impl Searcher for Rare {
    fn add(&mut self, _pending: PendingId, _facts: &Facts) {}

    fn remove(&mut self, _pending: PendingId) {}

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        if view.tree.waiting().is_empty() {
            return None;
        }
        for _ in 0..WALKS {
            let Some(group) = self.choose_group(view.dice) else { break };
            let leaf = view.dice.one_of(&group.leaves);
            if let Some(pending) = leaf.and_then(|leaf| self.walk(view, leaf)) {
                return Some(pending);
            }
        }
        view.dice.one_of(view.tree.waiting())
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        let Some(&(leaf, _)) = run.taken.last() else { return };
        let new = self.groups.len() as u32;
        let mut groups: Vec<u32> = run.blocks.iter().map(|&block| self.group_or(block, new)).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.last() == Some(&new) {
            self.groups.push(Group::default());
        }
        groups.into_iter().for_each(|group| self.groups[group as usize].note(leaf));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_chosen_equally_often_and_a_new_one_catches_up() {
        let mut rare = Rare::default();
        let mut dice = Dice::new(1);
        rare.groups.extend([Group::default(), Group::default()]);
        (0..10).for_each(|_| assert!(rare.choose_group(&mut dice).is_some()));
        assert!(rare.groups.iter().all(|group| group.tries == 5));
        rare.groups.push(Group::default());
        (0..5).for_each(|_| assert!(rare.choose_group(&mut dice).is_some()));
        assert!(rare.groups.iter().all(|group| group.tries == 5));
    }

    #[test]
    fn blocks_that_are_first_covered_together_are_one_group() {
        let mut rare = Rare::default();
        assert_eq!([3, 5].map(|block| rare.group_or(BlockId::new(block), 0)), [0, 0]);
        assert_eq!([5, 9].map(|block| rare.group_or(BlockId::new(block), 1)), [0, 1]);
    }

    #[test]
    fn a_group_keeps_early_and_late_runs() {
        let mut group = Group::default();
        (0..10_000).for_each(|leaf| group.note(NodeId(leaf)));
        assert_eq!(group.leaves.len(), Group::LEAVES);
        assert!(group.leaves.iter().any(|leaf| leaf.0 < 5_000) && group.leaves.iter().any(|leaf| leaf.0 >= 5_000));
    }
}
