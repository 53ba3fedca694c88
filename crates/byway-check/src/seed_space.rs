//! The path space of a program under check: the paths of its seeds and of inputs near them, and what was asked along these.

mod check;
mod learn;
mod solve;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use byway_engine::tree::{NodeId, PathTree, PendingId, RunId};
use byway_engine::{InputLayout, Original, PathBuilder, PathSpace, Program, ShardId, TreeEdge};
use byway_input::ConcreteInput;
use byway_solve::{Changes, ExpressionContext, InputPosition, Solver};
use byway_suite::Seed;
use rustc_hash::FxHashMap;

use crate::Checks;
use crate::checker::{OperationChecker, PlaceLimits};
use crate::clock::Allowance;
use crate::follower::Byte;
use crate::seed::{BySeed, SeedRef};

pub use check::SuspectInput;
pub use learn::FollowedRun;

/// What workers share about the paths of a program.
pub struct SeedSpace {
    context: ExpressionContext,
    space: PathSpace<TreeShard>,
    checks: Checks,
    checker: OperationChecker,
    layouts: FxHashMap<InputLayout, ShardId>,
    /// The tree of each seed, once one of its runs was seen.
    shard_of: BySeed<Option<ShardId>>,
    originals: BySeed<Original>,
    /// The seeds that were followed.
    is_followed: BySeed<bool>,
    runs: Vec<Record>,
    /// Sides of branches that the solver gave up on, with their trees.
    unknown: Vec<(ShardId, PendingId)>,
}

/// The paths of seeds that differ in nothing but the values of their bytes.
#[derive(Debug)]
struct TreeShard {
    tree: PathTree,
    /// Sides that can be taken and were not yet: what has to change for it, against the seed of the run they were met by.
    solved: FxHashMap<PendingId, Changes>,
    /// How far around divergence points was explored, for seeds that took a side there.
    explored: FxHashMap<(NodeId, u32), u32>,
}

impl TreeShard {
    fn new() -> TreeShard {
        TreeShard { tree: PathTree::new(None), solved: FxHashMap::default(), explored: FxHashMap::default() }
    }
}

impl AsRef<PathTree> for TreeShard {
    fn as_ref(&self) -> &PathTree {
        &self.tree
    }
}

/// A run that was made.
#[derive(Debug)]
struct Record {
    /// Its seed.
    seed: SeedRef,
    changes: Changes,
}

