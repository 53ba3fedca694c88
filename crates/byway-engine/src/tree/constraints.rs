//! What must hold for a run to get to a pending.

use super::{NodeId, PathTree, PendingId, Step, StepKind};

/// One constraint on the way to a pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// The runs on this way assumed it.
    Assumed(u32),
    /// A condition that decides as it must to take a side.
    Decided {
        /// What decides.
        kind: StepKind,
        /// The site of the branch.
        site: u32,
        /// The number of the condition.
        condition: u32,
        /// The side to take.
        side: u32,
        /// How many sides there are.
        sides: u32,
    },
}

impl From<Step> for Constraint {
    /// That a run takes this step.
    fn from(step: Step) -> Constraint {
        let Step { kind, site, condition, side, sides, .. } = step;
        Constraint::Decided { kind, site, condition, side, sides }
    }
}

impl PathTree {
    /// What must hold for a run to take the side of a pending, from the start of the program on. The last one is the
    /// pending's own condition.
    pub fn constraints(&self, pending: PendingId) -> impl Iterator<Item = Constraint> + '_ {
        let (node, side) = self.place_of(pending);
        self.constraints_to(node, side)
    }

    /// The same for any side of a node.
    pub fn constraints_to(&self, node: NodeId, side: u32) -> impl Iterator<Item = Constraint> + '_ {
        let mut way = self.way_to(node);
        way.push((node, side));
        way.into_iter().flat_map(|(node, side)| {
            let assumed = self.assumptions(node).iter().map(|&id| Constraint::Assumed(id));
            assumed.chain((!self.is_alternative(node)).then(|| self.decided(node, side)))
        })
    }

    /// The node that leads to this one, and by which side.
    pub fn parent(&self, node: NodeId) -> Option<(NodeId, u32)> {
        let found = &self.nodes[node.index()];
        found.parent().map(|parent| (parent, found.parent_side))
    }

    /// What runs assumed between the node before and this one.
    pub fn assumptions(&self, node: NodeId) -> &[u32] {
        self.assumptions_at(self.nodes[node.index()].assumptions)
    }

    /// What must hold at a node, which is no alternative, to take a side.
    pub fn decided(&self, node: NodeId, side: u32) -> Constraint {
        let found = &self.nodes[node.index()];
        Constraint::Decided {
            kind: found.kind(),
            site: found.site,
            condition: found.condition,
            side,
            sides: found.sides(),
        }
    }

    /// The branches on the way to a side of a node and this one, with the sides taken, alternatives left out.
    pub fn branches_up_to(&self, node: NodeId, side: u32) -> Vec<(NodeId, u32)> {
        let mut way = self.way_to(node);
        way.push((node, side));
        way.retain(|&(node, _)| !self.is_alternative(node));
        way
    }

    /// The nodes before this one, from the root on, each with the side that leads on.
    fn way_to(&self, node: NodeId) -> Vec<(NodeId, u32)> {
        let mut way = Vec::with_capacity(self.depth(node) as usize);
        let mut at = node;
        while let Some(parent) = self.nodes[at.index()].parent() {
            way.push((parent, self.nodes[at.index()].parent_side));
            at = parent;
        }
        way.reverse();
        way
    }
}
