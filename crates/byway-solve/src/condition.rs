//! The constraints on the way to a place, and which of them a query has to do with.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::anchor::Anchored;
use crate::bounds::Bounds;
use crate::op::Op;
use crate::pool::{Expr, Pool, Var};
use crate::support::Support;
use crate::wide;

/// What holds on the way to a place of the program: a stack of expressions that are true.
#[derive(Debug, Default)]
pub struct PathCondition {
    /// What was pushed, as its parts: `a & b` is `a` and `b`.
    parts: Vec<Expr>,
    /// For each thing pushed, where its parts end.
    ends: Vec<u32>,
    /// For each byte, the parts that depend on it and on few others.
    by_var: Vec<Vec<u32>>,
    /// What the parts say of expressions.
    bounds: Bounds,
    /// The bytes of expressions that depend on many.
    wide: WideSets,
    /// The last parts of those that depend on many bytes: these were not looked for yet.
    unsorted: Vec<u32>,
    /// How many parts read large tables, and what the path is near an input.
    table_parts: usize,
    anchored: Option<Box<Anchored>>,
    seen_parts: Stamps,
    seen_vars: Stamps,
    seen_exprs: Stamps,
    seen_sets: Stamps,
}

/// Sets of many bytes. A path can have a million parts that depend on a thousand bytes each, but they are mostly the same ones.
#[derive(Debug, Default)]
struct WideSets {
    sets: Vec<WideSet>,
    /// The sets by their bytes, and for expressions that depend on many bytes.
    numbers: HashMap<Arc<FixedBitSet>, u32, FixedState>,
    of_expr: HashMap<Expr, u32, FixedState>,
    /// For each byte, the sets that it is in.
    by_var: Vec<Vec<u32>>,
}

#[derive(Debug)]
struct WideSet {
    vars: Box<[Var]>,
    /// The parts of the path that depend on these bytes.
    parts: Vec<u32>,
}

impl WideSets {
    /// Notes what an expression depends on, if that is many bytes.
    fn remember(&mut self, pool: &Pool, expr: Expr) {
        if pool.support(expr) != Support::Wide || self.of_expr.contains_key(&expr) {
            return;
        }
        let set = pool.wide_vars(expr);
        let number = match self.numbers.get(&set) {
            Some(&number) => number,
            None => self.add(set),
        };
        self.of_expr.insert(expr, number);
    }

    fn add(&mut self, set: Arc<FixedBitSet>) -> u32 {
        let number = self.sets.len() as u32;
        let vars: Box<[Var]> = wide::vars(&set).collect();
        for var in &vars {
            if self.by_var.len() <= var.0 as usize {
                self.by_var.resize_with(var.0 as usize + 1, Vec::new);
            }
            self.by_var[var.0 as usize].push(number);
        }
        self.numbers.insert(set, number);
        self.sets.push(WideSet { vars, parts: Vec::new() });
        number
    }

    /// The set of an expression that was noted.
    fn of(&self, expr: Expr) -> &WideSet {
        &self.sets[self.of_expr[&expr] as usize]
    }

    fn of_mut(&mut self, expr: Expr) -> &mut WideSet {
        &mut self.sets[self.of_expr[&expr] as usize]
    }

    /// The sets that a byte is in.
    fn with(&self, var: Var) -> impl Iterator<Item = (usize, &WideSet)> {
        let numbers = self.by_var.get(var.0 as usize).into_iter().flatten();
        numbers.map(|&number| (number as usize, &self.sets[number as usize]))
    }
}

/// A set of small numbers that is emptied in no time.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    stamps: Vec<u32>,
    now: u32,
}

impl Stamps {
    pub fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    /// Whether it was not there yet.
    pub fn insert(&mut self, number: usize) -> bool {
        if number >= self.stamps.len() {
            self.stamps.resize((number + 1).next_power_of_two(), 0);
        }
        std::mem::replace(&mut self.stamps[number], self.now) != self.now
    }

    pub fn contains(&self, number: usize) -> bool {
        self.stamps.get(number) == Some(&self.now)
    }
}

/// What of a path a query has to do with: constraints that share bytes, directly or through others.
#[derive(Debug, Default, Clone)]
pub struct Slice {
    /// The constraints, the query's own first.
    pub constraints: Vec<Expr>,
    /// How many of them are the query's own.
    pub own: usize,
    /// All bytes that occur, those of the query first.
    pub vars: Vec<Var>,
    /// How many of the bytes occur in the query.
    pub own_vars: usize,
}

/// Which constraints on the bytes of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Own {
    /// Those on one byte each.
    Single,
    /// All.
    All,
}

impl PathCondition {
    /// An empty path.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many constraints were pushed.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All constraints, as their parts.
    pub fn parts(&self) -> &[Expr] {
        &self.parts
    }

