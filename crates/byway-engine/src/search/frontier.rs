//! The frontier: the path tree, and the searchers in turn.

use std::sync::Arc;
use std::time::Duration;

use byway_map::BlockId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aside::Aside;
use super::{BlockCoverage, Dice, Facts, RunFacts, Search, Searcher, Strategy, Target, View};
use crate::goals::Goals;
use crate::program::Program;
use crate::tree::{
    BranchPath, Inserted, NodeId, PathTree, PendingId, PendingOutcome, Repeat, RunId, Side, Step, StepKind,
};

/// How to search.
#[derive(Debug, Clone)]
pub struct SearchSettings {
    /// The strategies.
    pub search: Search,
    /// What chance is made of.
    pub seed: u64,
    /// Branches deeper than this are not tried.
    pub max_depth: Option<u32>,
    /// How many picks the turn of a strategy has.
    ///
    /// Equal slices of time are the idea; but a clock decides differently every time, and a search must repeat with its
    /// seed. So picks stand for time. Runs would not do: a strategy that picks only what is infeasible would keep its turn.
    pub slice: u32,
}

impl SearchSettings {
    /// The turn of a strategy unless someone wants another.
    pub const SLICE: u32 = 16;

    /// A search with a seed.
    pub fn new(search: Search, seed: u64) -> Self {
        SearchSettings { search, seed, max_depth: None, slice: SearchSettings::SLICE }
    }

    /// Whether inputs that covered something new are run again with one decision made otherwise: that comes with the strategy `rare`.
    pub fn revisits(&self) -> bool {
        self.search.strategies().contains(&Strategy::Rare)
    }

    /// The searchers that follow its strategies.
    pub fn searchers(&self) -> Vec<Box<dyn Searcher>> {
        self.search.strategies().iter().map(|strategy| strategy.searcher()).collect()
    }
}

/// A run that came to its end.
#[derive(Debug, Clone, Copy)]
pub struct Ran<'a> {
    /// Its number.
    pub run: RunId,
    /// Its symbolic branches.
    pub path: &'a BranchPath,
    /// The blocks it ran, each once.
    pub blocks: &'a [BlockId],
    /// What the queries cost that led to it, those for its parents too.
    pub cost: Duration,
}

/// What a run brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunObservation {
    /// Its place in the tree, and its pendings.
    pub inserted: Inserted,
    /// The blocks that it covered first.
    pub fresh: Vec<BlockId>,
}

/// A pending that was picked: to be tried, then inserted as a run or closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picked {
    /// The pending.
    pub pending: PendingId,
    /// Its branch in the tree.
    pub node: NodeId,
    /// The branch, with the side to take.
    pub step: Step,
    /// How many branches there are on the way, counting this one.
    pub depth: u32,
    /// The run whose path it leaves.
    pub run: RunId,
    /// The position of the strategy that picked it; `None` if no strategy chooses such.
    pub strategy: Option<usize>,
}

/// Of so many picks one is another value of a concretization, and one an operation that may fail, while branches wait.
const ROUND: u64 = 4;
/// So many values are tried at a place before everything else was.
const VALUES: u32 = 16;

/// Runs go in, pendings come out. Any number of them may be out at the same time.
pub struct Frontier {
    tree: PathTree,
    searchers: Vec<Box<dyn Searcher>>,
    dice: Dice,
    coverage: BlockCoverage,
    target: Box<Target>,
    /// Other values of concretizations.
    values: Aside,
    /// Operations that may fail.
    operations: Aside,
    /// What the solver gave up on and is to be asked again.
    again: Aside,
    slice: u64,
    /// How often a strategy picked.
    picks: u64,
    /// How often anything was picked.
    turns: u64,
}

impl Frontier {
    /// An empty frontier of a program with this to cover. `target` says in which block a side of a step begins.
    pub fn new(
        settings: &SearchSettings,
        goals: Goals,
        target: impl Fn(&Step, u32) -> Option<BlockId> + Send + 'static,
    ) -> Self {
        Frontier::with_searchers(settings, settings.searchers(), goals, target)
    }

    /// An empty frontier of a program whose blocks are all to be covered, with these searchers in turn.
    pub fn of_program(program: &Arc<Program>, settings: &SearchSettings, searchers: Vec<Box<dyn Searcher>>) -> Self {
        let target = Arc::clone(program);
        Frontier::with_searchers(settings, searchers, program.goals(), move |step, side| target.target(step, side))
    }

