//! Random choices by weight: what KLEE calls non-uniform random search, with its weights.
//!
//! What differs from KLEE, and why:
//!
//! - Where KLEE counts instructions, byway counts blocks and symbolic branches: a run says which blocks it ran, not in which
//!   order nor how often.
//! - `nurs:icnt` counts how often symbolic branches led to a block, once for each way there. That a run repeats the beginning
//!   of the one before does not count, as it would not where states fork; what it does by branches that are not symbolic,
//!   as the rounds of a loop, is not seen.
//! - `nurs:md2u` takes the nearest way through the program, where KLEE knows from the stack of a state where a function
//!   returns to.
//! - `nurs:qc` has the queries that led to the run which a pending leaves. KLEE's states also pay for sides on their way that
//!   were infeasible; here those are questions of their own.
//! - KLEE changes the weight of a state only when it runs it. Here a weight is always that of what is covered now.

use std::collections::BTreeSet;

use byway_map::BlockId;
use rustc_hash::FxHashMap;

use super::by_block::ByBlock;
use super::fork_depth::ForkDepths;
use super::groups::Groups;
use super::slots::Slots;
use super::{Facts, RunFacts, Searcher, View};
use crate::tree::{NodeId, PathTree, PendingId, Step, StepKind};

/// `nurs:qc`: a pending weighs less the more its queries cost, from a tenth of a second on.
#[derive(Debug, Default)]
pub struct QueryCost(Slots);

impl Searcher for QueryCost {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        let seconds = facts.cost.as_secs_f64();
        self.0.add(pending, if seconds < 0.1 { 1.0 } else { 1.0 / seconds });
    }

    fn remove(&mut self, pending: PendingId) {
        self.0.remove(pending);
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.0.choose(view.dice)
    }
}

/// `nurs:depth`: a pending behind d forks weighs 1/2^d. (So did KLEE's when subpath-guided search was compared with it;
/// today's KLEE calls this `nurs:rp`.)
///
/// Only the ratio of weights matters, so they are taken relative to the least depth there is, and depths so much greater
/// that any number of pendings weighs nothing are left out: no power is too small for a number.
#[derive(Debug, Default)]
pub struct Depth {
    groups: Groups,
    /// The depths at which pendings wait.
    depths: BTreeSet<u32>,
    forks: ForkDepths,
}

impl Depth {
    /// A million pendings 84 forks deeper weigh less than one in 2^64.
    const SPAN: u32 = 84;

    fn weights(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let least = self.depths.first().copied().unwrap_or(0);
        let near = self.depths.range(least..=least.saturating_add(Depth::SPAN));
        near.map(move |&depth| {
            let weight = 0.5_f64.powi((depth - least) as i32);
            (depth, weight * self.groups.members(depth).len() as f64)
        })
    }

    fn put(&mut self, pending: PendingId, depth: u32) {
        self.groups.add(pending, depth);
        self.depths.insert(depth);
    }
}

impl Searcher for Depth {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.put(pending, self.forks.of(facts.node));
    }

    fn remove(&mut self, pending: PendingId) {
        if let Some(depth) = self.groups.remove(pending)
            && self.groups.members(depth).is_empty()
        {
            self.depths.remove(&depth);
        }
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        let total: f64 = self.weights().map(|(_, weight)| weight).sum();
        let mut rest = view.dice.unit() * total;
        let chosen = self.weights().find(|&(_, weight)| {
            rest -= weight;
            rest < 0.0
        });
        let depth = chosen.map_or(self.depths.first().copied(), |(depth, _)| Some(depth))?;
        self.groups.choose(depth, view.dice)
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        self.forks.ran(run);
    }

    fn fork_changed(&mut self, tree: &PathTree, node: NodeId) {
        let mut forks = std::mem::take(&mut self.forks);
        forks.fork_changed(tree, node, |moved| {
            if self.groups.is_member(moved.pending) {
                self.remove(moved.pending);
                self.put(moved.pending, moved.to);
            }
        });
        self.forks = forks;
    }
}

