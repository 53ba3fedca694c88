//! From the trace of a run to its path through the tree.

use std::sync::Arc;

use byway_solve::{Expr, ExpressionContext, Failure, Importer, InputSource, Op, Pool, Solver, conjuncts};
use byway_trace::layout::{self, Event, NO_SITE, place as places};
use byway_trace::{Cause, EventKind, Trace, is_model_site};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checks::{Check, Checks};
use crate::program::Program;
use crate::tree::{BranchPath, Constraint, Repeat, Step};

/// What an event added to a path: steps, and then what the run assumed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventSteps {
    /// How many steps: the last ones of the path.
    pub steps: usize,
    /// What was assumed behind them.
    pub assumed: Option<Expr>,
}

/// An operation on a path that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationStep {
    /// In which way.
    pub failure: Failure,
    /// A stronger condition than that it fails: one that the sanitizers see for sure.
    pub surely: Option<Expr>,
}

/// Makes paths of a program's traces, and expressions of what paths say.
#[derive(Debug)]
pub struct PathBuilder {
    program: Arc<Program>,
    /// For a switch's site, its value and a side: when it goes there.
    sides: FxHashMap<(u32, u32, u32), Expr>,
    /// What the current path has said already.
    said: FxHashSet<Expr>,
    /// Of what it has said by a branch that is a step: the condition of that.
    decided: FxHashMap<Expr, u32>,
    /// Which operations are steps though they do not fail.
    checks: Option<Checks>,
    /// Operations that are steps, by the condition under which they succeed.
    operations: FxHashMap<Expr, OperationStep>,
    /// That something has the value that it was taken for.
    concretizations: FxHashSet<Expr>,
    /// Why something was taken for its value, by where that is in the program.
    causes: FxHashMap<u32, Cause>,
    /// What the current path would like to hold, and whether it does.
    preferences: Vec<(Expr, bool)>,
    /// Whether the current path has come to a division that traps: what the program computes behind it means nothing.
    is_over: bool,
}

