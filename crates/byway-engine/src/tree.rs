//! The path tree: the divergence points that runs have reached, and what is known of each of their sides.
//!
//! A node is a branch, a concretization or an operation that can fail ([`StepKind`]) in the context of everything decided before it; a side leads to the next node, or says
//! why there is none ([`Side`]). [`PathTree::insert`] adds the path of a run: it follows what is known, makes nodes of
//! the rest, and a *pending* of every side there that the run did not take. [`PathTree::constraints`] is what has to hold
//! for a run to take the side of a pending.
//!
//! Runs that share a prefix normally agree on what comes next. A run that shows something else (the program is not
//! deterministic, or the run made other assumptions) goes beside what is there, below an *alternative*: a node with two
//! sides and no condition.
//!
//! Trees have millions of nodes and paths hundreds of thousands of steps, so a node is a few plain numbers in one
//! array, and nothing here recurses.

mod align;
mod constraints;
mod fork;
mod insert;
mod live;
mod node;
mod path;

pub use constraints::Constraint;
pub use insert::Inserted;
pub use node::{NodeId, PendingId, PendingOutcome, Side};
pub use path::{BranchPath, PathPoint, Repeat, Step, StepKind};

use node::{Entry, PackedSide, TreeNode};
use rustc_hash::FxHashMap;

/// The number that the caller gives to a run.
pub type RunId = u32;

/// All paths so far. See the [module](self).
#[derive(Debug, Default)]
pub struct PathTree {
    nodes: Vec<TreeNode>,
    /// The sides of all nodes, node by node.
    links: Vec<PackedSide>,
    /// The assumptions of nodes, each list behind its length; nodes without any share the empty list at 0.
    assumptions: Vec<u32>,
    /// For concretizations, what was taken for its value.
    values: FxHashMap<NodeId, u32>,
    root: Option<NodeId>,
    /// Every pending there ever was.
    pendings: Vec<Entry>,
    /// Those that wait for a searcher, in no particular order.
    waiting: Vec<PendingId>,
    /// How many wait, but not for a searcher.
    aside: usize,
    max_depth: Option<u32>,
    revivals: u32,
    counts: Counts,
}

/// What happened while the tree grew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs inserted.
    pub runs: u64,
    /// Runs that took a path that another run had taken to its end.
    pub repeated: u64,
    /// Runs that showed another branch where the tree had one already.
    pub diverged: u64,
    /// Runs that reached a known branch under other assumptions.
    pub assumed_otherwise: u64,
    /// Runs that ended where an earlier one went on.
    pub ended_early: u64,
    /// Runs that took a side that had been found infeasible.
    pub infeasible_taken: u64,
    /// Sides that were not made pending because they are deeper than the bound.
    pub too_deep: u64,
    /// Pendings closed as infeasible.
    pub infeasible: u64,
    /// Pendings closed because the solver gave up.
    pub unknown: u64,
    /// Pendings whose run went elsewhere.
    pub missed: u64,
    /// Pendings that nobody needs to know about any more.
    pub settled: u64,
}

impl Counts {
    fn of(&mut self, outcome: PendingOutcome) -> &mut u64 {
        match outcome {
            PendingOutcome::Infeasible => &mut self.infeasible,
            PendingOutcome::Unknown => &mut self.unknown,
            PendingOutcome::Missed => &mut self.missed,
            PendingOutcome::Settled => &mut self.settled,
        }
    }
}

impl PathTree {
    /// An empty tree that makes no pendings behind more than `max_depth` branches.
    pub fn new(max_depth: Option<u32>) -> Self {
        PathTree { assumptions: vec![0], max_depth, ..PathTree::default() }
    }

    /// What happened so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The first node, once a run has met a symbolic branch.
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The pendings that wait for a searcher, in no particular order: the other sides of branches.
    pub fn waiting(&self) -> &[PendingId] {
        &self.waiting
    }

    /// How many pendings wait, for a searcher or not.
    pub fn waiting_count(&self) -> usize {
        self.waiting.len() + self.aside
    }

    /// How many pendings there ever were: they are numbered from 0.
    pub fn pendings_ever(&self) -> usize {
        self.pendings.len()
    }

    /// Whether a pending waits to be picked.
    pub fn is_waiting(&self, pending: PendingId) -> bool {
        self.pendings[pending.index()].is_waiting()
    }

