//! Inserting the path of a run.

use std::ops::Range;

use super::node::{Entry, PackedSide, Shape, TreeNode};
use super::{BranchPath, NodeId, PathTree, PendingId, PendingOutcome, RunId, Side, Step, StepKind};

/// What inserting a path did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// The last node of the path and the side taken there. None for a path without steps.
    pub leaf: Option<(NodeId, u32)>,
    /// How many steps of the path were known before.
    pub known: usize,
    /// The pending that the run took.
    pub took: Option<PendingId>,
    /// Whether that one was being tried; else it still waited.
    pub was_tried: bool,
    /// The new pendings, in the order of the path.
    pub added: Range<u32>,
}

/// How far a path goes along what the tree knows.
struct Followed {
    /// Steps that are in the tree, their sides taken by some run.
    known: usize,
    /// Where the path leaves the tree.
    end: End,
}

/// Where new nodes are to be attached.
#[derive(Clone, Copy)]
enum End {
    /// The tree is empty.
    Nowhere,
    /// At a side of a node.
    Side(NodeId, u32),
    /// Beside a node.
    Beside(NodeId),
}

impl PathTree {
    /// Inserts the path of a run. The new pendings are those of the sides that it did not take on its new part.
    pub fn insert(&mut self, run: RunId, path: &BranchPath) -> Inserted {
        self.counts.runs += 1;
        let Followed { known, end } = self.follow(path);
        let first_pending = self.pendings.len() as u32;
        let mut inserted =
            Inserted { leaf: None, known, took: None, was_tried: false, added: first_pending..first_pending };
        match end {
            End::Nowhere if path.steps().is_empty() => return inserted,
            End::Nowhere => self.root = Some(self.grow(run, path, 0, None)),
            End::Beside(node) => self.grow_beside(run, path, known, node),
            End::Side(node, Step::NEITHER) => inserted.leaf = Some((node, Step::NEITHER)),
            End::Side(node, side) => {
                // Of the steps followed, the last one's side may be new: then this run is the first to take it.
                let before = self.link(node, side).read();
                (inserted.took, inserted.was_tried) = match before {
                    Side::Pending(pending) => (Some(pending), false),
                    Side::Trying(pending) => (Some(pending), true),
                    _ => (None, false),
                };
                inserted.known = self.attach(run, path, known, node, side);
            }
        }
        inserted.added.end = self.pendings.len() as u32;
        inserted.leaf = inserted.leaf.or_else(|| self.last_node(path, known, end));
        inserted
    }

    /// Walks along the known part of a path. The side that the last known step takes need not be known.
    fn follow(&mut self, path: &BranchPath) -> Followed {
        let Some(mut node) = self.root else { return Followed { known: 0, end: End::Nowhere } };
        let Some(mut known) = (!path.steps().is_empty()).then_some(0) else {
            self.counts.ended_early += 1;
            return Followed { known: 0, end: End::Nowhere };
        };
        loop {
            match self.find(node, path, known) {
                Ok(found) => node = found,
                Err(last) => return Followed { known, end: End::Beside(last) },
            }
            let side = path.steps()[known].side;
            known += 1;
            let next = (side != Step::NEITHER).then(|| self.link(node, side).read());
            match next {
                Some(Side::Node(next)) if known < path.steps().len() => node = next,
                _ => return Followed { known, end: End::Side(node, side) },
            }
        }
    }

    /// The node for a step among the alternatives at `node`, or the last of them.
    fn find(&mut self, mut node: NodeId, path: &BranchPath, step: usize) -> Result<NodeId, NodeId> {
        let mut assumed_otherwise = false;
        loop {
            let (this, others) = self.split_alternative(node);
            match self.compare(this, path, step) {
                Same::Yes => return Ok(this),
                Same::ButAssumptions => assumed_otherwise = true,
                Same::No => {}
            }
            let Some(others) = others else { break };
            node = others;
        }
        match assumed_otherwise {
            true => self.counts.assumed_otherwise += 1,
            false => self.counts.diverged += 1,
        }
        Err(node)
    }

    /// The first node at an alternative, and where the others are.
    pub(super) fn split_alternative(&self, node: NodeId) -> (NodeId, Option<NodeId>) {
        if !self.is_alternative(node) {
            return (node, None);
        }
        match (self.side(node, 0), self.side(node, 1)) {
            (Side::Node(first), Side::Node(others)) => (first, Some(others)),
            sides => unreachable!("an alternative joins two nodes, not {sides:?}"),
        }
    }

