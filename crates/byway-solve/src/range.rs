//! Between which values an expression lies, as far as that can be seen at once.
//!
//! Most accesses to tables are indexed by a byte or two, and cannot leave the table whatever these are. Here they cost no
//! question.

use byway_trace::evaluate::mask;

use crate::bounds::Bounds;
use crate::op::Op;
use crate::pool::{Expr, Pool, TableId};

/// How many expressions are looked at for one answer.
const LOOKS: u32 = 24;

/// In a table with more entries that depend on the input there may be anything.
const SYMBOLIC: usize = 256;

/// The least and the greatest value, unsigned.
pub(crate) type Range = (u128, u128);

impl Pool {
    /// The least and the greatest value that an expression can have, unsigned; what is not seen at once may be anything.
    pub(crate) fn range(&self, expr: Expr) -> Range {
        self.range_within(expr, &mut { LOOKS }, &|_| None)
    }

    /// The same where constraints say something of expressions.
    pub(crate) fn range_in(&self, expr: Expr, bounds: &Bounds) -> Range {
        self.range_within(expr, &mut { LOOKS }, &|expr| bounds.get(expr).map(|bound| bound.range))
    }

    fn range_within(&self, expr: Expr, looks: &mut u32, known: &impl Fn(Expr) -> Option<Range>) -> Range {
        let range = self.range_of(expr, looks, known);
        match known(expr) {
            Some(other) if other.0.max(range.0) <= other.1.min(range.1) => (other.0.max(range.0), other.1.min(range.1)),
            _ => range,
        }
    }

    fn range_of(&self, expr: Expr, looks: &mut u32, known: &impl Fn(Expr) -> Option<Range>) -> Range {
        let width = self.width(expr);
        let anything = (0, mask(width));
        if let Some(value) = self.constant(expr) {
            return (value, value);
        }
        let Some(left) = looks.checked_sub(1) else { return anything };
        *looks = left;
        let [a, b, c] = self.operands(expr);
        let range = match self.op(expr) {
            Op::ZExt => Some(self.range_within(a, looks, known)),
            Op::SExt => {
                let range = self.range_within(a, looks, known);
                (range.1 < 1 << (self.width(a) - 1)).then_some(range)
            }
            Op::Extract => {
                let range = self.range_within(a, looks, known);
                let low = self.low_bit(expr);
                (range.1 >> low <= mask(width)).then_some((range.0 >> low, range.1 >> low))
            }
            Op::Concat => {
                let (upper, lower) = (self.range_within(a, looks, known), self.range_within(b, looks, known));
                let shift = self.width(b);
                Some((upper.0 << shift | lower.0, upper.1 << shift | lower.1))
            }
            Op::Add => sum(self.range_within(a, looks, known), self.range_within(b, looks, known), width),
            Op::Mul => {
                let (x, y) = (self.range_within(a, looks, known), self.range_within(b, looks, known));
                x.1.checked_mul(y.1).filter(|&most| most <= mask(width)).map(|most| (x.0 * y.0, most))
            }
            Op::And => Some((0, self.range_within(a, looks, known).1.min(self.range_within(b, looks, known).1))),
            Op::UDiv => self.constant(b).filter(|&by| by > 0).map(|by| {
                let range = self.range_within(a, looks, known);
                (range.0 / by, range.1 / by)
            }),
            Op::URem => {
                self.constant(b).filter(|&by| by > 0).map(|by| (0, (by - 1).min(self.range_within(a, looks, known).1)))
            }
            Op::Load => Some(self.range_of_load(expr, looks, known)),
            Op::Ite => {
                let (x, y) = (self.range_within(b, looks, known), self.range_within(c, looks, known));
                Some((x.0.min(y.0), x.1.max(y.1)))
            }
            _ => None,
        };
        range.unwrap_or(anything)
    }

