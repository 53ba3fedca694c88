//! How expressions are made: each as simple as these rules get it, so that the same meaning is more often the same
//! expression, and fewer bits reach the solver.

mod comparisons;

use byway_trace::evaluate::mask;

use crate::op::Op;
use crate::pool::{Expr, ExprNode, Pool, Table, TableId};

/// Longer chains of choices stay as they are: each is gone down at once.
const LONGEST_CHOICE: usize = 128;

impl Pool {
    /// Truth, as an expression of 1 bit.
    pub fn truth(&mut self, value: bool) -> Expr {
        self.make_constant(1, value.into())
    }

    /// All bits inverted; for 1 bit, the opposite.
    pub fn not(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        if let Some(value) = self.constant(a) {
            return self.make_constant(width, !value);
        }
        if self.op(a) == Op::Not {
            return self.operands(a)[0];
        }
        self.intern(ExprNode { op: Op::Not, width: width as u8, a: a.0, b: 0, c: 0 })
    }

    /// A binary operator on two operands of the same width; [`Op::Concat`] takes any.
    pub fn binary(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        let constants = (self.constant(a), self.constant(b));
        if let (Some(x), Some(y)) = constants {
            return self.fold(op, a, b, x, y);
        }
        let (a, b) = if op.is_commutative() && (constants.0.is_some() || (constants.1.is_none() && a > b)) {
            (b, a)
        } else {
            (a, b)
        };
        let simpler = match op {
            Op::Add => self.add(a, b),
            Op::Sub => self.subtract(a, b),
            Op::Mul => self.multiply(a, b),
            Op::UDiv | Op::URem => self.divide(op, a, b),
            Op::Shl | Op::LShr | Op::AShr => self.shift(op, a, b),
            Op::And | Op::Or | Op::Xor => self.bitwise(op, a, b),
            Op::Eq => self.equal(a, b),
            Op::Ult => self.less(a, b),
            Op::Slt => self.signed_less(a, b),
            Op::Concat => self.concat(a, b),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.plain(op, a, b))
    }

    fn plain(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        let width = self.result_width(op, a, b);
        self.intern(ExprNode { op, width: width as u8, a: a.0, b: b.0, c: 0 })
    }

    fn result_width(&self, op: Op, a: Expr, b: Expr) -> u32 {
        match op {
            Op::Eq | Op::Ult | Op::Slt => 1,
            Op::Concat => self.width(a) + self.width(b),
            _ => self.width(a),
        }
    }

    fn fold(&mut self, op: Op, a: Expr, b: Expr, x: u128, y: u128) -> Expr {
        let width = self.result_width(op, a, b);
        let value = op.apply(width, self.width(a), self.width(b), [x, y, 0]);
        self.make_constant(width, value)
    }

    /// Operator and second operand, if the expression is a binary one with a constant there.
    fn with_constant(&self, expr: Expr) -> Option<(Op, Expr, u128)> {
        let op = self.op(expr);
        let [a, b, _] = self.operands(expr);
        (op.arity() == 2).then(|| self.constant(b)).flatten().map(|constant| (op, a, constant))
    }

    /// Whether an expression is a choice of which one side is a constant. What is done to such a choice with a constant is done to both
    /// sides: lengths of strings are chains of these.
    fn chooses_constant(&self, mut expr: Expr) -> bool {
        for length in 0..LONGEST_CHOICE {
            let [_, then, other] = self.operands(expr);
            expr = match (self.op(expr), self.constant(then), self.constant(other)) {
                (Op::Ite, Some(_), _) => other,
                (Op::Ite, None, Some(_)) => then,
                _ => return length > 0,
            };
        }
        false
    }

