//! What expressions are worth if the bytes of the input have given values.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use crate::clock::{Deadline, DeadlineWatch};
use crate::op::Op;
use crate::pool::{Expr, Pool, Var};
use crate::query::Query;

/// Values of expressions under one input, each computed once.
pub struct Evaluation<'a, F> {
    pool: &'a Pool,
    input: F,
    values: HashMap<Expr, u128, FixedState>,
}

impl<'a, F: Fn(Var) -> u8> Evaluation<'a, F> {
    /// An evaluation where the bytes are what `input` says.
    pub fn new(pool: &'a Pool, input: F) -> Self {
        Self::resume(pool, input, HashMap::with_hasher(FixedState::with_seed(0)))
    }

    /// The same, but some values are known.
    pub(crate) fn resume(pool: &'a Pool, input: F, values: HashMap<Expr, u128, FixedState>) -> Self {
        Evaluation { pool, input, values }
    }

    /// All values that are known.
    pub(crate) fn into_values(self) -> HashMap<Expr, u128, FixedState> {
        self.values
    }

    /// Says what an expression is worth, so that nobody has to compute it.
    pub fn set(&mut self, expr: Expr, value: u128) {
        self.values.insert(expr, value);
    }

    /// What an expression is worth.
    pub fn value(&mut self, expr: Expr) -> u128 {
        self.compute_all(expr);
        self.values[&expr]
    }

    /// Computes what an expression is worth, and says what had to be computed for that.
    pub(crate) fn compute_all(&mut self, expr: Expr) -> Vec<Expr> {
        let needed = cone(self.pool, &[expr], |expr| self.values.contains_key(&expr), &mut DeadlineWatch::default());
        let needed = needed.unwrap_or_default();
        for &expr in &needed {
            let value = self.compute(expr);
            self.values.insert(expr, value);
        }
        needed
    }

    /// Whether expressions of 1 bit are all true.
    pub fn all_true(&mut self, exprs: &[Expr]) -> bool {
        exprs.iter().all(|&expr| self.value(expr) == 1)
    }

    fn compute(&self, expr: Expr) -> u128 {
        let pool = self.pool;
        let [a, b, c] = pool.operands(expr);
        let (op, width) = (pool.op(expr), pool.width(expr));
        let of = |expr: Expr| self.values[&expr];
        match op {
            Op::Const => pool.constant(expr).unwrap_or_default(),
            Op::Byte => pool.var(expr).map_or(0, |var| (self.input)(var).into()),
            Op::Load => self.load(expr, of(a)),
            Op::Extract => op.apply(width, pool.width(a), pool.low_bit(expr), [of(a), 0, 0]),
            _ => op.apply(width, pool.width(a), pool.width(b), [of(a), of(b), of(c)]),
        }
    }

    fn load(&self, expr: Expr, position: u128) -> u128 {
        let table = self.pool.table(self.pool.table_of(expr));
        let count = u128::from(self.pool.width(expr) / 8);
        if position + count > table.bytes.len() as u128 {
            return 0;
        }
        let byte = |index: usize| table.symbolic(index).map_or(table.bytes[index].into(), |expr| self.values[&expr]);
        (position as usize..(position + count) as usize).rev().fold(0, |value, index| value << 8 | byte(index))
    }
}

/// Everything that some expressions are made of, themselves included, operands first. What is `known` is left out, and so is
/// what only that is made of. `None` if the watch is late.
pub(crate) fn cone(
    pool: &Pool,
    roots: &[Expr],
    known: impl Fn(Expr) -> bool,
    watch: &mut DeadlineWatch,
) -> Option<Vec<Expr>> {
    let mut seen = HashSet::<Expr, FixedState>::with_hasher(FixedState::with_seed(0));
    let mut pending: Vec<Expr> = roots.to_vec();
    let mut found = Vec::new();
    while let Some(expr) = pending.pop() {
        if !known(expr) && seen.insert(expr) {
            if watch.is_late_after(2 + pool.operand_count(expr)) {
                return None;
            }
            found.push(expr);
            pool.each_operand(expr, |operand| pending.push(operand));
        }
    }
    // Operands are made before what is made of them.
    found.sort_unstable();
    Some(found)
}

/// Whether values are an answer to a query.
pub(crate) fn satisfies(pool: &Pool, query: &Query<'_>, model: &[(Var, u8)]) -> bool {
    let values: HashMap<Var, u8, FixedState> = model.iter().copied().collect();
    let value = |var| values.get(&var).copied().unwrap_or_else(|| (query.seed)(var));
    Evaluation::new(pool, value).all_true(query.constraints)
}

/// How many changed bytes are tried as they were.
const KEPT: usize = 32;

/// The same model with bytes as they were where the others allow it, as far as there is time.
pub(crate) fn keep_seed(
    pool: &Pool,
    query: &Query<'_>,
    mut model: Vec<(Var, u8)>,
    deadline: Deadline,
) -> Vec<(Var, u8)> {
    let seed = |var: Var| (query.seed)(var);
    let changed: Vec<usize> = (0..model.len()).filter(|&index| model[index].1 != seed(model[index].0)).collect();
    for index in changed.into_iter().take(KEPT) {
        if deadline.is_over() {
            break;
        }
        let (var, value) = model[index];
        model[index].1 = seed(var);
        if !satisfies(pool, query, &model) {
            model[index].1 = value;
        }
    }
    model
}
