//! Branches that cannot be taken on the way to them: an input that takes them on another way.
//!
//! Either a value that runs had on the way is another one. Or, if somebody says what branches depend on, decisions on the way that a
//! branch does not depend on are made otherwise.

use std::sync::Arc;

use byway_map::{BlockId, Distances};
use byway_solve::{Answer, Expr, ExpressionContext, PathCondition};
use rustc_hash::FxHashMap;

use super::{ChangedBytes, Explorer, Flip, RunValues};
use crate::flip::ExpectedPath;
use crate::search::Picked;
use crate::tree::{Constraint, Step, StepKind};

/// A side of a branch for which there is no input may be asked about without the values on the way so many times in vain.
const DETOURS: u32 = 16;

/// How often a side of a branch was looked for behind other values.
#[derive(Default)]
pub struct Detours {
    tries: FxHashMap<(u32, u32, u32), u32>,
    /// How far each block is from a branch that depends on it.
    dependences: Option<Box<Dependences>>,
}

/// Which blocks a branch in a block depends on: those with a distance.
pub type Dependences = dyn Fn(BlockId) -> Distances + Send;

impl Detours {
    /// Whether to look for another way to a side.
    fn may_try(&self, step: Step) -> bool {
        self.tries.get(&(step.site, step.place, step.side)).is_none_or(|&tries| tries < DETOURS)
    }

    /// Notes whether there was one. What was found is a run, which may or may not take the side.
    fn note(&mut self, step: Step, is_found: bool) {
        let cost = if is_found { 1 } else { 2 };
        *self.tries.entry((step.site, step.place, step.side)).or_default() += cost;
    }
}

impl Explorer {
    /// The same, with decisions that a branch does not depend on made otherwise where they keep it from being taken.
    pub fn dropping(mut self, dependences: Box<Dependences>) -> Explorer {
        self.detours.dependences = Some(dependences);
        self
    }

    /// If a branch cannot be taken on the way that a run took to it, an input that takes it on another way.
    pub(super) fn detour(
        &mut self,
        context: &mut ExpressionContext,
        picked: &Picked,
        values: &RunValues<'_>,
    ) -> Option<(Flip, ChangedBytes)> {
        if picked.step.kind != StepKind::Branch || !self.detours.may_try(picked.step) {
            return None;
        }
        self.with_other_values(context, picked, values).or_else(|| self.with_other_decisions(context, picked, values))
    }

    /// An input that makes decisions otherwise which the branch does not depend on.
    fn with_other_decisions(
        &mut self,
        context: &mut ExpressionContext,
        picked: &Picked,
        values: &RunValues<'_>,
    ) -> Option<(Flip, ChangedBytes)> {
        let block = self.program().map.site(picked.step.called_from())?.block;
        let depended = self.detours.dependences.as_ref()?(block);
        let program = Arc::clone(self.program());
        let is_needed = |constraint: &Constraint| match *constraint {
            Constraint::Assumed(_) => true,
            Constraint::Decided { site, .. } => {
                program.map.site(site).is_none_or(|site| depended.of(site.block).is_some())
            }
        };
        let way: Vec<Constraint> = self.tree().constraints(picked.pending).collect();
        let (goal, way) = way.split_last()?;
        if way.iter().all(is_needed) {
            return None;
        }
        let builder = self.space.builder_mut();
        let mut path = PathCondition::new();
        for &constraint in way.iter().filter(|constraint| is_needed(constraint)) {
            let holds = builder.expression(&mut context.pool, constraint);
            path.push(&mut context.pool, holds);
        }
        let goal = builder.expression(&mut context.pool, *goal);
        let changed = self.ask_for_detour(context, picked, (path, goal), values)?;
        let expected = ExpectedPath::of(way.iter().copied().take_while(is_needed));
        let flip = Flip { picked: *picked, expected, operation: None, is_detour: true };
        Some((flip, changed))
    }

    /// An input that takes a branch with another value than runs had on the way, if that keeps it from being taken.
    fn with_other_values(
        &mut self,
        context: &mut ExpressionContext,
        picked: &Picked,
        values: &RunValues<'_>,
    ) -> Option<(Flip, ChangedBytes)> {
        if !self.depends_on_values(context) {
            return None;
        }
        let slice = &context.solver.last_slice().constraints;
        let builder = self.space.builder();
        let rest: Vec<Expr> = slice.iter().copied().filter(|&part| !builder.is_concretization(part)).collect();
        let goal = self.tree().decided(picked.node, picked.step.side);
        let goal = self.space.builder_mut().expression(&mut context.pool, goal);
        let mut path = PathCondition::new();
        rest.into_iter().for_each(|part| path.push(&mut context.pool, part));
        let changed = self.ask_for_detour(context, picked, (path, goal), values)?;
        let expected = ExpectedPath::up_to_values(self.tree(), picked.pending);
        let flip = Flip { picked: *picked, expected, operation: None, is_detour: true };
        Some((flip, changed))
    }

    /// The bytes that have to change for an input that meets what is left of the way and takes the branch.
    fn ask_for_detour(
        &mut self,
        context: &mut ExpressionContext,
        picked: &Picked,
        (mut way, goal): (PathCondition, Expr),
        values: &RunValues<'_>,
    ) -> Option<ChangedBytes> {
        let values = |variables: &_, var| values(variables, picked.run, var);
        let answer = context.solve(&mut way, &goal.into(), &values);
        self.detours.note(picked.step, matches!(answer, Answer::Sat(_)));
        let Answer::Sat(model) = answer else { return None };
        Some(context.changed(&model, &values))
    }

    /// Whether the last answer depends on what runs took for its value.
    pub(super) fn depends_on_values(&self, context: &ExpressionContext) -> bool {
        let builder = self.space.builder();
        context.solver.last_slice().constraints.iter().any(|&constraint| builder.is_concretization(constraint))
    }
}