    // x + 0; (x + c) + d; (p ? c : x) + d
    fn add(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let constant = self.constant(b)?;
        if constant == 0 {
            return Some(a);
        }
        let width = self.width(a);
        if self.chooses_constant(a) {
            let [condition, then, other] = self.operands(a);
            let (then, other) = (self.binary(Op::Add, then, b), self.binary(Op::Add, other, b));
            return Some(self.ite(condition, then, other));
        }
        match self.with_constant(a)? {
            (Op::Add, inner, other) => {
                let sum = self.make_constant(width, constant.wrapping_add(other));
                Some(self.binary(Op::Add, inner, sum))
            }
            _ => None,
        }
    }

    // x - x; x - c is x + -c
    fn subtract(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let width = self.width(a);
        if a == b {
            return Some(self.make_constant(width, 0));
        }
        let constant = self.constant(b)?;
        let negated = self.make_constant(width, constant.wrapping_neg());
        Some(self.binary(Op::Add, a, negated))
    }

    // x * 0, x * 1, x * 2^n
    fn multiply(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let (constant, width) = (self.constant(b)?, self.width(a));
        match constant {
            0 => Some(b),
            1 => Some(a),
            _ if constant.is_power_of_two() => {
                let shift = self.make_constant(width, constant.trailing_zeros().into());
                Some(self.binary(Op::Shl, a, shift))
            }
            _ => None,
        }
    }

    // Unsigned division by 2^n
    fn divide(&mut self, op: Op, a: Expr, b: Expr) -> Option<Expr> {
        let (constant, width) = (self.constant(b)?, self.width(a));
        if !constant.is_power_of_two() {
            return None;
        }
        let (op, operand) = match op {
            Op::UDiv => (Op::LShr, constant.trailing_zeros().into()),
            _ => (Op::And, constant - 1),
        };
        let operand = self.make_constant(width, operand);
        Some(self.binary(op, a, operand))
    }

    // Shifts by constants are extracts with something beside them.
    fn shift(&mut self, op: Op, a: Expr, b: Expr) -> Option<Expr> {
        let (constant, width) = (self.constant(b)?, self.width(a));
        if constant == 0 {
            return Some(a);
        }
        let amount = if constant < u128::from(width) { constant as u32 } else { width };
        match op {
            Op::AShr => {
                let amount = amount.min(width - 1);
                let upper = self.extract(a, amount, width - amount);
                Some(self.extend(Op::SExt, upper, width))
            }
            _ if amount == width => Some(self.make_constant(width, 0)),
            Op::LShr => {
                let upper = self.extract(a, amount, width - amount);
                Some(self.extend(Op::ZExt, upper, width))
            }
            _ => {
                let lower = self.extract(a, 0, width - amount);
                let zero = self.make_constant(amount, 0);
                Some(self.binary(Op::Concat, lower, zero))
            }
        }
    }

    // Zeros, ones, the same twice, its opposite; masks of low bits; constants gather.
    fn bitwise(&mut self, op: Op, a: Expr, b: Expr) -> Option<Expr> {
        let width = self.width(a);
        if a == b {
            return Some(if op == Op::Xor { self.make_constant(width, 0) } else { a });
        }
        if (self.op(a) == Op::Not && self.operands(a)[0] == b) || (self.op(b) == Op::Not && self.operands(b)[0] == a) {
            return Some(self.make_constant(width, if op == Op::And { 0 } else { u128::MAX }));
        }
        let (constant, ones) = (self.constant(b)?, mask(width));
        match op {
            Op::And if constant == 0 => return Some(b),
            Op::And if constant == ones => return Some(a),
            Op::Or | Op::Xor if constant == 0 => return Some(a),
            Op::Or if constant == ones => return Some(b),
            Op::Xor if constant == ones => return Some(self.not(a)),
            Op::And if (constant + 1).is_power_of_two() => {
                let low = self.extract(a, 0, constant.count_ones());
                return Some(self.extend(Op::ZExt, low, width));
            }
            _ => {}
        }
        match self.with_constant(a)? {
            (inner_op, inner, other) if inner_op == op => {
                let both = op.apply(width, width, 0, [constant, other, 0]);
                let both = self.make_constant(width, both);
                Some(self.binary(op, inner, both))
            }
            _ => None,
        }
    }

