//! Whether an input that was solved for a branch took it, and if not, why.

use byway_trace::{Cause, Trace};

use crate::tree::{BranchPath, Constraint, NodeId, PathTree, PendingId, Step, StepKind};

/// Causes of lost precision, as a set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses(u32);

impl Losses {
    /// What a run lost.
    pub fn of(trace: &Trace) -> Losses {
        Losses(trace.losses().fold(0, |all, lost| all | 1 << lost.cause as u32))
    }

    /// What either lost.
    pub fn or(self, other: Losses) -> Losses {
        Losses(self.0 | other.0)
    }

    /// The causes.
    fn causes(self) -> impl Iterator<Item = Cause> {
        (0..32).filter(move |bit| self.0 >> bit & 1 != 0).filter_map(Cause::of)
    }
}

/// What the path of a run says if the run takes the edge that its input was solved for: the constraints on the way, the edge's own
/// last.
#[derive(Debug)]
pub struct ExpectedPath(Vec<Constraint>);

/// Whether a run took the edge that its input was solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlipOutcome {
    /// It did, and the tree has it there.
    Taken,
    /// It did, but some conditions on the way are other expressions, since a model says of a function what it did in this run: the tree
    /// has its path elsewhere.
    TakenElsewhere,
    /// It did not.
    Missed(Miss),
}

/// How the path of a run leaves the one that its input was solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Miss {
    /// It ended before.
    Ended,
    /// It met another branch than was expected.
    OtherBranch,
    /// It took another side.
    OtherSide,
}

impl ExpectedPath {
    /// That of a run that takes the side of a pending.
    pub fn new(tree: &PathTree, pending: PendingId) -> ExpectedPath {
        ExpectedPath(tree.constraints(pending).collect())
    }

    /// That of a run that takes a side of a node.
    pub fn to(tree: &PathTree, node: NodeId, side: u32) -> ExpectedPath {
        ExpectedPath(tree.constraints_to(node, side).collect())
    }

    /// That of a run that meets these constraints first.
    pub fn of(constraints: impl Iterator<Item = Constraint>) -> ExpectedPath {
        ExpectedPath(constraints.collect())
    }

    /// The same up to the first value that runs were taken to have: behind it, a run with another value may do anything.
    pub fn up_to_values(tree: &PathTree, pending: PendingId) -> ExpectedPath {
        let is_fixed =
            |constraint: &Constraint| !matches!(constraint, Constraint::Decided { kind: StepKind::Concretization, .. });
        ExpectedPath(tree.constraints(pending).take_while(is_fixed).collect())
    }

    /// Whether a path is the expected one, up to its last branch.
    pub fn compare(&self, path: &BranchPath) -> FlipOutcome {
        if is_same(&self.0, path) {
            return FlipOutcome::Taken;
        }
        first_difference(&self.0, path).map_or(FlipOutcome::TakenElsewhere, FlipOutcome::Missed)
    }

    /// The path of a run whose input was to make an operation fail ends at that operation, whether or not the trace says that it failed: an
    /// access outside of all objects does not say of which object it was to be.
    pub fn end_at_failure(&self, operation: &Step, path: &mut BranchPath) {
        let wanted = &self.0;
        let steps = wanted.iter().filter(|constraint| matches!(constraint, Constraint::Decided { .. })).count();
        let before = wanted.len().saturating_sub(1);
        if !is_same(&wanted[..before], path) {
            return;
        }
        path.truncate(steps.saturating_sub(1));
        let assumed = wanted[..before].iter().rev().map_while(|constraint| match *constraint {
            Constraint::Assumed(assumed) => Some(assumed),
            Constraint::Decided { .. } => None,
        });
        assumed.collect::<Vec<_>>().into_iter().rev().for_each(|assumed| path.assume(assumed));
        path.operate((operation.site, operation.place), operation.condition, true);
    }
}

impl FlipOutcome {
    /// Whether the run took the edge.
    pub fn is_taken(self) -> bool {
        !matches!(self, FlipOutcome::Missed(_))
    }
}

impl Miss {
    /// In words: what the run did instead, and which losses of precision it or the run before it had.
    pub fn describe(self, ended_badly: Option<&str>, losses: Losses) -> String {
        let what = match (self, ended_badly) {
            (Miss::Ended, Some(why)) => why,
            (Miss::Ended, None) => "ended before",
            (Miss::OtherBranch, _) => "met another branch",
            (Miss::OtherSide, _) => "took another side before",
        };
        let causes: Vec<&str> = losses.causes().filter(|cause| explains(*cause)).map(Cause::name).collect();
        if causes.is_empty() { what.to_owned() } else { format!("{what}; lost: {}", causes.join(", ")) }
    }
}

/// Whether all branches are the same, with the same conditions, to the same sides.
fn is_same(wanted: &[Constraint], path: &BranchPath) -> bool {
    let mut decided = wanted.iter().filter_map(|constraint| match *constraint {
        Constraint::Decided { site, condition, side, .. } => Some((site, condition, side)),
        Constraint::Assumed(_) => None,
    });
    let mut steps = path.steps().iter();
    decided.all(|wanted| steps.next().is_some_and(|step| (step.site, step.condition, step.side) == wanted))
}

