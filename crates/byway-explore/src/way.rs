//! The way to a place of the tree, as what must hold there.
//!
//! Questions come one after the other about places that lie near each other, on paths of hundreds of thousands of steps. So a
//! way remembers the nodes that it goes through, and going elsewhere costs only what is different.

use byway_solve::{Expr, Pool};

use crate::program::Program;
use crate::steps::Steps;
use crate::tree::{NodeId, Path, PathTree, Step};

/// What must hold for a run to get to a place of the tree.
#[derive(Debug, Default)]
pub struct Way {
    path: byway_solve::Path,
    /// The nodes that it goes through, and how many constraints there are behind each.
    nodes: Vec<(NodeId, u32, usize)>,
}

/// What expressions are made of, for constraints of the tree.
pub struct Maker<'a> {
    /// The program.
    pub program: &'a Program,
    /// How constraints become expressions.
    pub steps: &'a mut Steps,
    /// Where these are.
    pub pool: &'a mut Pool,
}

impl Way {
    /// What must hold there.
    pub fn path(&mut self) -> &mut byway_solve::Path {
        &mut self.path
    }

    /// Goes to a node: all that must hold to get there, what its run assumed before it included.
    pub fn go_to(&mut self, tree: &PathTree, maker: &mut Maker<'_>, node: NodeId) {
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
        self.truncate(maker.pool, common);
        for (node, side) in ahead.into_iter().rev() {
            self.assume_before(tree, maker.pool, node);
            self.take(tree, maker, node, side);
        }
        self.assume_before(tree, maker.pool, node);
    }

    /// The way of a whole path, whether or not it is in the tree.
    pub fn along(path: &Path, maker: &mut Maker<'_>) -> Way {
        let mut way = Way::default();
        let assume = |way: &mut Way, pool: &mut Pool, assumed: &[u32]| {
            assumed.iter().for_each(|&assumed| way.assume(pool, Expr::from_index(assumed as usize)));
        };
        for (index, &step) in path.steps().iter().enumerate() {
            assume(&mut way, maker.pool, path.assumptions(index));
            if step.side != Step::NEITHER {
                let decided = maker.steps.expression(maker.program, maker.pool, step.into());
                way.assume(maker.pool, decided);
            }
        }
        assume(&mut way, maker.pool, path.last_assumptions());
        way
    }

    /// Goes to the beginning of the program.
    pub fn clear(&mut self, pool: &Pool) {
        self.truncate(pool, 0);
    }

    /// Adds something that was assumed since the last node.
    pub fn assume(&mut self, pool: &mut Pool, assumption: Expr) {
        self.path.push(pool, assumption);
    }

    /// Goes on through a side of a node, in front of which the way is.
    pub fn take(&mut self, tree: &PathTree, maker: &mut Maker<'_>, node: NodeId, side: u32) {
        let decided = maker.steps.expression(maker.program, maker.pool, tree.decided(node, side));
        self.path.push(maker.pool, decided);
        self.nodes.push((node, side, self.path.len()));
    }

    fn assume_before(&mut self, tree: &PathTree, pool: &mut Pool, node: NodeId) {
        for &assumed in tree.assumptions(node) {
            self.path.push(pool, Expr::from_index(assumed as usize));
        }
    }

    /// Forgets all but the first nodes, and what was assumed behind them.
    fn truncate(&mut self, pool: &Pool, count: usize) {
        self.nodes.truncate(count);
        let length = self.nodes.last().map_or(0, |&(_, _, length)| length);
        self.path.truncate(pool, length);
    }
}