impl SeedSpace {
    /// Nothing is known yet.
    pub fn new(
        program: Arc<Program>,
        solver: Solver,
        checks: Checks,
        limits: PlaceLimits,
        originals: BySeed<Original>,
    ) -> SeedSpace {
        let count = originals.originals().len();
        SeedSpace {
            context: ExpressionContext::new(solver),
            space: PathSpace::new(PathBuilder::new(program, None)),
            checks,
            checker: OperationChecker::new(limits),
            layouts: FxHashMap::default(),
            shard_of: BySeed::new(count, |_| None),
            is_followed: BySeed::new(count, |_| false),
            originals,
            runs: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// From now on the limits are so many times these.
    pub fn set_effort(&mut self, limits: PlaceLimits, effort: u32) {
        self.checker.set_effort(&mut self.context, limits, effort);
    }

    /// The next query takes no more than a part of what is left of an allowance.
    pub fn limit_query(&mut self, time: Option<&Allowance>) {
        self.checker.limit_query(&mut self.context, time);
    }

    /// The sites of branches of which a side was given up.
    pub fn unknown_sites(&self) -> impl Iterator<Item = u32> {
        self.unknown.iter().map(|&(shard, pending)| self.site_of(shard, pending))
    }

    /// The site of the branch that a side belongs to.
    pub fn site_of(&self, shard: ShardId, pending: PendingId) -> u32 {
        self.site(self.space.edge(shard, pending))
    }

    /// The site of a branch.
    pub fn site(&self, edge: TreeEdge) -> u32 {
        self.tree(edge.shard).step(edge.node, 0).called_from()
    }

    /// Sides that the solver gave up on wait again, if more may be spent on them now.
    pub fn reopen_unknown(&mut self) {
        for (shard, pending) in std::mem::take(&mut self.unknown) {
            self.space.shard_mut(shard).tree.reopen(pending);
        }
    }

    /// Whether the solver gave up on a side in this tree.
    pub fn has_unknown(&self, shard: ShardId) -> bool {
        self.unknown.iter().any(|&(of, _)| of == shard)
    }

    /// Puts a seed in the place of one that no run was made of.
    pub fn set_seed(&mut self, reference: SeedRef, seed: &Arc<Seed>) {
        self.originals[reference] = Original::new(Arc::clone(&seed.input));
    }

    /// A seed, and the files that its runs read.
    pub fn original(&self, seed: SeedRef) -> &Original {
        &self.originals[seed]
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.context.solver
    }

    /// One of the trees.
    pub fn tree(&self, shard: ShardId) -> &PathTree {
        self.space.tree(shard)
    }

    /// How many different paths there are, as far as is known.
    pub fn paths(&self) -> u64 {
        let counts = self.space.shards().iter().map(|shard| shard.tree.counts());
        let is_elsewhere = |&(&followed, shard): &(&bool, &Option<ShardId>)| followed && shard.is_none();
        let followed = self.is_followed.iter().zip(self.shard_of.iter()).filter(is_elsewhere);
        counts.map(|counts| counts.runs - counts.repeated).sum::<u64>() + followed.count() as u64
    }

    /// A seed was followed, whether or not its path will be here.
    pub fn note_followed(&mut self, seed: SeedRef) {
        self.is_followed[seed] = true;
    }

    /// The changes that make bytes what they are to be. Whoever names them knows the same runs of their seed.
    pub fn changes(&mut self, bytes: Vec<Byte>) -> Changes {
        let variables = &mut self.context.variables;
        let var = |(source, offset, value)| {
            let source = variables.source_number(source);
            (variables.var(InputPosition { source, offset }), value)
        };
        Changes::default().with(&bytes.into_iter().map(var).collect::<Vec<_>>())
    }

    /// The input near a seed with these changes.
    pub fn input(&self, seed: SeedRef, changes: &Changes) -> ConcreteInput {
        self.originals[seed].input(&self.context.variables, changes.iter())
    }

    /// Changes without those that change nothing.
    pub fn essential(&self, seed: SeedRef, changes: &Changes) -> Vec<(byway_solve::Var, u8)> {
        let original = &self.originals[seed];
        let mut changed: Vec<_> =
            changes.iter().filter(|&(var, value)| original.seed_value(&self.context.variables, var) != value).collect();
        changed.sort_unstable();
        changed
    }

    /// The branches of a path up to an edge, with the sides taken, alternatives left out.
    pub fn nodes_up_to(&self, edge: TreeEdge) -> Vec<(NodeId, u32)> {
        self.tree(edge.shard).branches_up_to(edge.node, edge.side)
    }

    /// Whether the surroundings of a divergence point were explored less far than `bound`; then it is noted that they will be.
    /// What lies around it is another part of the tree for a seed that took another side.
    pub fn begin_region(&mut self, edge: TreeEdge, bound: u32) -> bool {
        let known = self.space.shard_mut(edge.shard).explored.entry((edge.node, edge.side)).or_default();
        let is_new = *known < bound;
        *known = (*known).max(bound);
        is_new
    }

    /// The surroundings of a divergence point were not explored after all.
    pub fn forget_region(&mut self, edge: TreeEdge) {
        self.space.shard_mut(edge.shard).explored.remove(&(edge.node, edge.side));
    }

    /// How many branches up to an edge could have gone another way, and whether all were counted before the time was over or the check
    /// ends.
    pub fn depth(&mut self, edge: Option<TreeEdge>, time: Duration, is_stopping: &dyn Fn() -> bool) -> (u32, bool) {
        let Some(edge) = edge else { return (0, true) };
        let time = Allowance::new(time);
        let (mut depth, mut is_counted) = (0, true);
        for (node, taken) in self.nodes_up_to(edge).into_iter().rev() {
            // To go to a node far away takes as long as a query.
            if time.is_over() || is_stopping() {
                is_counted = false;
                break;
            }
            self.limit_query(Some(&time));
            let diverges = self.diverges(TreeEdge { node, side: taken, ..edge }, &time);
            depth += u32::from(diverges == Some(true));
            is_counted &= diverges.is_some();
        }
        self.limit_query(None);
        (depth, is_counted)
    }

    /// The number of a run.
    fn next_run(&self) -> RunId {
        self.runs.len() as RunId
    }
}