    /// The same with other searchers than those that can be named.
    pub fn with_searchers(
        settings: &SearchSettings,
        searchers: Vec<Box<dyn Searcher>>,
        goals: Goals,
        target: impl Fn(&Step, u32) -> Option<BlockId> + Send + 'static,
    ) -> Self {
        Frontier {
            tree: PathTree::new(settings.max_depth),
            searchers,
            dice: Dice::new(settings.seed),
            coverage: BlockCoverage::new(goals),
            target: Box::new(target),
            values: Aside::default(),
            operations: Aside::default(),
            again: Aside::default(),
            slice: u64::from(settings.slice.max(1)),
            picks: 0,
            turns: 0,
        }
    }

    /// The tree.
    pub fn tree(&self) -> &PathTree {
        &self.tree
    }

    /// What runs covered.
    pub fn coverage(&self) -> &BlockCoverage {
        &self.coverage
    }

    /// How many pendings wait to be picked.
    pub fn pending_count(&self) -> usize {
        self.tree.waiting_count()
    }

    /// Inserts a run.
    pub fn insert(&mut self, ran: &Ran<'_>) -> RunObservation {
        let fresh = self.coverage.record(ran.blocks);
        let infeasible_taken = self.tree.counts().infeasible_taken;
        let inserted = self.tree.insert(ran.run, ran.path);
        if let Some(taken) = inserted.took.filter(|&taken| !inserted.was_tried && !self.tree.is_aside(taken)) {
            self.searchers.iter_mut().for_each(|searcher| searcher.remove(taken));
        }
        let new = ran.path.steps().len() - inserted.known;
        let taken = inserted.leaf.map_or_else(Vec::new, |leaf| self.tree.last_steps(leaf, new));
        let run = RunFacts {
            tree: &self.tree,
            taken: &taken,
            took: inserted.took,
            target: &*self.target,
            blocks: ran.blocks,
            points: ran.path.points(),
            coverage: &self.coverage,
        };
        self.searchers.iter_mut().for_each(|searcher| searcher.ran(&run));
        if self.tree.counts().infeasible_taken > infeasible_taken {
            self.side_is_feasible_after_all(taken[0].0);
        }
        self.add_pendings(ran, &inserted, &fresh);
        RunObservation { inserted, fresh }
    }

    fn add_pendings(&mut self, ran: &Ran<'_>, inserted: &Inserted, fresh: &[BlockId]) {
        let mut news = News::new(ran.path.steps(), fresh);
        let also = self.repeated(ran.path);
        for pending in inserted.added.clone().map(PendingId) {
            let (node, side) = self.tree.place_of(pending);
            let depth = self.tree.depth(node);
            let at = depth as usize - 1;
            let step = &ran.path.steps()[at];
            match step.kind {
                StepKind::Concretization => self.values.add(step.called_from(), pending),
                StepKind::Operation => self.operations.add(step.called_from(), pending),
                StepKind::Branch => {
                    let facts = Facts {
                        step: step.to(side),
                        node,
                        depth,
                        target: (self.target)(step, side),
                        points: points_before(ran.path, at),
                        also: also.get(&step.condition).map_or(&[], Vec::as_slice),
                        run: ran.run,
                        score: fresh.len() as u32,
                        since_new: news.since(at, &self.target),
                        cost: ran.cost,
                    };
                    self.searchers.iter_mut().for_each(|searcher| searcher.add(pending, &facts));
                }
            }
        }
    }

    /// For conditions that a path says several times: where the other branches on it lead if it is otherwise.
    fn repeated(&self, path: &BranchPath) -> FxHashMap<u32, Vec<BlockId>> {
        let mut also: FxHashMap<u32, Vec<BlockId>> = FxHashMap::default();
        for repeat in path.repeats() {
            let Repeat { condition, site, place, side } = *repeat;
            let step = Step::branch(site, place, condition, side);
            also.entry(condition).or_default().extend((self.target)(&step, 1 - side.min(1)));
        }
        also
    }

    /// The pending to try next. None if none waits: some may still be tried, and bring more.
    pub fn pick(&mut self) -> Option<Picked> {
        self.turns += 1;
        let in_turn = match self.turns % ROUND {
            0 => self.values.pick(&self.tree, VALUES),
            1 => self.operations.pick(&self.tree, u32::MAX),
            _ => None,
        };
        match in_turn {
            Some(pending) => Some(self.begin(pending, None)),
            None => self.pick_branch().or_else(|| self.pick_aside()),
        }
    }

