//! Branches that cannot be taken because of a value that runs had on the way: an input that takes them with another value.

use byway_solve::{Answer, Expr, ExpressionContext, PathCondition};
use rustc_hash::FxHashMap;

use super::{ChangedBytes, Explorer, Flip, RunValues};
use crate::flip::ExpectedPath;
use crate::search::Picked;
use crate::tree::{Step, StepKind};

/// A side of a branch for which there is no input may be asked about without the values on the way so many times in vain.
const DETOURS: u32 = 16;

/// How often a side of a branch was looked for behind other values.
#[derive(Debug, Default)]
pub struct Detours(FxHashMap<(u32, u32, u32), u32>);

impl Detours {
    /// Whether to look for another way to a side.
    fn may_try(&self, step: Step) -> bool {
        self.0.get(&(step.site, step.place, step.side)).is_none_or(|&tries| tries < DETOURS)
    }

    /// Notes whether there was one. What was found is a run, which may or may not take the side.
    fn note(&mut self, step: Step, is_found: bool) {
        let cost = if is_found { 1 } else { 2 };
        *self.0.entry((step.site, step.place, step.side)).or_default() += cost;
    }
}

impl Explorer {
    /// If a branch cannot be taken because of what runs took for its value on the way, an input that takes it with another value.
    pub(super) fn detour(
        &mut self,
        context: &mut ExpressionContext,
        picked: &Picked,
        values: &RunValues<'_>,
    ) -> Option<(Flip, ChangedBytes)> {
        let is_possible = picked.step.kind == StepKind::Branch && self.detours.may_try(picked.step);
        if !is_possible || !self.depends_on_values(context) {
            return None;
        }
        let slice = &context.solver.last_slice().constraints;
        let builder = self.space.builder();
        let rest: Vec<Expr> = slice.iter().copied().filter(|&part| !builder.is_concretization(part)).collect();
        let goal = self.tree().decided(picked.node, picked.step.side);
        let goal = self.space.builder_mut().expression(&mut context.pool, goal);
        let mut path = PathCondition::new();
        rest.into_iter().for_each(|part| path.push(&mut context.pool, part));
        let values = |variables: &_, var| values(variables, picked.run, var);
        let answer = context.solve(&mut path, &goal.into(), &values);
        self.detours.note(picked.step, matches!(answer, Answer::Sat(_)));
        let Answer::Sat(model) = answer else { return None };
        let expected = ExpectedPath::up_to_values(self.tree(), picked.pending);
        let flip = Flip { picked: *picked, expected, operation: None, is_detour: true };
        Some((flip, context.changed(&model, &values)))
    }

    /// Whether the last answer depends on what runs took for its value.
    pub(super) fn depends_on_values(&self, context: &ExpressionContext) -> bool {
        let builder = self.space.builder();
        context.solver.last_slice().constraints.iter().any(|&constraint| builder.is_concretization(constraint))
    }
}
