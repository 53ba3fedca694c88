//! The paths of a program's runs, and queries about leaving them.
//!
//! A [`PathSpace`] has what belongs to one program: how its traces become paths, the trees of these paths, and a cursor that moves
//! through them. Expressions and the solver are in an [`ExpressionContext`], which comes with each call: the spaces of several programs
//! can share one.

use std::sync::Arc;

use byway_solve::{Answer, Expr, ExpressionContext, InputSource, InputValues, PathCondition, PathQuery};
use byway_trace::Trace;

use crate::builder::PathBuilder;
use crate::cursor::{PathCursor, condition_of};
use crate::program::Program;
use crate::tree::{BranchPath, NodeId, PathTree, PendingId};

/// One of the trees of a path space. Runs of inputs that differ in more than the values of their bytes have trees of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ShardId(u32);

impl ShardId {
    /// The first tree, which is the only one if all inputs differ in the values of bytes alone.
    pub const FIRST: ShardId = ShardId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A side of a node in one of the trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TreeEdge {
    /// The tree.
    pub shard: ShardId,
    /// The node.
    pub node: NodeId,
    /// The side.
    pub side: u32,
}

/// How a query about an edge is asked.
#[derive(Debug, Clone, Default)]
pub struct EdgeOptions {
    /// What should be true besides, if it can be: the first of these that can.
    pub preferences: Vec<Expr>,
    /// Whether most such queries are unsatisfiable.
    pub refute_first: bool,
}

/// The paths of one program. `S` is a tree, or a tree with what the user of the space keeps beside it.
#[derive(Debug)]
pub struct PathSpace<S> {
    builder: PathBuilder,
    shards: Vec<S>,
    /// Where the last query was asked, and in which tree.
    cursor: PathCursor,
    cursor_shard: ShardId,
}

impl<S: AsRef<PathTree>> PathSpace<S> {
    /// A space without paths.
    pub fn new(builder: PathBuilder) -> PathSpace<S> {
        PathSpace { builder, shards: Vec::new(), cursor: PathCursor::default(), cursor_shard: ShardId::FIRST }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        self.builder.program()
    }

    /// How traces become paths.
    pub fn builder(&self) -> &PathBuilder {
        &self.builder
    }

    /// The same, to follow a trace.
    pub fn builder_mut(&mut self) -> &mut PathBuilder {
        &mut self.builder
    }

    /// Adds a tree.
    pub fn add_shard(&mut self, shard: S) -> ShardId {
        self.shards.push(shard);
        ShardId(self.shards.len() as u32 - 1)
    }

    /// All trees.
    pub fn shards(&self) -> &[S] {
        &self.shards
    }

    /// A tree, with what is kept beside it.
    pub fn shard(&self, shard: ShardId) -> &S {
        &self.shards[shard.index()]
    }

    /// The same, to be changed.
    pub fn shard_mut(&mut self, shard: ShardId) -> &mut S {
        &mut self.shards[shard.index()]
    }

    /// A tree.
    pub fn tree(&self, shard: ShardId) -> &PathTree {
        self.shards[shard.index()].as_ref()
    }

    /// The edge of a pending.
    pub fn edge(&self, shard: ShardId, pending: PendingId) -> TreeEdge {
        let (node, side) = self.tree(shard).place_of(pending);
        TreeEdge { shard, node, side }
    }

    /// The path of a run, as it is before it is inserted into a tree. `sources` are the names of its sources, if they are not those in the
    /// trace.
    pub fn path(
        &mut self,
        context: &mut ExpressionContext,
        trace: &Trace,
        sources: Option<Vec<InputSource>>,
    ) -> BranchPath {
        self.builder.path(context, trace, sources)
    }

    /// What must hold for an input to take a whole path, whether or not it is in a tree.
    pub fn condition_of(&mut self, context: &mut ExpressionContext, path: &BranchPath) -> PathCondition {
        condition_of(path, &mut self.builder, &mut context.pool)
    }

    /// Whether some input takes an edge: the path to its node, and then its side. An answer names the bytes that such an input has;
    /// `values` is the input of a run that gets to the node.
    pub fn solve(
        &mut self,
        context: &mut ExpressionContext,
        edge: TreeEdge,
        options: EdgeOptions,
        values: &InputValues<'_>,
    ) -> Answer {
        self.go_to(context, edge.shard, edge.node);
        let decided = self.tree(edge.shard).decided(edge.node, edge.side);
        let goal = self.builder.expression(&mut context.pool, decided);
        let EdgeOptions { preferences, refute_first } = options;
        context.solve(self.cursor.condition(), &PathQuery { goal, preferences, refute_first }, values)
    }

    /// What must hold where the cursor is.
    pub fn condition(&mut self) -> &mut PathCondition {
        self.cursor.condition()
    }

    /// Moves the cursor to a node.
    pub fn go_to(&mut self, context: &mut ExpressionContext, shard: ShardId, node: NodeId) {
        if self.cursor_shard != shard {
            self.go_to_start(context, shard);
        }
        let tree = self.shards[shard.index()].as_ref();
        self.cursor.go_to(tree, &mut self.builder, &mut context.pool, node);
    }

    /// Moves the cursor to the beginning of the program.
    pub fn go_to_start(&mut self, context: &ExpressionContext, shard: ShardId) {
        self.cursor.clear(&context.pool);
        self.cursor_shard = shard;
    }

    /// Moves the cursor through a side of the node that it is at.
    pub fn take(&mut self, context: &mut ExpressionContext, edge: TreeEdge) {
        let tree = self.shards[edge.shard.index()].as_ref();
        self.cursor.take(tree, &mut self.builder, &mut context.pool, (edge.node, edge.side));
    }

    /// Adds something that the run assumed since the last node.
    pub fn assume(&mut self, context: &mut ExpressionContext, assumption: Expr) {
        self.cursor.assume(&mut context.pool, assumption);
    }
}

impl AsRef<PathTree> for PathTree {
    fn as_ref(&self) -> &PathTree {
        self
    }
}