/// Where the branches are not the same, or their sides. Their conditions may be other expressions: a model says of a function what it did
/// in this run. So operations on the way may be others too; only if one of them is what the input was solved for, it must be there.
/// Behind another operation the tree may know other values of a concretization, so a path leads past as many of them as it does: what
/// counts is the one that it has.
fn first_difference(wanted: &[Constraint], path: &BranchPath) -> Option<Miss> {
    let mut steps = path.steps().iter().peekable();
    for (index, constraint) in wanted.iter().enumerate() {
        let Constraint::Decided { kind, site, side, condition, .. } = *constraint else { continue };
        let is_goal = index + 1 == wanted.len();
        let is_other_value = kind == StepKind::Concretization && side == 0;
        if !is_goal && (kind == StepKind::Operation || is_other_value) {
            continue;
        }
        while let Some(step) = steps.next_if(|step| is_passed(step)) {
            if kind == StepKind::Operation && (step.kind, step.site, step.side) == (kind, site, side) {
                return None;
            }
            if kind == StepKind::Concretization && !is_other_value && step.condition == condition {
                return Some(Miss::OtherSide);
            }
        }
        match steps.next() {
            None => return Some(Miss::Ended),
            Some(step) if step.site != site || step.kind != kind => return Some(Miss::OtherBranch),
            Some(step) if is_other_value && step.condition == condition => return Some(Miss::OtherSide),
            Some(step) if !is_other_value && step.side != side => return Some(Miss::OtherSide),
            Some(_) => {}
        }
    }
    None
}

/// Whether a step says nothing of which way a path took: an operation, or that something has none of the values of other runs.
fn is_passed(step: &Step) -> bool {
    step.kind == StepKind::Operation || (step.kind == StepKind::Concretization && step.side == 0)
}

/// Whether a loss can lead a run elsewhere. A concretization does not: that is a constraint.
fn explains(cause: Cause) -> bool {
    !cause.is_concretization() && cause != Cause::Assumption
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miss_says_what_the_run_did_instead() {
        let decided =
            |site, condition, side| Constraint::Decided { kind: StepKind::Branch, site, condition, side, sides: 2 };
        let wanted = ExpectedPath(vec![decided(1, 10, 1), Constraint::Assumed(5), decided(2, 11, 0)]);
        let path = |steps: &[(u32, u32, u32)]| {
            let mut path = BranchPath::new();
            steps.iter().for_each(|&(site, condition, side)| path.push(site, 0, condition, side, 2));
            path
        };
        let compared = |steps: &[(u32, u32, u32)]| wanted.compare(&path(steps));
        assert_eq!(compared(&[(1, 10, 1), (2, 11, 0), (3, 12, 0)]), FlipOutcome::Taken);
        assert_eq!(compared(&[(1, 10, 1), (2, 19, 0)]), FlipOutcome::TakenElsewhere);
        assert_eq!(compared(&[(1, 10, 1)]), FlipOutcome::Missed(Miss::Ended));
        assert_eq!(compared(&[(1, 10, 0)]), FlipOutcome::Missed(Miss::OtherSide));
        assert_eq!(compared(&[(1, 10, 1), (7, 11, 0)]), FlipOutcome::Missed(Miss::OtherBranch));
        assert_eq!(Miss::OtherSide.describe(Some("crashed before"), Losses::default()), "took another side before");
        let lossy = Losses(1 << Cause::Unmodelled as u32 | 1 << Cause::SymbolicStore as u32);
        assert_eq!(Miss::Ended.describe(Some("crashed before"), lossy), "crashed before; lost: unmodelled");
    }

    #[test]
    fn of_a_concretization_the_value_counts_that_a_path_has() {
        let kind = StepKind::Concretization;
        let value = |condition, side| Constraint::Decided { kind, site: 4, condition, side, sides: 2 };
        // The path of the last of these runs, where the tree has the others.
        let last_of = |conditions: &[u32]| {
            let (mut tree, mut path) = (PathTree::new(None), BranchPath::new());
            for (run, &condition) in (0..).zip(conditions) {
                path = BranchPath::new();
                path.concretize((4, 0), 9, condition);
                tree.align(&mut path);
                tree.insert(run, &path);
            }
            path
        };
        let missed = FlipOutcome::Missed(Miss::OtherSide);
        let one = ExpectedPath(vec![value(20, 0), value(21, 1)]);
        assert_eq!(one.compare(&last_of(&[20, 21])), FlipOutcome::Taken);
        assert_eq!(one.compare(&last_of(&[22, 20, 21])), FlipOutcome::TakenElsewhere);
        assert_eq!(one.compare(&last_of(&[21, 23])), missed);
        let another = ExpectedPath(vec![value(20, 0), value(21, 0)]);
        assert_eq!(another.compare(&last_of(&[21, 23])), FlipOutcome::TakenElsewhere);
        assert_eq!(another.compare(&last_of(&[21])), missed);
        assert_eq!(another.compare(&last_of(&[])), FlipOutcome::Missed(Miss::Ended));
    }
}