impl PathBuilder {
    /// Operations of these checks are steps of paths, so that a query can ask for the side on which they fail.
    pub fn new(program: Arc<Program>, checks: Option<Checks>) -> PathBuilder {
        PathBuilder {
            program,
            sides: FxHashMap::default(),
            said: FxHashSet::default(),
            decided: FxHashMap::default(),
            checks,
            operations: FxHashMap::default(),
            concretizations: FxHashSet::default(),
            causes: FxHashMap::default(),
            preferences: Vec::new(),
            is_over: false,
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The operation that succeeds under a condition.
    pub fn operation(&self, succeeds: Expr) -> Option<OperationStep> {
        self.operations.get(&succeeds).copied()
    }

    /// Whether a constraint says that something has the value that a run took it for.
    pub fn is_concretization(&self, constraint: Expr) -> bool {
        self.concretizations.contains(&constraint)
    }

    /// Why something was taken for its value at a site.
    pub fn cause(&self, site: u32) -> Option<Cause> {
        self.causes.get(&site).copied()
    }

    /// The path of a run. `sources` are what its sources are called, if not as in the trace.
    pub fn path(
        &mut self,
        context: &mut ExpressionContext,
        trace: &Trace,
        sources: Option<Vec<InputSource>>,
    ) -> BranchPath {
        self.begin();
        let mut path = BranchPath::new();
        let (mut importer, solver) = context.import(trace, sources);
        for event in trace.events() {
            self.follow(&mut importer, event, &mut path, solver);
        }
        path
    }

    /// What the run of the last path would like to hold of its input, in its order; nothing if all of that does.
    pub fn unmet_preferences(&mut self) -> Vec<Expr> {
        let all = std::mem::take(&mut self.preferences);
        let is_met = all.iter().all(|&(_, holds)| holds);
        if is_met { Vec::new() } else { all.into_iter().map(|(wish, _)| wish).collect() }
    }

    /// A new path begins.
    pub fn begin(&mut self) {
        self.said.clear();
        self.decided.clear();
        self.preferences.clear();
        self.is_over = false;
    }

    /// Adds what an event says to a path, and says what that is.
    pub fn follow(
        &mut self,
        importer: &mut Importer<'_>,
        event: &Event,
        path: &mut BranchPath,
        solver: &mut Solver,
    ) -> EventSteps {
        if self.is_over {
            return EventSteps { steps: 0, assumed: None };
        }
        let before = path.steps().len();
        let assumed = match EventKind::of(event.kind) {
            Some(EventKind::Branch | EventKind::Repeat) => self.branch(importer, event, path),
            Some(EventKind::Output | EventKind::Exit) => None,
            Some(EventKind::Point) => {
                path.note_point(event.label, event.extra);
                None
            }
            Some(EventKind::Switch) => self.switch(importer, event, path),
            Some(EventKind::Preference) => {
                self.preferences.push((importer.expr(event.label), event.a != 0));
                None
            }
            Some(EventKind::Pin) if event.site == places::ASSUMPTION => {
                self.suppose(importer, event, path, solver);
                None
            }
            _ => {
                let nowhere = self.concretize(importer, event, path);
                self.operate(importer, event, path, solver);
                let assumption = importer.assumption(event);
                assumption.and_then(|assumption| self.assume(importer, assumption, path, solver)).or(nowhere)
            }
        };
        EventSteps { steps: path.steps().len() - before, assumed }
    }

    /// An operation that failed in this run is a step, so that somebody can ask for inputs that get past it. One that did not is
    /// a step if its check was asked for.
    fn operate(&mut self, importer: &mut Importer<'_>, event: &Event, path: &mut BranchPath, solver: &mut Solver) {
        // A step without a site could not be told from others.
        if event.site == NO_SITE {
            return;
        }
        if let Some(intended) = importer.pointed_to(event)
            && self.said.insert(intended)
        {
            self.operations.insert(intended, OperationStep { failure: Failure::OutOfBounds, surely: None });
            path.operate((event.site, place(event)), intended.index() as u32, true);
        }
        if self.checks.is_none() && !importer.may_have_failed(event) {
            return;
        }
        for (failure, fails) in importer.failures(event) {
            let is_checked = self.checks.is_some_and(|checks| checks.has(Check::of(failure)));
            if !is_checked && !failure.ends_runs() {
                continue;
            }
            let succeeds = importer.pool().not(fails);
            if self.said.contains(&succeeds) || solver.is_always(importer.pool(), succeeds) {
                continue;
            }
            let failed = importer.held(event, fails);
            if !is_checked && !failed {
                continue;
            }
            self.said.insert(succeeds);
            let surely = importer.surely(event, failure);
            self.operations.insert(succeeds, OperationStep { failure, surely });
            path.operate((event.site, place(event)), succeeds.index() as u32, failed);
            self.is_over |= failed && failure.traps();
        }
    }

    /// What was taken for its value, and a pointer that was chosen, might as well have had another value. Without a site it could not be
    /// told from others, and is assumed.
    fn concretize(&mut self, importer: &mut Importer<'_>, event: &Event, path: &mut BranchPath) -> Option<Expr> {
        let pinned = importer.concretization(event);
        let chosen = if event.site == NO_SITE { None } else { importer.chosen_pointer(event) };
        let (value, equal) = pinned.or(chosen)?;
        if importer.pool().constant(equal).is_some() || !self.said.insert(equal) {
            return None;
        }
        if event.site == NO_SITE {
            path.assume(equal.index() as u32);
            return Some(equal);
        }
        let mut parts = Vec::new();
        conjuncts(importer.pool(), equal, &mut parts);
        self.concretizations.extend(parts);
        path.concretize((event.site, place(event)), value.index() as u32, equal.index() as u32);
        let cause = if pinned.is_some() { Cause::of(event.b as u32) } else { None };
        let called_from = path.steps().last().map_or(event.site, Step::called_from);
        self.causes.insert(called_from, cause.unwrap_or(Cause::UnknownObject));
        None
    }

    /// What is the opposite of something that was said has been said too. A branch whose other side nobody wants is assumed.
    fn branch(&mut self, importer: &mut Importer<'_>, event: &Event, path: &mut BranchPath) -> Option<Expr> {
        let condition = importer.expr(event.label);
        let pool = importer.pool();
        let plain = if pool.op(condition) == Op::Not { pool.operands(condition)[0] } else { condition };
        if pool.constant(condition).is_some() {
            return None;
        }
        if !self.said.insert(plain) {
            self.repeat(event, plain, path);
            return None;
        }
        if is_unforked(event) {
            let held = if event.flag == 0 { pool.not(condition) } else { condition };
            path.assume(held.index() as u32);
            return Some(held);
        }
        self.decided.insert(plain, condition.index() as u32);
        path.push(event.site, event.extra, condition.index() as u32, u32::from(event.flag), 2);
        None
    }

    /// A branch whose condition, or its opposite, was said by a step before.
    fn repeat(&self, event: &Event, plain: Expr, path: &mut BranchPath) {
        if let Some(&first) = self.decided.get(&plain) {
            let (site, place) = (event.site, event.extra);
            path.repeat(Repeat { condition: first, site, place, side: u32::from(event.flag) });
        }
    }

    /// What the program assumes of its input is a step, so that a run for which it does not hold has the same one, to the other side.
    fn suppose(&mut self, importer: &mut Importer<'_>, event: &Event, path: &mut BranchPath, solver: &mut Solver) {
        let condition = importer.expr(event.label);
        if !solver.is_always(importer.pool(), condition) {
            self.branch(importer, &Event { flag: 1, ..*event }, path);
        }
    }

    /// What was assumed if nobody knows where the switch can go, or wants it to go elsewhere.
    fn switch(&mut self, importer: &mut Importer<'_>, event: &Event, path: &mut BranchPath) -> Option<Expr> {
        let value = importer.expr(event.label);
        if importer.pool().constant(value).is_some() {
            return None;
        }
        match self.program.switch(event.site) {
            Some(switch) => {
                let (side, sides) = (switch.side(event.a), switch.values.len() as u32);
                if is_unforked(event) {
                    let taken = self.side(importer.pool(), event.site, value, side);
                    path.assume(taken.index() as u32);
                    return Some(taken);
                }
                path.push(event.site, event.extra, value.index() as u32, side, sides);
                None
            }
            None => {
                let equal = importer.pool().equals(value, event.a.into());
                path.assume(equal.index() as u32);
                Some(equal)
            }
        }
    }

    fn assume(
        &mut self,
        importer: &mut Importer<'_>,
        assumption: Expr,
        path: &mut BranchPath,
        solver: &mut Solver,
    ) -> Option<Expr> {
        let pool = importer.pool();
        let is_new = pool.constant(assumption).is_none() && self.said.insert(assumption);
        (is_new && !solver.is_always(pool, assumption)).then(|| {
            path.assume(assumption.index() as u32);
            assumption
        })
    }

    /// What a constraint of the tree says.
    pub fn expression(&mut self, pool: &mut Pool, constraint: Constraint) -> Expr {
        match constraint {
            Constraint::Assumed(expr) => Expr::from_index(expr as usize),
            Constraint::Decided { site, condition, side, .. } => {
                let condition = Expr::from_index(condition as usize);
                match self.program.switch(site) {
                    Some(_) => self.side(pool, site, condition, side),
                    None if side == 0 => pool.not(condition),
                    None => condition,
                }
            }
        }
    }

    /// When a switch goes to a side.
    fn side(&mut self, pool: &mut Pool, site: u32, value: Expr, side: u32) -> Expr {
        let key = (site, value.index() as u32, side);
        if let Some(&known) = self.sides.get(&key) {
            return known;
        }
        let switch = self.program.switch(site).expect("asked before");
        // The default is whatever leads to no other side.
        let is_default = side == 0;
        let values = switch.values.iter().enumerate();
        let values = values.filter(|&(other, _)| if is_default { other > 0 } else { other == side as usize });
        let mut any = pool.truth(false);
        for &case in values.flat_map(|(_, values)| values) {
            let equal = pool.equals(value, case.into());
            any = pool.binary(Op::Or, any, equal);
        }
        let expr = if is_default { pool.not(any) } else { any };
        self.sides.insert(key, expr);
        expr
    }
}

/// Whether the program wants no other side of a branch (`klee_set_forking`). What it assumes must hold all the same.
fn is_unforked(event: &Event) -> bool {
    event.detail & layout::UNFORKED != 0 && event.site != places::ASSUMPTION
}

/// Where the program called the model that an event belongs to; 0 if it belongs to none.
fn place(event: &Event) -> u32 {
    if is_model_site(event.site) { event.extra } else { 0 }
}
