//! A path with some bytes as an input of it has them, so that it is known where its large tables are read.
//!
//! A read at an unknown position of a table that is made of the input depends on all bytes of the table, and so does every question
//! about what was read. If the bytes that the position depends on stay what they are in an input that takes the path, what is read is one
//! entry. Of the inputs that take the path this leaves those near that one: who finds an answer among them has an answer; who
//! finds none knows nothing.

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::condition::{PathCondition, Slice};
use crate::evaluate::Evaluation;
use crate::pool::{Expr, Pool, Var};

/// The constraints of a path as they are while the bytes of positions stay what they are.
#[derive(Debug, Default)]
pub(crate) struct Anchored {
    /// For each part of the path, what it is if these bytes stay.
    path: PathCondition,
    /// How many bytes stayed and were reached behind each part.
    marks: Vec<Mark>,
    /// The bytes that stay, in the order in which they were met.
    fixed: Vec<(Var, u8)>,
    is_fixed: FixedBitSet,
    /// The bytes that tables are made of which are read at positions that depend on the input.
    reached: Vec<Var>,
    is_reached: FixedBitSet,
    /// What expressions are, for those that read such tables.
    known: Known<Expr>,
    /// What positions and their parts are worth.
    values: Known<u128>,
    pending: Vec<Expr>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Mark {
    fixed: usize,
    reached: usize,
}

/// What is known of expressions while the bytes stay that had been fixed when it was found.
#[derive(Debug)]
struct Known<T> {
    of_expr: HashMap<Expr, T, FixedState>,
    /// In the order in which it was found, with what was fixed and reached by then.
    order: Vec<(Expr, Mark)>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known { of_expr: HashMap::with_hasher(FixedState::with_seed(0)), order: Vec::new() }
    }
}

impl<T> Known<T> {
    fn insert(&mut self, expr: Expr, what: T, mark: Mark) {
        self.of_expr.insert(expr, what);
        self.order.push((expr, mark));
    }

    /// Forgets what was found when more was fixed or reached than there is at a mark.
    fn forget_behind(&mut self, mark: Mark) {
        let is_behind = |(_, found): &mut (Expr, Mark)| found.fixed > mark.fixed || found.reached > mark.reached;
        while let Some((expr, _)) = self.order.pop_if(is_behind) {
            self.of_expr.remove(&expr);
        }
    }
}

impl Anchored {
    fn mark(&self) -> Mark {
        Mark { fixed: self.fixed.len(), reached: self.reached.len() }
    }

    /// Forgets all but the first parts.
    pub fn truncate(&mut self, pool: &Pool, parts: usize) {
        if parts < self.marks.len() {
            self.path.truncate(pool, parts);
            self.marks.truncate(parts);
            self.forget_behind(self.marks.last().copied().unwrap_or_default());
        }
    }

    fn forget_behind(&mut self, mark: Mark) {
        self.known.forget_behind(mark);
        self.values.forget_behind(mark);
        self.fixed.drain(mark.fixed..).for_each(|(var, _)| self.is_fixed.set(var.index(), false));
        self.reached.drain(mark.reached..).for_each(|var| self.is_reached.set(var.index(), false));
    }

    /// Makes this that of a path, near an input that takes it.
    pub fn follow(&mut self, pool: &mut Pool, parts: &[Expr], seed: &dyn Fn(Var) -> u8) {
        if let Some(other) = self.fixed.iter().position(|&(var, value)| seed(var) != value) {
            self.truncate(pool, self.marks.partition_point(|mark| mark.fixed <= other));
        }
        for &part in &parts[self.marks.len()..] {
            let part = self.anchor(pool, part, seed);
            self.path.push(pool, part);
            self.marks.push(self.mark());
        }
    }