    // Zeros above are an extension; parts of the same that lie side by side are one part.
    fn concat(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let width = self.width(a) + self.width(b);
        if self.constant(a) == Some(0) {
            return Some(self.extend(Op::ZExt, b, width));
        }
        let part = |pool: &Pool, expr: Expr| match pool.op(expr) {
            Op::Extract => (pool.operands(expr)[0], pool.low_bit(expr)),
            _ => (expr, 0),
        };
        let ((x, upper), (y, lower)) = (part(self, a), part(self, b));
        if x == y && a != b && upper == lower + self.width(b) {
            return Some(self.extract(x, lower, width));
        }
        // a : (b : c) with a and b side by side.
        if self.op(b) == Op::Concat {
            let [first, rest, _] = self.operands(b);
            let (z, middle) = part(self, first);
            if x == z && a != first && upper == middle + self.width(first) {
                let joined = self.extract(x, middle, self.width(a) + self.width(first));
                return Some(self.binary(Op::Concat, joined, rest));
            }
        }
        None
    }

    /// Zeros or the sign above an expression.
    pub fn extend(&mut self, op: Op, a: Expr, width: u32) -> Expr {
        let from = self.width(a);
        if from == width {
            return a;
        }
        if let Some(value) = self.constant(a) {
            return self.make_constant(width, op.apply(width, from, 0, [value, 0, 0]));
        }
        match (op, self.op(a)) {
            (Op::ZExt, Op::ZExt) | (Op::SExt, Op::SExt | Op::ZExt) => {
                let (inner_op, inner) = (self.op(a), self.operands(a)[0]);
                self.extend(inner_op, inner, width)
            }
            _ => self.intern(ExprNode { op, width: width as u8, a: a.0, b: 0, c: 0 }),
        }
    }

    /// `width` bits of an expression from bit `low` on.
    pub fn extract(&mut self, a: Expr, low: u32, width: u32) -> Expr {
        let from = self.width(a);
        if low == 0 && width == from {
            return a;
        }
        if let Some(value) = self.constant(a) {
            return self.make_constant(width, value >> low);
        }
        if let Some(&known) = self.parts.get(&(a, low, width)) {
            return known;
        }
        if let Some(simpler) = self.extract_of(a, low, width) {
            // Expressions share operands: without a memory, every way to one would be gone.
            self.parts.insert((a, low, width), simpler);
            return simpler;
        }
        self.intern(ExprNode { op: Op::Extract, width: width as u8, a: a.0, b: low, c: 0 })
    }

