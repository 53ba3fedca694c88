//! From the trace of a run to its path, and the questions along it.

use byway_explore::tree::{Constraint, Path, StepKind};
use byway_explore::{Program, Said, Steps};
use byway_map::SiteKind;
use byway_solve::{Expr, Failure, Importer, Solver};
use byway_trace::layout::{Event, OPERATES, place};
use byway_trace::{EventKind, Trace, is_model_site};
use rustc_hash::FxHashSet;

use crate::relevance::Relevance;
use crate::{Check, Checks};

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

    /// Whether the instruction does not say that this is a failure: it depends on the types of the source, and on the language.
    pub fn is_guess(self) -> bool {
        matches!(self, Asked::Failure(Failure::ShiftBase | Failure::Misaligned))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Asked::Failure(failure) => failure.name(),
            Asked::Abort => Check::Abort.name(),
        }
    }
}

/// An operation on the way of a run, and what is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What is asked.
    pub asked: Asked,
    /// The site in the program.
    pub site: u32,
    /// The number of its event in the trace.
    pub event: u32,
}

/// A question on the way of a run, in the expressions of who asks.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// What it is about.
    pub operation: Operation,
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
    /// For every operation that can fail, symbolic or not, and for the end of the program, how many steps come before it; in
    /// ascending order, each number once.
    pub positions: Vec<u32>,
    /// The blocks with such operations, as they were executed: how many steps come before, and the block.
    pub visits: Vec<(u32, u32)>,
    /// The operations that cannot fail, whatever the input is: where, and in which way.
    pub safe: Vec<(u32, Check)>,
    /// How many questions came up again.
    pub repeated: u64,
    /// Whether time was over before its end.
    pub is_cut: bool,
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
    /// Whether time is over: then the rest of a trace is left out.
    pub is_over: &'a dyn Fn() -> bool,
}

/// After so many events it is seen whether time is over.
const OFTEN: u32 = 1 << 12;

impl Walker<'_> {
    fn is_late(&self, number: u32) -> bool {
        number.is_multiple_of(OFTEN) && (self.is_over)()
    }

    /// The walk of a trace.
    pub fn walk(&mut self, trace: &Trace, importer: &mut Importer<'_>) -> Walk {
        let mut walk = Walk::default();
        let mut goals = FxHashSet::default();
        self.steps.begin();
        for (event, number) in trace.events().iter().zip(0..) {
            if self.is_late(number) {
                walk.is_cut = true;
                break;
            }
            let questions = self.questions(importer, event, number, &mut walk, &mut goals);
            walk.items.extend(questions.into_iter().map(Item::Question));
            self.follow(importer, event, number, &mut walk);
            if operates(event) {
                walk.note_operation(0);
            }
        }
        if !walk.is_cut {
            // The end of the program is a position too.
            walk.note_operation(0);
        }
        walk
    }

    /// The walk of a trace with nothing on it but questions and what these have to do with. Its path is none.
    pub fn walk_for_questions(&mut self, trace: &Trace, importer: &mut Importer<'_>) -> Walk {
        let mut walk = Walk::default();
        let mut goals = FxHashSet::default();
        let mut all = Vec::new();
        for (event, number) in trace.events().iter().zip(0..) {
            if self.is_late(number) {
                walk.is_cut = true;
                return walk;
            }
            all.extend(self.questions(importer, event, number, &mut walk, &mut goals));
        }
        let has_way_out = |event: &Event| self.checks.has(Check::Abort) && self.has_way_out(event);
        if all.is_empty() && !trace.events().iter().any(has_way_out) {
            return walk;
        }
        let mut relevance = Relevance::new(trace);
        all.iter().for_each(|question| relevance.want(trace, &trace.events()[question.operation.event as usize]));
        trace.events().iter().filter(|event| has_way_out(event)).for_each(|event| relevance.want(trace, event));
        self.steps.begin();
        let mut all = all.into_iter().peekable();
        for (event, number) in trace.events().iter().zip(0..) {
            if self.is_late(number) {
                walk.is_cut = true;
                break;
            }
            while let Some(question) = all.next_if(|question| question.operation.event == number) {
                walk.items.push(Item::Question(question));
            }
            if relevance.is_wanted(trace, event) {
                self.follow(importer, event, number, &mut walk);
            }
        }
        walk
    }

    fn follow(&mut self, importer: &mut Importer<'_>, event: &Event, number: u32, walk: &mut Walk) {
        let Said { steps, assumed } = self.steps.follow(self.program, importer, event, &mut walk.path, self.solver);
        if steps > 0 {
            self.ways_out(importer, number, walk);
        }
        walk.items.extend((0..steps).map(|_| Item::Step));
        walk.items.extend(assumed.map(Item::Assumed));
    }

    /// What is to be asked of an event.
    fn questions(
        &mut self,
        importer: &mut Importer<'_>,
        event: &Event,
        number: u32,
        walk: &mut Walk,
        goals: &mut FxHashSet<Expr>,
    ) -> Vec<Question> {
        let Some(check) = check_of(event) else {
            if EventKind::of(event.kind) == Some(EventKind::Visit) {
                walk.note_operation(0);
                walk.visits.push((walk.path.steps().len() as u32, event.label));
            }
            return Vec::new();
        };
        walk.note_operation(0);
        let site = if is_model_site(event.site) { event.extra } else { event.site };
        let (mut questions, mut is_repeated) = (Vec::new(), false);
        let is_wanted = |&(failure, _): &(Failure, Expr)| self.checks.has(Check::of(failure));
        for (failure, goal) in importer.failures(event).into_iter().filter(is_wanted) {
            let pool = importer.pool();
            let never = pool.not(goal);
            // What would fail in any case fails in this run too.
            if pool.constant(goal).is_some() || self.solver.is_always(pool, never) {
                continue;
            }
            // It did not fail the first time, so nothing on this way makes it fail now.
            if !goals.insert(goal) {
                walk.repeated += 1;
                is_repeated = true;
                continue;
            }
            let nearby = importer.surely(event, failure).filter(|&nearby| importer.pool().constant(nearby).is_none());
            let operation = Operation { asked: Asked::Failure(failure), site, event: number };
            questions.push(Question { operation, goal, nearby });
        }
        if questions.is_empty() && !is_repeated && self.checks.has(check) {
            walk.safe.push((site, check));
        }
        questions
    }

    /// Whether the program gives up on a side of this branch, taken or not.
    fn has_way_out(&self, event: &Event) -> bool {
        let map = &self.program.map;
        let is_branch = matches!(EventKind::of(event.kind), Some(EventKind::Branch | EventKind::Switch));
        let site = map.site(event.site).filter(|site| is_branch && site.kind != SiteKind::Select);
        site.is_some_and(|site| map[site.block].successors.iter().any(|&block| map[block].fails))
    }

    /// Asks for the other sides of the last step if the program gives up there.
    fn ways_out(&mut self, importer: &mut Importer<'_>, event: u32, walk: &mut Walk) {
        let last = walk.path.steps().last().copied();
        let Some(step) = last.filter(|step| step.kind == StepKind::Branch) else { return };
        for side in (0..step.sides).filter(|&side| side != step.side) {
            let target = self.program.target(&step, side).map(|block| &self.program.map[block]);
            if is_model_site(step.site) || !target.is_some_and(|block| block.fails) {
                continue;
            }
            walk.note_operation(1);
            if self.checks.has(Check::Abort) {
                let taken = Constraint::from(step.to(side));
                let goal = self.steps.expression(self.program, importer.pool(), taken);
                let operation = Operation { asked: Asked::Abort, site: step.site, event };
                walk.items.push(Item::Question(Question { operation, goal, nearby: None }));
            }
        }
    }
}

