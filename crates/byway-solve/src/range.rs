//! Between which values an expression lies, as far as that can be seen at once.
//!
//! Most accesses to tables are indexed by a byte or two, and cannot leave the table whatever these are. Here they cost no
//! question.

use byway_trace::evaluate::mask;

use crate::op::Op;
use crate::pool::{Expr, Pool};

/// How many expressions are looked at for one answer.
const LOOKS: u32 = 24;

/// The least and the greatest value, unsigned.
pub(crate) type Range = (u128, u128);

impl Pool {
    /// The least and the greatest value that an expression can have, unsigned; what is not seen at once may be anything.
    pub(crate) fn range(&self, expr: Expr) -> Range {
        let mut looks = LOOKS;
        self.range_within(expr, &mut looks)
    }

    fn range_within(&self, expr: Expr, looks: &mut u32) -> Range {
        let width = self.width(expr);
        let anything = (0, mask(width));
        if let Some(value) = self.constant(expr) {
            return (value, value);
        }
        let Some(left) = looks.checked_sub(1) else { return anything };
        *looks = left;
        let [a, b, c] = self.operands(expr);
        let range = match self.op(expr) {
            Op::ZExt => Some(self.range_within(a, looks)),
            Op::SExt => {
                let range = self.range_within(a, looks);
                (range.1 < 1 << (self.width(a) - 1)).then_some(range)
            }
            Op::Extract => {
                let range = self.range_within(a, looks);
                let low = self.low_bit(expr);
                (range.1 >> low <= mask(width)).then_some((range.0 >> low, range.1 >> low))
            }
            Op::Concat => {
                let (upper, lower) = (self.range_within(a, looks), self.range_within(b, looks));
                let shift = self.width(b);
                Some((upper.0 << shift | lower.0, upper.1 << shift | lower.1))
            }
            Op::Add => sum(self.range_within(a, looks), self.range_within(b, looks), width),
            Op::Mul => {
                let (x, y) = (self.range_within(a, looks), self.range_within(b, looks));
                x.1.checked_mul(y.1).filter(|&most| most <= mask(width)).map(|most| (x.0 * y.0, most))
            }
            Op::And => Some((0, self.range_within(a, looks).1.min(self.range_within(b, looks).1))),
            Op::UDiv => self.constant(b).filter(|&by| by > 0).map(|by| {
                let range = self.range_within(a, looks);
                (range.0 / by, range.1 / by)
            }),
            Op::URem => {
                self.constant(b).filter(|&by| by > 0).map(|by| (0, (by - 1).min(self.range_within(a, looks).1)))
            }
            Op::Ite => {
                let (x, y) = (self.range_within(b, looks), self.range_within(c, looks));
                Some((x.0.min(y.0), x.1.max(y.1)))
            }
            _ => None,
        };
        range.unwrap_or(anything)
    }

    /// Whether one is less than the other, unsigned, if that can be seen.
    pub(crate) fn less_by_range(&self, a: Expr, b: Expr) -> Option<bool> {
        let (x, y) = (self.range(a), self.range(b));
        match () {
            () if x.1 < y.0 => Some(true),
            () if x.0 >= y.1 => Some(false),
            () => None,
        }
    }
}

/// The sum, if all sums wrap around or none does.
fn sum(x: Range, y: Range, width: u32) -> Option<Range> {
    let (least, most) = (x.0.checked_add(y.0)?, x.1.checked_add(y.1)?);
    let all = mask(width);
    match () {
        () if most <= all => Some((least, most)),
        () if least > all && width < 128 => Some((least & all, most & all)),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Var;

    #[test]
    fn a_byte_cannot_leave_a_table_of_all_bytes() {
        let mut pool = Pool::new();
        let byte = pool.make_byte(Var(0));
        let index = pool.extend(Op::ZExt, byte, 64);
        let two = pool.make_constant(64, 2);
        let offset = pool.binary(Op::Mul, index, two);
        let middle = pool.make_constant(64, 256);
        let position = pool.binary(Op::Add, offset, middle);
        assert_eq!(pool.range(position), (256, 766));
        let end = pool.make_constant(64, 767);
        let within = pool.binary(Op::Ult, position, end);
        assert_eq!(pool.constant(within), Some(1));
        let early = pool.make_constant(64, 766);
        let within = pool.binary(Op::Ult, position, early);
        assert_eq!(pool.constant(within), None);
    }

    #[test]
    fn a_sum_that_may_wrap_around_is_anything() {
        let mut pool = Pool::new();
        let byte = pool.make_byte(Var(0));
        let index = pool.extend(Op::ZExt, byte, 16);
        let below = pool.make_constant(16, 0xfff0);
        let sum = pool.binary(Op::Add, index, below);
        assert_eq!(pool.range(sum), (0, 0xffff));
        let signed = pool.extend(Op::SExt, byte, 16);
        assert_eq!(pool.range(signed), (0, 0xffff));
    }
}