    /// What is in a table, at positions that are multiples of something; 0 if the position may be outside.
    fn range_of_load(&self, expr: Expr, looks: &mut u32, known: &impl Fn(Expr) -> Option<Range>) -> Range {
        let position = self.operands(expr)[0];
        let bytes = u64::from(self.width(expr) / 8);
        let table = self.table_of(expr);
        let length = self.table(table).bytes.len() as u128;
        let entries = self.entries(table, bytes, self.stride(position), *looks);
        let last = self.range_within(position, looks, known).1;
        if last.saturating_add(bytes.into()) <= length { entries } else { (0, entries.1) }
    }

    /// A power of two, up to 8, that all values of an expression are multiples of, and what is added to them.
    fn stride(&self, position: Expr) -> (u64, u64) {
        let [a, b, _] = self.operands(position);
        let (scaled, offset) = match (self.op(position), self.constant(b)) {
            (Op::Add, Some(offset)) => (a, offset),
            _ => (position, 0),
        };
        let low = self.operands(scaled)[1];
        let zeros = match self.op(scaled) {
            Op::Concat if self.constant(low) == Some(0) => self.width(low).min(3),
            _ => 0,
        };
        let stride = 1u64 << zeros;
        (stride, offset as u64 % stride)
    }

    /// The least and the greatest entry of a table. What is in it may come from another table, and so on: `looks` is how many
    /// expressions are looked at for each byte.
    fn entries(&self, table: TableId, bytes: u64, (stride, offset): (u64, u64), looks: u32) -> Range {
        let key = (table, bytes, stride, offset);
        if let Some(&entries) = self.table_ranges.borrow().get(&key) {
            return entries;
        }
        let contents = self.table(table);
        if contents.symbolic.len() > SYMBOLIC {
            return (0, mask(bytes as u32 * 8));
        }
        let mut all: Option<Range> = None;
        let mut at = offset as usize;
        while at + bytes as usize <= contents.bytes.len() {
            let (mut least, mut most) = (0, 0);
            for index in (at..at + bytes as usize).rev() {
                let byte = match contents.symbolic(index) {
                    Some(symbolic) => self.range_within(symbolic, &mut { looks }, &|_| None),
                    None => (contents.bytes[index].into(), contents.bytes[index].into()),
                };
                (least, most) = (least << 8 | byte.0, most << 8 | byte.1);
            }
            let (low, high) = all.unwrap_or((least, most));
            all = Some((low.min(least), high.max(most)));
            at += stride as usize;
        }
        let entries = all.unwrap_or((0, 0));
        self.table_ranges.borrow_mut().insert(key, entries);
        entries
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
    use crate::pool::{Table, Var};

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
    fn what_is_read_from_a_table_is_in_it() {
        let mut pool = Pool::new();
        let bytes = [7u16, 300, 5, 20].iter().flat_map(|entry| entry.to_le_bytes()).collect();
        let table = pool.make_table(Table { bytes, symbolic: Vec::new() });
        let index = pool.make_byte(Var(0));
        let wide = pool.extend(Op::ZExt, index, 64);
        let two = pool.make_constant(64, 2);
        let position = pool.binary(Op::Mul, wide, two);
        let entry = pool.load(table, position, 16);
        // Outside it is 0.
        assert_eq!(pool.range(entry), (0, 300));
        let end = pool.make_constant(64, 7);
        let within = pool.binary(Op::Ult, position, end);
        let mut bounds = Bounds::default();
        bounds.push(&pool, within, 0);
        assert_eq!(pool.range_in(entry, &bounds), (5, 300));
        let unaligned = pool.load(table, wide, 16);
        assert_eq!(pool.range(unaligned).1, 0x2c00);
    }

    #[test]
    fn tables_of_what_was_in_tables_are_looked_into_only_so_far() {
        let mut pool = Pool::new();
        let index = pool.make_byte(Var(0));
        let position = pool.extend(Op::ZExt, index, 64);
        let mut entry = pool.make_byte(Var(1));
        for _ in 0..50_000 {
            let table = pool.make_table(Table { bytes: vec![0, 7], symbolic: vec![(0, entry)] });
            entry = pool.load(table, position, 8);
        }
        assert_eq!(pool.range(entry), (0, 255));
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
