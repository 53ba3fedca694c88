//! What is known of a program: the paths of all runs, the expressions on them, and what was asked.

mod ask;
mod learn;
mod solve;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_explore::tree::{NodeId, PathTree, PendingId, RunId};
use byway_explore::{Maker, Program, Steps, Way};
use byway_solve::{Changes, Pool, Solver, Variables};
use byway_stage::{Given, Original, Shape};
use byway_suite::Seed;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checks::Checks;
use crate::tally::Tally;
use crate::walk::Asked;

pub use ask::Candidate;
pub use learn::Learned;

/// Limits of what is asked at one place.
#[derive(Debug, Clone, Copy)]
pub struct PlaceLimits {
    /// How many inputs are tried that should make an operation fail and do not.
    pub tries: u32,
    /// How many questions may go unanswered.
    pub unknown: u32,
    /// How long all questions about the same operation may take, if none is answered with yes.
    pub time: Duration,
}

/// Everything that workers share about a program.
pub struct World {
    program: Arc<Program>,
    checks: Checks,
    limits: PlaceLimits,
    pool: Pool,
    variables: Variables,
    solver: Solver,
    steps: Steps,
    /// Where the last question was asked, and of which family.
    way: Way,
    way_family: usize,
    families: Vec<Family>,
    shapes: FxHashMap<Shape, usize>,
    /// The family of each seed, once one of its runs was seen.
    family_of: Vec<Option<usize>>,
    originals: Vec<Original>,
    /// The seeds whose questions were asked.
    has_asked: Vec<bool>,
    runs: Vec<Record>,
    /// Questions that were answered, and whether with yes.
    asked: FxHashMap<(u64, u64), bool>,
    /// Where questions were answered with yes.
    failing: FxHashSet<((u64, u64), u32, Asked)>,
    /// What happened at each place.
    places: FxHashMap<(u32, Asked), Place>,
    /// What was counted.
    pub tally: Tally,
}

/// The paths of seeds that differ in nothing but the values of their bytes.
#[derive(Debug)]
struct Family {
    tree: PathTree,
    /// Sides that can be taken and were not yet: what has to change for it, against the seed of the run they were met by.
    solved: FxHashMap<PendingId, Changes>,
    /// How far around divergence points was explored, for seeds that took a side there.
    explored: FxHashMap<(NodeId, u32), u32>,
}

/// A run that was made.
#[derive(Debug)]
struct Record {
    /// Its seed.
    seed: usize,
    changes: Changes,
}

/// What happened at a place.
#[derive(Debug, Default, Clone, Copy)]
struct Place {
    is_confirmed: bool,
    tries: u32,
    unknown: u32,
    /// How long its questions took.
    spent: Duration,
}

/// A node of one of the trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The number of its family.
    pub family: usize,
    /// The node.
    pub node: NodeId,
    /// The side that was taken there.
    pub side: u32,
}

impl World {
    /// Nothing is known yet.
    pub fn new(
        program: Arc<Program>,
        solver: Solver,
        checks: Checks,
        limits: PlaceLimits,
        seeds: &[Arc<Seed>],
    ) -> World {
        World {
            program,
            checks,
            limits,
            pool: Pool::new(),
            variables: Variables::default(),
            solver,
            steps: Steps::default(),
            way: Way::default(),
            way_family: 0,
            families: Vec::new(),
            shapes: FxHashMap::default(),
            family_of: vec![None; seeds.len()],
            has_asked: vec![false; seeds.len()],
            originals: seeds.iter().map(|seed| Original::new(Arc::clone(seed))).collect(),
            runs: Vec::new(),
            asked: FxHashMap::default(),
            failing: FxHashSet::default(),
            places: FxHashMap::default(),
            tally: Tally::default(),
        }
    }

    /// Puts a seed in the place of one that no run was made of.
    pub fn set_seed(&mut self, number: usize, seed: &Arc<Seed>) {
        self.originals[number] = Original::new(Arc::clone(seed));
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The tree of a family.
    pub fn tree(&self, family: usize) -> &PathTree {
        &self.families[family].tree
    }

    /// How many different paths there are, as far as is known.
    pub fn paths(&self) -> u64 {
        let counts = self.families.iter().map(|family| family.tree.counts());
        let followed = self.has_asked.iter().zip(&self.family_of).filter(|(asked, family)| **asked && family.is_none());
        counts.map(|counts| counts.runs - counts.repeated).sum::<u64>() + followed.count() as u64
    }

    /// The input near a seed with these changes.
    pub fn given(&self, seed: usize, changes: &Changes) -> Given {
        self.originals[seed].given(&self.variables, changes.iter())
    }

    /// Changes without those that change nothing.
    pub fn essential(&self, seed: usize, changes: &Changes) -> Vec<(byway_solve::Var, u8)> {
        let original = &self.originals[seed];
        let mut changed: Vec<_> =
            changes.iter().filter(|&(var, value)| original.seed_value(&self.variables, var) != value).collect();
        changed.sort_unstable();
        changed
    }

    /// A place of the program where something of this kind was found needs no more questions.
    pub fn note_confirmed(&mut self, site: u32, asked: Asked) {
        self.places.entry((site, asked)).or_default().is_confirmed = true;
    }

    /// Whether something was found there.
    pub fn is_confirmed(&self, site: u32, asked: Asked) -> bool {
        self.places.get(&(site, asked)).is_some_and(|place| place.is_confirmed)
    }

    /// The branches of a path up to a spot, with the sides taken, alternatives left out.
    pub fn nodes_up_to(&self, spot: Spot) -> Vec<(NodeId, u32)> {
        let tree = self.tree(spot.family);
        let mut nodes = Vec::with_capacity(tree.depth(spot.node) as usize);
        let (mut node, mut side) = (spot.node, spot.side);
        loop {
            if !tree.is_alternative(node) {
                nodes.push((node, side));
            }
            match tree.parent(node) {
                Some(parent) => (node, side) = parent,
                None => break,
            }
        }
        nodes.reverse();
        nodes
    }

    /// Whether the surroundings of a divergence point were explored less far than `bound`; then it is noted that they will be.
    /// What lies around it is another part of the tree for a seed that took another side.
    pub fn begin_region(&mut self, spot: Spot, bound: u32) -> bool {
        let known = self.families[spot.family].explored.entry((spot.node, spot.side)).or_default();
        let is_new = *known < bound;
        *known = (*known).max(bound);
        is_new
    }

    /// The surroundings of a divergence point were not explored after all.
    pub fn forget_region(&mut self, spot: Spot) {
        self.families[spot.family].explored.remove(&(spot.node, spot.side));
    }

    /// How many branches up to a spot could have gone another way. Stops to count when the time is over.
    pub fn depth(&mut self, spot: Option<Spot>, time: Duration) -> u32 {
        let Some(spot) = spot else { return 0 };
        let deadline = Instant::now() + time;
        let nodes = self.nodes_up_to(spot);
        let mut depth = 0;
        for (node, taken) in nodes.into_iter().rev() {
            let spot = Spot { node, side: taken, ..spot };
            depth += u32::from(self.diverges(spot, deadline));
        }
        depth
    }

    /// Goes to a node of a family.
    fn go_to(&mut self, family: usize, node: NodeId) {
        if self.way_family != family {
            self.way.clear(&self.pool);
            self.way_family = family;
        }
        let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
        self.way.go_to(&self.families[family].tree, &mut maker, node);
    }

    /// The number of a run.
    fn next_run(&self) -> RunId {
        self.runs.len() as RunId
    }
}
