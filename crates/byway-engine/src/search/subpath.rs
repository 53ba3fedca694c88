//! Subpath-guided search: what lies at the end of the least travelled subpath first.
//!
//! After "Steering Symbolic Execution to Less Traveled Paths" (OOPSLA 2013). The subpath of a state is the last N forks on
//! its way, with the sides taken; a table counts how often each subpath was travelled, and any of the states whose subpath
//! has the lowest count is next. In the paper a state runs from fork to fork and is picked anew at each; here a run goes to
//! its end at once, so each side of a fork that a run is the first to take counts as one pick of the state that took it.
//!
//! `branches:N` is the same over all branches that depend on the input. On coreutils that covers more: with 2,500 runs each, windows of
//! two forks covered 385 lines of `tr` and 167 of `cut`, windows of two branches 426 and 180 (mean of four seeds). So it is part of what
//! `explore` does by default.
//!
//! - *Forks*: a branch with one feasible side is none, and no part of a subpath ([`PathTree::is_fork`]). That a side is
//!   infeasible is known only once it was solved for; until then it counts as feasible. When a branch turns out to be no
//!   fork, the subpaths that had it are named again, those that were counted and those of pendings: at any time all is as
//!   if everything that is known now had been known from the start.
//! - *Counts* are of what runs took. A pending that was picked counts while it is being tried, lest several workers go the
//!   same way; if it comes to nothing, that is taken back.
//! - *Ties* are broken at random, all pendings alike.
//!
//! A node keeps its context: the name of the N - 1 forks before it. The context of a node and its own step give that of the
//! nodes below, so naming again ends where a context stays as it was: at most N forks further down.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::frequencies::Frequencies;
use super::trail::{Trail, longer, name_of};
use super::{Facts, RunFacts, Searcher, View};
use crate::tree::{NodeId, PathTree, PendingId, Side, Step};

/// `subpath:N`.
#[derive(Debug)]
pub struct Subpath {
    frequencies: Frequencies,
    nodes: Vec<Known>,
    /// The pendings that are being tried, with the subpaths that were counted for them.
    tried: FxHashMap<PendingId, u64>,
    latest_of_ties: bool,
    /// Whether branches count that are no forks.
    of_branches: bool,
    trail: Trail,
    /// Where naming again has to go on.
    open: Vec<Open>,
}

/// What is known of a node, in eight bytes: the name of its context, and whether it is a fork.
#[derive(Debug, Clone, Copy, Default)]
struct Known(u64);

impl Known {
    const FORK: u64 = 1 << 63;

    fn new(context: u64, is_fork: bool) -> Known {
        Known(context | if is_fork { Known::FORK } else { 0 })
    }

    fn context(self) -> u64 {
        self.0 & !Known::FORK
    }

    fn is_fork(self) -> bool {
        self.0 & Known::FORK != 0
    }
}

/// A node whose context may be another one now.
#[derive(Debug, Clone, Copy)]
struct Open {
    node: NodeId,
    /// How much of the trail leads to the branch before it.
    trail: usize,
    /// The step of that branch, if it is a fork.
    step: Option<u64>,
}

impl Subpath {
    /// Subpaths of a length, which is at least 1.
    pub fn new(length: u32) -> Self {
        Subpath {
            frequencies: Frequencies::default(),
            nodes: Vec::new(),
            tried: FxHashMap::default(),
            latest_of_ties: false,
            of_branches: false,
            trail: Trail::new(length),
            open: Vec::new(),
        }
    }

    /// All branches are part of subpaths, whether or not they are forks. What is known of a branch later then changes nothing, and
    /// costs nothing.
    pub fn of_branches(mut self) -> Self {
        self.of_branches = true;
        self
    }

    /// Whether a node is part of subpaths.
    fn is_part(&self, tree: &PathTree, node: NodeId) -> bool {
        if self.of_branches { tree.is_branch(node) } else { tree.is_fork(node) }
    }

    /// Breaks ties not at random but in favour of the latest pending, as the paper's example does. This looks at all
    /// pendings that tie: it is meant for examples.
    pub fn latest_of_ties(mut self) -> Self {
        self.latest_of_ties = true;
        self
    }

    /// Lets the trail lead to a node: it has the forks of its context.
    fn go_to(&mut self, tree: &PathTree, node: NodeId) {
        let way = std::iter::successors(tree.parent(node), |&(node, _)| tree.parent(node));
        let forks = way.filter(|&(node, _)| self.nodes[node.index()].is_fork());
        let steps = forks.take(self.trail.context_length()).map(|(node, side)| name_of(&tree.step(node, side)));
        let steps: Vec<u64> = steps.collect();
        self.trail.truncate(0);
        steps.into_iter().rev().for_each(|step| self.trail.push(step));
    }

