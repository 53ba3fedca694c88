//! Rules about comparisons.

use byway_trace::evaluate::mask;

use crate::op::{Op, signed};
use crate::pool::{Expr, Pool};

impl Pool {
    pub(super) fn equal(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        if a == b {
            return Some(self.truth(true));
        }
        match (self.constant(a), self.constant(b)) {
            (None, Some(constant)) => self.equal_constant(a, constant),
            _ => self.equal_extended(a, b),
        }
    }

    // Both extended in the same way from the same width.
    fn equal_extended(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let op = self.op(a);
        let (x, y) = (self.operands(a)[0], self.operands(b)[0]);
        let same = matches!(op, Op::ZExt | Op::SExt) && self.op(b) == op && self.width(x) == self.width(y);
        same.then(|| self.binary(Op::Eq, x, y))
    }

    // What is done to a value before it is compared with a constant is done to the constant instead.
    fn equal_constant(&mut self, a: Expr, constant: u128) -> Option<Expr> {
        let [x, y, z] = self.operands(a);
        let (width, inner) = (self.width(a), self.width(x));
        match self.op(a) {
            _ if width == 1 => Some(if constant == 1 { a } else { self.not(a) }),
            Op::ZExt if constant > mask(inner) => Some(self.truth(false)),
            Op::SExt if signed(constant & mask(inner), inner) as u128 & mask(width) != constant => {
                Some(self.truth(false))
            }
            Op::ZExt | Op::SExt => Some(self.equals(x, constant)),
            Op::Not => Some(self.equals(x, !constant)),
            Op::Concat => {
                let upper = self.equals(x, constant >> self.width(y));
                let lower = self.equals(y, constant);
                Some(self.binary(Op::And, upper, lower))
            }
            Op::Ite => match (self.constant(y), self.constant(z)) {
                (Some(then), Some(_)) if then == constant => {
                    let other = self.equals(z, constant);
                    Some(self.binary(Op::Or, x, other))
                }
                (Some(_), other) => {
                    let negated = self.not(x);
                    let other = match other {
                        Some(value) => self.truth(value == constant),
                        None => self.equals(z, constant),
                    };
                    let then = self.equals(y, constant);
                    let then = self.binary(Op::And, x, then);
                    let other = self.binary(Op::And, negated, other);
                    Some(self.binary(Op::Or, then, other))
                }
                _ => None,
            },
            _ => match self.with_constant(a)? {
                (Op::Add, inner, other) => Some(self.equals(inner, constant.wrapping_sub(other))),
                (Op::Xor, inner, other) => Some(self.equals(inner, constant ^ other)),
                (Op::And, _, other) if constant & !other != 0 => Some(self.truth(false)),
                (Op::Or, _, other) if other & !constant != 0 => Some(self.truth(false)),
                _ => None,
            },
        }
    }

    /// Whether an expression has a value.
    pub fn equals(&mut self, a: Expr, value: u128) -> Expr {
        let value = self.make_constant(self.width(a), value);
        self.binary(Op::Eq, a, value)
    }

    pub(super) fn less(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let ones = mask(self.width(a));
        match (self.constant(a), self.constant(b)) {
            _ if a == b => Some(self.truth(false)),
            (_, Some(0)) => Some(self.truth(false)),
            (Some(x), _) if x == ones => Some(self.truth(false)),
            (_, Some(1)) => Some(self.equals(a, 0)),
            (Some(0), _) => {
                let zero = self.equals(b, 0);
                Some(self.not(zero))
            }
            (_, Some(y)) if y == ones => {
                let equal = self.equals(a, ones);
                Some(self.not(equal))
            }
            (x, y) => {
                let decided = (x.is_some() || y.is_some()).then(|| self.less_by_range(a, b)).flatten();
                match decided {
                    Some(answer) => Some(self.truth(answer)),
                    None if y.is_some() && self.chooses_constant(a) => {
                        let [condition, then, other] = self.operands(a);
                        let (then, other) = (self.binary(Op::Ult, then, b), self.binary(Op::Ult, other, b));
                        Some(self.ite(condition, then, other))
                    }
                    None if x.is_some() && self.chooses_constant(b) => {
                        let [condition, then, other] = self.operands(b);
                        let (then, other) = (self.binary(Op::Ult, a, then), self.binary(Op::Ult, a, other));
                        Some(self.ite(condition, then, other))
                    }
                    None => self.less_extended(a, x, b, y),
                }
            }
        }
    }

    // Zeros above do not matter.
    fn less_extended(&mut self, a: Expr, x: Option<u128>, b: Expr, y: Option<u128>) -> Option<Expr> {
        let narrow = |pool: &Pool, expr: Expr| (pool.op(expr) == Op::ZExt).then(|| pool.operands(expr)[0]);
        match (narrow(self, a), x, narrow(self, b), y) {
            (Some(inner), _, _, Some(y)) => {
                let width = self.width(inner);
                if y > mask(width) {
                    return Some(self.truth(true));
                }
                let y = self.make_constant(width, y);
                Some(self.binary(Op::Ult, inner, y))
            }
            (_, Some(x), Some(inner), _) => {
                let width = self.width(inner);
                if x >= mask(width) {
                    return Some(self.truth(false));
                }
                let x = self.make_constant(width, x);
                Some(self.binary(Op::Ult, x, inner))
            }
            (Some(a), _, Some(b), _) if self.width(a) == self.width(b) => Some(self.binary(Op::Ult, a, b)),
            _ => None,
        }
    }

    // Where both signs are known to be the same, signed is unsigned.
    pub(super) fn signed_less(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        if a == b {
            return Some(self.truth(false));
        }
        match (self.sign(a), self.sign(b)) {
            (Some(x), Some(y)) if x == y => Some(self.binary(Op::Ult, a, b)),
            (Some(x), Some(_)) => Some(self.truth(x)),
            _ => self.signed_less_extended(a, b),
        }
    }

    // Both extended with their signs from the same width, or one of them a constant that fits.
    fn signed_less_extended(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let narrow = |pool: &Pool, expr: Expr| (pool.op(expr) == Op::SExt).then(|| pool.operands(expr)[0]);
        let width = self.width(a);
        match (narrow(self, a), narrow(self, b)) {
            (Some(x), Some(y)) if self.width(x) == self.width(y) => Some(self.binary(Op::Slt, x, y)),
            (Some(x), None) => {
                let value = signed(self.constant(b)?, width);
                let fitted = self.fit(value, x)?;
                Some(self.binary(Op::Slt, x, fitted))
            }
            (None, Some(y)) => {
                let value = signed(self.constant(a)?, width);
                let fitted = self.fit(value, y)?;
                Some(self.binary(Op::Slt, fitted, y))
            }
            _ => None,
        }
    }

    /// A signed value as a constant as wide as another expression, if it has room there.
    pub(super) fn fit(&mut self, value: i128, like: Expr) -> Option<Expr> {
        let width = self.width(like);
        let narrow = value as u128 & mask(width);
        (signed(narrow, width) == value).then(|| self.make_constant(width, narrow))
    }

    /// Whether an expression is negative, where that is known.
    pub(super) fn sign(&self, expr: Expr) -> Option<bool> {
        let width = self.width(expr);
        match self.op(expr) {
            Op::ZExt => Some(false),
            Op::Concat => self.sign(self.operands(expr)[0]),
            _ => self.constant(expr).map(|value| signed(value, width) < 0),
        }
    }
}
