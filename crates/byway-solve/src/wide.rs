//! The bytes of expressions that depend on more of them than are listed.
//!
//! They are found when somebody asks, by going through the expression. What a table is made of, and what was asked for, is
//! kept: a path through a file format has thousands of expressions over the same tables.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use crate::op::Op;
use crate::pool::{Expr, Pool, TableId, Var};
use crate::support::Support;

/// How many bytes of memory the sets may take before all are forgotten.
const MEMORY: usize = 64 << 20;

/// Sets of bytes that were found.
#[derive(Debug, Default)]
pub(crate) struct WideSupports {
    of_expr: HashMap<Expr, Arc<FixedBitSet>, FixedState>,
    of_table: HashMap<TableId, Arc<FixedBitSet>, FixedState>,
    memory: usize,
}

impl WideSupports {
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// The bytes that an expression depends on.
    pub fn of_expr(&mut self, pool: &Pool, expr: Expr) -> Arc<FixedBitSet> {
        if let Some(known) = self.of_expr.get(&expr) {
            return known.clone();
        }
        self.make_room();
        self.add_tables_of(pool, [expr]);
        let found = Arc::new(self.union(pool, [expr]));
        self.memory += size_of(&found);
        self.of_expr.insert(expr, found.clone());
        found
    }

    fn make_room(&mut self) {
        if self.memory > MEMORY {
            *self = WideSupports::default();
        }
    }

    /// Finds the bytes of all tables that expressions read, those that others are made of first.
    fn add_tables_of(&mut self, pool: &Pool, exprs: impl IntoIterator<Item = Expr>) {
        let mut waiting = self.unknown_tables(pool, exprs);
        while let Some(&table) = waiting.last() {
            let entries = || pool.table(table).symbolic.iter().map(|&(_, entry)| entry);
            let first =
                if self.of_table.contains_key(&table) { Vec::new() } else { self.unknown_tables(pool, entries()) };
            if !first.is_empty() {
                waiting.extend(first);
                continue;
            }
            waiting.pop();
            if !self.of_table.contains_key(&table) {
                let found = self.union(pool, entries());
                self.memory += size_of(&found);
                self.of_table.insert(table, Arc::new(found));
            }
        }
    }

    /// The tables that expressions read themselves, not through other tables, and whose bytes were not found yet.
    fn unknown_tables(&self, pool: &Pool, exprs: impl IntoIterator<Item = Expr>) -> Vec<TableId> {
        let mut unknown = Vec::new();
        self.each_part(pool, exprs, |part| {
            let table = read_table(pool, part).filter(|table| !self.of_table.contains_key(table));
            unknown.extend(table);
        });
        unknown
    }

    /// The bytes of all these expressions. Those of the tables that they read are known.
    fn union(&self, pool: &Pool, exprs: impl IntoIterator<Item = Expr>) -> FixedBitSet {
        let mut found = FixedBitSet::new();
        self.each_part(pool, exprs, |part| {
            pool.vars(pool.support(part)).iter().for_each(|var| found.grow_and_insert(var.0 as usize));
            let table = read_table(pool, part).and_then(|table| self.of_table.get(&table));
            [table, self.of_expr.get(&part)].into_iter().flatten().for_each(|set| found.union_with(set));
        });
        found
    }

    /// Visits what expressions are made of, each part once. What tables and known expressions are made of is left out, and so is
    /// what few bytes are in.
    fn each_part(&self, pool: &Pool, exprs: impl IntoIterator<Item = Expr>, mut visit: impl FnMut(Expr)) {
        let mut seen = HashSet::<Expr, FixedState>::default();
        let mut pending: Vec<Expr> = exprs.into_iter().collect();
        while let Some(expr) = pending.pop() {
            let is_wide = pool.support(expr) == Support::Wide;
            if is_wide && !seen.insert(expr) {
                continue;
            }
            visit(expr);
            if is_wide && !self.of_expr.contains_key(&expr) {
                pending.extend_from_slice(&pool.operands(expr)[..pool.op(expr).arity()]);
            }
        }
    }
}

/// The table that an expression reads.
fn read_table(pool: &Pool, expr: Expr) -> Option<TableId> {
    (pool.op(expr) == Op::Load).then(|| pool.table_of(expr))
}

fn size_of(set: &FixedBitSet) -> usize {
    set.len() / 8 + 64
}

/// The bytes of a set, in order.
pub(crate) fn vars(set: &FixedBitSet) -> impl Iterator<Item = Var> {
    set.ones().map(|number| Var(number as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Table;
    use crate::support::LISTED;

    /// Reads of tables in tables, and of tables that have nothing to do with each other.
    #[test]
    fn an_expression_depends_on_the_bytes_of_tables_in_tables() {
        let mut pool = Pool::new();
        let many = LISTED as u32 + 6;
        let entries = |pool: &mut Pool, from: u32| (0..many).map(|at| (at, pool.make_byte(Var(from + at)))).collect();
        let symbolic = entries(&mut pool, 0);
        let inner = pool.make_table(Table { bytes: vec![0; many as usize], symbolic });
        let position = pool.make_byte(Var(500));
        let position = pool.extend(Op::ZExt, position, 64);
        let read = pool.load(inner, position, 8);
        let mut symbolic: Vec<(u32, Expr)> = entries(&mut pool, 1000);
        symbolic[3].1 = read;
        let outer = pool.make_table(Table { bytes: vec![0; many as usize], symbolic });
        let wide = pool.extend(Op::ZExt, read, 64);
        let nested = pool.load(outer, wide, 8);
        let mut wide_supports = WideSupports::default();
        let found: Vec<Var> = vars(&wide_supports.of_expr(&pool, nested)).collect();
        let expected: Vec<Var> =
            (0..many).chain([500]).chain((1000..1000 + many).filter(|&var| var != 1003)).map(Var).collect();
        assert_eq!(found, expected);
        // Asked again, and of a part: what is known is the same.
        assert_eq!(vars(&wide_supports.of_expr(&pool, nested)).collect::<Vec<_>>(), expected);
        assert_eq!(wide_supports.of_expr(&pool, read).count_ones(..), many as usize + 1);
    }
}
