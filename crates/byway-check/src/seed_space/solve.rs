//! Whether sides of branches can be taken, and with which input.

use byway_engine::tree::{PendingId, PendingOutcome};
use byway_engine::{EdgeOptions, ShardId, TreeEdge};
use byway_solve::{Answer, Changes};

use super::{Record, SeedSpace};
use crate::approach::{Divergence, divergence};
use crate::clock::Allowance;
use crate::seed::SeedRef;

impl SeedSpace {
    /// Whether a side that waits is known to be one that can be taken.
    pub fn is_solved(&self, shard: ShardId, pending: PendingId) -> bool {
        self.space.shard(shard).solved.contains_key(&pending)
    }

    /// Finds out whether a side that waits can be taken. If not, the tree knows it from now on.
    pub fn solve(&mut self, shard: ShardId, pending: PendingId) -> bool {
        match self.solve_once(shard, pending) {
            Some(is_feasible) => is_feasible,
            None => {
                self.unknown.push((shard, pending));
                self.close(shard, pending, PendingOutcome::Unknown)
            }
        }
    }

    /// The same, but a side that the solver gives up on waits as before. `None` if it does.
    fn solve_once(&mut self, shard: ShardId, pending: PendingId) -> Option<bool> {
        if self.is_solved(shard, pending) {
            return Some(true);
        }
        let edge = self.space.edge(shard, pending);
        let Record { seed, changes } = &self.runs[self.space.tree(shard).run_of(pending) as usize];
        let original = &self.originals[*seed];
        let values = |variables: &_, var| original.value(variables, changes, var);
        let options = EdgeOptions { refute_first: true, ..EdgeOptions::default() };
        match self.space.solve(&mut self.context, edge, options, &values) {
            Answer::Sat(model) => {
                let changes = changes.with(&self.context.changed(&model, &values));
                self.space.shard_mut(shard).solved.insert(pending, changes);
                Some(true)
            }
            Answer::Unsat => Some(self.close(shard, pending, PendingOutcome::Infeasible)),
            Answer::Unknown(_) => None,
        }
    }

    fn close(&mut self, shard: ShardId, pending: PendingId, outcome: PendingOutcome) -> bool {
        self.space.shard_mut(shard).tree.close(pending, outcome);
        false
    }

    /// The seed and the changes for a run that takes a side, which is tried from now on. `None` if it cannot be taken, or
    /// another worker tries it.
    pub fn take(&mut self, shard: ShardId, pending: PendingId) -> Option<(SeedRef, Changes)> {
        if !self.solve(shard, pending) {
            return None;
        }
        let shard = self.space.shard_mut(shard);
        if !shard.tree.begin(pending) {
            return None;
        }
        let changes = shard.solved.remove(&pending)?;
        Some((self.runs[shard.tree.run_of(pending) as usize].seed, changes))
    }

    /// Whether a branch could have gone another way. `None` if that is not known: the solver gave up, or the time is used up.
    pub fn diverges(&mut self, edge: TreeEdge, time: &Allowance) -> Option<bool> {
        loop {
            let shard = self.space.shard(edge.shard);
            let is_known = |pending| shard.solved.contains_key(&pending);
            match divergence(&shard.tree, edge.node, edge.side, is_known) {
                Divergence::Yes => return Some(true),
                Divergence::No => return Some(false),
                Divergence::Unknown(_) if time.is_over() => return None,
                Divergence::Unknown(pending) => self.solve_once(edge.shard, pending)?,
            };
        }
    }
}
