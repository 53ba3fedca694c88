//! Concretizations: which other values are worth trying first, and how many were tried.

use std::collections::BTreeMap;

use byway_report::Concretization;
use byway_solve::{Answer, Expr, Op, Pool};

use crate::builder::PathBuilder;
use crate::tree::{BranchPath, NodeId, PathTree, StepKind};

/// A value this near to one that was taken is another element, or a length that is one more.
const NEAR: u128 = 64;

/// Conditions that another value of a concretization should meet, the first one if it can: values near those that were tried
/// and values beyond all of them in turn. None of them is needed.
pub(crate) fn preferences(tree: &PathTree, pool: &mut Pool, node: NodeId) -> Vec<Expr> {
    let (value, tried) = tried(tree, pool, node);
    let Some((&least, &most)) = tried.iter().min().zip(tried.iter().max()) else { return Vec::new() };
    let width = pool.width(value);
    let constant =
        |pool: &mut Pool, number: u128| pool.make_constant(width, number & byway_trace::evaluate::mask(width));
    let (low, high) = (constant(pool, least), constant(pool, most));
    let below = pool.binary(Op::Ult, value, low);
    let above = pool.binary(Op::Ult, high, value);
    let first = constant(pool, tried[0].wrapping_sub(NEAR));
    let offset = pool.binary(Op::Sub, value, first);
    let range = constant(pool, 2 * NEAR);
    let near = pool.binary(Op::Ult, offset, range);
    match tried.len() % 3 {
        1 => vec![near],
        2 => vec![below, above],
        _ => vec![above, below],
    }
}

/// The expression that was concretized at a node, and the values that runs had there; none if these were objects.
fn tried(tree: &PathTree, pool: &Pool, node: NodeId) -> (Expr, Vec<u128>) {
    let step = tree.step(node, 0);
    let value = Expr::from_index(step.value as usize);
    let mut tried = Vec::new();
    let mut at = Some((node, 0));
    while let Some((node, side)) = at {
        let known = tree.step(node, side);
        if (known.kind, known.site, known.value, side) != (StepKind::Concretization, step.site, step.value, 0) {
            break;
        }
        tried.extend(constant_of(pool, Expr::from_index(known.condition as usize)));
        at = tree.parent(node);
    }
    tried.reverse();
    (value, tried)
}

/// The constant that something equals, if the condition says that.
fn constant_of(pool: &Pool, condition: Expr) -> Option<u128> {
    let [a, b, _] = pool.operands(condition);
    (pool.op(condition) == Op::Eq).then(|| pool.constant(a).or_else(|| pool.constant(b))).flatten()
}

/// How often something was taken for its value at each place.
#[derive(Debug, Default)]
pub(crate) struct Concretizations(BTreeMap<u32, Counts>);

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    paths: u64,
    others: u64,
    none: u64,
    unknown: u64,
}

impl Concretizations {
    /// Notes where a path concretizes.
    pub fn note_path(&mut self, path: &BranchPath) {
        for step in path.steps().iter().filter(|step| step.kind == StepKind::Concretization && step.side == 1) {
            self.0.entry(step.called_from()).or_default().paths += 1;
        }
    }

    /// Notes whether there is another value.
    pub fn note(&mut self, site: u32, answer: &Answer) {
        let counts = self.0.entry(site).or_default();
        match answer {
            Answer::Sat(_) => counts.others += 1,
            Answer::Unsat => counts.none += 1,
            Answer::Unknown(_) => counts.unknown += 1,
        }
    }

    /// All places, the most frequent first.
    pub fn list(&self, builder: &PathBuilder) -> Vec<Concretization> {
        let entry = |(&site, counts): (&u32, &Counts)| Concretization {
            place: builder.program().position(site).unwrap_or_default(),
            cause: builder.cause(site).map(|cause| cause.name().to_owned()).unwrap_or_default(),
            paths: counts.paths,
            others: counts.others,
            no_other: counts.none,
            unknown: counts.unknown,
        };
        let mut list: Vec<Concretization> = self.0.iter().map(entry).collect();
        list.sort_by(|a, b| b.paths.cmp(&a.paths).then_with(|| a.place.cmp(&b.place)));
        list
    }
}
