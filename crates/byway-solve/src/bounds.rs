//! What the constraints of a path say of single expressions: between which values each lies.
//!
//! A program that checks an index before it uses it has said all that matters, however the index was computed. So comparisons with
//! constants are remembered by expression, and a question that they answer costs no look at the bytes behind it.

use byway_trace::evaluate::mask;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::op::{Op, signed};
use crate::pool::{Expr, Pool};
use crate::range::Range;

/// Between which values an expression lies, unsigned and signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    /// Unsigned.
    pub range: Range,
    /// Signed.
    pub signed: (i128, i128),
}

/// What a stack of constraints says of expressions.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    known: HashMap<Expr, Bound, FixedState>,
    /// What was known before each change, and how many constraints there were.
    changes: Vec<(u32, Expr, Option<Bound>)>,
}

impl Bound {
    fn any(width: u32) -> Bound {
        let most = (mask(width) >> 1) as i128;
        Bound { range: (0, mask(width)), signed: (-most - 1, most) }
    }

    /// What one of the two says of the other.
    fn settle(mut self, width: u32) -> Bound {
        if self.signed.0 >= 0 {
            self.range.0 = self.range.0.max(self.signed.0 as u128);
            self.range.1 = self.range.1.min(self.signed.1.max(0) as u128);
        }
        if self.range.1 <= mask(width) >> 1 {
            self.signed.0 = self.signed.0.max(self.range.0 as i128);
            self.signed.1 = self.signed.1.min(self.range.1 as i128);
        }
        self
    }
}

impl Bounds {
    /// Between which values an expression lies, as far as constraints say so.
    pub fn get(&self, expr: Expr) -> Option<&Bound> {
        self.known.get(&expr)
    }

    /// Learns from a constraint that is the `number`-th.
    pub fn push(&mut self, pool: &Pool, constraint: Expr, number: u32) {
        let (expr, holds) = match pool.op(constraint) {
            Op::Not => (pool.operands(constraint)[0], false),
            _ => (constraint, true),
        };
        let [a, b, _] = pool.operands(expr);
        let op = pool.op(expr);
        if !matches!(op, Op::Ult | Op::Slt | Op::Eq) {
            return;
        }
        match (pool.constant(a), pool.constant(b)) {
            (None, Some(value)) => self.narrow(pool, a, number, |bound, width| match (op, holds) {
                (Op::Ult, true) => bound.range.1 = bound.range.1.min(value.saturating_sub(1)),
                (Op::Ult, false) => bound.range.0 = bound.range.0.max(value),
                (Op::Slt, true) => bound.signed.1 = bound.signed.1.min(signed(value, width).saturating_sub(1)),
                (Op::Slt, false) => bound.signed.0 = bound.signed.0.max(signed(value, width)),
                (_, true) => {
                    *bound = Bound { range: (value, value), signed: (signed(value, width), signed(value, width)) }
                }
                (_, false) if bound.range.0 == value => bound.range.0 += 1,
                (_, false) if bound.range.1 == value => bound.range.1 -= 1,
                _ => {}
            }),
            (Some(value), None) => self.narrow(pool, b, number, |bound, width| match (op, holds) {
                (Op::Ult, true) => bound.range.0 = bound.range.0.max(value.saturating_add(1)),
                (Op::Ult, false) => bound.range.1 = bound.range.1.min(value),
                (Op::Slt, true) => bound.signed.0 = bound.signed.0.max(signed(value, width).saturating_add(1)),
                (Op::Slt, false) => bound.signed.1 = bound.signed.1.min(signed(value, width)),
                _ => {}
            }),
            _ => {}
        }
    }

    fn narrow(&mut self, pool: &Pool, expr: Expr, number: u32, change: impl FnOnce(&mut Bound, u32)) {
        let width = pool.width(expr);
        let before = self.known.get(&expr).copied();
        let mut bound = before.unwrap_or_else(|| Bound::any(width));
        change(&mut bound, width);
        let bound = bound.settle(width);
        // Values that contradict each other say that nothing gets here; that is for others to find out.
        let is_empty = bound.range.0 > bound.range.1 || bound.signed.0 > bound.signed.1;
        if before != Some(bound) && !is_empty {
            self.known.insert(expr, bound);
            self.changes.push((number, expr, before));
        }
    }

    /// Forgets what constraints from the `number`-th on said.
    pub fn truncate(&mut self, number: u32) {
        while let Some((_, expr, before)) = self.changes.pop_if(|change| change.0 >= number) {
            match before {
                Some(bound) => self.known.insert(expr, bound),
                None => self.known.remove(&expr),
            };
        }
    }
}

/// How many conditions are looked at for one answer.
const LOOKS: u32 = 64;

