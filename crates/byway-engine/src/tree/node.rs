//! Nodes, their sides, and the pendings, as small as they can be.

use super::{RunId, StepKind};

/// A node of a [`PathTree`](super::PathTree).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

/// A side of a branch that no run had taken when it was found. Later ones have greater numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PendingId(pub u32);

impl PendingId {
    /// None of them.
    pub const NONE: PendingId = PendingId(u32::MAX);
}

/// Why a pending will not be tried again although no run took it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PendingOutcome {
    /// No input takes this side.
    Infeasible,
    /// The solver gave up.
    Unknown,
    /// An input was found, but its run went elsewhere.
    Missed,
    /// Nobody needs to know: what it would show was seen elsewhere.
    Settled,
}

/// What is known of a side of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// It leads to this node.
    Node(NodeId),
    /// It waits to be picked.
    Pending(PendingId),
    /// It was picked and is being tried.
    Trying(PendingId),
    /// It was tried in vain.
    Closed(PendingOutcome),
    /// A run took it and met no other symbolic branch.
    End,
    /// It is deeper than pendings may be.
    TooDeep,
}

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl PendingId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A branch or a switch, in the context of all that was decided before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TreeNode {
    /// [`TreeNode::NO_PARENT`] for the root.
    pub parent: u32,
    /// The side of the parent that leads here.
    pub parent_side: u32,
    pub site: u32,
    pub place: u32,
    pub condition: u32,
    /// Where the list of assumptions since the node before begins.
    pub assumptions: u32,
    pub first_link: u32,
    /// The number of sides, and in the upper bits what decides.
    pub shape: Shape,
    /// How many sides are live: pending, being tried, or with such below.
    pub live: u32,
    pub depth: u32,
}

/// How many sides a node has and what decides, in four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape(u32);

impl Shape {
    const KIND_SHIFT: u32 = 30;

    pub fn new(kind: StepKind, sides: u32) -> Shape {
        Shape((kind as u32) << Shape::KIND_SHIFT | sides)
    }
}

impl TreeNode {
    pub const NO_PARENT: u32 = u32::MAX;
    /// The site of an alternative, which is none of the program.
    pub const ALTERNATIVE: u32 = u32::MAX;

    #[cfg(test)]
    const EMPTY: TreeNode = TreeNode {
        parent: TreeNode::NO_PARENT,
        parent_side: 0,
        site: 0,
        place: 0,
        condition: 0,
        assumptions: 0,
        first_link: 0,
        shape: Shape(0),
        live: 0,
        depth: 0,
    };

    pub fn parent(&self) -> Option<NodeId> {
        (self.parent != TreeNode::NO_PARENT).then_some(NodeId(self.parent))
    }

    pub fn is_alternative(&self) -> bool {
        self.site == TreeNode::ALTERNATIVE
    }

    pub fn sides(&self) -> u32 {
        self.shape.0 & ((1 << Shape::KIND_SHIFT) - 1)
    }

    pub fn kind(&self) -> StepKind {
        match self.shape.0 >> Shape::KIND_SHIFT {
            0 => StepKind::Branch,
            1 => StepKind::Concretization,
            _ => StepKind::Operation,
        }
    }
}

/// A [`Side`] in four bytes: two bits say which, the others the number of a node or a pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedSide(u32);

impl PackedSide {
    const KIND: u32 = 0b11 << 30;
    const NODE: u32 = 0b00 << 30;
    const PENDING: u32 = 0b01 << 30;
    const TRYING: u32 = 0b10 << 30;
    const DEAD: u32 = 0b11 << 30;

    pub const END: PackedSide = PackedSide(PackedSide::DEAD);
    pub const TOO_DEEP: PackedSide = PackedSide(PackedSide::DEAD | 1);

    pub fn node(node: NodeId) -> PackedSide {
        PackedSide(PackedSide::NODE | node.0)
    }

