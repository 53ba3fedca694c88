//! From the trace of a run to its path, annotated with the operations that can fail along it.

use byway_engine::tree::{BranchPath, Constraint, StepKind};
use byway_engine::{EventSteps, PathBuilder};
use byway_map::SiteKind;
use byway_solve::{Expr, Failure, Importer, Solver};
use byway_trace::layout::{Event, OPERATES, place};
use byway_trace::{EventKind, Trace, is_model_site};
use rustc_hash::FxHashSet;

use crate::relevance::Relevance;
use crate::{Check, Checks};

/// What is asked of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// Whether it fails in this way.
    Failure(Failure),
    /// Whether the program gets to a place where it gives up.
    Abort,
}

impl Violation {
    /// The check that it belongs to.
    pub fn check(self) -> Check {
        match self {
            Violation::Failure(failure) => Check::of(failure),
            Violation::Abort => Check::Abort,
        }
    }

    /// Whether the instruction does not say that this is a failure: it depends on the types of the source, and on the language.
    pub fn is_guess(self) -> bool {
        matches!(self, Violation::Failure(Failure::ShiftBase | Failure::Misaligned))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Violation::Failure(failure) => failure.name(),
            Violation::Abort => Check::Abort.name(),
        }
    }
}

/// An operation on the path of a run, and what is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckedOperation {
    /// What is asked.
    pub violation: Violation,
    /// The site in the program.
    pub site: u32,
    /// The number of its event in the trace.
    pub event: u32,
}

/// A query about an operation on the path of a run, in the expressions of the context that the run was imported to.
#[derive(Debug, Clone, Copy)]
pub struct OperationQuery {
    /// What it is about.
    pub operation: CheckedOperation,
    /// Whether this can be true.
    pub goal: Expr,
    /// The same, but so that the sanitizers see it for sure.
    pub nearby: Option<Expr>,
}

/// Something on the path of a run.
#[derive(Debug, Clone, Copy)]
pub enum PathItem {
    /// The next step of the path.
    Step,
    /// The run assumes this from here on.
    Assumed(Expr),
    /// An operation that can fail here.
    Query(OperationQuery),
}

/// The path of a run, with the operations on it that can fail.
#[derive(Debug, Default)]
pub struct AnnotatedPath {
    /// Its path.
    pub path: BranchPath,
    /// All that is on it, in order.
    pub items: Vec<PathItem>,
    /// For every operation that can fail, symbolic or not, and for the end of the program, how many steps come before it; in
    /// ascending order, each number once.
    pub positions: Vec<u32>,
    /// The events of operations of which something can be asked: the number of the event, and how many steps come before it.
    pub operations: Vec<(u32, u32)>,
    /// The blocks with such operations, as they were executed: how many steps come before, and the block.
    pub visits: Vec<(u32, u32)>,
    /// The operations that cannot fail, whatever the input is: where, and in which way.
    pub safe: Vec<(u32, Check)>,
    /// How many queries came up again.
    pub repeated: u64,
    /// Whether time was over before its end.
    pub is_cut: bool,
}

/// Annotates the path of a trace.
pub struct PathAnnotator<'a> {
    /// How steps are made.
    pub builder: &'a mut PathBuilder,
    /// Decides what is always true.
    pub solver: &'a mut Solver,
    /// Which queries are made; `None` if there are to be none.
    pub checks: Option<Checks>,
    /// Whether time is over: then the rest of a trace is left out.
    pub is_over: &'a dyn Fn() -> bool,
}

/// After so many events it is seen whether time is over.
const OFTEN: u32 = 1 << 12;

