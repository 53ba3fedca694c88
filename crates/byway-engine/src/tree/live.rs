//! Which parts of the tree still have something to try.
//!
//! A side is live if it is pending for a searcher, being tried, or leads to a node with a live side. Each node counts its own live sides
//! only, so a change goes up the tree no further than to the first node whose count does not become, or cease to be,
//! zero. What is being tried counts as live because a run normally comes back from there with new pendings: going from
//! dead to live is the exception, which [`PathTree::revivals`] counts.

use super::node::PackedSide;
use super::{NodeId, PathTree, Side};

impl PathTree {
    /// How many sides of a node are live.
    pub fn live_sides(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].live
    }

    /// Whether there is anything to try on a side.
    pub fn is_live(&self, side: Side) -> bool {
        match side {
            Side::Node(node) => self.live_sides(node) > 0,
            Side::Pending(pending) | Side::Trying(pending) => !self.is_aside(pending),
            Side::Closed(_) | Side::End | Side::TooDeep => false,
        }
    }

    /// The n-th live side of a node, from 0.
    pub fn live_side(&self, node: NodeId, n: u32) -> Option<Side> {
        let found = &self.nodes[node.index()];
        let links = &self.links[found.first_link as usize..][..found.sides() as usize];
        let mut live = links.iter().map(|link| link.read()).filter(|&side| self.is_live(side));
        live.nth(n as usize)
    }

    /// How often a side that was dead came back to life. As long as this stays the same, a node with one live side keeps
    /// that one until it has none.
    pub fn revivals(&self) -> u32 {
        self.revivals
    }

    /// A side of a node is another one now; what was live may be dead, or the other way round.
    pub(super) fn side_changed(&mut self, node: NodeId, was_live: bool, is_live: bool) {
        match (was_live, is_live) {
            (true, false) => self.side_died(node),
            (false, true) => self.side_revived(node),
            _ => {}
        }
    }

    pub(super) fn link_is_live(&self, link: PackedSide) -> bool {
        self.is_live(link.read())
    }

    /// One side of a node is not live any more.
    fn side_died(&mut self, node: NodeId) {
        let mut at = Some(node);
        while let Some(node) = at {
            let node = &mut self.nodes[node.index()];
            node.live -= 1;
            at = if node.live == 0 { node.parent() } else { None };
        }
    }

    /// One side of a node, dead before, is live now.
    pub(super) fn side_revived(&mut self, node: NodeId) {
        self.revivals += 1;
        let mut at = Some(node);
        while let Some(node) = at {
            let node = &mut self.nodes[node.index()];
            node.live += 1;
            at = if node.live == 1 { node.parent() } else { None };
        }
    }
}