    /// What a question has to do with, near an input that takes the path, and what the question is there. `None` if no large table has
    /// to do with it.
    pub fn slice(&mut self, pool: &mut Pool, goal: Expr, seed: &dyn Fn(Var) -> u8, slice: &mut Slice) -> Option<Expr> {
        let mark = self.mark();
        let near = self.anchor(pool, goal, seed);
        self.path.slice_without(pool, near, self.fixed.iter().map(|&(var, _)| var), slice);
        let stay = self.fixed_in(pool, &slice.constraints);
        let is_reached = |var: &Var| self.is_reached.contains(var.index());
        let has_tables = near != goal || !stay.is_empty() || slice.vars.iter().any(is_reached);
        for (var, value) in stay {
            slice.vars.push(var);
            let byte = pool.make_byte(var);
            slice.constraints.push(pool.equals(byte, value.into()));
        }
        self.forget_behind(mark);
        has_tables.then_some(near)
    }

    /// The bytes of constraints that stay what they are.
    fn fixed_in(&self, pool: &Pool, constraints: &[Expr]) -> Vec<(Var, u8)> {
        let mut vars = FixedBitSet::new();
        constraints.iter().for_each(|&constraint| pool.add_vars(constraint, &mut vars));
        self.fixed.iter().filter(|(var, _)| vars.contains(var.index())).copied().collect()
    }

    /// What an expression is if the bytes of positions stay what they are. These are noted.
    fn anchor(&mut self, pool: &mut Pool, expr: Expr, seed: &dyn Fn(Var) -> u8) -> Expr {
        self.pending.push(expr);
        while let Some(&expr) = self.pending.last() {
            if self.get(pool, expr).is_some() {
                self.pending.pop();
                continue;
            }
            let read = match pool.reads_wide_table_itself(expr) {
                true => self.entry(pool, expr, seed),
                false => self.rebuild(pool, expr),
            };
            match read {
                Ok(simple) => self.known.insert(expr, simple, self.mark()),
                Err(operand) => self.pending.push(operand),
            }
        }
        self.get(pool, expr).expect("it was just made")
    }

    fn get(&self, pool: &Pool, expr: Expr) -> Option<Expr> {
        if pool.reads_wide_table(expr) { self.known.of_expr.get(&expr).copied() } else { Some(expr) }
    }

    /// The same operator on what its operands are, or an operand that has to be looked at first.
    fn rebuild(&self, pool: &mut Pool, expr: Expr) -> Result<Expr, Expr> {
        let mut operands = pool.operands(expr);
        let arity = pool.op(expr).arity();
        for operand in &mut operands[..arity] {
            *operand = self.get(pool, *operand).ok_or(*operand)?;
        }
        Ok(pool.with_operands(expr, operands))
    }

    /// The entry of a table that is read, or what has to be looked at first.
    fn entry(&mut self, pool: &mut Pool, read: Expr, seed: &dyn Fn(Var) -> u8) -> Result<Expr, Expr> {
        let position = pool.operands(read)[0];
        let position = self.get(pool, position).ok_or(position)?;
        let value = match pool.constant(position) {
            Some(value) => value,
            None => self.fix(pool, position, seed),
        };
        self.reach(pool, read);
        let value = pool.make_constant(pool.width(position), value);
        let entry = pool.load(pool.table_of(read), value, pool.width(read));
        self.get(pool, entry).ok_or(entry)
    }

    /// The value of an expression, whose bytes stay what they are from here on.
    fn fix(&mut self, pool: &Pool, expr: Expr, seed: &dyn Fn(Var) -> u8) -> u128 {
        let mut vars = FixedBitSet::new();
        pool.add_vars(expr, &mut vars);
        let new = vars.difference(&self.is_fixed).map(|number| Var(number as u32));
        self.fixed.extend(new.map(|var| (var, seed(var))));
        self.is_fixed.union_with(&vars);
        let mut evaluation = Evaluation::resume(pool, seed, std::mem::take(&mut self.values.of_expr));
        let computed = evaluation.compute_all(expr);
        self.values.of_expr = evaluation.into_values();
        let mark = self.mark();
        self.values.order.extend(computed.into_iter().map(|expr| (expr, mark)));
        self.values.of_expr[&expr]
    }

    /// Notes the bytes that a read depends on: those that its table is made of.
    fn reach(&mut self, pool: &Pool, read: Expr) {
        let vars = pool.wide_vars(read);
        self.reached.extend(vars.difference(&self.is_reached).map(|number| Var(number as u32)));
        self.is_reached.union_with(&vars);
    }
}