    pub fn waiting(pending: PendingId) -> PackedSide {
        PackedSide(PackedSide::PENDING | pending.0)
    }

    pub fn trying(pending: PendingId) -> PackedSide {
        PackedSide(PackedSide::TRYING | pending.0)
    }

    pub fn closed(outcome: PendingOutcome) -> PackedSide {
        PackedSide(PackedSide::DEAD | (2 + outcome as u32))
    }

    /// The pending that this side is, waiting or being tried.
    pub fn pending(self) -> Option<PendingId> {
        match self.read() {
            Side::Pending(pending) | Side::Trying(pending) => Some(pending),
            _ => None,
        }
    }

    pub fn read(self) -> Side {
        let number = self.0 & !PackedSide::KIND;
        match self.0 & PackedSide::KIND {
            PackedSide::NODE => Side::Node(NodeId(number)),
            PackedSide::PENDING => Side::Pending(PendingId(number)),
            PackedSide::TRYING => Side::Trying(PendingId(number)),
            _ => match number {
                0 => Side::End,
                1 => Side::TooDeep,
                2 => Side::Closed(PendingOutcome::Infeasible),
                3 => Side::Closed(PendingOutcome::Unknown),
                4 => Side::Closed(PendingOutcome::Missed),
                _ => Side::Closed(PendingOutcome::Settled),
            },
        }
    }
}

/// What the tree keeps of a pending.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub node: NodeId,
    /// The side, and in the highest bit whether searchers do not choose it.
    side: u32,
    pub run: RunId,
    /// Its position among those that wait for a searcher, [`Entry::ASIDE`] or [`Entry::GONE`].
    pub waits_at: u32,
}

impl Entry {
    pub const GONE: u32 = u32::MAX;
    /// It waits, but not for a searcher.
    pub const ASIDE: u32 = u32::MAX - 1;
    const IS_ASIDE: u32 = 1 << 31;

    /// A side that does not wait yet.
    pub fn new(node: NodeId, side: u32, run: RunId) -> Entry {
        Entry { node, side, run, waits_at: Entry::GONE }
    }

    pub fn side(&self) -> u32 {
        self.side & !Entry::IS_ASIDE
    }

    pub fn is_aside(&self) -> bool {
        self.side & Entry::IS_ASIDE != 0
    }

    /// From now on it is not for searchers to choose.
    pub fn set_aside(&mut self) {
        self.side |= Entry::IS_ASIDE;
        self.waits_at = Entry::ASIDE;
    }

    pub fn is_waiting(&self) -> bool {
        self.waits_at != Entry::GONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_reads_back_what_it_was_made_of() {
        assert_eq!(PackedSide::node(NodeId(7)).read(), Side::Node(NodeId(7)));
        assert_eq!(PackedSide::waiting(PendingId(8)).read(), Side::Pending(PendingId(8)));
        assert_eq!(PackedSide::trying(PendingId(9)).read(), Side::Trying(PendingId(9)));
        assert_eq!(PackedSide::END.read(), Side::End);
        assert_eq!(PackedSide::TOO_DEEP.read(), Side::TooDeep);
        for outcome in
            [PendingOutcome::Infeasible, PendingOutcome::Unknown, PendingOutcome::Missed, PendingOutcome::Settled]
        {
            assert_eq!(PackedSide::closed(outcome).read(), Side::Closed(outcome));
        }
    }

    #[test]
    fn a_shape_reads_back_what_it_was_made_of() {
        for (kind, sides) in [(StepKind::Branch, 300), (StepKind::Concretization, 2), (StepKind::Operation, 2)] {
            let node = TreeNode { shape: Shape::new(kind, sides), ..TreeNode::EMPTY };
            assert_eq!((node.kind(), node.sides()), (kind, sides));
        }
    }

    #[test]
    fn a_branch_takes_48_bytes_with_its_sides() {
        assert_eq!(size_of::<TreeNode>() + 2 * size_of::<PackedSide>(), 48);
    }
}
