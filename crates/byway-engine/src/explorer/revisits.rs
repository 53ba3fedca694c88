//! Inputs that covered something new, with one decision on their way made otherwise.
//!
//! A searcher tries each side of a node of the tree once, with the input of whatever run came by first. What a later run found out
//! behind the other side stays there: the exploration has to find it again. So `cut -b1` is found for one argument, and with two arguments,
//! which were tried when the first one was still empty, `-b1` must be found once more. A revisit takes the input of a run that
//! covered something new, and changes no more of it than makes one decision the other way, although some run has made it before.
//! They come with the strategy `rare`, whose idea they share.

use std::collections::VecDeque;

use byway_solve::{Answer, ExpressionContext};

use super::{ChangedBytes, Explorer, Flip, RunValues};
use crate::flip::ExpectedPath;
use crate::search::Picked;
use crate::space::ShardId;
use crate::tree::{NodeId, PathTree, PendingId, RunId, Side, StepKind};

/// The runs that covered something new, in turn; the newest comes first.
#[derive(Debug, Default)]
pub struct Revisits {
    runs: VecDeque<Visited>,
    /// How many revisits there were.
    count: RunId,
    is_wanted: bool,
}

/// A run, and how far its decisions have been made otherwise.
#[derive(Debug)]
struct Visited {
    run: RunId,
    /// The nodes of its path, the first one last, and the side that it took at each.
    ahead: Vec<(NodeId, u32)>,
    /// The next side of the last of them.
    side: u32,
    /// How many were made otherwise.
    tries: u32,
}

/// So many decisions of a run are made otherwise. The first ones say what there is (how many arguments, how long files are); of later
/// ones most were made otherwise on the way to this very run.
const TRIES: u32 = 16;

/// A decision to make otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revisit {
    /// The run whose input is changed.
    pub run: RunId,
    /// The node.
    pub node: NodeId,
    /// The side to take, which another run has taken.
    pub side: u32,
}

/// One of so many runs is a revisit, once there were so many: smaller programs have been explored by then.
const EACH: RunId = 8;
const FROM: RunId = 256;

impl Explorer {
    /// An input that covered something new, but for one decision.
    pub(super) fn revisit(
        &mut self,
        context: &mut ExpressionContext,
        values: &RunValues<'_>,
    ) -> Option<(Flip, ChangedBytes)> {
        if !self.revisits.is_wanted || self.revisits.count >= self.runs.saturating_sub(FROM) / EACH {
            return None;
        }
        let tree = self.space.shard(ShardId::FIRST).tree();
        let Revisit { run, node, side } = self.revisits.next(tree)?;
        let (step, depth) = (tree.step(node, side), tree.depth(node));
        let picked = Picked { pending: PendingId::NONE, node, step, depth, run, strategy: None };
        self.revisits.count += 1;
        let Answer::Sat(model) = self.solve(context, &picked, false, values) else { return None };
        let changed = context.changed(&model, &|variables, var| values(variables, run, var));
        let expected = ExpectedPath::to(self.tree(), node, side);
        Some((Flip { picked, expected, operation: None, is_detour: true }, changed))
    }
}

impl Revisits {
    /// None yet. A search that is somebody else's, as a paper defines it, wants none.
    pub fn new(is_wanted: bool) -> Revisits {
        Revisits { is_wanted, ..Revisits::default() }
    }

    /// A run that covered something new, with the last node of its path and the side that it took there.
    pub fn add(&mut self, tree: &PathTree, run: RunId, leaf: (NodeId, u32)) {
        let way = std::iter::successors(Some(leaf), |&(node, _)| tree.parent(node));
        let is_branch =
            |&(node, _): &(NodeId, u32)| !tree.is_alternative(node) && tree.step(node, 0).kind == StepKind::Branch;
        self.runs.push_front(Visited { run, ahead: way.filter(is_branch).collect(), side: 0, tries: 0 });
    }

    /// The next decision of the run whose turn it is: the decisions of a run are taken from the first to the last.
    pub fn next(&mut self, tree: &PathTree) -> Option<Revisit> {
        while let Some(mut visited) = self.runs.pop_front() {
            if let Some(revisit) = visited.next(tree) {
                self.runs.push_back(visited);
                return Some(revisit);
            }
        }
        None
    }
}

impl Visited {
    fn next(&mut self, tree: &PathTree) -> Option<Revisit> {
        while let Some(&(node, taken)) = self.ahead.last().filter(|_| self.tries < TRIES) {
            while self.side < tree.side_count(node) {
                let side = self.side;
                self.side += 1;
                // What no run has taken is for the searchers.
                if side != taken && matches!(tree.side(node, side), Side::Node(_)) {
                    self.tries += 1;
                    return Some(Revisit { run: self.run, node, side });
                }
            }
            self.ahead.pop();
            self.side = 0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::BranchPath;

    fn run(tree: &mut PathTree, number: RunId, sides: &[u32]) -> (NodeId, u32) {
        let mut path = BranchPath::new();
        sides.iter().enumerate().for_each(|(site, &side)| path.push(site as u32, 0, site as u32, side, 2));
        tree.insert(number, &path).leaf.expect("it has steps")
    }

    #[test]
    fn sides_that_other_runs_took_are_taken_in_the_order_of_the_path_and_runs_in_turn() {
        let mut tree = PathTree::new(None);
        let first = run(&mut tree, 0, &[0, 0, 0]);
        run(&mut tree, 1, &[1, 0, 0]);
        run(&mut tree, 2, &[0, 1, 0]);
        let last = run(&mut tree, 3, &[0, 0, 1]);
        let mut revisits = Revisits::new(true);
        revisits.add(&tree, 0, first);
        revisits.add(&tree, 3, last);
        let seen: Vec<(RunId, u32)> = std::iter::from_fn(|| revisits.next(&tree))
            .map(|revisit| (revisit.run, tree.depth(revisit.node)))
            .collect();
        // The sides at depth 3 lead to the end of a run: there is nothing behind them.
        assert_eq!(seen, [(3, 1), (0, 1), (3, 2), (0, 2)]);
    }
}
