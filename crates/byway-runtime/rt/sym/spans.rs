//! Which values an expression can have, as far as it says so itself: an interval and a step.
//!
//! So a table of 1 MB that is indexed by a byte is one of 256 entries.

use crate::layout::{Node, op};
use crate::nodes::mask;
use crate::state::STATE;

/// How far an expression is looked into.
const DEPTH: u32 = 8;
/// Factors and distances of shifts up to here: products of these stay far below what fits.
const FACTOR: i128 = 1 << 31;
const SHIFT: u64 = 31;

/// The value is, modulo two to its width, `low` and a multiple of `step`, and at most `high`. A constant has step 0.
#[derive(Clone, Copy)]
pub struct Span {
    pub low: i128,
    pub high: i128,
    pub step: u64,
}

/// The span of an address or a length.
pub unsafe fn of(label: u32) -> Span {
    // SAFETY: the label is a node's.
    unsafe {
        let node = STATE.node(label);
        if node.width > 64 { Span::any(64) } else { unsigned_or_near(find(node, DEPTH), node.width as u32) }
    }
}

/// Values below zero stay so: a place in memory is none of them.
fn unsigned_or_near(span: Span, width: u32) -> Span {
    let near = 1i128 << 62;
    if span.low > -near && span.high < (mask(width) as i128) + near { span } else { span.wrapped(width) }
}

fn greatest_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Span {
    fn any(width: u32) -> Span {
        Span { low: 0, high: mask(width) as i128, step: 1 }
    }

    fn constant(value: i128) -> Span {
        Span { low: value, high: value, step: 0 }
    }

    /// All values of that width which the lowest bits allow: what wraps around keeps a step that is a power of two.
    fn wrapped(self, width: u32) -> Span {
        let lowest = self.step & self.step.wrapping_neg();
        if self.step == 0 || lowest as u128 > mask(width) {
            return Span::any(width);
        }
        Span { low: self.low & (lowest as i128 - 1), high: mask(width) as i128, step: lowest }
    }

    /// As numbers from 0 on.
    fn unsigned(self, width: u32) -> Span {
        if self.low >= 0 && self.high <= mask(width) as i128 { self } else { self.wrapped(width) }
    }

    /// As numbers with a sign.
    fn signed(self, width: u32) -> Span {
        let half = 1i128 << (width - 1);
        if self.low >= -half && self.high < half {
            return self;
        }
        let wrapped = self.wrapped(width);
        Span { low: wrapped.low - half, high: half - 1, step: wrapped.step }
    }

    fn plus(self, other: Span) -> Span {
        let step = greatest_divisor(self.step, other.step);
        Span { low: self.low + other.low, high: self.high + other.high, step }
    }

    fn times(self, factor: i128) -> Span {
        let (a, b) = (self.low * factor, self.high * factor);
        // Step 1 is always true.
        let step = self.step.checked_mul(factor.unsigned_abs() as u64).unwrap_or(1);
        if factor < 0 { Span { low: b, high: a, step } } else { Span { low: a, high: b, step } }
    }

    /// Either.
    fn or(self, other: Span) -> Span {
        let apart = (self.low - other.low).unsigned_abs();
        let apart = if apart > u64::MAX as u128 { 1 } else { apart as u64 };
        let step = greatest_divisor(greatest_divisor(self.step, other.step), apart);
        Span { low: self.low.min(other.low), high: self.high.max(other.high), step }
    }
}

/// The operand of a node as a span; constants with their sign.
unsafe fn operand(node: &Node, label: u32, depth: u32) -> Span {
    // SAFETY: operands are labels.
    unsafe {
        if label != 0 {
            return find(STATE.node(label), depth);
        }
        let unused = 64 - node.width as u32;
        Span::constant(((node.constant << unused) as i64 >> unused) as i128)
    }
}

unsafe fn find(node: &Node, depth: u32) -> Span {
    let width = node.width as u32;
    if depth == 0 || width > 64 {
        return Span::any(width.min(64));
    }
    // SAFETY: operands are labels.
    unsafe {
        let depth = depth - 1;
        let all = Span::any(width);
        let first = |is_signed: bool| {
            let inner = STATE.node(node.a);
            let span = if inner.width > 64 { Span::any(64) } else { find(inner, depth) };
            let width = (inner.width as u32).min(64);
            if is_signed { span.signed(width) } else { span.unsigned(width) }
        };
        let span = match node.op {
            op::CONST => Span::constant(node.value as i128),
            op::ADD => operand(node, node.a, depth).plus(operand(node, node.b, depth)),
            op::SUB => operand(node, node.a, depth).plus(operand(node, node.b, depth).times(-1)),
            op::MUL if node.a == 0 || node.b == 0 => {
                let (factor, other) = (operand(node, 0, depth), operand(node, node.a | node.b, depth));
                if factor.low.abs() <= FACTOR { other.times(factor.low) } else { all }
            }
            op::SHL if node.b == 0 && node.constant <= SHIFT => operand(node, node.a, depth).times(1 << node.constant),
            op::ZEXT => first(false),
            op::SEXT => first(true),
            op::EXTRACT if node.c == 0 => first(false).unsigned(width),
            op::CONCAT if node.a != 0 && node.b != 0 => {
                let (upper, lower) = (STATE.node(node.a), STATE.node(node.b));
                let (a, b) = (upper.width as u32, lower.width as u32);
                if b as u64 > SHIFT {
                    return all;
                }
                find(upper, depth).unsigned(a).times(1 << b).plus(find(lower, depth).unsigned(b))
            }
            op::AND if node.a == 0 || node.b == 0 => masked(node),
            op::LSHR if node.b == 0 && node.constant < 64 => {
                let span = find(STATE.node(node.a), depth).unsigned(width);
                Span { low: span.low >> node.constant, high: span.high >> node.constant, step: 1 }
            }
            op::UDIV if node.b == 0 && node.constant != 0 => {
                let span = find(STATE.node(node.a), depth).unsigned(width);
                let divide = |value: i128| (value as u64 / node.constant) as i128;
                Span { low: divide(span.low), high: divide(span.high), step: 1 }
            }
            op::UREM if node.b == 0 && node.constant != 0 => Span { low: 0, high: node.constant as i128 - 1, step: 1 },
            op::ITE => operand(node, node.b, depth).or(operand(node, node.c, depth)),
            _ => all,
        };
        limited(span, width)
    }
}

/// The bits of a constant that is not negative.
fn masked(node: &Node) -> Span {
    let lowest = node.constant & node.constant.wrapping_neg();
    Span { low: 0, high: node.constant as i128, step: lowest.max(1) }
}

/// Spans as long as all numbers say nothing more; and none gets so large that its products would not fit.
fn limited(span: Span, width: u32) -> Span {
    let far = 1i128 << 66;
    if span.high - span.low > mask(width) as i128 || span.low < -far || span.high > far {
        return span.wrapped(width);
    }
    span
}
