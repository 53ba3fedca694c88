//! Which statements of a program depend on which, through control, registers and memory.
//!
//! The nodes of a [`DependenceGraph`] are instructions, and places where values come together: blocks, for what decides that they are
//! executed; parameters and results; what a sandbox of memory holds when a function is called, when it returns, behind a call, and where ways
//! meet. Edges into a function and out of it know the call, so that what goes in at one call does not come out at another (Horwitz, Reps
//! and Binkley).

mod build;
mod memory;
mod past;
mod slice;

use byway_map::{ProgramInstructions, ProgramMap};

use crate::access::Accesses;
use crate::points_to::{InstructionId, PointsTo};
use crate::statement::{Statement, StatementId, statements};

use build::Builder;
pub use slice::Slices;

/// The number of a node.
pub type NodeId = u32;
/// The number of a call.
pub type CallId = u32;

/// How one node depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// Within a function.
    Local,
    /// Into a function, at a call.
    Into(CallId),
    /// Out of a function, at a call.
    OutOf(CallId),
}

/// A node.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The function that it is in.
    pub function: u32,
    /// The statement that it is a part of, if it is one.
    pub statement: Option<StatementId>,
}

/// Three nodes stand for a call besides its result.
#[derive(Debug, Clone, Copy)]
pub struct CallNodes {
    /// That it is executed.
    pub control: NodeId,
    /// What it is given.
    pub given: NodeId,
}

/// The dependences of a program.
pub struct DependenceGraph {
    statements: Vec<Statement>,
    nodes: Vec<Node>,
    /// For each function the node of its first instruction.
    first: Vec<NodeId>,
    /// The nodes of a call.
    calls: rustc_hash::FxHashMap<InstructionId, CallNodes>,
    /// From, to, how.
    edges: Vec<(NodeId, NodeId, Edge)>,
}

impl DependenceGraph {
    /// That of a program.
    pub fn new(program: &ProgramInstructions, map: &ProgramMap, points_to: &PointsTo) -> DependenceGraph {
        let accesses = Accesses::new(program, points_to);
        let statements = statements(program);
        let Builder { nodes, first, calls, edges, .. } =
            Builder::built((program, map), points_to, &accesses, &statements);
        DependenceGraph { statements, nodes, first, calls, edges }
    }

    /// The statements.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The statement that a node is a part of, if it is one that is in the source: what the front end adds, as copies of
    /// parameters, is not.
    pub fn statement_of(&self, node: NodeId) -> Option<StatementId> {
        self.nodes.get(node as usize)?.statement.filter(|id| self.statements[id.0 as usize].position.is_some())
    }

    /// How many nodes and edges there are.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.edges.len())
    }

    /// The nodes of a statement.
    pub fn nodes_of(&self, statement: StatementId) -> Vec<NodeId> {
        let Statement { function, instructions: (first, end), .. } = self.statements[statement.0 as usize];
        let mut nodes: Vec<NodeId> = (first..end).map(|index| self.first[function as usize] + index).collect();
        for index in first..end {
            nodes.extend(self.calls.get(&(function, index)).into_iter().flat_map(|call| [call.control, call.given]));
        }
        nodes
    }

    /// The node of what a statement does: what it writes, decides, or is given.
    pub fn node_of(&self, statement: StatementId) -> NodeId {
        let statement = &self.statements[statement.0 as usize];
        let last = (statement.function, statement.last());
        self.calls.get(&last).map_or(self.first[last.0 as usize] + last.1, |call| call.given)
    }

    /// What depends on which of some changes: for each of these the nodes that it is.
    pub fn slices(&self, changes: &[Vec<NodeId>]) -> Slices {
        Slices::new(self, changes)
    }
}