/// Whether operations follow a branch or switch although no event says so: those of blocks that were noted often, and those of
/// library functions, which read memory between their branches.
fn operates(event: &Event) -> bool {
    let is_step = matches!(EventKind::of(event.kind), Some(EventKind::Branch | EventKind::Switch));
    let is_library = is_model_site(event.site) && event.site < place::FIRST;
    is_step && (event.detail & OPERATES != 0 || is_library)
}

/// What can go wrong with the operation of an event.
fn check_of(event: &Event) -> Option<Check> {
    match EventKind::of(event.kind)? {
        EventKind::Access | EventKind::Length | EventKind::Terminator => Some(Check::Bounds),
        EventKind::Division => Some(Check::Division),
        EventKind::Overflow => Some(Check::Overflow),
        EventKind::Shift | EventKind::ShiftBase => Some(Check::Shift),
        EventKind::Allocation => Some(Check::Allocation),
        _ => None,
    }
}

impl Walk {
    /// Its path has more steps now, at these positions in ascending order: values that it did not take.
    pub fn insert_steps(&mut self, added: &[usize]) {
        if added.is_empty() {
            return;
        }
        let mut items = Vec::with_capacity(self.items.len() + added.len());
        let (mut step, mut rest) = (0, added);
        for item in std::mem::take(&mut self.items) {
            if let Item::Step = item {
                while let Some((_, others)) = rest.split_first().filter(|&(&first, _)| first == step) {
                    items.push(Item::Step);
                    (step, rest) = (step + 1, others);
                }
                step += 1;
            }
            items.push(item);
        }
        self.items = items;
        shift(self.positions.iter_mut(), added);
        shift(self.visits.iter_mut().map(|(position, _)| position), added);
    }

    /// Notes an operation in front of the last `behind` steps.
    fn note_operation(&mut self, behind: u32) {
        let position = self.path.steps().len() as u32 - behind;
        if self.positions.last().is_none_or(|&last| last < position) {
            self.positions.push(position);
        }
    }
}

/// Moves positions, in ascending order, behind the steps that were added before them.
fn shift<'a>(positions: impl Iterator<Item = &'a mut u32>, added: &[usize]) {
    let mut before = 0;
    for position in positions {
        while added.get(before).is_some_and(|&at| at < *position as usize + before) {
            before += 1;
        }
        *position += before as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_a_path_did_not_take_move_what_comes_behind_them() {
        let mut walk = Walk { positions: vec![0, 1, 2, 3], visits: vec![(2, 7)], ..Walk::default() };
        walk.items = vec![Item::Step, Item::Step, Item::Step];
        walk.insert_steps(&[1, 2]);
        assert_eq!((walk.positions, walk.visits, walk.items.len()), (vec![0, 1, 4, 5], vec![(4, 7)], 5));
    }
}
