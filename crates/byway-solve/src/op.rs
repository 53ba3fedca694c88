//! Operators of expressions, and what they compute.

use byway_trace::evaluate::mask;

/// An operator. What they mean is what LLVM means where it is defined, and SMT-LIB where it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// A constant.
    Const,
    /// A byte of the input.
    Byte,
    /// All bits inverted.
    Not,
    /// a + b
    Add,
    /// a - b
    Sub,
    /// a * b
    Mul,
    /// a / b, unsigned; all bits set if b is 0.
    UDiv,
    /// a / b, signed; 1 or -1 if b is 0.
    SDiv,
    /// a % b, unsigned; a if b is 0.
    URem,
    /// a % b, signed; a if b is 0.
    SRem,
    /// a << b; 0 if b is not less than the width.
    Shl,
    /// a >> b, unsigned; 0 if b is not less than the width.
    LShr,
    /// a >> b, signed; all sign bits if b is not less than the width.
    AShr,
    /// a & b
    And,
    /// a | b
    Or,
    /// a ^ b
    Xor,
    /// a == b; 1 bit.
    Eq,
    /// a < b, unsigned; 1 bit.
    Ult,
    /// a < b, signed; 1 bit.
    Slt,
    /// a, with zeros above.
    ZExt,
    /// a, with its sign above.
    SExt,
    /// Bits of a, from bit `b` on.
    Extract,
    /// a in the upper bits, b in the lower.
    Concat,
    /// b if a, else c.
    Ite,
    /// What is at position a of table b, little-endian; 0 if it is not within.
    Load,
    /// How many bits are set.
    CtPop,
    /// How many of the highest bits are 0.
    CtLz,
    /// How many of the lowest bits are 0.
    CtTz,
}

impl Op {
    /// Whether operands can change places.
    pub fn is_commutative(self) -> bool {
        matches!(self, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq)
    }

    /// How many operands are expressions.
    pub fn arity(self) -> usize {
        match self {
            Op::Const | Op::Byte => 0,
            Op::Not | Op::ZExt | Op::SExt | Op::Extract | Op::Load | Op::CtPop | Op::CtLz | Op::CtTz => 1,
            Op::Ite => 3,
            _ => 2,
        }
    }

    /// The result for operands of width `from`. `low` is the lowest bit of [`Op::Extract`], or the width of the lower operand of
    /// [`Op::Concat`]. Constants, bytes and reads from tables do not depend on operands alone and are worth `a`.
    #[inline(always)]
    pub fn apply(self, width: u32, from: u32, low: u32, [a, b, c]: [u128; 3]) -> u128 {
        let shift = if b < u128::from(width) { Some(b as u32) } else { None };
        let value = match self {
            Op::Not => !a,
            Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::Mul => a.wrapping_mul(b),
            Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
            Op::URem => a.checked_rem(b).unwrap_or(a),
            Op::SDiv => match (signed(a, width), signed(b, width)) {
                (a, 0) if a < 0 => 1,
                (_, 0) => u128::MAX,
                (a, b) => a.wrapping_div(b) as u128,
            },
            Op::SRem => match (signed(a, width), signed(b, width)) {
                (a, 0) => a as u128,
                (a, b) => a.wrapping_rem(b) as u128,
            },
            Op::Shl => shift.map_or(0, |shift| a << shift),
            Op::LShr => shift.map_or(0, |shift| a >> shift),
            Op::AShr => (signed(a, width) >> shift.unwrap_or(127)) as u128,
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::Eq => (a == b).into(),
            Op::Ult => (a < b).into(),
            Op::Slt => (signed(a, from) < signed(b, from)).into(),
            Op::SExt => signed(a, from) as u128,
            Op::Extract => a >> low.min(127),
            Op::Concat => a << low.min(127) | b,
            Op::Ite => return if a != 0 { b } else { c },
            Op::CtPop => a.count_ones().into(),
            Op::CtLz => a.leading_zeros().saturating_sub(128 - width).into(),
            Op::CtTz => a.trailing_zeros().min(width).into(),
            Op::Const | Op::Byte | Op::ZExt | Op::Load => a,
        };
        value & mask(width)
    }
}

/// A value with its sign, in 128 bits.
#[inline(always)]
pub fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}
