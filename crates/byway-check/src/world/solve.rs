//! Whether sides of branches can be taken, and with which input.

use byway_explore::tree::{Outcome, PendingId};
use byway_solve::{Answer, Changes, Expr, Path, Pool, Refuted, Solver, Var};

use super::{Record, Spot, World};
use crate::approach::{Divergence, divergence};
use crate::asker::Asker;
use crate::clock::Allowance;

/// What has to change in an input that takes a path for one that answers a question about large tables, if one so near does.
fn near(
    solver: &mut Solver,
    pool: &mut Pool,
    path: &mut Path,
    goal: Expr,
    value: &dyn Fn(Var) -> u8,
) -> Option<Vec<(Var, u8)>> {
    let near = solver.prepare_near(pool, path, goal, value)?;
    let Answer::Sat(model) = solver.solve_near(pool, path, near, value) else { return None };
    Some(model.into_iter().filter(|&(var, new)| value(var) != new).collect())
}

impl World {
    /// Whether a side that waits is known to be one that can be taken.
    pub fn is_solved(&self, family: usize, pending: PendingId) -> bool {
        self.families[family].solved.contains_key(&pending)
    }

    /// Finds out whether a side that waits can be taken. If not, the tree knows it from now on.
    pub fn solve(&mut self, family: usize, pending: PendingId) -> bool {
        match self.solve_once(family, pending) {
            Some(is_feasible) => is_feasible,
            None => {
                self.unknown.push((family, pending));
                self.close(family, pending, Outcome::Unknown)
            }
        }
    }

    /// The same, but a side that the solver gives up on waits as before. `None` if it does.
    fn solve_once(&mut self, family: usize, pending: PendingId) -> Option<bool> {
        if self.is_solved(family, pending) {
            return Some(true);
        }
        let tree = &self.families[family].tree;
        let (node, side) = tree.place_of(pending);
        let run = tree.run_of(pending);
        let goal = tree.decided(node, side);
        self.go_to(family, node);
        let Asker { program, pool, variables, solver, steps, .. } = &mut self.asker;
        let goal = steps.expression(program, pool, goal);
        let Record { seed, changes } = &self.runs[run as usize];
        let original = &self.originals[*seed];
        let value = |var| original.value(variables, changes, var);
        if let Some(changed) = near(solver, pool, self.way.path(), goal, &value) {
            let changes = changes.with(&changed);
            self.families[family].solved.insert(pending, changes);
            return Some(true);
        }
        if solver.refute(pool, self.way.path(), goal, &value) != Refuted::No {
            return Some(self.close(family, pending, Outcome::Infeasible));
        }
        match solver.solve(pool, self.way.path(), goal, &value) {
            Answer::Sat(model) => {
                let changed: Vec<_> = model.into_iter().filter(|&(var, new)| value(var) != new).collect();
                let changes = changes.with(&changed);
                self.families[family].solved.insert(pending, changes);
                Some(true)
            }
            Answer::Unsat => Some(self.close(family, pending, Outcome::Infeasible)),
            Answer::Unknown(_) => None,
        }
    }

    fn close(&mut self, family: usize, pending: PendingId, outcome: Outcome) -> bool {
        self.families[family].tree.close(pending, outcome);
        false
    }

    /// The seed and the changes for a run that takes a side, which is tried from now on. `None` if it cannot be taken, or
    /// somebody else tries it.
    pub fn take(&mut self, family: usize, pending: PendingId) -> Option<(usize, Changes)> {
        if !self.solve(family, pending) || !self.families[family].tree.begin(pending) {
            return None;
        }
        let changes = self.families[family].solved.remove(&pending)?;
        let run = self.families[family].tree.run_of(pending);
        Some((self.runs[run as usize].seed, changes))
    }

    /// Whether a branch could have gone another way. `None` if nobody knows: the solver gave up, or the time is used up.
    pub fn diverges(&mut self, spot: Spot, time: &Allowance) -> Option<bool> {
        loop {
            let family = &self.families[spot.family];
            let is_known = |pending| family.solved.contains_key(&pending);
            match divergence(&family.tree, spot.node, spot.side, is_known) {
                Divergence::Yes => return Some(true),
                Divergence::No => return Some(false),
                Divergence::Unknown(_) if time.is_over() => return None,
                Divergence::Unknown(pending) => self.solve_once(spot.family, pending)?,
            };
        }
    }
}
