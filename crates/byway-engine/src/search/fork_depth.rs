//! How many forks there are before each node.
//!
//! A symbolic executor that forks states has the depth of a state as the number of its forks. Here a branch may turn out to
//! be none later, and all below it is then less deep by one: that costs as much as there is below. Over all nodes this is
//! on average no more than the length of a path.

use super::RunFacts;
use crate::tree::{NodeId, PathTree, PendingId, Side};

/// The forks before each node, counted.
#[derive(Debug, Default)]
pub(super) struct ForkDepths {
    /// The forks before it, and in the highest bit whether it is one.
    nodes: Vec<u32>,
    open: Vec<NodeId>,
}

const FORK: u32 = 1 << 31;

/// A pending that is another number of forks deep now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub pending: PendingId,
    pub from: u32,
    pub to: u32,
}

impl ForkDepths {
    /// How deep the pendings of a node are: the forks on the way, counting this one.
    pub fn of(&self, node: NodeId) -> u32 {
        (self.nodes[node.index()] & !FORK) + 1
    }

    /// Notes the new nodes of a run.
    pub fn ran(&mut self, run: &RunFacts<'_>) {
        let known = self.nodes.len();
        self.nodes.resize(run.tree.node_count(), 0);
        let Some(&(first, _)) = run.taken.first() else { return };
        let mut before = self.after(run.tree, first);
        for &(node, _) in run.taken {
            if node.index() >= known {
                self.nodes[node.index()] = before | if run.tree.is_fork(node) { FORK } else { 0 };
            }
            before += self.nodes[node.index()] >> 31;
        }
    }

    /// How many forks there are up to the branch before a node.
    fn after(&self, tree: &PathTree, node: NodeId) -> u32 {
        let mut way = std::iter::successors(tree.parent(node), |&(node, _)| tree.parent(node));
        let branch = way.find(|&(node, _)| !tree.is_alternative(node));
        branch.map_or(0, |(node, _)| (self.nodes[node.index()] & !FORK) + (self.nodes[node.index()] >> 31))
    }

    /// A node became a fork, or is none any more. Says of all pendings below how deep they are now.
    pub fn fork_changed(&mut self, tree: &PathTree, node: NodeId, mut moved: impl FnMut(Moved)) {
        let is_fork = tree.is_fork(node);
        self.nodes[node.index()] = self.nodes[node.index()] & !FORK | if is_fork { FORK } else { 0 };
        self.open_below(tree, node);
        while let Some(node) = self.open.pop() {
            if !tree.is_alternative(node) {
                let from = self.of(node);
                let to = if is_fork { from + 1 } else { from - 1 };
                self.nodes[node.index()] = self.nodes[node.index()] & FORK | (to - 1);
                let pendings = tree.sides(node).filter_map(|side| match side {
                    Side::Pending(pending) => Some(pending),
                    _ => None,
                });
                pendings.for_each(|pending| moved(Moved { pending, from, to }));
            }
            self.open_below(tree, node);
        }
    }

    fn open_below(&mut self, tree: &PathTree, node: NodeId) {
        self.open.extend(tree.sides(node).filter_map(|side| match side {
            Side::Node(below) => Some(below),
            _ => None,
        }));
    }
}