impl PathAnnotator<'_> {
    fn has(&self, check: Check) -> bool {
        self.checks.is_some_and(|checks| checks.has(check))
    }

    fn is_late(&self, number: u32) -> bool {
        number.is_multiple_of(OFTEN) && (self.is_over)()
    }

    /// The whole path of a trace.
    pub fn annotate(&mut self, trace: &Trace, importer: &mut Importer<'_>) -> AnnotatedPath {
        let mut annotated = AnnotatedPath::default();
        let mut goals = FxHashSet::default();
        self.builder.begin();
        for (event, number) in trace.events().iter().zip(0..) {
            if self.is_late(number) {
                annotated.is_cut = true;
                break;
            }
            let queries = self.queries(importer, event, number, &mut annotated, &mut goals);
            annotated.items.extend(queries.into_iter().map(PathItem::Query));
            self.follow(importer, event, number, &mut annotated);
            if operates(event) {
                annotated.note_operation(0);
            }
        }
        if !annotated.is_cut {
            // The end of the program is a position too.
            annotated.note_operation(0);
        }
        annotated
    }

    /// The path of a trace with nothing on it but queries and what shares bytes with these. It is no path of a tree.
    pub fn annotate_for_queries(&mut self, trace: &Trace, importer: &mut Importer<'_>) -> AnnotatedPath {
        let mut annotated = AnnotatedPath::default();
        let mut goals = FxHashSet::default();
        let mut all = Vec::new();
        for (event, number) in trace.events().iter().zip(0..) {
            if self.is_late(number) {
                annotated.is_cut = true;
                return annotated;
            }
            all.extend(self.queries(importer, event, number, &mut annotated, &mut goals));
        }
        let has_way_out = |event: &Event| self.has(Check::Abort) && self.has_way_out(event);
        if all.is_empty() && !trace.events().iter().any(has_way_out) {
            return annotated;
        }
        let mut relevance = Relevance::new(trace);
        all.iter().for_each(|query| relevance.want(trace, &trace.events()[query.operation.event as usize]));
        trace.events().iter().filter(|event| has_way_out(event)).for_each(|event| relevance.want(trace, event));
        self.builder.begin();
        let mut all = all.into_iter().peekable();
        for (event, number) in trace.events().iter().zip(0..) {
            if self.is_late(number) {
                annotated.is_cut = true;
                break;
            }
            while let Some(query) = all.next_if(|query| query.operation.event == number) {
                annotated.items.push(PathItem::Query(query));
            }
            if relevance.is_wanted(trace, event) {
                self.follow(importer, event, number, &mut annotated);
            }
        }
        annotated
    }

    fn follow(&mut self, importer: &mut Importer<'_>, event: &Event, number: u32, annotated: &mut AnnotatedPath) {
        let EventSteps { steps, assumed } = self.builder.follow(importer, event, &mut annotated.path, self.solver);
        if steps > 0 {
            self.ways_out(importer, number, annotated);
        }
        annotated.items.extend((0..steps).map(|_| PathItem::Step));
        annotated.items.extend(assumed.map(PathItem::Assumed));
    }

    /// What is to be asked of an event.
    fn queries(
        &mut self,
        importer: &mut Importer<'_>,
        event: &Event,
        number: u32,
        annotated: &mut AnnotatedPath,
        goals: &mut FxHashSet<Expr>,
    ) -> Vec<OperationQuery> {
        let Some(check) = check_of(event) else {
            if EventKind::of(event.kind) == Some(EventKind::Visit) {
                annotated.note_operation(0);
                annotated.visits.push((annotated.path.steps().len() as u32, event.label));
            }
            return Vec::new();
        };
        annotated.note_operation(0);
        annotated.operations.push((number, annotated.path.steps().len() as u32));
        let Some(checks) = self.checks else { return Vec::new() };
        let site = if is_model_site(event.site) { event.extra } else { event.site };
        let (mut queries, mut is_repeated) = (Vec::new(), false);
        let is_wanted = |&(failure, _): &(Failure, Expr)| checks.has(Check::of(failure));
        for (failure, goal) in importer.failures(event).into_iter().filter(is_wanted) {
            let pool = importer.pool();
            let never = pool.not(goal);
            // What would fail in any case fails in this run too.
            if pool.constant(goal).is_some() || self.solver.is_always(pool, never) {
                continue;
            }
            // It did not fail the first time, so nothing on this way makes it fail now.
            if !goals.insert(goal) {
                annotated.repeated += 1;
                is_repeated = true;
                continue;
            }
            let nearby = importer.surely(event, failure).filter(|&nearby| importer.pool().constant(nearby).is_none());
            let operation = CheckedOperation { violation: Violation::Failure(failure), site, event: number };
            queries.push(OperationQuery { operation, goal, nearby });
        }
        if queries.is_empty() && !is_repeated && checks.has(check) {
            annotated.safe.push((site, check));
        }
        queries
    }

    /// Whether the program gives up on a side of this branch, taken or not.
    fn has_way_out(&self, event: &Event) -> bool {
        let map = &self.builder.program().map;
        let is_branch = matches!(EventKind::of(event.kind), Some(EventKind::Branch | EventKind::Switch));
        let site = map.site(event.site).filter(|site| is_branch && site.kind != SiteKind::Select);
        site.is_some_and(|site| map[site.block].successors.iter().any(|&block| map[block].fails))
    }

    /// Asks for the other sides of the last step if the program gives up there.
    fn ways_out(&mut self, importer: &mut Importer<'_>, event: u32, annotated: &mut AnnotatedPath) {
        let last = annotated.path.steps().last().copied();
        let Some(step) = last.filter(|step| step.kind == StepKind::Branch) else { return };
        for side in (0..step.sides).filter(|&side| side != step.side) {
            let program = self.builder.program();
            let target = program.target(&step, side).map(|block| &program.map[block]);
            if is_model_site(step.site) || !target.is_some_and(|block| block.fails) {
                continue;
            }
            annotated.note_operation(1);
            annotated.operations.push((event, annotated.path.steps().len() as u32 - 1));
            if self.has(Check::Abort) {
                let taken = Constraint::from(step.to(side));
                let goal = self.builder.expression(importer.pool(), taken);
                let operation = CheckedOperation { violation: Violation::Abort, site: step.site, event };
                annotated.items.push(PathItem::Query(OperationQuery { operation, goal, nearby: None }));
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

impl AnnotatedPath {
    /// Its path has more steps now, at these positions in ascending order: values that it did not take.
    pub fn insert_steps(&mut self, added: &[usize]) {
        if added.is_empty() {
            return;
        }
        let mut items = Vec::with_capacity(self.items.len() + added.len());
        let (mut step, mut rest) = (0, added);
        for item in std::mem::take(&mut self.items) {
            if let PathItem::Step = item {
                while let Some((_, others)) = rest.split_first().filter(|&(&first, _)| first == step) {
                    items.push(PathItem::Step);
                    (step, rest) = (step + 1, others);
                }
                step += 1;
            }
            items.push(item);
        }
        self.items = items;
        shift(self.positions.iter_mut(), added);
        shift(self.visits.iter_mut().map(|(position, _)| position), added);
        shift(self.operations.iter_mut().map(|(_, position)| position), added);
    }

    /// How many steps of a whole path come before the operation of an event.
    pub fn steps_before(&self, event: u32) -> Option<u32> {
        let at = self.operations.binary_search_by_key(&event, |&(event, _)| event).ok()?;
        Some(self.operations[at].1)
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
        let mut annotated = AnnotatedPath {
            positions: vec![0, 1, 2, 3],
            visits: vec![(2, 7)],
            operations: vec![(5, 1), (9, 2)],
            ..AnnotatedPath::default()
        };
        annotated.items = vec![PathItem::Step, PathItem::Step, PathItem::Step];
        annotated.insert_steps(&[1, 2]);
        assert_eq!([5, 9, 7].map(|event| annotated.steps_before(event)), [Some(1), Some(4), None]);
        assert_eq!((annotated.positions, annotated.visits, annotated.items.len()), (vec![0, 1, 4, 5], vec![(4, 7)], 5));
    }
}