    fn extract_of(&mut self, a: Expr, low: u32, width: u32) -> Option<Expr> {
        let [x, y, z] = self.operands(a);
        let inner = self.width(x);
        match self.op(a) {
            Op::Extract => Some(self.extract(x, low + self.low_bit(a), width)),
            Op::ZExt | Op::SExt if low + width <= inner => Some(self.extract(x, low, width)),
            Op::ZExt if low >= inner => Some(self.make_constant(width, 0)),
            op @ (Op::ZExt | Op::SExt) if low < inner => {
                let part = self.extract(x, low, inner - low);
                Some(self.extend(op, part, width))
            }
            Op::Concat if low >= self.width(y) => Some(self.extract(x, low - self.width(y), width)),
            Op::Concat if low + width <= self.width(y) => Some(self.extract(y, low, width)),
            Op::Concat => {
                let lower = self.extract(y, low, self.width(y) - low);
                let upper = self.extract(x, 0, low + width - self.width(y));
                Some(self.binary(Op::Concat, upper, lower))
            }
            Op::Not => {
                let part = self.extract(x, low, width);
                Some(self.not(part))
            }
            op @ (Op::And | Op::Or | Op::Xor) => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                Some(self.binary(op, x, y))
            }
            // The lower bits of these depend on the lower bits alone.
            op @ (Op::Add | Op::Sub | Op::Mul) if low == 0 => {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                Some(self.binary(op, x, y))
            }
            Op::Ite if self.constant(y).is_some() || self.constant(z).is_some() => {
                let (y, z) = (self.extract(y, low, width), self.extract(z, low, width));
                Some(self.ite(x, y, z))
            }
            _ => None,
        }
    }

    /// `then` if the condition (1 bit) holds, else `other`.
    pub fn ite(&mut self, condition: Expr, then: Expr, other: Expr) -> Expr {
        match self.constant(condition) {
            Some(0) => return other,
            Some(_) => return then,
            None if then == other => return then,
            None => {}
        }
        if self.op(condition) == Op::Not {
            let condition = self.operands(condition)[0];
            return self.ite(condition, other, then);
        }
        let width = self.width(then);
        if width == 1
            && let Some(simpler) = self.ite_bit(condition, then, other)
        {
            return simpler;
        }
        self.intern(ExprNode { op: Op::Ite, width: width as u8, a: condition.0, b: then.0, c: other.0 })
    }

    // A choice of truths is logic.
    fn ite_bit(&mut self, condition: Expr, then: Expr, other: Expr) -> Option<Expr> {
        match (self.constant(then), self.constant(other)) {
            (Some(1), _) => Some(self.binary(Op::Or, condition, other)),
            (Some(_), _) => {
                let negated = self.not(condition);
                Some(self.binary(Op::And, negated, other))
            }
            (_, Some(0)) => Some(self.binary(Op::And, condition, then)),
            (_, Some(_)) => {
                let negated = self.not(condition);
                Some(self.binary(Op::Or, negated, then))
            }
            _ => None,
        }
    }

    /// `width` bits from a position (64 bits) of a table on.
    pub fn load(&mut self, table: TableId, position: Expr, width: u32) -> Expr {
        if let Some(position) = self.constant(position) {
            return self.load_constant(table, position, width);
        }
        self.intern(ExprNode { op: Op::Load, width: width as u8, a: position.0, b: table.0, c: 0 })
    }

    fn load_constant(&mut self, table: TableId, position: u128, width: u32) -> Expr {
        let count = u128::from(width / 8);
        if position + count > self.table(table).bytes.len() as u128 {
            return self.make_constant(width, 0);
        }
        let mut value = None;
        for index in (position as usize..(position + count) as usize).rev() {
            let (symbolic, byte) = (self.table(table).symbolic(index), self.table(table).bytes[index]);
            let byte = symbolic.unwrap_or_else(|| self.make_constant(8, byte.into()));
            value = Some(value.map_or(byte, |upper| self.binary(Op::Concat, upper, byte)));
        }
        value.expect("a read has bytes")
    }

    /// One of the operators that count bits.
    pub fn count(&mut self, op: Op, a: Expr) -> Expr {
        let width = self.width(a);
        match self.constant(a) {
            Some(value) => self.make_constant(width, op.apply(width, width, 0, [value, 0, 0])),
            None => self.intern(ExprNode { op, width: width as u8, a: a.0, b: 0, c: 0 }),
        }
    }

    /// The operator of an expression on other operands.
    pub(crate) fn with_operands(&mut self, expr: Expr, [a, b, c]: [Expr; 3]) -> Expr {
        let (op, width) = (self.op(expr), self.width(expr));
        match op {
            Op::Const | Op::Byte => expr,
            Op::Not => self.not(a),
            Op::ZExt | Op::SExt => self.extend(op, a, width),
            Op::Extract => self.extract(a, self.low_bit(expr), width),
            Op::Load => self.load(self.table_of(expr), a, width),
            Op::CtPop | Op::CtLz | Op::CtTz => self.count(op, a),
            Op::Ite => self.ite(a, b, c),
            _ => self.binary(op, a, b),
        }
    }

    /// A table without symbolic bytes.
    pub fn constant_table(&mut self, bytes: &[u8]) -> TableId {
        self.make_table(Table { bytes: bytes.to_vec(), symbolic: Vec::new() })
    }
}
