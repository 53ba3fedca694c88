//! From an input that executes a change to one on which it shows: queries about the paths of both versions.
//!
//! What both versions wrote at one place is compared first: is there an input that takes both paths, and for which these bytes
//! differ? Then: where the versions part, one takes a branch to a side that the other does not take. So for each decision that only one
//! version makes, or makes by another condition, the query is: that version goes the other way, and the other version goes the
//! way it went. Its whole way first; then its way up to the place where both say the same again; then its way up to the
//! counterpart alone, without what its run took for granted. What a query finds is run in both versions.

use byway_report::diff::Found;
use byway_solve::{Answer, Expr, Op, PathCondition, PathQuery};

use super::said::{Constraint, Said};
use super::written::Written;
use super::{JointSearch, PathPair};
use crate::error::DiffError;

/// So many decisions of a path are asked about again with less of the other version's path.
const RETRIED: usize = 32;

/// So many bytes that are written are asked about in one query.
const TOGETHER: usize = 16;

/// What became of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// An input was found and run.
    Found,
    /// There is none.
    Refuted,
    /// The solver does not know.
    Unknown,
}

impl JointSearch<'_, '_> {
    /// Asks for inputs near one that executes a change, on which the versions part.
    pub(super) fn carry(&mut self, pair: &PathPair) -> Result<(), DiffError> {
        let said = self.said(pair);
        self.differ(pair, &said)?;
        self.ask_where_changes_meet(pair, &said)?;
        for (leaving, staying) in [(1, 0), (0, 1)] {
            let refuted = self.part(pair, &said[leaving], &said[staying])?;
            for position in refuted.into_iter().take(RETRIED) {
                if (self.must_end)() {
                    return Ok(());
                }
                self.part_early(pair, (&said[leaving], position), &said[staying])?;
            }
        }
        Ok(())
    }

    fn said(&mut self, pair: &PathPair) -> [Said; 2] {
        let JointSearch { versions, context, .. } = self;
        [0, 1].map(|number| {
            let builder = versions[number].explorer.space().builder_mut();
            Said::new(&pair.paths[number], builder, &mut context.pool)
        })
    }

    /// Asks for an input that takes both paths and for which the versions write something else, or end with another status. If there is
    /// none, once more without what the runs took for granted.
    fn differ(&mut self, pair: &PathPair, said: &[Said; 2]) -> Result<(), DiffError> {
        let [old, new] = &pair.written;
        let mut differing = Written::differing(old, new, &mut self.context.pool);
        for is_free in [false, true] {
            if differing.is_empty() {
                break;
            }
            let mut condition = PathCondition::new();
            let both = said.iter().flat_map(|said| &said.constraints);
            let kept = both.filter(|constraint| constraint.is_decision || !is_free);
            kept.for_each(|constraint| condition.push(&mut self.context.pool, constraint.holds));
            let mut refuted = Vec::new();
            for group in differing.chunks(TOGETHER) {
                if (self.must_end)() {
                    return Ok(());
                }
                let pool = &mut self.context.pool;
                let any = group.iter().fold(pool.truth(false), |any, &differs| pool.binary(Op::Or, any, differs));
                if self.ask_for(pair, &mut condition, any)? == Asked::Refuted {
                    refuted.extend_from_slice(group);
                }
            }
            differing = refuted;
        }
        Ok(())
    }

    /// For each decision that only `leaving` says: it goes the other way, while the other version goes its whole way. The positions of
    /// those for which no input does.
    fn part(&mut self, pair: &PathPair, leaving: &Said, staying: &Said) -> Result<Vec<usize>, DiffError> {
        let mut condition = PathCondition::new();
        for constraint in &staying.constraints {
            condition.push(&mut self.context.pool, constraint.holds);
        }
        let mut refuted = Vec::new();
        for (position, constraint) in leaving.constraints.iter().enumerate() {
            if staying.says(constraint.holds) {
                continue;
            }
            if (self.must_end)() {
                break;
            }
            if constraint.is_decision && self.ask(pair, &mut condition, *constraint)? == Asked::Refuted {
                refuted.push(position);
            }
            condition.push(&mut self.context.pool, constraint.holds);
        }
        Ok(refuted)
    }

    /// The same for one decision, with less of the other version's path.
    fn part_early(
        &mut self,
        pair: &PathPair,
        (leaving, position): (&Said, usize),
        staying: &Said,
    ) -> Result<(), DiffError> {
        let (before, same) = staying.counterpart(leaving, position);
        for (end, is_free) in [(same, false), (before, false), (before, true)] {
            let kept = |constraint: &&Constraint| constraint.is_decision || !is_free;
            let mut condition = PathCondition::new();
            let both = staying.constraints[..end].iter().chain(&leaving.constraints[..position]);
            both.filter(kept).for_each(|constraint| condition.push(&mut self.context.pool, constraint.holds));
            if self.ask(pair, &mut condition, leaving.constraints[position])? != Asked::Refuted {
                break;
            }
        }
        Ok(())
    }

    /// Asks for an input that meets a condition and goes the other way at a decision, and tries it.
    fn ask(
        &mut self,
        pair: &PathPair,
        condition: &mut PathCondition,
        decision: Constraint,
    ) -> Result<Asked, DiffError> {
        let goal = self.context.pool.not(decision.holds);
        self.ask_for(pair, condition, goal)
    }

    /// Asks for an input that meets a condition and a goal, and tries it.
    pub(super) fn ask_for(
        &mut self,
        pair: &PathPair,
        condition: &mut PathCondition,
        goal: Expr,
    ) -> Result<Asked, DiffError> {
        let changes = self.inputs[pair.input].clone();
        let original = &self.original;
        let values = |variables: &_, var| original.value(variables, &changes, var);
        let query = PathQuery { goal, preferences: Vec::new(), refute_first: true };
        let answer = self.context.solve(condition, &query, &values);
        let changed = match &answer {
            Answer::Sat(model) => self.context.changed(model, &values),
            _ => Vec::new(),
        };
        {
            let mut gathered = self.ground.gathered();
            gathered.tried.joint_queries += 1;
            match answer {
                Answer::Sat(_) => gathered.tried.joint_inputs += 1,
                Answer::Unsat => gathered.tried.joint_refuted += 1,
                Answer::Unknown(_) => {}
            }
        }
        Ok(match answer {
            Answer::Sat(_) => {
                self.try_input(changes.with(&changed), None, Found::Joint)?;
                Asked::Found
            }
            Answer::Unsat => Asked::Refuted,
            Answer::Unknown(_) => Asked::Unknown,
        })
    }
}