/// `nurs:icnt`: a pending weighs 1/n^2 if the block it leads to was entered n times. All blocks that are not known are one.
#[derive(Debug)]
pub struct RarelyRun {
    by_block: ByBlock,
    entered: FxHashMap<Option<BlockId>, u32>,
}

impl Default for RarelyRun {
    fn default() -> Self {
        RarelyRun { by_block: ByBlock::new(1.0), entered: FxHashMap::default() }
    }
}

impl RarelyRun {
    fn enter(&mut self, block: Option<BlockId>) {
        let entered = self.entered.entry(block).or_insert(0);
        *entered = entered.saturating_add(1);
        self.by_block.set_weight(block, square(1.0 / f64::from(*entered)));
    }
}

impl Searcher for RarelyRun {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.by_block.add(pending, facts.target);
    }

    fn remove(&mut self, pending: PendingId) {
        self.by_block.remove(pending);
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.by_block.choose(view.dice)
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        let steps = run.taken.iter().map(|&(node, side)| run.tree.step(node, side));
        for step in steps.filter(|step| step.kind == StepKind::Branch && step.side != Step::NEITHER) {
            self.enter((run.target)(&step, step.side));
        }
    }
}

/// `nurs:md2u`: a pending weighs 1/d^2 if it takes d blocks from its target to cover something new.
#[derive(Debug)]
pub struct MinimalDistance {
    by_block: ByBlock,
    version: u32,
}

/// The weight of what has no way to anything new.
const FAR: f64 = 1.0 / (10_000.0 * 10_000.0);

impl Default for MinimalDistance {
    fn default() -> Self {
        MinimalDistance { by_block: ByBlock::new(FAR), version: 0 }
    }
}

impl MinimalDistance {
    fn refresh(&mut self, view: &mut View<'_>) {
        if self.version == view.coverage.version() {
            return;
        }
        self.version = view.coverage.version();
        self.by_block.set_weights(view.coverage.nearness(FAR));
    }
}

impl Searcher for MinimalDistance {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.by_block.add(pending, facts.target);
    }

    fn remove(&mut self, pending: PendingId) {
        self.by_block.remove(pending);
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.refresh(view);
        self.by_block.choose(view.dice)
    }
}

/// `nurs:covnew`: the weight of `nurs:md2u`, and 1/n^2 if a run covered something new n branches before, on this way: the run
/// whose path the pending leaves, or the one whose path that one left further up. A choice by a sum of two weights is a
/// choice by one of them, picked by their totals.
#[derive(Debug, Default)]
pub struct CoveringNew {
    near: MinimalDistance,
    recent: Slots,
    /// How deep the latest news before each pending is.
    news: Vec<u32>,
    /// The same for the run whose pendings are being added, where it left what was known.
    inherited: u32,
}

/// Nothing new on the way.
const NO_NEWS: u32 = u32::MAX;

impl CoveringNew {
    /// So many branches the news is as good as fresh: KLEE's thousand instructions, at some twenty for a branch.
    const GRACE: u32 = 50;
}

impl Searcher for CoveringNew {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.near.add(pending, facts);
        let latest = facts.since_new.map_or(self.inherited, |since| facts.depth - since);
        self.news.resize(pending.index(), NO_NEWS);
        self.news.push(latest);
        if latest != NO_NEWS {
            let since = facts.depth - latest;
            let stale = since.saturating_sub(CoveringNew::GRACE).max(1);
            self.recent.add(pending, square(1.0 / f64::from(stale)));
        }
    }

    fn remove(&mut self, pending: PendingId) {
        self.near.remove(pending);
        self.recent.remove(pending);
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.near.refresh(view);
        let (near, recent) = (self.near.by_block.total(), self.recent.total());
        match view.dice.unit() * (near + recent) < recent {
            true => self.recent.choose(view.dice),
            false => self.near.by_block.choose(view.dice),
        }
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        let took = run.took.and_then(|pending| self.news.get(pending.index()));
        self.inherited = took.copied().unwrap_or(NO_NEWS);
    }
}

fn square(value: f64) -> f64 {
    value * value
}
