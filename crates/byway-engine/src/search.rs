//! Search strategies: which pending to try next.
//!
//! Each strategy is a small type that implements [`Searcher`]; [`Search`] names those to use, as the user wrote them, and
//! [`Frontier`] asks them in turn. All of them see the same pendings: one that is picked is gone for the others too.
//! Choosing costs at most the logarithm of the number of pendings. To learn that a branch is no fork costs some searchers as
//! much as lies below it.
//!
//! A scheduler may bring searchers of its own ([`Frontier::with_searchers`]), other goals and distances for those that look at coverage
//! ([`Goals::with_metric`](crate::goals::Goals::with_metric)), or targets for a directed search ([`Nearest`]).
//!
//! What a strategy counts is what runs did, not what was picked; the modules say where one differs from the tool or the
//! paper that it is from, and why. Common to all: KLEE picks a state and runs it up to its next fork or longer; here a pick
//! is a run to the end of the program. And KLEE knows at a branch which sides are feasible, while here a side waits as any
//! other until it is solved for, so that some picks are in vain.

mod aside;
mod by_block;
mod coverage;
mod dice;
mod fork_depth;
mod frequencies;
mod frontier;
mod generational;
mod groups;
mod in_order;
mod in_turn;
mod nearest;
mod nurs;
mod random;
mod rare;
mod slots;
mod spec;
mod staged;
mod subpath;
mod sum_tree;
mod trail;
mod uncovered;

pub use coverage::BlockCoverage;
pub use dice::Dice;
pub use frontier::{Frontier, Picked, Ran, RunObservation, SearchSettings};
pub use generational::Generational;
pub use in_order::{Bfs, Dfs};
pub use in_turn::InTurn;
pub use nearest::{Nearest, Targets};
pub use nurs::{CoveringNew, Depth, MinimalDistance, QueryCost, RarelyRun};
pub use random::{RandomPath, RandomState};
pub use rare::Rare;
pub use spec::{Search, SearchError, Strategy};
pub use staged::{Staged, Stages};
pub use subpath::Subpath;
pub use uncovered::Uncovered;

use std::time::Duration;

use byway_map::BlockId;

use crate::tree::{NodeId, PathPoint, PathTree, PendingId, RunId, Step};

/// A strategy: learns of pendings and runs, and chooses what to try next.
pub trait Searcher: Send {
    /// There is a new pending. Those of a run come in the order of its path.
    fn add(&mut self, pending: PendingId, facts: &Facts);

    /// A pending does not wait any more, though nobody picked it.
    fn remove(&mut self, pending: PendingId);

    /// A pending was picked, by this searcher or another, and does not wait any more.
    fn picked(&mut self, pending: PendingId) {
        self.remove(pending);
    }

    /// The pending to try next; it stays until it is [`picked`](Searcher::picked). None if none waits.
    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId>;

    /// A pending that was picked came to nothing: no run takes it.
    fn failed(&mut self, _pending: PendingId) {}

    /// A run came to its end. Its new pendings follow.
    fn ran(&mut self, _run: &RunFacts<'_>) {}

    /// A node became a fork, or is none any more ([`PathTree::is_fork`]).
    fn fork_changed(&mut self, _tree: &PathTree, _node: NodeId) {}
}

/// What searchers may know of a pending.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The branch, with the side that was not taken.
    pub step: Step,
    /// Its node in the tree.
    pub node: NodeId,
    /// How many branches there are on the way, counting this one.
    pub depth: u32,
    /// The block where the side begins.
    pub target: Option<BlockId>,
    /// Where other branches on the same condition lead then.
    pub also: &'a [BlockId],
    /// How many of the places that the run was to note come before it.
    pub points: usize,
    /// The run whose path it leaves.
    pub run: RunId,
    /// How many blocks that run covered first.
    pub score: u32,
    /// How many branches ago that run covered a block first, if it did before this one.
    pub since_new: Option<u32>,
    /// What the queries on the way cost.
    pub cost: Duration,
}

/// What searchers may know of a run.
pub struct RunFacts<'a> {
    /// The tree, with its path.
    pub tree: &'a PathTree,
    /// The sides that it was the first to take, in the order of its path. All nodes after the first are new; the last may
    /// have [`Step::NEITHER`].
    pub taken: &'a [(NodeId, u32)],
    /// The pending that it took, if it was one.
    pub took: Option<PendingId>,
    /// The block where a side of a step begins.
    pub target: &'a Target,
    /// The blocks it ran.
    pub blocks: &'a [BlockId],
    /// The places that it came by and was to note.
    pub points: &'a [PathPoint],
    /// What all runs covered, this one too.
    pub coverage: &'a BlockCoverage,
}

/// The block where a side of a step begins.
pub type Target = dyn Fn(&Step, u32) -> Option<BlockId> + Send;

/// What a searcher may look at when it chooses.
#[derive(Debug)]
pub struct View<'a> {
    /// The tree.
    pub tree: &'a PathTree,
    /// What runs covered.
    pub coverage: &'a mut BlockCoverage,
    /// Chance.
    pub dice: &'a mut Dice,
}