    /// Adds a constraint.
    pub fn push(&mut self, pool: &mut Pool, constraint: Expr) {
        let first = self.parts.len();
        conjuncts(pool, constraint, &mut self.parts);
        for index in first..self.parts.len() {
            let part = self.parts[index];
            self.bounds.push(pool, part, index as u32);
            self.table_parts += usize::from(pool.reads_wide_table(part));
            if pool.support(part) == Support::Wide {
                self.unsorted.push(index as u32);
                continue;
            }
            for &var in vars_of(&self.wide, pool, part) {
                if self.by_var.len() <= var.0 as usize {
                    self.by_var.resize_with(var.0 as usize + 1, Vec::new);
                }
                self.by_var[var.0 as usize].push(index as u32);
            }
        }
        self.ends.push(self.parts.len() as u32);
    }

    /// Adds all constraints of another path condition: what must hold for an input to take both paths.
    pub fn extend(&mut self, pool: &mut Pool, other: &PathCondition) {
        other.parts.iter().for_each(|&part| self.push(pool, part));
    }

    /// Removes all constraints but the first ones.
    pub fn truncate(&mut self, pool: &Pool, len: usize) {
        let end = if len == 0 { 0 } else { self.ends[len - 1] as usize };
        self.bounds.truncate(end as u32);
        if let Some(anchored) = &mut self.anchored {
            anchored.truncate(pool, end);
        }
        while self.parts.len() > end {
            let part = self.parts.pop().expect("there are more than that");
            self.table_parts -= usize::from(pool.reads_wide_table(part));
            if pool.support(part) == Support::Wide {
                let is_unsorted = self.unsorted.pop_if(|last| *last as usize == self.parts.len()).is_some();
                if !is_unsorted {
                    self.wide.of_mut(part).parts.pop();
                }
                continue;
            }
            for var in vars_of(&self.wide, pool, part) {
                self.by_var[var.0 as usize].pop();
            }
        }
        self.ends.truncate(len);
    }

    /// Whether a condition is true or false on this path, if comparisons with constants on it say so.
    pub fn truth(&self, pool: &Pool, condition: Expr) -> Option<bool> {
        pool.truth_within(condition, &self.bounds)
    }

    /// Finds the bytes of parts that depend on many.
    fn sort_wide(&mut self, pool: &Pool) {
        for index in self.unsorted.drain(..) {
            let part = self.parts[index as usize];
            self.wide.remember(pool, part);
            self.wide.of_mut(part).parts.push(index);
        }
    }

    /// A query, its bytes, and nothing else yet. Bytes that are `without` are not looked at.
    fn begin_slice(&mut self, pool: &mut Pool, goal: Expr, without: impl Iterator<Item = Var>, slice: &mut Slice) {
        self.sort_wide(pool);
        slice.constraints.clear();
        slice.vars.clear();
        conjuncts(pool, goal, &mut slice.constraints);
        self.seen_parts.clear();
        self.seen_vars.clear();
        self.seen_exprs.clear();
        self.seen_sets.clear();
        without.for_each(|var| _ = self.seen_vars.insert(var.0 as usize));
        for index in 0..slice.constraints.len() {
            let expr = slice.constraints[index];
            self.seen_exprs.insert(expr.index());
            self.wide.remember(pool, expr);
            add_vars(&mut self.seen_vars, vars_of(&self.wide, pool, expr), &mut slice.vars);
        }
        slice.own = slice.constraints.len();
        slice.own_vars = slice.vars.len();
    }

    /// What of the path is about the bytes of a query and no others.
    pub(crate) fn own_slice(&mut self, pool: &mut Pool, goal: Expr, part: Own, slice: &mut Slice) {
        self.begin_slice(pool, goal, std::iter::empty(), slice);
        let is_wanted = |support: Support| part == Own::All || matches!(support, Support::One(_));
        for var in &slice.vars {
            for &part in self.by_var.get(var.0 as usize).into_iter().flatten() {
                let expr = self.parts[part as usize];
                let is_own = |var: &Var| self.seen_vars.contains(var.0 as usize);
                if !is_wanted(pool.support(expr)) {
                    continue;
                }
                if self.seen_parts.insert(part as usize)
                    && vars_of(&self.wide, pool, expr).iter().all(is_own)
                    && self.seen_exprs.insert(expr.index())
                {
                    slice.constraints.push(expr);
                }
            }
            for (number, set) in self.wide.with(*var).filter(|_| part == Own::All) {
                let is_own = |var: &Var| self.seen_vars.contains(var.0 as usize);
                if self.seen_sets.insert(number) && !set.parts.is_empty() && set.vars.iter().all(is_own) {
                    let exprs = set.parts.iter().map(|&part| self.parts[part as usize]);
                    slice.constraints.extend(exprs.filter(|expr| self.seen_exprs.insert(expr.index())));
                }
            }
        }
    }

    /// What a query has to do with.
    pub fn slice(&mut self, pool: &mut Pool, goal: Expr, slice: &mut Slice) {
        self.slice_without(pool, goal, std::iter::empty(), slice);
    }