    /// Notes the new nodes of a run, and counts the sides of forks that it took first.
    fn travel(&mut self, tree: &PathTree, taken: &[(NodeId, u32)]) {
        let known = self.nodes.len();
        self.nodes.resize(tree.node_count(), Known::default());
        let Some(&(first, _)) = taken.first() else { return };
        self.go_to(tree, first);
        for &(node, side) in taken {
            if node.index() >= known {
                self.nodes[node.index()] = Known::new(self.trail.context(), self.is_part(tree, node));
            }
            let this = self.nodes[node.index()];
            if this.is_fork() && side != Step::NEITHER {
                let step = name_of(&tree.step(node, side));
                self.frequencies.travel(longer(this.context(), step));
                self.trail.push(step);
            }
        }
    }

    /// Counts what was taken at a node that is a fork now, or takes it back if it is none any more.
    fn recount(&mut self, tree: &PathTree, node: NodeId, is_fork: bool) {
        let context = self.nodes[node.index()].context();
        self.nodes[node.index()] = Known::new(context, is_fork);
        for (side, _) in taken_sides(tree, node) {
            let name = longer(context, name_of(&tree.step(node, side)));
            match is_fork {
                true => self.frequencies.travel(name),
                false => self.frequencies.take_back(name),
            }
        }
    }

    /// Gives a node and what is pending there another context.
    fn rename(&mut self, tree: &PathTree, node: NodeId, context: u64) {
        let before = self.nodes[node.index()];
        self.nodes[node.index()] = Known::new(context, before.is_fork());
        for (number, side) in (0..).zip(tree.sides(node)) {
            let step = name_of(&tree.step(node, number));
            let (old, new) = (longer(before.context(), step), longer(context, step));
            match side {
                Side::Pending(pending) if self.frequencies.remove(pending).is_some() => {
                    self.frequencies.add(pending, new);
                }
                Side::Trying(pending) if self.tried.contains_key(&pending) => {
                    self.tried.insert(pending, new);
                    self.move_one(old, new);
                }
                Side::Node(_) | Side::End if before.is_fork() => self.move_one(old, new),
                _ => {}
            }
        }
    }

    fn move_one(&mut self, old: u64, new: u64) {
        self.frequencies.take_back(old);
        self.frequencies.travel(new);
    }

    /// What comes after a node, to which the trail leads, may have another context.
    fn open_below(&mut self, tree: &PathTree, node: NodeId) {
        let is_fork = self.nodes[node.index()].is_fork();
        let trail = self.trail.len();
        for (number, side) in (0..).zip(tree.sides(node)) {
            if let Side::Node(below) = side {
                let step = is_fork.then(|| name_of(&tree.step(node, number)));
                self.open.push(Open { node: below, trail, step });
            }
        }
    }
}

impl Searcher for Subpath {
    fn add(&mut self, pending: PendingId, facts: &Facts) {
        let context = self.nodes[facts.node.index()].context();
        self.frequencies.add(pending, longer(context, name_of(&facts.step)));
    }

    fn remove(&mut self, pending: PendingId) {
        self.frequencies.remove(pending);
    }

    fn picked(&mut self, pending: PendingId) {
        if let Some(name) = self.frequencies.remove(pending) {
            self.frequencies.travel(name);
            self.tried.insert(pending, name);
        }
    }

    fn failed(&mut self, pending: PendingId) {
        if let Some(name) = self.tried.remove(&pending) {
            self.frequencies.take_back(name);
        }
    }

    fn pick(&mut self, view: &mut View<'_>) -> Option<PendingId> {
        match self.latest_of_ties {
            true => self.frequencies.latest(),
            false => self.frequencies.choose(view.dice),
        }
    }

    fn ran(&mut self, run: &RunFacts<'_>) {
        // What was counted when it was picked is counted now with all that the run took.
        if let Some(pending) = run.took {
            self.failed(pending);
        }
        self.travel(run.tree, run.taken);
    }

    fn fork_changed(&mut self, tree: &PathTree, node: NodeId) {
        if self.of_branches {
            return;
        }
        self.recount(tree, node, tree.is_fork(node));
        self.go_to(tree, node);
        self.open_below(tree, node);
        while let Some(Open { node, trail, step }) = self.open.pop() {
            self.trail.truncate(trail);
            step.into_iter().for_each(|step| self.trail.push(step));
            let context = self.trail.context();
            let is_alternative = tree.is_alternative(node);
            if !is_alternative && self.nodes[node.index()].context() == context {
                continue;
            }
            if !is_alternative {
                self.rename(tree, node, context);
            }
            self.open_below(tree, node);
        }
    }
}

/// The sides of a node that runs took.
fn taken_sides(tree: &PathTree, node: NodeId) -> impl Iterator<Item = (u32, Side)> + '_ {
    (0..).zip(tree.sides(node)).filter(|(_, side)| matches!(side, Side::Node(_) | Side::End))
}
