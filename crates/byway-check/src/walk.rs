//! From the trace of a run to its path, and the questions along it.

use byway_explore::tree::{Constraint, Path};
use byway_explore::{Program, Said, Steps};
use byway_solve::{Expr, Failure, Importer, Solver};
use byway_trace::layout::Event;
use byway_trace::{EventKind, Trace, is_model_site};
use rustc_hash::FxHashSet;

use crate::checks::{Check, Checks};

/// What is asked of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asked {
    /// Whether it fails in this way.
    Failure(Failure),
    /// Whether the program gets to a place where it gives up.
    Abort,
}

impl Asked {
    /// The check that it belongs to.
    pub fn check(self) -> Check {
        match self {
            Asked::Failure(failure) => Check::of(failure),
            Asked::Abort => Check::Abort,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Asked::Failure(failure) => failure.name(),
            Asked::Abort => Check::Abort.name(),
        }
    }
}

/// A question on the way of a run.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// What is asked.
    pub asked: Asked,
    /// The site in the program.
    pub site: u32,
    /// Whether this can be true.
    pub goal: Expr,
    /// The same, but so that the sanitizers see it for sure.
    pub nearby: Option<Expr>,
}

/// Something on the way of a run.
#[derive(Debug, Clone, Copy)]
pub enum Item {
    /// The next step of the path.
    Step,
    /// The run assumes this from here on.
    Assumed(Expr),
    /// Something to be asked here.
    Question(Question),
}

/// The way of a run.
#[derive(Debug, Default)]
pub struct Walk {
    /// Its path.
    pub path: Path,
    /// All that is on it, in order.
    pub items: Vec<Item>,
    /// For every operation that can fail, symbolic or not, how many steps come before it; in ascending order, each number
    /// once.
    pub positions: Vec<u32>,
    /// The operations that cannot fail, whatever the input is: where, and in which way.
    pub safe: Vec<(u32, Check)>,
    /// How many questions came up again.
    pub repeated: u64,
}

/// Makes the walk of a trace.
pub struct Walker<'a> {
    /// The program.
    pub program: &'a Program,
    /// How steps are made.
    pub steps: &'a mut Steps,
    /// Who knows what is always true.
    pub solver: &'a mut Solver,
    /// What is asked.
    pub checks: Checks,
}

impl Walker<'_> {
    /// The walk of a trace.
    pub fn walk(&mut self, trace: &Trace, importer: &mut Importer<'_>) -> Walk {
        let mut walk = Walk::default();
        let mut goals = FxHashSet::default();
        self.steps.begin();
        for event in trace.events() {
            self.question(importer, event, &mut walk, &mut goals);
            match self.steps.follow(self.program, importer, event, &mut walk.path, self.solver) {
                Some(Said::Step) => {
                    self.ways_out(importer, &mut walk);
                    walk.items.push(Item::Step);
                }
                Some(Said::Assumed(assumption)) => walk.items.push(Item::Assumed(assumption)),
                None => {}
            }
        }
        walk
    }

    fn question(&self, importer: &mut Importer<'_>, event: &Event, walk: &mut Walk, goals: &mut FxHashSet<Expr>) {
        let check = match EventKind::of(event.kind) {
            Some(EventKind::Access | EventKind::Length) => Check::Bounds,
            Some(EventKind::Division) => Check::Division,
            Some(EventKind::Overflow) => Check::Overflow,
            Some(EventKind::Shift) => Check::Shift,
            Some(EventKind::Allocation) => Check::Allocation,
            Some(EventKind::Visit) => return walk.note_operation(0),
            _ => return,
        };
        walk.note_operation(0);
        if !self.checks.has(check) {
            return;
        }
        let site = if is_model_site(event.site) { event.extra } else { event.site };
        let failures = importer.failures(event);
        if failures.is_empty() {
            walk.safe.push((site, check));
        }
        for (failure, goal) in failures {
            // What would fail in any case fails in this run too.
            if importer.pool().constant(goal).is_some() {
                continue;
            }
            // It did not fail the first time, so nothing on this way makes it fail now.
            if !goals.insert(goal) {
                walk.repeated += 1;
                continue;
            }
            let nearby = importer.nearby(event).filter(|&nearby| importer.pool().constant(nearby).is_none());
            walk.items.push(Item::Question(Question { asked: Asked::Failure(failure), site, goal, nearby }));
        }
    }

    /// Asks for the other sides of the last step if the program gives up there.
    fn ways_out(&mut self, importer: &mut Importer<'_>, walk: &mut Walk) {
        let Some(step) = walk.path.steps().last().copied() else { return };
        for side in (0..step.sides).filter(|&side| side != step.side) {
            let target = self.program.target(&step, side).map(|block| &self.program.map.blocks[block as usize]);
            if is_model_site(step.site) || !target.is_some_and(|block| block.fails) {
                continue;
            }
            walk.note_operation(1);
            if self.checks.has(Check::Abort) {
                let decided =
                    Constraint::Decided { site: step.site, condition: step.condition, side, sides: step.sides };
                let goal = self.steps.expression(self.program, importer.pool(), decided);
                let question = Question { asked: Asked::Abort, site: step.site, goal, nearby: None };
                walk.items.push(Item::Question(question));
            }
        }
    }
}

impl Walk {
    /// Notes an operation in front of the last `behind` steps.
    fn note_operation(&mut self, behind: u32) {
        let position = self.path.steps().len() as u32 - behind;
        if self.positions.last().is_none_or(|&last| last < position) {
            self.positions.push(position);
        }
    }
}