    /// What a query has to do with near an input that takes the path, and what the query is there: what large tables are read at depends on
    /// bytes that stay as they are. `None` if it has nothing to do with such tables.
    pub(crate) fn slice_near(
        &mut self,
        pool: &mut Pool,
        goal: Expr,
        seed: &dyn Fn(Var) -> u8,
        slice: &mut Slice,
    ) -> Option<Expr> {
        if self.table_parts == 0 && !pool.reads_wide_table(goal) {
            return None;
        }
        let anchored = self.anchored.get_or_insert_default();
        anchored.follow(pool, &self.parts, seed);
        anchored.slice(pool, goal, seed, slice)
    }

    /// The same as [`PathCondition::slice`], but some bytes have nothing to do with anything.
    pub(crate) fn slice_without(
        &mut self,
        pool: &mut Pool,
        goal: Expr,
        without: impl Iterator<Item = Var>,
        slice: &mut Slice,
    ) {
        self.begin_slice(pool, goal, without, slice);
        let mut next = 0;
        while let Some(&var) = slice.vars.get(next) {
            next += 1;
            for (number, set) in self.wide.with(var) {
                if self.seen_sets.insert(number) && !set.parts.is_empty() {
                    let exprs = set.parts.iter().map(|&part| self.parts[part as usize]);
                    slice.constraints.extend(exprs.filter(|expr| self.seen_exprs.insert(expr.index())));
                    add_vars(&mut self.seen_vars, &set.vars, &mut slice.vars);
                }
            }
            for &part in self.by_var.get(var.0 as usize).into_iter().flatten() {
                let expr = self.parts[part as usize];
                if self.seen_parts.insert(part as usize) && self.seen_exprs.insert(expr.index()) {
                    slice.constraints.push(expr);
                    add_vars(&mut self.seen_vars, vars_of(&self.wide, pool, expr), &mut slice.vars);
                }
            }
        }
    }
}

fn add_vars(seen: &mut Stamps, from: &[Var], to: &mut Vec<Var>) {
    to.extend(from.iter().filter(|var| seen.insert(var.0 as usize)));
}

fn vars_of<'a>(wide: &'a WideSets, pool: &'a Pool, expr: Expr) -> &'a [Var] {
    match pool.support(expr) {
        Support::Wide => &wide.of(expr).vars,
        support => pool.vars(support),
    }
}

/// The parts that must all be true: of `a & b` both, of `!(a | b)` both opposites. Parts that are always true are left out.
pub fn conjuncts(pool: &mut Pool, expr: Expr, parts: &mut Vec<Expr>) {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        let [a, b, _] = pool.operands(expr);
        match pool.op(expr) {
            Op::Const if pool.constant(expr) == Some(1) => {}
            Op::And => pending.extend([b, a]),
            Op::Not if pool.op(a) == Op::Or => {
                let [x, y, _] = pool.operands(a);
                let (x, y) = (pool.not(x), pool.not(y));
                pending.extend([y, x]);
            }
            _ => parts.push(expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(pool: &mut Pool, var: u32, value: u128) -> Expr {
        let byte = pool.make_byte(Var(var));
        pool.equals(byte, value)
    }

    #[test]
    fn a_slice_has_what_shares_bytes_through_others_too() {
        let mut pool = Pool::new();
        let mut path = PathCondition::new();
        let [x, y, z] = [0, 1, 2].map(|var| pool.make_byte(Var(var)));
        let less = pool.binary(Op::Ult, x, y);
        let is_z = is(&mut pool, 2, 7);
        let is_y = is(&mut pool, 1, 9);
        [less, is_z, is_y].into_iter().for_each(|constraint| path.push(&mut pool, constraint));
        let goal = is(&mut pool, 0, 3);
        let mut slice = Slice::default();
        path.slice(&mut pool, goal, &mut slice);
        assert_eq!(slice.constraints, [goal, less, is_y]);
        assert_eq!((slice.own, slice.vars.as_slice()), (1, [Var(0), Var(1)].as_slice()));
        path.own_slice(&mut pool, goal, Own::All, &mut slice);
        assert_eq!((slice.constraints.as_slice(), slice.vars.as_slice()), ([goal].as_slice(), [Var(0)].as_slice()));
        path.truncate(&pool, 2);
        path.slice(&mut pool, goal, &mut slice);
        assert_eq!(slice.constraints, [goal, less]);
        assert_eq!(pool.width(z), 8);
    }

    #[test]
    fn a_conjunction_is_its_parts() {
        let mut pool = Pool::new();
        let (a, b) = (is(&mut pool, 0, 1), is(&mut pool, 1, 2));
        let both = pool.binary(Op::And, a, b);
        let any = pool.binary(Op::Or, a, b);
        let none = pool.not(any);
        let mut parts = Vec::new();
        conjuncts(&mut pool, both, &mut parts);
        assert_eq!(parts, [a, b]);
        parts.clear();
        conjuncts(&mut pool, none, &mut parts);
        assert_eq!(parts, [pool.not(a), pool.not(b)]);
    }
}
