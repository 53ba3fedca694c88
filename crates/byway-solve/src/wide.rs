//! The bytes of expressions that depend on more of them than are listed.
//!
//! They are found when somebody asks, by going through the expression. A path through a file format has thousands of expressions that are
//! made of the same large ones, so what is found on the way is kept: the bytes of each table, and those of every
//! expression that has many parts below it whose bytes are not kept. To find the bytes of the next expression then takes few steps.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use crate::condition::Stamps;
use crate::op::Op;
use crate::pool::{Expr, Pool, TableId, Var};
use crate::support::Support;

/// How many bytes of memory the sets may take before no more are kept.
const MEMORY: usize = 64 << 20;
/// How many expressions are asked for once no more sets are kept, before all sets are forgotten.
const ASKED_WHEN_FULL: usize = 1024;
/// How many parts an expression may be made of without its bytes being kept.
const PARTS: u32 = 128;

/// Sets of bytes that were found.
#[derive(Debug, Default)]
pub(crate) struct WideSupports {
    of_expr: HashMap<Expr, Arc<FixedBitSet>, FixedState>,
    of_table: HashMap<TableId, Arc<FixedBitSet>, FixedState>,
    /// Each set once: most expressions over a table depend on the same bytes.
    sets: HashSet<Arc<FixedBitSet>, FixedState>,
    /// For each expression, at most how many parts have to be visited to find its bytes. 0: it was not looked at.
    parts: Vec<u32>,
    visited: Stamps,
    memory: usize,
    asked_when_full: usize,
}

impl WideSupports {
    pub fn memory(&self) -> usize {
        self.memory + self.parts.len() * size_of::<u32>()
    }

    /// The bytes that an expression depends on.
    pub fn of_expr(&mut self, pool: &Pool, expr: Expr) -> Arc<FixedBitSet> {
        if let Some(known) = self.of_expr.get(&expr) {
            return known.clone();
        }
        self.make_room();
        self.settle(pool, expr);
        match self.of_expr.get(&expr) {
            Some(known) => known.clone(),
            None => {
                let found = self.union(pool, [expr]).0;
                self.keep(expr, found)
            }
        }
    }

    fn is_full(&self) -> bool {
        self.memory > MEMORY
    }

    fn make_room(&mut self) {
        self.asked_when_full += usize::from(self.is_full());
        if self.asked_when_full > ASKED_WHEN_FULL {
            *self = WideSupports::default();
        }
    }

    fn keep(&mut self, expr: Expr, found: FixedBitSet) -> Arc<FixedBitSet> {
        let found = self.shared(found);
        self.of_expr.insert(expr, found.clone());
        self.memory += ENTRY;
        found
    }

    /// The one set with these bytes.
    fn shared(&mut self, found: FixedBitSet) -> Arc<FixedBitSet> {
        if let Some(known) = self.sets.get(&found) {
            return known.clone();
        }
        self.memory += found.len() / 8 + ENTRY;
        let found = Arc::new(found);
        self.sets.insert(found.clone());
        found
    }

    /// Looks at an expression and everything that it is made of, parts first.
    fn settle(&mut self, pool: &Pool, expr: Expr) {
        self.parts.resize(pool.len(), 0);
        let mut pending = vec![expr];
        while let Some(&expr) = pending.last() {
            let known = pending.len();
            if !self.is_settled(pool, expr) {
                self.each_direct_part(pool, expr, |part| {
                    if !self.is_settled(pool, part) {
                        pending.push(part);
                    }
                });
            }
            if pending.len() == known {
                pending.pop();
                self.settle_one(pool, expr);
            }
        }
    }

    fn is_settled(&self, pool: &Pool, expr: Expr) -> bool {
        pool.support(expr) != Support::Wide || self.parts[expr.index()] != 0
    }

    /// What an expression is made of: its operands, and the entries of its table while the bytes of that are not known.
    fn each_direct_part(&self, pool: &Pool, expr: Expr, mut visit: impl FnMut(Expr)) {
        match read_table(pool, expr).is_some_and(|table| !self.of_table.contains_key(&table)) {
            true => pool.each_operand(expr, visit),
            false => pool.operands(expr)[..pool.op(expr).arity()].iter().for_each(|&operand| visit(operand)),
        }
    }