    /// An operation that may fail.
    pub fn pick_operation(&mut self) -> Option<Picked> {
        let pending = self.operations.pick(&self.tree, u32::MAX)?;
        Some(self.begin(pending, None))
    }

    /// A branch of the choice of the searcher whose turn it is; if it wants none, of the next one that does.
    fn pick_branch(&mut self) -> Option<Picked> {
        let count = self.searchers.len();
        let first = (self.picks / self.slice % count.max(1) as u64) as usize;
        let mut view = View { tree: &self.tree, coverage: &mut self.coverage, dice: &mut self.dice };
        let (strategy, pending) = (0..count)
            .map(|offset| (first + offset) % count)
            .find_map(|strategy| Some((strategy, self.searchers[strategy].pick(&mut view)?)))?;
        self.picks += 1;
        Some(self.begin(pending, Some(strategy)))
    }

    /// What is left if no branch waits.
    fn pick_aside(&mut self) -> Option<Picked> {
        let pending = self.operations.pick(&self.tree, u32::MAX);
        let pending = pending.or_else(|| self.values.pick(&self.tree, u32::MAX));
        let pending = pending.or_else(|| self.again.pick(&self.tree, u32::MAX))?;
        Some(self.begin(pending, None))
    }

    fn begin(&mut self, pending: PendingId, strategy: Option<usize>) -> Picked {
        self.tree.begin(pending);
        if !self.tree.is_aside(pending) {
            self.searchers.iter_mut().for_each(|searcher| searcher.picked(pending));
        }
        let (node, side) = self.tree.place_of(pending);
        let step = self.tree.step(node, side);
        Picked { pending, node, step, depth: self.tree.depth(node), run: self.tree.run_of(pending), strategy }
    }

    /// Lets a pending wait again that the solver gave up on: until nothing else is left.
    pub fn reopen(&mut self, pending: PendingId) {
        if self.tree.reopen(pending) {
            let (node, side) = self.tree.place_of(pending);
            self.again.add(self.tree.step(node, side).called_from(), pending);
        }
    }

    /// Says what became of a pending that no run took. One that a run took meanwhile stays taken.
    pub fn close(&mut self, pending: PendingId, outcome: PendingOutcome) {
        let (node, side) = self.tree.place_of(pending);
        let (was_tried, was_fork) = (self.tree.side(node, side) == Side::Trying(pending), self.tree.is_fork(node));
        let is_aside = self.tree.is_aside(pending);
        if self.tree.close(pending, outcome) && !is_aside {
            self.searchers.iter_mut().for_each(|searcher| searcher.remove(pending));
        }
        if was_tried && !is_aside {
            self.searchers.iter_mut().for_each(|searcher| searcher.failed(pending));
        }
        if self.tree.is_fork(node) != was_fork {
            self.searchers.iter_mut().for_each(|searcher| searcher.fork_changed(&self.tree, node));
        }
    }

    /// A run took a side that had been found infeasible. If the node had one other that is not, it is a fork now.
    fn side_is_feasible_after_all(&mut self, node: NodeId) {
        if self.tree.feasible_sides(node).count() == 2 {
            self.searchers.iter_mut().for_each(|searcher| searcher.fork_changed(&self.tree, node));
        }
    }
}

/// How many places that the run was to note come before a step.
fn points_before(path: &BranchPath, step: usize) -> usize {
    path.points().partition_point(|point| point.steps as usize <= step)
}

impl AsRef<PathTree> for Frontier {
    fn as_ref(&self) -> &PathTree {
        &self.tree
    }
}

/// Where on its path a run covered something new.
struct News<'a> {
    steps: &'a [Step],
    fresh: FxHashSet<BlockId>,
    /// The steps looked at.
    seen: usize,
    last: Option<usize>,
}

impl<'a> News<'a> {
    fn new(steps: &'a [Step], fresh: &[BlockId]) -> Self {
        News { steps, fresh: fresh.iter().copied().collect(), seen: 0, last: None }
    }

    /// How many branches before this one a side that the run took began in a block that was new. Positions only grow.
    fn since(&mut self, at: usize, target: &Target) -> Option<u32> {
        while self.seen < at {
            let step = &self.steps[self.seen];
            // A block is new only the first time.
            if !self.fresh.is_empty() && target(step, step.side).is_some_and(|block| self.fresh.remove(&block)) {
                self.last = Some(self.seen);
            }
            self.seen += 1;
        }
        self.last.map(|last| (at - last) as u32)
    }
}
