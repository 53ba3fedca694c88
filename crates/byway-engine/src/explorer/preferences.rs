//! What a program prefers of its input (`klee_prefer_cex`).

use byway_solve::{Answer, Expr, ExpressionContext, InputValues, Op, PathCondition, Var};

use super::{ChangedBytes, Explorer};
use crate::tree::BranchPath;

/// So many preferences are looked at one by one.
const MOST: usize = 256;

impl Explorer {
    /// The bytes that have to change in the input of a run so that it takes the same path, and as many as can be of the preferences hold,
    /// the first ones first. `None` if there is nothing to change.
    pub fn prefer(
        &mut self,
        context: &mut ExpressionContext,
        path: &BranchPath,
        preferences: &[Expr],
        values: &InputValues<'_>,
    ) -> Option<ChangedBytes> {
        let mut condition = self.space.condition_of(context, path);
        let model = grant(context, &mut condition, preferences, values)?;
        let changed = context.changed(&model, values);
        (!changed.is_empty()).then_some(changed)
    }
}

fn grant(
    context: &mut ExpressionContext,
    condition: &mut PathCondition,
    preferences: &[Expr],
    values: &InputValues<'_>,
) -> Option<Vec<(Var, u8)>> {
    let mut granted = context.pool.truth(true);
    let all = preferences.iter().fold(granted, |all, &one| context.pool.binary(Op::And, all, one));
    if let Answer::Sat(model) = context.solve(condition, &all.into(), values) {
        return Some(model);
    }
    let mut best = None;
    for &preference in preferences.iter().take(MOST) {
        let both = context.pool.binary(Op::And, granted, preference);
        if let Answer::Sat(model) = context.solve(condition, &both.into(), values) {
            (granted, best) = (both, Some(model));
        }
    }
    best
}