    /// Looks at an expression whose parts were all looked at.
    fn settle_one(&mut self, pool: &Pool, expr: Expr) {
        if self.is_settled(pool, expr) {
            return;
        }
        if let Some(table) = read_table(pool, expr).filter(|table| !self.of_table.contains_key(table)) {
            let found = self.union(pool, pool.table(table).symbolic.iter().map(|&(_, entry)| entry)).0;
            let found = self.shared(found);
            self.of_table.insert(table, found);
        }
        let operands = &pool.operands(expr)[..pool.op(expr).arity()];
        let parts = operands.iter().fold(1u32, |sum, &operand| sum.saturating_add(self.parts_of(pool, operand)));
        self.parts[expr.index()] = if parts > PARTS && !self.is_full() { self.keep_large(pool, expr) } else { parts };
    }

    fn parts_of(&self, pool: &Pool, expr: Expr) -> u32 {
        if pool.support(expr) == Support::Wide { self.parts[expr.index()] } else { 1 }
    }

    /// Keeps the bytes of an expression if it has many parts, and says how many have to be visited from now on. What was added up may be
    /// too large: parts occur more than once.
    fn keep_large(&mut self, pool: &Pool, expr: Expr) -> u32 {
        let (found, parts) = self.union(pool, [expr]);
        if parts <= PARTS {
            return parts;
        }
        self.keep(expr, found);
        1
    }

    /// The bytes of all these expressions, and how many parts were visited to find them. Those of the tables that they read are known.
    fn union(&mut self, pool: &Pool, exprs: impl IntoIterator<Item = Expr>) -> (FixedBitSet, u32) {
        let mut found = FixedBitSet::new();
        let mut parts = 0;
        self.visited.clear();
        let mut pending: Vec<Expr> = exprs.into_iter().collect();
        while let Some(expr) = pending.pop() {
            let is_wide = pool.support(expr) == Support::Wide;
            if is_wide && !self.visited.insert(expr.index()) {
                continue;
            }
            parts += 1;
            pool.vars(pool.support(expr)).iter().for_each(|var| found.grow_and_insert(var.0 as usize));
            if let Some(known) = self.of_expr.get(&expr).filter(|_| is_wide) {
                found.union_with(known);
                continue;
            }
            if let Some(table) = read_table(pool, expr).and_then(|table| self.of_table.get(&table)) {
                found.union_with(table);
            }
            if is_wide {
                pending.extend_from_slice(&pool.operands(expr)[..pool.op(expr).arity()]);
            }
        }
        (found, parts)
    }
}

/// What an entry of a map takes besides the bytes of its set, roughly.
const ENTRY: usize = 64;

/// The table that an expression reads.
fn read_table(pool: &Pool, expr: Expr) -> Option<TableId> {
    (pool.op(expr) == Op::Load).then(|| pool.table_of(expr))
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

    /// A hash over many bytes, in which each step uses the one before twice: to visit every use would take forever.
    #[test]
    fn every_step_of_a_hash_depends_on_the_bytes_so_far() {
        let mut pool = Pool::new();
        let mut steps = Vec::new();
        let mut hash = pool.make_constant(32, 5381);
        let five = pool.make_constant(32, 5);
        for var in 0..600 {
            let byte = pool.make_byte(Var(var));
            let byte = pool.extend(Op::ZExt, byte, 32);
            let shifted = pool.binary(Op::Shl, hash, five);
            let sum = pool.binary(Op::Add, shifted, byte);
            hash = pool.binary(Op::Xor, hash, sum);
            steps.push(hash);
        }
        let mut wide_supports = WideSupports::default();
        let last = wide_supports.of_expr(&pool, hash);
        assert_eq!(last.count_ones(..), 600);
        let kept = wide_supports.of_expr.len();
        assert!(kept > 3 && kept < 100, "of about 2,400 expressions the bytes of {kept} are kept");
        for (at, &step) in steps.iter().enumerate().skip(LISTED) {
            assert_eq!(wide_supports.of_expr(&pool, step).ones().collect::<Vec<_>>(), (0..=at).collect::<Vec<_>>());
            assert!(wide_supports.parts[step.index()] <= PARTS);
        }
    }

    /// Expressions that depend on the same bytes share one set of them.
    #[test]
    fn equal_sets_are_kept_once() {
        let mut pool = Pool::new();
        let mut sum = pool.make_constant(8, 0);
        for var in 0..LISTED as u32 + 6 {
            let byte = pool.make_byte(Var(var));
            sum = pool.binary(Op::Add, sum, byte);
        }
        let byte = pool.make_byte(Var(3));
        let product = pool.binary(Op::Mul, sum, byte);
        let mut wide_supports = WideSupports::default();
        let found = [sum, product].map(|expr| wide_supports.of_expr(&pool, expr));
        assert!(Arc::ptr_eq(&found[0], &found[1]));
    }
}
