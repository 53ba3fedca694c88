//! From the trace of a run to its path through the tree.

use byway_solve::{Expr, Importer, Op, Pool, Solver, Source, Variables};
use byway_trace::layout::Event;
use byway_trace::{EventKind, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::Program;
use crate::tree::{Constraint, Path};

/// What an event added to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// A step: the last one.
    Step,
    /// That this was assumed.
    Assumed(Expr),
}

/// Makes paths of traces, and expressions of what paths say.
#[derive(Debug, Default)]
pub struct Steps {
    /// For a switch's site, its value and a side: when it goes there.
    sides: FxHashMap<(u32, u32, u32), Expr>,
    /// What the current path has said already.
    said: FxHashSet<Expr>,
}

impl Steps {
    /// The path of a run. `sources` are what its sources are called, if not as in the trace.
    pub fn path(
        &mut self,
        program: &Program,
        trace: &Trace,
        sources: Option<Vec<Source>>,
        pool: &mut Pool,
        variables: &mut Variables,
        solver: &mut Solver,
    ) -> Path {
        self.begin();
        let mut path = Path::new();
        let mut importer = match sources {
            Some(sources) => Importer::with_sources(trace, pool, variables, sources),
            None => Importer::new(trace, pool, variables),
        };
        for event in trace.events() {
            self.follow(program, &mut importer, event, &mut path, solver);
        }
        path
    }

    /// A new path begins.
    pub fn begin(&mut self) {
        self.said.clear();
    }

    /// Adds what an event says to a path, and says what that is.
    pub fn follow(
        &mut self,
        program: &Program,
        importer: &mut Importer<'_>,
        event: &Event,
        path: &mut Path,
        solver: &mut Solver,
    ) -> Option<Said> {
        match EventKind::of(event.kind) {
            Some(EventKind::Branch) => self.branch(importer, event, path),
            Some(EventKind::Switch) => self.switch(program, importer, event, path),
            _ => {
                let assumption = importer.assumption(event)?;
                self.assume(importer, assumption, path, solver)
            }
        }
    }

    /// What is the opposite of something that was said has been said too.
    fn branch(&mut self, importer: &mut Importer<'_>, event: &Event, path: &mut Path) -> Option<Said> {
        let condition = importer.expr(event.label);
        let pool = importer.pool();
        let plain = if pool.op(condition) == Op::Not { pool.operands(condition)[0] } else { condition };
        if pool.constant(condition).is_some() || !self.said.insert(plain) {
            return None;
        }
        path.push(event.site, event.extra, condition.index() as u32, u32::from(event.flag), 2);
        Some(Said::Step)
    }

    fn switch(
        &mut self,
        program: &Program,
        importer: &mut Importer<'_>,
        event: &Event,
        path: &mut Path,
    ) -> Option<Said> {
        let value = importer.expr(event.label);
        if importer.pool().constant(value).is_some() {
            return None;
        }
        match program.switch(event.site) {
            Some(switch) => {
                let sides = switch.values.len() as u32;
                path.push(event.site, event.extra, value.index() as u32, switch.side(event.a), sides);
                Some(Said::Step)
            }
            None => {
                let equal = importer.pool().equals(value, event.a.into());
                path.assume(equal.index() as u32);
                Some(Said::Assumed(equal))
            }
        }
    }

    fn assume(
        &mut self,
        importer: &mut Importer<'_>,
        assumption: Expr,
        path: &mut Path,
        solver: &mut Solver,
    ) -> Option<Said> {
        let pool = importer.pool();
        let is_new = pool.constant(assumption).is_none() && self.said.insert(assumption);
        (is_new && !solver.is_always(pool, assumption)).then(|| {
            path.assume(assumption.index() as u32);
            Said::Assumed(assumption)
        })
    }

    /// What a constraint of the tree says.
    pub fn expression(&mut self, program: &Program, pool: &mut Pool, constraint: Constraint) -> Expr {
        match constraint {
            Constraint::Assumed(expr) => Expr::from_index(expr as usize),
            Constraint::Decided { site, condition, side, .. } => {
                let condition = Expr::from_index(condition as usize);
                match program.switch(site) {
                    Some(_) => self.side(program, pool, site, condition, side),
                    None if side == 0 => pool.not(condition),
                    None => condition,
                }
            }
        }
    }

    /// When a switch goes to a side.
    fn side(&mut self, program: &Program, pool: &mut Pool, site: u32, value: Expr, side: u32) -> Expr {
        let key = (site, value.index() as u32, side);
        if let Some(&known) = self.sides.get(&key) {
            return known;
        }
        let switch = program.switch(site).expect("asked before");
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
