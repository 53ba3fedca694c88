//! Whether an input that was solved for a branch took it, and if not, why.

use byway_trace::{Cause, Trace};

use crate::tree::{Constraint, Path, StepKind};

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

/// Whether the path of a run is the one that its input was solved for, up to the last branch: the same branches to the same sides.
/// Their conditions may be other expressions: a model says of a function what it did in this run. So operations on the way may be
/// others too; only if one of them is what the input was solved for, it must be there.
pub fn is_taken(wanted: &[Constraint], path: &Path) -> bool {
    first_difference(wanted, path).is_none()
}

/// Whether the conditions are the same expressions too.
pub fn is_same(wanted: &[Constraint], path: &Path) -> bool {
    let mut decided = wanted.iter().filter_map(|constraint| match *constraint {
        Constraint::Decided { site, condition, side, .. } => Some((site, condition, side)),
        Constraint::Assumed(_) => None,
    });
    let mut steps = path.steps().iter();
    decided.all(|wanted| steps.next().is_some_and(|step| (step.site, step.condition, step.side) == wanted))
}

/// How the path of a run leaves the way that its input was solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    /// It ended before.
    Ended,
    /// It met another branch than was expected.
    OtherBranch,
    /// It took another side.
    OtherSide,
}

fn first_difference(wanted: &[Constraint], path: &Path) -> Option<Difference> {
    let mut steps = path.steps().iter().peekable();
    for (index, constraint) in wanted.iter().enumerate() {
        let Constraint::Decided { kind, site, side, .. } = *constraint else { continue };
        let is_goal = index + 1 == wanted.len();
        if kind == StepKind::Operation && !is_goal {
            continue;
        }
        while let Some(step) = steps.next_if(|step| step.kind == StepKind::Operation) {
            if kind == StepKind::Operation && (step.site, step.side) == (site, side) {
                return None;
            }
        }
        match steps.next() {
            None => return Some(Difference::Ended),
            Some(step) if step.site != site || kind == StepKind::Operation => return Some(Difference::OtherBranch),
            Some(step) if step.side != side => return Some(Difference::OtherSide),
            Some(_) => {}
        }
    }
    None
}

/// Why a run did not take the branch that its input was solved for, in words: what it did instead, and which losses of precision
/// it or the run before it had.
pub fn miss(wanted: &[Constraint], path: &Path, ended_badly: Option<&str>, losses: Losses) -> String {
    let what = match (first_difference(wanted, path), ended_badly) {
        (Some(Difference::Ended), Some(why)) => why.to_owned(),
        (Some(Difference::Ended), None) => "ended before".to_owned(),
        (Some(Difference::OtherBranch), _) => "met another branch".to_owned(),
        _ => "took another side before".to_owned(),
    };
    let causes: Vec<&str> = losses.causes().filter(|cause| explains(*cause)).map(Cause::name).collect();
    if causes.is_empty() { what } else { format!("{what}; lost: {}", causes.join(", ")) }
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
        let wanted = [decided(1, 10, 1), Constraint::Assumed(5), decided(2, 11, 0)];
        let path = |steps: &[(u32, u32, u32)]| {
            let mut path = Path::new();
            steps.iter().for_each(|&(site, condition, side)| path.push(site, 0, condition, side, 2));
            path
        };
        assert!(is_taken(&wanted, &path(&[(1, 10, 1), (2, 11, 0), (3, 12, 0)])));
        let why = |steps| miss(&wanted, &path(steps), None, Losses::default());
        assert_eq!(why(&[(1, 10, 1)]), "ended before");
        assert_eq!(why(&[(1, 10, 0)]), "took another side before");
        assert_eq!(why(&[(1, 10, 1), (7, 11, 0)]), "met another branch");
        let lossy = Losses(1 << Cause::Unmodelled as u32 | 1 << Cause::SymbolicStore as u32);
        assert_eq!(miss(&wanted, &path(&[]), Some("crashed before"), lossy), "crashed before; lost: unmodelled");
    }
}
