//! In which orders the changes of a program can be executed, and where several of them come together.
//!
//! The nodes of a [`SequenceGraph`] are the changed lines of the new version, the locations at which several changes may interact, the
//! beginning of the program and its output. An edge says that control can get from one node to the other without meeting a third one,
//! outputs apart. So the changes that a run executes, and the interaction locations it meets, are a way through the graph (Böhme,
//! Oliveira and Roychoudhury, 2013).

mod flow;
mod interaction;
mod places;
mod print;

use std::collections::BTreeSet;
use std::path::PathBuf;

use byway_dependence::{DependenceGraph, PointsTo, Size, StatementId};
use byway_map::{BlockId, ProgramInstructions, ProgramMap};
use serde::Serialize;

use crate::change::Change;

use flow::Flow;
use interaction::Interactions;
use places::Changed;

/// The number of a node in [`SequenceGraph::nodes`].
pub type SequenceNodeId = usize;

/// The orders in which changes can be executed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SequenceGraph {
    /// The nodes: first the beginning of the program, then its output, then others.
    pub nodes: Vec<SequenceNode>,
    /// The changes that nothing of the new version executes, by number: what was removed, above all.
    pub without_node: Vec<usize>,
    /// Library functions that are called and of which nobody knows what they do: they are taken to touch whatever they can reach.
    pub unknown_functions: Vec<String>,
    /// How large it all is.
    pub size: GraphSize,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SequenceNode {
    /// What it is.
    pub kind: SequenceKind,
    /// The function that it is in.
    pub function: String,
    /// The file.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// The changes that it is, or that come together there, by number.
    pub changes: Vec<usize>,
    /// Where control can get to from there before it meets another node.
    pub next: Vec<SequenceNodeId>,
    /// Where it is in the blocks of the new version.
    #[serde(skip)]
    pub points: Vec<Point>,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SequenceKind {
    /// The beginning of the program.
    Start,
    /// The program writes something, or ends.
    Output,
    /// A changed line.
    Change,
    /// What is not changed and depends on several changes.
    Interaction,
}

/// A place in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Point {
    /// The block.
    pub block: BlockId,
    /// How many calls of the block come before it.
    pub calls_before: u32,
    /// Of nodes between the same calls, the one with the smaller number comes first.
    pub order: u32,
}

/// How large a graph is, and what it was made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct GraphSize {
    /// Changed lines.
    pub changes: usize,
    /// Interaction locations.
    pub interactions: usize,
    /// Lines that depend on several changes.
    pub interactions_before: usize,
    /// Edges.
    pub edges: usize,
    /// Statements of the program.
    pub statements: usize,
    /// Dependences between its instructions.
    pub dependences: usize,
    /// Objects that addresses point to.
    pub objects: usize,
    /// How many of them an address points to on average.
    pub mean_targets: f64,
}

impl SequenceGraph {
    /// The node of the beginning of the program.
    pub const START: SequenceNodeId = 0;
    /// The node of its output.
    pub const OUTPUT: SequenceNodeId = 1;

    /// That of changes, in the new version of a program.
    pub fn new(changes: &[Change], program: &ProgramInstructions, map: &ProgramMap) -> SequenceGraph {
        let points_to = PointsTo::new(program);
        let dependences = DependenceGraph::new(program, map, &points_to);
        let Changed { lines, without_node } = Changed::new(changes, program, &dependences);
        let Interactions { lines: interactions, before } = Interactions::new(program, &dependences, &lines);
        let mut nodes = vec![SequenceNode::end(SequenceKind::Start), SequenceNode::end(SequenceKind::Output)];
        let mut statements = vec![Vec::new(), Vec::new()];
        for line in lines.into_iter().chain(interactions) {
            statements.push(line.statements);
            nodes.push(line.node);
        }
        let flow = Flow::new((program, map), &points_to, dependences.statements(), &statements);
        for (node, points) in nodes.iter_mut().zip(flow.points()) {
            node.points = points;
        }
        for (node, next) in nodes.iter_mut().zip(flow.next()) {
            node.next = next;
        }
        let unknown = points_to.unknown().map(|external| program.externals[external as usize].clone());
        let count = |kind| nodes.iter().filter(|node| node.kind == kind).count();
        let Size { objects, mean, .. } = points_to.size(program);
        let size = GraphSize {
            changes: count(SequenceKind::Change),
            interactions: count(SequenceKind::Interaction),
            interactions_before: before,
            edges: nodes.iter().map(|node| node.next.len()).sum(),
            statements: dependences.statements().len(),
            dependences: dependences.size().1,
            objects,
            mean_targets: mean,
        };
        SequenceGraph { unknown_functions: unknown.collect(), nodes, without_node, size }
    }

    /// The blocks of a node.
    pub fn blocks(&self, node: SequenceNodeId) -> BTreeSet<BlockId> {
        self.nodes[node].points.iter().map(|point| point.block).collect()
    }
}

impl SequenceNode {
    fn end(kind: SequenceKind) -> SequenceNode {
        SequenceNode {
            kind,
            function: String::new(),
            file: PathBuf::new(),
            line: 0,
            changes: Vec::new(),
            next: Vec::new(),
            points: Vec::new(),
        }
    }
}

/// A node with the statements that it is.
struct Marked {
    node: SequenceNode,
    statements: Vec<StatementId>,
}
