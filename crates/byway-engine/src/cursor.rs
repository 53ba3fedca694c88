//! A position in the tree, with what must hold for a run to get there.
//!
//! Queries come one after the other about nodes that lie near each other, on paths of hundreds of thousands of steps. So a
//! cursor remembers the nodes on its path, and moving costs only what is different.

use byway_solve::{Expr, PathCondition, Pool};

use crate::builder::PathBuilder;
use crate::tree::{BranchPath, NodeId, PathTree, Step};

/// What must hold for a run to get to a place of the tree.
#[derive(Debug, Default)]
pub struct PathCursor {
    condition: PathCondition,
    /// The nodes that it goes through, and how many constraints there are behind each.
    nodes: Vec<(NodeId, u32, usize)>,
}

impl PathCursor {
    /// What must hold there.
    pub fn condition(&mut self) -> &mut PathCondition {
        &mut self.condition
    }

    /// Goes to a node: all that must hold to get there, what its run assumed before it included.
    pub fn go_to(&mut self, tree: &PathTree, builder: &mut PathBuilder, pool: &mut Pool, node: NodeId) {
        let mut ahead = Vec::new();
        let mut at = node;
        let common = loop {
            let Some((parent, side)) = tree.parent(at) else { break 0 };
            if !tree.is_alternative(parent) {
                let depth = tree.depth(parent) as usize;
                let known = self.nodes.get(depth - 1);
                if known.is_some_and(|&(known, taken, _)| (known, taken) == (parent, side)) {
                    break depth;
                }
                ahead.push((parent, side));
            }
            at = parent;
        };
        self.truncate(pool, common);
        for (node, side) in ahead.into_iter().rev() {
            self.assume_before(tree, pool, node);
            self.take(tree, builder, pool, (node, side));
        }
        self.assume_before(tree, pool, node);
    }

    /// Goes to the beginning of the program.
    pub fn clear(&mut self, pool: &Pool) {
        self.truncate(pool, 0);
    }

    /// Adds something that the run assumed since the last node.
    pub fn assume(&mut self, pool: &mut Pool, assumption: Expr) {
        self.condition.push(pool, assumption);
    }

    /// Goes on through a side of a node, in front of which the cursor is.
    pub fn take(&mut self, tree: &PathTree, builder: &mut PathBuilder, pool: &mut Pool, (node, side): (NodeId, u32)) {
        let decided = builder.expression(pool, tree.decided(node, side));
        self.condition.push(pool, decided);
        self.nodes.push((node, side, self.condition.len()));
    }

    fn assume_before(&mut self, tree: &PathTree, pool: &mut Pool, node: NodeId) {
        for &assumed in tree.assumptions(node) {
            self.condition.push(pool, Expr::from_index(assumed as usize));
        }
    }

    /// Forgets all but the first nodes, and what was assumed behind them.
    fn truncate(&mut self, pool: &Pool, count: usize) {
        self.nodes.truncate(count);
        let length = self.nodes.last().map_or(0, |&(_, _, length)| length);
        self.condition.truncate(pool, length);
    }
}

/// What must hold for an input to take a whole path, whether or not the path is in the tree.
pub fn condition_of(path: &BranchPath, builder: &mut PathBuilder, pool: &mut Pool) -> PathCondition {
    let mut condition = PathCondition::new();
    let assume = |condition: &mut PathCondition, pool: &mut Pool, assumed: &[u32]| {
        assumed.iter().for_each(|&assumed| condition.push(pool, Expr::from_index(assumed as usize)));
    };
    for (index, &step) in path.steps().iter().enumerate() {
        assume(&mut condition, pool, path.assumptions(index));
        if step.side != Step::NEITHER {
            let decided = builder.expression(pool, step.into());
            condition.push(pool, decided);
        }
    }
    assume(&mut condition, pool, path.last_assumptions());
    condition
}