    fn compare(&self, node: NodeId, path: &BranchPath, step: usize) -> Same {
        if !self.is_step(node, &path.steps()[step]) {
            return Same::No;
        }
        match self.assumptions(node) == path.assumptions(step) {
            true => Same::Yes,
            false => Same::ButAssumptions,
        }
    }

    /// Whether a node is that of a step, whatever was assumed before it.
    pub(super) fn is_step(&self, node: NodeId, step: &Step) -> bool {
        let node = &self.nodes[node.index()];
        let known = (node.site, node.place, node.condition, node.shape);
        known == (step.site, step.place, step.condition, Shape::new(step.kind, step.sides))
    }

    /// Lets the path from `known` on begin at a side of a node. Returns how many of its steps some run took before.
    fn attach(&mut self, run: RunId, path: &BranchPath, known: usize, node: NodeId, side: u32) -> usize {
        let before = self.link(node, side);
        let goes_on = known < path.steps().len();
        match before.read() {
            // Only a path that ends here gets to a side that has a node.
            Side::Node(_) => self.counts.ended_early += 1,
            Side::End if !goes_on => self.counts.repeated += 1,
            Side::End => self.counts.diverged += 1,
            Side::Closed(PendingOutcome::Infeasible) => self.counts.infeasible_taken += 1,
            Side::Pending(pending) => self.stop_waiting(pending),
            _ => {}
        }
        if let Side::Node(_) = before.read() {
            return known;
        }
        let after = match goes_on {
            true => PackedSide::node(self.grow(run, path, known, Some((node, side)))),
            false => PackedSide::END,
        };
        self.set_link(node, side, after);
        self.side_changed(node, self.link_is_live(before), self.link_is_live(after));
        if before.read() == Side::End { known } else { known - 1 }
    }

    /// Makes nodes of a path from a step on. Returns the first; whoever calls links it to its parent.
    fn grow(&mut self, run: RunId, path: &BranchPath, first: usize, parent: Option<(NodeId, u32)>) -> NodeId {
        let root = NodeId(self.nodes.len() as u32);
        let (mut parent, mut parent_side) = parent.map_or((TreeNode::NO_PARENT, 0), |(node, side)| (node.0, side));
        for step in first..path.steps().len() {
            self.push_node(run, path, step, parent, parent_side);
            (parent, parent_side) = (self.nodes.len() as u32 - 1, path.steps()[step].side);
        }
        // From the last on, so that each knows whether there is something live below.
        for node in (root.index() + 1..self.nodes.len()).rev() {
            let (parent, live) = (self.nodes[node].parent, self.nodes[node].live);
            self.nodes[parent as usize].live += u32::from(live > 0);
        }
        root
    }

    /// Adds a node whose taken side leads to the node that comes next, if there is one, and whose others are pending.
    fn push_node(&mut self, run: RunId, path: &BranchPath, index: usize, parent: u32, parent_side: u32) {
        let step = &path.steps()[index];
        let node = NodeId(self.nodes.len() as u32);
        let is_last = index + 1 == path.steps().len();
        let first_link = self.links.len() as u32;
        let depth = index as u32 + 1;
        let mut live = 0;
        for side in 0..step.sides {
            let link = match side == step.side {
                true if is_last => PackedSide::END,
                true => PackedSide::node(NodeId(node.0 + 1)),
                false if step.is_assumption() && side == 0 => PackedSide::closed(PendingOutcome::Settled),
                false => self.untaken(run, node, side, depth, step.kind),
            };
            live += u32::from(step.kind == StepKind::Branch && link.pending().is_some());
            self.links.push(link);
        }
        let assumptions = self.store_assumptions(path.assumptions(index));
        let &Step { kind, site, place, condition, sides, value, .. } = step;
        if kind == StepKind::Concretization {
            self.values.insert(node, value);
        }
        let shape = Shape::new(kind, sides);
        let node =
            TreeNode { parent, parent_side, site, place, condition, assumptions, first_link, shape, live, depth };
        self.nodes.push(node);
    }

