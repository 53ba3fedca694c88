//! From the trace of a run to its path through the tree.

use byway_solve::{Expr, Importer, Op, Pool, Solver, Variables};
use byway_trace::layout::Event;
use byway_trace::{EventKind, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::Program;
use crate::tree::{Constraint, Path};

/// Makes paths of traces, and expressions of what paths say.
#[derive(Debug, Default)]
pub struct Steps {
    /// For a switch's site, its value and a side: when it goes there.
    sides: FxHashMap<(u32, u32, u32), Expr>,
    /// What the current path has said already.
    said: FxHashSet<Expr>,
}

impl Steps {
    /// The path of a run.
    pub fn path(
        &mut self,
        program: &Program,
        trace: &Trace,
        pool: &mut Pool,
        variables: &mut Variables,
        solver: &mut Solver,
    ) -> Path {
        self.said.clear();
        let mut path = Path::new();
        let mut importer = Importer::new(trace, pool, variables);
        for event in trace.events() {
            match EventKind::of(event.kind) {
                Some(EventKind::Branch) => self.branch(&mut importer, event, &mut path),
                Some(EventKind::Switch) => self.switch(program, &mut importer, event, &mut path),
                _ => {
                    if let Some(assumption) = importer.assumption(event) {
                        self.assume(&mut importer, assumption, &mut path, solver);
                    }
                }
            }
        }
        path
    }

    /// A condition is never the opposite of another expression: then its sides change places.
    fn branch(&mut self, importer: &mut Importer<'_>, event: &Event, path: &mut Path) {
        let (mut condition, mut side) = (importer.expr(event.label), u32::from(event.flag));
        let pool = importer.pool();
        if pool.op(condition) == Op::Not {
            (condition, side) = (pool.operands(condition)[0], 1 - side);
        }
        if pool.constant(condition).is_none() && self.said.insert(condition) {
            path.push(event.site, event.extra, condition.index() as u32, side, 2);
        }
    }

    fn switch(&mut self, program: &Program, importer: &mut Importer<'_>, event: &Event, path: &mut Path) {
        let value = importer.expr(event.label);
        if importer.pool().constant(value).is_some() {
            return;
        }
        match program.switch(event.site) {
            Some(switch) => {
                let sides = switch.values.len() as u32;
                path.push(event.site, event.extra, value.index() as u32, switch.side(event.a), sides);
            }
            None => {
                let equal = importer.pool().equals(value, event.a.into());
                path.assume(equal.index() as u32);
            }
        }
    }

    fn assume(&mut self, importer: &mut Importer<'_>, assumption: Expr, path: &mut Path, solver: &mut Solver) {
        let pool = importer.pool();
        if pool.constant(assumption).is_none() && self.said.insert(assumption) && !solver.is_always(pool, assumption) {
            path.assume(assumption.index() as u32);
        }
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
