//! Search strategies: which pending to try next.
//!
//! Each strategy is a small type that implements [`Searcher`]; [`Search`] names those to use, as the user wrote them, and
//! [`Frontier`] asks them in turn. All of them see the same pendings: one that is picked is gone for the others too.
//! Every step of a searcher costs at most the logarithm of the number of pendings.

mod aside;
mod by_block;
mod coverage;
mod dice;
mod frontier;
mod generational;
mod groups;
mod in_order;
mod nurs;
mod random;
mod slots;
mod spec;
mod subpath;
mod sum_tree;
mod trail;
mod uncovered;

pub use coverage::Coverage;
pub use dice::Dice;
pub use frontier::{Frontier, Learned, Picked, Ran, Settings};
pub use generational::Generational;
pub use in_order::{Bfs, Dfs};
pub use nurs::{CoveringNew, Depth, MinimalDistance, QueryCost, RarelyRun};
pub use random::{RandomPath, RandomState};
pub use spec::{Search, SearchError, Strategy};
pub use subpath::Subpath;
pub use trail::Trail;
pub use uncovered::Uncovered;

use std::time::Duration;

use crate::distance::BlockId;
use crate::tree::{PathTree, PendingId, RunId};

/// A strategy: learns of pendings and runs, and chooses what to try next.
pub trait Searcher: Send {
    /// There is a new pending. Those of a run come in the order of its path.
    fn add(&mut self, pending: PendingId, facts: &Facts<'_>);

    /// A pending does not wait any more, though nobody picked it.
    fn remove(&mut self, pending: PendingId);

    /// A pending was picked, by this searcher or another, and does not wait any more.
    fn picked(&mut self, pending: PendingId) {
        self.remove(pending);
    }

    /// The pending to try next; it stays until it is [`picked`](Searcher::picked). None if none waits.
    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId>;

    /// A run came to its end. Its new pendings follow.
    fn ran(&mut self, _run: &RunFacts<'_>) {}
}

/// What searchers may know of a pending.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The site of the branch.
    pub site: u32,
    /// Where the program called the model whose branch it is, or 0.
    pub place: u32,
    /// The side that was not taken.
    pub side: u32,
    /// How many branches there are on the way, counting this one.
    pub depth: u32,
    /// The block where the side begins.
    pub target: Option<BlockId>,
    /// The run whose path it leaves.
    pub run: RunId,
    /// How many blocks that run covered first.
    pub score: u32,
    /// How many branches ago that run covered a block first, if it did before this one.
    pub since_new: Option<u32>,
    /// What the queries on the way cost.
    pub cost: Duration,
    /// The run's path.
    pub trail: &'a Trail<'a>,
    /// The position of the branch on that path.
    pub at: usize,
}

/// What searchers may know of a run.
#[derive(Debug)]
pub struct RunFacts<'a> {
    /// Its path.
    pub trail: &'a Trail<'a>,
    /// The first step of it that counts as one more visit: those before are known, or were picked and counted then.
    pub first: usize,
    /// The blocks it ran.
    pub blocks: &'a [BlockId],
    /// What all runs covered, this one too.
    pub coverage: &'a Coverage,
}

/// What a searcher may look at when it chooses.
#[derive(Debug)]
pub struct View<'a> {
    /// The tree.
    pub tree: &'a PathTree,
    /// What runs covered.
    pub coverage: &'a mut Coverage,
    /// Chance.
    pub dice: &'a mut Dice,
}