    fn untaken(&mut self, run: RunId, node: NodeId, side: u32, depth: u32, kind: StepKind) -> PackedSide {
        if self.max_depth.is_some_and(|max_depth| depth > max_depth) {
            self.counts.too_deep += 1;
            return PackedSide::TOO_DEEP;
        }
        let pending = PendingId(self.pendings.len() as u32);
        self.pendings.push(Entry::new(node, side, run));
        match kind {
            StepKind::Branch => self.wait(pending),
            StepKind::Concretization | StepKind::Operation => self.wait_aside(pending),
        }
        PackedSide::waiting(pending)
    }

    fn store_assumptions(&mut self, assumptions: &[u32]) -> u32 {
        if assumptions.is_empty() {
            return 0;
        }
        let start = self.assumptions.len() as u32;
        self.assumptions.push(assumptions.len() as u32);
        self.assumptions.extend_from_slice(assumptions);
        start
    }

    /// Puts the path from a step on beside a node: an alternative takes the node's place and joins the two.
    fn grow_beside(&mut self, run: RunId, path: &BranchPath, first: usize, node: NodeId) {
        let TreeNode { parent, parent_side, depth, live, .. } = self.nodes[node.index()];
        let joint = self.push_alternative(parent, parent_side, depth);
        let other = self.grow(run, path, first, Some((joint, 1)));
        let first_link = self.nodes[joint.index()].first_link as usize;
        self.links[first_link] = PackedSide::node(node);
        self.links[first_link + 1] = PackedSide::node(other);
        self.nodes[node.index()].parent = joint.0;
        self.nodes[node.index()].parent_side = 0;
        match parent {
            TreeNode::NO_PARENT => self.root = Some(joint),
            parent => self.set_link(NodeId(parent), parent_side, PackedSide::node(joint)),
        }
        // The joint stands for the node until the other side comes to life.
        self.nodes[joint.index()].live = u32::from(live > 0);
        if self.live_sides(other) > 0 {
            self.side_revived(joint);
        }
    }

    fn push_alternative(&mut self, parent: u32, parent_side: u32, depth: u32) -> NodeId {
        let joint = NodeId(self.nodes.len() as u32);
        let first_link = self.links.len() as u32;
        self.links.extend([PackedSide::END; 2]);
        self.nodes.push(TreeNode {
            parent,
            parent_side,
            site: TreeNode::ALTERNATIVE,
            place: 0,
            condition: 0,
            assumptions: 0,
            first_link,
            shape: Shape::new(StepKind::Branch, 2),
            live: 0,
            // As deep as the branch before: it decides nothing.
            depth: depth - 1,
        });
        joint
    }

    /// The last node of a path that was just inserted, and the side it took there.
    fn last_node(&self, path: &BranchPath, known: usize, end: End) -> Option<(NodeId, u32)> {
        let last = path.steps().last()?;
        match end {
            End::Side(node, side) if known == path.steps().len() => Some((node, side)),
            _ => Some((NodeId(self.nodes.len() as u32 - 1), last.side)),
        }
    }
}

/// Whether a node is the one for a step.
enum Same {
    Yes,
    ButAssumptions,
    No,
}

#[cfg(test)]
mod tests {
    use byway_trace::layout::place::ASSUMPTION;

    use super::*;

    #[test]
    fn of_what_a_program_assumes_only_that_it_holds_is_looked_for() {
        let run = |tree: &mut PathTree, run, side| {
            let mut path = BranchPath::new();
            path.push(ASSUMPTION, 4, 9, side, 2);
            if side == 1 {
                path.push(5, 0, 10, 0, 2);
            }
            tree.insert(run, &path)
        };
        let mut tree = PathTree::new(None);
        assert_eq!(run(&mut tree, 0, 0).added, 0..1);
        assert_eq!(tree.place_of(PendingId(0)).1, 1);
        tree.begin(PendingId(0));
        assert_eq!(run(&mut tree, 1, 1).took, Some(PendingId(0)));
        assert_eq!((tree.waiting_count(), tree.counts().diverged), (1, 0));

        let mut tree = PathTree::new(None);
        run(&mut tree, 0, 1);
        let root = tree.root().unwrap();
        assert_eq!((tree.waiting_count(), tree.side(root, 0)), (1, Side::Closed(PendingOutcome::Settled)));
        run(&mut tree, 1, 0);
        assert_eq!((tree.side(root, 0), tree.counts().infeasible_taken), (Side::End, 0));
    }
}
