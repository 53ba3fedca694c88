//! The part of the tree of paths around a divergence point: what lies below the sides that a seed did not take there, as far
//! as a bound on the number of forks.
//!
//! A node is a fork if at least two of its sides can be taken; the others cost nothing, however many there are. The region is
//! gone through level by level, a level being a number of forks. What other seeds or earlier distances have found out is in
//! the tree already, so nothing is tried twice.

use std::collections::VecDeque;

use byway_explore::tree::{NodeId, Outcome, PathTree, PendingId, Side};

/// A region that is being gone through.
#[derive(Debug)]
pub struct Region {
    bound: u32,
    /// Nodes to visit, those of a lower level first.
    queue: VecDeque<Visit>,
}

#[derive(Debug, Clone, Copy)]
struct Visit {
    node: NodeId,
    /// How many forks there are up to here, this node counted if it is one.
    level: u32,
    /// The sides before this one are settled.
    side: u32,
    /// A side that does not belong to the region.
    outside: Option<u32>,
}

impl Region {
    /// The region around a node that a seed left by the side `taken`, with at most `bound` forks on each way.
    pub fn new(node: NodeId, taken: u32, bound: u32) -> Region {
        Region { bound, queue: VecDeque::from([Visit { node, level: 1, side: 0, outside: Some(taken) }]) }
    }

    /// The next side to try. Before this is asked again, the tree must know what became of it.
    pub fn next(&mut self, tree: &PathTree) -> Option<PendingId> {
        while let Some(visit) = self.queue.front_mut() {
            if visit.level > self.bound {
                self.queue.clear();
                return None;
            }
            while visit.side < tree.side_count(visit.node) {
                let side = visit.side;
                visit.side += 1;
                if let Side::Pending(pending) = tree.side(visit.node, side) {
                    return Some(pending);
                }
            }
            let visit = *visit;
            self.queue.pop_front();
            self.go_on(tree, visit);
        }
        None
    }

    /// All sides of a node are settled: what is behind them comes next.
    fn go_on(&mut self, tree: &PathTree, visit: Visit) {
        let is_fork = !tree.is_alternative(visit.node) && is_fork(tree, visit.node);
        let sides = (0..tree.side_count(visit.node)).rev().filter(|&side| visit.outside != Some(side));
        for side in sides {
            let Side::Node(node) = tree.side(visit.node, side) else { continue };
            let next = Visit { node, level: visit.level, side: 0, outside: None };
            match is_fork {
                true => self.queue.push_back(Visit { level: visit.level + 1, ..next }),
                false => self.queue.push_front(next),
            }
        }
    }
}

/// Whether a side can be taken, as far as is known.
pub fn is_feasible(side: Side) -> bool {
    !matches!(side, Side::Pending(_) | Side::TooDeep | Side::Closed(Outcome::Infeasible | Outcome::Unknown))
}

/// Whether at least two sides of a node can be taken.
fn is_fork(tree: &PathTree, node: NodeId) -> bool {
    let feasible = (0..tree.side_count(node)).filter(|&side| is_feasible(tree.side(node, side)));
    feasible.take(2).count() == 2
}
