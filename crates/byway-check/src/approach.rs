//! Divergence points of a path, in the order in which they are explored: operations that come last first, each with the
//! branch at a given distance before it.

use byway_engine::tree::{NodeId, PathTree, PendingId, Side};
use rustc_hash::FxHashSet;

use crate::region::is_feasible;

/// Goes through the divergence points at one distance from the operations of a path.
#[derive(Debug)]
pub struct Approach {
    distance: u32,
    /// The branches of the path, with the sides taken.
    nodes: Vec<(NodeId, u32)>,
    /// For each operation how many branches come before it, the greatest first.
    positions: Vec<u32>,
    next: usize,
    /// What is being looked at: the branches before this one, and how many divergence points were passed.
    at: Option<(u32, u32)>,
    /// The last divergence point before the last operation: operations with the same one have all others in common too.
    nearest: Option<u32>,
    done: FxHashSet<NodeId>,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Whether this side can be taken has to be found out first; then it is to be asked again.
    Unknown(PendingId),
    /// A divergence point, and the side that the path took there.
    Point(NodeId, u32),
    /// There is nothing more.
    End,
}

impl Approach {
    /// `positions` are those of the operations: for each how many branches come before it, in ascending order.
    pub fn new(distance: u32, nodes: Vec<(NodeId, u32)>, positions: &[u32]) -> Approach {
        let mut positions = positions.to_vec();
        positions.dedup();
        positions.reverse();
        Approach { distance, nodes, positions, next: 0, at: None, nearest: None, done: FxHashSet::default() }
    }

    /// The next divergence point. `is_known` says of a side that waits whether it is known that it can be taken.
    pub fn next(&mut self, tree: &PathTree, is_known: impl Fn(PendingId) -> bool) -> Next {
        loop {
            let Some((mut before, mut passed)) = self.at.or_else(|| self.begin()) else { return Next::End };
            loop {
                if before == 0 {
                    self.at = None;
                    break;
                }
                let (node, taken) = self.nodes[before as usize - 1];
                match divergence(tree, node, taken, &is_known) {
                    Divergence::Unknown(pending) => {
                        self.at = Some((before, passed));
                        return Next::Unknown(pending);
                    }
                    Divergence::No => before -= 1,
                    Divergence::Yes if passed == 0 && self.nearest == Some(before) => {
                        self.at = None;
                        break;
                    }
                    Divergence::Yes => {
                        passed += 1;
                        self.nearest = if passed == 1 { Some(before) } else { self.nearest };
                        if passed == self.distance {
                            self.at = None;
                            if self.done.insert(node) {
                                return Next::Point(node, taken);
                            }
                            break;
                        }
                        before -= 1;
                    }
                }
            }
        }
    }

    fn begin(&mut self) -> Option<(u32, u32)> {
        let position = *self.positions.get(self.next)?;
        self.next += 1;
        Some((position.min(self.nodes.len() as u32), 0))
    }
}

/// Whether another side of a branch can be taken.
pub enum Divergence {
    /// It can.
    Yes,
    /// None can.
    No,
    /// It depends on this one.
    Unknown(PendingId),
}

/// Whether another side of a branch than the one taken can be taken.
pub fn divergence(tree: &PathTree, node: NodeId, taken: u32, is_known: impl Fn(PendingId) -> bool) -> Divergence {
    let mut unknown = None;
    for side in (0..tree.side_count(node)).filter(|&side| side != taken) {
        match tree.side(node, side) {
            Side::Pending(pending) if is_known(pending) => return Divergence::Yes,
            Side::Pending(pending) => unknown = unknown.or(Some(pending)),
            side if is_feasible(side) => return Divergence::Yes,
            _ => {}
        }
    }
    unknown.map_or(Divergence::No, Divergence::Unknown)
}
