//! What the path of a run says of its input.

use byway_engine::PathBuilder;
use byway_engine::tree::{BranchPath, Step, StepKind};
use byway_solve::{Expr, Pool};
use rustc_hash::FxHashMap;

/// A constraint on the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constraint {
    /// What holds.
    pub holds: Expr,
    /// Whether it is a decision of the program. Other constraints are what the run took for granted: values that it pinned, accesses
    /// within their objects.
    pub is_decision: bool,
    /// Where it is in the program.
    pub site: u32,
}

/// All that a path says of its input, in order.
#[derive(Debug, Default)]
pub struct Said {
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// Where each constraint is first.
    positions: FxHashMap<Expr, usize>,
    /// How many constraints come before each step of the path.
    steps: Vec<usize>,
}

impl Said {
    /// What a path says.
    pub fn new(path: &BranchPath, builder: &mut PathBuilder, pool: &mut Pool) -> Said {
        let mut said = Said::default();
        for (index, &step) in path.steps().iter().enumerate() {
            said.steps.push(said.constraints.len());
            path.assumptions(index).iter().for_each(|&assumed| said.assume(assumed));
            if step.side != Step::NEITHER {
                let holds = builder.expression(pool, step.into());
                let is_decision = step.kind == StepKind::Branch && !step.is_assumption();
                said.push(Constraint { holds, is_decision, site: step.called_from() });
            }
        }
        path.last_assumptions().iter().for_each(|&assumed| said.assume(assumed));
        said
    }

    fn assume(&mut self, assumed: u32) {
        self.push(Constraint { holds: Expr::from_index(assumed as usize), is_decision: false, site: u32::MAX });
    }

    fn push(&mut self, constraint: Constraint) {
        self.positions.entry(constraint.holds).or_insert(self.constraints.len());
        self.constraints.push(constraint);
    }

    /// How many constraints come before a step of the path.
    pub fn position(&self, step: usize) -> usize {
        self.steps.get(step).copied().unwrap_or(self.constraints.len())
    }

    /// Whether it says this.
    pub fn says(&self, holds: Expr) -> bool {
        self.positions.contains_key(&holds)
    }

    /// How much of this path comes before what another path says at a position, and how much up to where both say the same again:
    /// by the last constraint before it that both have, and the first one behind that.
    pub fn counterpart(&self, other: &Said, position: usize) -> (usize, usize) {
        let before = other.constraints[..position].iter().rev();
        let common = before.filter_map(|constraint| self.positions.get(&constraint.holds)).next();
        let start = common.map_or(0, |&last| last + 1);
        let rest = &self.constraints[start..];
        let same = rest.iter().position(|constraint| constraint.is_decision && other.says(constraint.holds));
        (start, start + same.unwrap_or(rest.len()))
    }
}
