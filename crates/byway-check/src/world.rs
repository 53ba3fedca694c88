//! What is known of a program: the paths of all runs, the expressions on them, and what was asked.

mod ask;
mod learn;
mod solve;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use byway_explore::tree::{NodeId, PathTree, PendingId, RunId};
use byway_explore::{InputLayout, Original, Way};
use byway_input::ConcreteInput;
use byway_solve::{Changes, Place, Solver};
use byway_suite::Seed;
use rustc_hash::FxHashMap;

use crate::asker::{Asker, Byte};
use crate::clock::Allowance;

pub use ask::Candidate;
pub use learn::Learned;

/// What workers share about the paths of a program.
pub struct World {
    asker: Asker,
    /// Where the last question was asked, and of which family.
    way: Way,
    way_family: usize,
    families: Vec<Family>,
    layouts: FxHashMap<InputLayout, usize>,
    /// The family of each seed, once one of its runs was seen.
    family_of: Vec<Option<usize>>,
    originals: Vec<Original>,
    /// The seeds that were followed.
    is_followed: Vec<bool>,
    runs: Vec<Record>,
    /// Sides of branches that the solver gave up on, with their families.
    unknown: Vec<(usize, PendingId)>,
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
    pub fn new(asker: Asker, seeds: &[Arc<Seed>]) -> World {
        World {
            asker,
            way: Way::default(),
            way_family: 0,
            families: Vec::new(),
            layouts: FxHashMap::default(),
            family_of: vec![None; seeds.len()],
            is_followed: vec![false; seeds.len()],
            originals: seeds.iter().map(|seed| Original::new(Arc::clone(&seed.input))).collect(),
            runs: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Who asks.
    pub fn asker(&mut self) -> &mut Asker {
        &mut self.asker
    }

    /// The sites of branches of which a side was given up.
    pub fn unknown_sites(&self) -> impl Iterator<Item = u32> {
        self.unknown.iter().map(|&(family, pending)| self.site_of(family, pending))
    }

    /// The site of the branch that a side belongs to.
    pub fn site_of(&self, family: usize, pending: PendingId) -> u32 {
        self.site(Spot { family, node: self.tree(family).place_of(pending).0, side: 0 })
    }

    /// The site of a branch.
    pub fn site(&self, spot: Spot) -> u32 {
        self.tree(spot.family).step(spot.node, 0).called_from()
    }

    /// Sides that the solver gave up on wait again, if more may be spent on them now.
    pub fn reopen_unknown(&mut self) {
        for (family, pending) in std::mem::take(&mut self.unknown) {
            self.families[family].tree.reopen(pending);
        }
    }

    /// Whether the solver gave up on a side of this family.
    pub fn has_unknown(&self, family: usize) -> bool {
        self.unknown.iter().any(|&(of, _)| of == family)
    }

    /// Puts a seed in the place of one that no run was made of.
    pub fn set_seed(&mut self, number: usize, seed: &Arc<Seed>) {
        self.originals[number] = Original::new(Arc::clone(&seed.input));
    }

    /// A seed, and the files that its runs read.
    pub fn original(&self, seed: usize) -> &Original {
        &self.originals[seed]
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.asker.solver
    }

    /// The tree of a family.
    pub fn tree(&self, family: usize) -> &PathTree {
        &self.families[family].tree
    }

    /// How many different paths there are, as far as is known.
    pub fn paths(&self) -> u64 {
        let counts = self.families.iter().map(|family| family.tree.counts());
        let is_elsewhere = |&(&followed, family): &(&bool, &Option<usize>)| followed && family.is_none();
        let followed = self.is_followed.iter().zip(&self.family_of).filter(is_elsewhere);
        counts.map(|counts| counts.runs - counts.repeated).sum::<u64>() + followed.count() as u64
    }

    /// A seed was followed, whether or not its path will be here.
    pub fn note_followed(&mut self, seed: usize) {
        self.is_followed[seed] = true;
    }

    /// The changes that make bytes what they are to be. Whoever names them knows the same runs of their seed.
    pub fn changes(&mut self, bytes: Vec<Byte>) -> Changes {
        let variables = &mut self.asker.variables;
        let var = |(source, offset, value)| {
            let source = variables.source_number(source);
            (variables.var(Place { source, offset }), value)
        };
        Changes::default().with(&bytes.into_iter().map(var).collect::<Vec<_>>())
    }

    /// The input near a seed with these changes.
    pub fn input(&self, seed: usize, changes: &Changes) -> ConcreteInput {
        self.originals[seed].input(&self.asker.variables, changes.iter())
    }

    /// Changes without those that change nothing.
    pub fn essential(&self, seed: usize, changes: &Changes) -> Vec<(byway_solve::Var, u8)> {
        let original = &self.originals[seed];
        let mut changed: Vec<_> =
            changes.iter().filter(|&(var, value)| original.seed_value(&self.asker.variables, var) != value).collect();
        changed.sort_unstable();
        changed
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

    /// How many branches up to a spot could have gone another way, and whether all were counted before the time was over or somebody
    /// wanted to stop.
    pub fn depth(&mut self, spot: Option<Spot>, time: Duration, is_stopping: &dyn Fn() -> bool) -> (u32, bool) {
        let Some(spot) = spot else { return (0, true) };
        let time = Allowance::new(time);
        let (mut depth, mut is_counted) = (0, true);
        for (node, taken) in self.nodes_up_to(spot).into_iter().rev() {
            // To go to a node far away takes as long as a query.
            if time.is_over() || is_stopping() {
                is_counted = false;
                break;
            }
            self.asker.limit_query(Some(&time));
            let diverges = self.diverges(Spot { node, side: taken, ..spot }, &time);
            depth += u32::from(diverges == Some(true));
            is_counted &= diverges.is_some();
        }
        self.asker.limit_query(None);
        (depth, is_counted)
    }

    /// Goes to a node of a family.
    fn go_to(&mut self, family: usize, node: NodeId) {
        if self.way_family != family {
            self.way.clear(&self.asker.pool);
            self.way_family = family;
        }
        self.way.go_to(&self.families[family].tree, &mut self.asker.maker(), node);
    }

    /// The number of a run.
    fn next_run(&self) -> RunId {
        self.runs.len() as RunId
    }
}
