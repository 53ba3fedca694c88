//! Random choices by weight: what KLEE calls non-uniform random search, with its weights.
//!
//! Where KLEE counts instructions, byway counts blocks and symbolic branches.

use std::collections::BTreeSet;

use super::by_block::ByBlock;
use super::groups::Groups;
use super::slots::Slots;
use super::{Facts, RunFacts, Searcher, View};
use crate::tree::PendingId;

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

/// `nurs:depth`: a pending behind d branches weighs 1/2^d. (So did KLEE's when subpath-guided search was compared with it;
/// today's KLEE calls this `nurs:rp`.)
///
/// Only the ratio of weights matters, so they are taken relative to the least depth there is, and depths so much greater
/// that any number of pendings weighs nothing are left out: no power is too small for a number.
#[derive(Debug, Default)]
pub struct Depth {
    groups: Groups,
    /// The depths at which pendings wait.
    depths: BTreeSet<u32>,
}

impl Depth {
    /// A million pendings 84 branches deeper weigh less than one in 2^64.
    const SPAN: u32 = 84;

    fn weights(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let least = self.depths.first().copied().unwrap_or(0);
        let near = self.depths.range(least..=least.saturating_add(Depth::SPAN));
        near.map(move |&depth| {
            let weight = 0.5_f64.powi((depth - least) as i32);
            (depth, weight * self.groups.members(depth).len() as f64)
        })
    }
}

impl Searcher for Depth {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.groups.add(pending, facts.depth);
        self.depths.insert(facts.depth);
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
}

/// `nurs:icnt`: a pending weighs 1/n^2 if n runs have come by the block it leads to.
#[derive(Debug)]
pub struct RarelyRun(ByBlock);

impl Default for RarelyRun {
    fn default() -> Self {
        RarelyRun(ByBlock::new(1.0))
    }
}

impl Searcher for RarelyRun {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.0.add(pending, facts.target);
    }

    fn remove(&mut self, pending: PendingId) {
        self.0.remove(pending);
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        self.0.choose(view.dice)
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        for &block in run.blocks {
            self.0.set_weight(Some(block), square(1.0 / f64::from(run.coverage.hits(block).max(1))));
        }
        // A place that nobody knows is taken for one where everybody has been.
        self.0.set_weight(None, square(1.0 / f64::from(run.coverage.runs().max(1))));
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

/// `nurs:covnew`: the weight of `nurs:md2u`, and 1/n^2 if the run covered something new n branches before. A choice by a
/// sum of two weights is a choice by one of them, picked by their totals.
#[derive(Debug, Default)]
pub struct CoveringNew {
    near: MinimalDistance,
    recent: Slots,
}

impl CoveringNew {
    /// So many branches the news is as good as fresh: KLEE's thousand instructions, at some twenty for a branch.
    const GRACE: u32 = 50;
}

impl Searcher for CoveringNew {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        self.near.add(pending, facts);
        if let Some(since) = facts.since_new {
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
}

fn square(value: f64) -> f64 {
    value * value
}
