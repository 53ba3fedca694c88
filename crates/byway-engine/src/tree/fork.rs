//! Which branches are forks: those where a run can go more than one way.
//!
//! A symbolic executor that forks states asks at every branch which sides are feasible, and has a fork where several
//! are. Here a side is solved for only when it is picked. So a side counts as feasible until the solver has said that it
//! is not; one on which the solver gave up, or whose run went elsewhere, stays feasible.

use super::{NodeId, PathTree, PendingOutcome, Side, StepKind};

impl PathTree {
    /// Whether a node is a branch of the program with at least two sides that are not known to be infeasible.
    pub fn is_fork(&self, node: NodeId) -> bool {
        self.is_branch(node) && self.feasible_sides(node).nth(1).is_some()
    }

    /// Whether a node is a branch of the program.
    pub fn is_branch(&self, node: NodeId) -> bool {
        !self.is_alternative(node) && self.nodes[node.index()].kind() == StepKind::Branch
    }

    /// The sides of a node that are not known to be infeasible.
    pub fn feasible_sides(&self, node: NodeId) -> impl Iterator<Item = Side> + '_ {
        self.sides(node).filter(|&side| side != Side::Closed(PendingOutcome::Infeasible))
    }

    /// What is known of the sides of a node, from side 0 on.
    pub fn sides(&self, node: NodeId) -> impl Iterator<Item = Side> + '_ {
        (0..self.side_count(node)).map(move |side| self.side(node, side))
    }

    /// The last steps of the way to a side of a node, that one included, as nodes and the sides taken there. Alternatives
    /// are no steps.
    pub fn last_steps(&self, leaf: (NodeId, u32), count: usize) -> Vec<(NodeId, u32)> {
        let way = std::iter::successors(Some(leaf), |&(node, _)| self.parent(node));
        let mut steps: Vec<_> = way.filter(|&(node, _)| !self.is_alternative(node)).take(count).collect();
        steps.reverse();
        steps
    }
}