impl Pool {
    /// Whether a condition is true, if bounds of what it is made of say so.
    pub(crate) fn truth_within(&self, condition: Expr, bounds: &Bounds) -> Option<bool> {
        self.truth_at(condition, bounds, &mut { LOOKS })
    }

    fn truth_at(&self, condition: Expr, bounds: &Bounds, looks: &mut u32) -> Option<bool> {
        if let Some(value) = self.constant(condition) {
            return Some(value == 1);
        }
        *looks = looks.checked_sub(1)?;
        let [a, b, _] = self.operands(condition);
        let both = || (self.range_in(a, bounds), self.range_in(b, bounds));
        match self.op(condition) {
            Op::Not => self.truth_at(a, bounds, looks).map(|truth| !truth),
            Op::And => match (self.truth_at(a, bounds, looks), self.truth_at(b, bounds, looks)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Op::Or => match (self.truth_at(a, bounds, looks), self.truth_at(b, bounds, looks)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Op::Ult => {
                let (x, y) = both();
                decide(x.1 < y.0, x.0 >= y.1)
            }
            Op::Slt => {
                let (x, y) = (self.signed_in(a, bounds)?, self.signed_in(b, bounds)?);
                decide(x.1 < y.0, x.0 >= y.1)
            }
            Op::Eq => {
                let (x, y) = both();
                decide(x.0 == x.1 && x == y, x.1 < y.0 || y.1 < x.0)
            }
            _ => None,
        }
    }

    /// The signed values of an expression, if that can be seen.
    fn signed_in(&self, expr: Expr, bounds: &Bounds) -> Option<(i128, i128)> {
        let width = self.width(expr);
        let unsigned = self.range_in(expr, bounds);
        if unsigned.1 <= mask(width) >> 1 {
            return Some((unsigned.0 as i128, unsigned.1 as i128));
        }
        match (bounds.get(expr), self.op(expr)) {
            (Some(bound), _) => Some(bound.signed),
            (None, Op::SExt) => self.signed_in(self.operands(expr)[0], bounds),
            (None, _) if unsigned.0 == unsigned.1 => Some((signed(unsigned.0, width), signed(unsigned.0, width))),
            (None, _) => None,
        }
    }
}

fn decide(is_true: bool, is_false: bool) -> Option<bool> {
    if is_true { Some(true) } else { is_false.then_some(false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Var;

    /// A number of 32 bits that is none of the bytes alone.
    fn number(pool: &mut Pool, first: u32) -> Expr {
        let bytes: [Expr; 4] = std::array::from_fn(|at| pool.make_byte(Var(first + at as u32)));
        let product = pool.binary(Op::Mul, bytes[0], bytes[1]);
        let low = pool.binary(Op::Concat, product, bytes[2]);
        let low = pool.binary(Op::Concat, low, bytes[3]);
        pool.binary(Op::Concat, low, bytes[0])
    }

    #[test]
    fn an_index_that_was_checked_stays_within() {
        let mut pool = Pool::new();
        let index = number(&mut pool, 0);
        let (zero, hundred) = (pool.make_constant(32, 0), pool.make_constant(32, 100));
        let negative = pool.binary(Op::Slt, index, zero);
        let not_negative = pool.not(negative);
        let below = pool.binary(Op::Slt, index, hundred);
        let wide = pool.extend(Op::SExt, index, 64);
        let four = pool.make_constant(64, 4);
        let position = pool.binary(Op::Mul, wide, four);
        let last = pool.make_constant(64, 396);
        let outside = pool.binary(Op::Ult, last, position);
        let mut bounds = Bounds::default();
        bounds.push(&pool, below, 0);
        assert_eq!(pool.truth_within(outside, &bounds), None);
        bounds.push(&pool, not_negative, 1);
        assert_eq!(pool.truth_within(outside, &bounds), Some(false));
        let nearer = pool.make_constant(64, 395);
        let outside_nearer = pool.binary(Op::Ult, nearer, position);
        assert_eq!(pool.truth_within(outside_nearer, &bounds), None);
        bounds.truncate(1);
        assert_eq!(pool.truth_within(outside, &bounds), None);
        assert_eq!(pool.truth_within(below, &bounds), Some(true));
    }

    #[test]
    fn what_is_not_zero_is_more() {
        let mut pool = Pool::new();
        // Something that is zero as a whole: parts that are put together are compared one by one.
        let (a, b) = (number(&mut pool, 0), number(&mut pool, 4));
        let divisor = pool.binary(Op::Mul, a, b);
        let is_zero = pool.equals(divisor, 0);
        let is_not = pool.not(is_zero);
        let mut bounds = Bounds::default();
        bounds.push(&pool, is_not, 0);
        assert_eq!(pool.truth_within(is_zero, &bounds), Some(false));
        bounds.truncate(0);
        assert_eq!(pool.truth_within(is_zero, &bounds), None);
    }
}