    /// Whether it is not for searchers to choose a pending: a concretization, an operation, or what is tried again.
    pub fn is_aside(&self, pending: PendingId) -> bool {
        self.pendings[pending.index()].is_aside()
    }

    /// The node and the side that a pending stands for.
    pub fn place_of(&self, pending: PendingId) -> (NodeId, u32) {
        let entry = &self.pendings[pending.index()];
        (entry.node, entry.side())
    }

    /// The run whose path a pending leaves.
    pub fn run_of(&self, pending: PendingId) -> RunId {
        self.pendings[pending.index()].run
    }

    /// The step that leads to one side of a node.
    pub fn step(&self, node_id: NodeId, side: u32) -> Step {
        let node = &self.nodes[node_id.index()];
        Step {
            kind: node.kind(),
            site: node.site,
            place: node.place,
            condition: node.condition,
            side,
            sides: node.sides(),
            value: self.values.get(&node_id).copied().unwrap_or(0),
            assumed: 0,
        }
    }

    /// How many branches there are from the start of the program to this one, counting it.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].depth
    }

    /// Whether a node only joins alternatives.
    pub fn is_alternative(&self, node: NodeId) -> bool {
        self.nodes[node.index()].is_alternative()
    }

    /// The number of sides of a node.
    pub fn side_count(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].sides()
    }

    /// What is known of a side.
    pub fn side(&self, node: NodeId, side: u32) -> Side {
        self.link(node, side).read()
    }

    /// Marks a waiting pending as being tried. False if it does not wait.
    pub fn begin(&mut self, pending: PendingId) -> bool {
        if !self.is_waiting(pending) {
            return false;
        }
        self.stop_waiting(pending);
        let (node, side) = self.place_of(pending);
        self.set_link(node, side, PackedSide::trying(pending));
        true
    }

    /// Says what became of a pending. Nothing happens if a run took it meanwhile. True if it was still waiting.
    pub fn close(&mut self, pending: PendingId, outcome: PendingOutcome) -> bool {
        let (node, side) = self.place_of(pending);
        if self.link(node, side).pending() != Some(pending) {
            return false;
        }
        let waited = self.is_waiting(pending);
        if waited {
            self.stop_waiting(pending);
        }
        *self.counts.of(outcome) += 1;
        let was_live = self.link_is_live(self.link(node, side));
        self.set_link(node, side, PackedSide::closed(outcome));
        self.side_changed(node, was_live, false);
        waited
    }

    /// Lets a pending wait again that was closed, but not for a searcher. Nothing happens, and it is false, if a run took it
    /// meanwhile.
    pub fn reopen(&mut self, pending: PendingId) -> bool {
        let (node, side) = self.place_of(pending);
        let Side::Closed(outcome) = self.side(node, side) else { return false };
        *self.counts.of(outcome) -= 1;
        self.wait_aside(pending);
        self.set_link(node, side, PackedSide::waiting(pending));
        true
    }

    fn wait(&mut self, pending: PendingId) {
        self.pendings[pending.index()].waits_at = self.waiting.len() as u32;
        self.waiting.push(pending);
    }

    fn wait_aside(&mut self, pending: PendingId) {
        self.pendings[pending.index()].set_aside();
        self.aside += 1;
    }

    fn link(&self, node: NodeId, side: u32) -> PackedSide {
        self.links[(self.nodes[node.index()].first_link + side) as usize]
    }

    fn set_link(&mut self, node: NodeId, side: u32, link: PackedSide) {
        self.links[(self.nodes[node.index()].first_link + side) as usize] = link;
    }

    /// Takes a pending out of those that wait.
    fn stop_waiting(&mut self, pending: PendingId) {
        let position = std::mem::replace(&mut self.pendings[pending.index()].waits_at, Entry::GONE);
        if position == Entry::ASIDE {
            self.aside -= 1;
            return;
        }
        self.waiting.swap_remove(position as usize);
        if let Some(moved) = self.waiting.get(position as usize) {
            self.pendings[moved.index()].waits_at = position;
        }
    }

    fn assumptions_at(&self, start: u32) -> &[u32] {
        let length = self.assumptions[start as usize] as usize;
        &self.assumptions[start as usize + 1..][..length]
    }
}
