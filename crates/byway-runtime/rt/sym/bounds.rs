//! How large a signed number can become, as far as its expression says so at a glance.

use crate::layout::{Node, op};
use crate::state::STATE;

/// How far an expression is looked into.
const DEPTH: u32 = 6;

/// Whether an addition, subtraction or multiplication of signed numbers may not fit into its width.
pub unsafe fn can_overflow(node: &Node) -> bool {
    // SAFETY: operands are labels.
    unsafe { node.width > 64 || result(node, DEPTH) > node.width as u32 }
}

/// Whether a shift to the left of a signed number may lose bits that say what it is, or is one of a negative number.
pub unsafe fn can_lose_bits(node: &Node) -> bool {
    // SAFETY: operands are labels.
    unsafe {
        let width = node.width as u32;
        if node.b != 0 || width > 64 || node.a == 0 {
            return true;
        }
        !is_positive(STATE.node(node.a), DEPTH) || of(STATE.node(node.a), DEPTH) as u64 + node.constant > width as u64
    }
}

/// Whether a value is never negative, at a glance.
unsafe fn is_positive(node: &Node, depth: u32) -> bool {
    // SAFETY: operands are labels.
    unsafe {
        let is_operand = |label: u32, constant: u64| {
            if label == 0 { constant >> (node.width - 1) & 1 == 0 } else { is_positive(STATE.node(label), depth - 1) }
        };
        match node.op {
            _ if depth == 0 => false,
            op::ZEXT => STATE.node(node.a).width < node.width,
            op::LSHR => node.b == 0 && node.constant > 0,
            op::AND => is_operand(node.a, node.constant) || is_operand(node.b, node.constant),
            op::OR | op::XOR => is_operand(node.a, node.constant) && is_operand(node.b, node.constant),
            op::ITE => is_operand(node.b, node.constant) && is_operand(node.c, node.constant),
            _ => false,
        }
    }
}

/// How many of the lowest bits of a value are 0 for sure. A pointer that was read from memory is taken to be aligned.
pub unsafe fn zero_bits(label: u32) -> u32 {
    // SAFETY: the label is a node's.
    unsafe { zeros(STATE.node(label), DEPTH) }
}

unsafe fn zeros(node: &Node, depth: u32) -> u32 {
    // SAFETY: operands are labels.
    unsafe {
        let operand = |label: u32| {
            if label == 0 { node.constant.trailing_zeros() } else { zeros(STATE.node(label), depth - 1) }
        };
        match node.op {
            _ if depth == 0 => 0,
            op::CONST => node.value.trailing_zeros(),
            op::LOAD if node.width == 64 => 64,
            op::ADD | op::SUB | op::OR | op::XOR => operand(node.a).min(operand(node.b)),
            op::MUL => operand(node.a) + operand(node.b),
            op::AND => operand(node.a).max(operand(node.b)),
            op::SHL if node.b == 0 => operand(node.a) + node.constant.min(64) as u32,
            op::ZEXT | op::SEXT => operand(node.a),
            op::EXTRACT if node.c == 0 => operand(node.a),
            op::CONCAT => operand(node.b),
            op::ITE => operand(node.b).min(operand(node.c)),
            _ => 0,
        }
    }
}

/// The bits that the exact result of arithmetic needs, its sign included.
unsafe fn result(node: &Node, depth: u32) -> u32 {
    // SAFETY: operands are labels.
    unsafe {
        let (a, b) = (operand(node, node.a, depth), operand(node, node.b, depth));
        if node.op == op::MUL { a + b } else { a.max(b) + 1 }
    }
}

unsafe fn operand(node: &Node, label: u32, depth: u32) -> u32 {
    // SAFETY: operands are labels.
    unsafe { if label == 0 { of_constant(node.constant, node.width as u32) } else { of(STATE.node(label), depth) } }
}

fn of_constant(value: u64, width: u32) -> u32 {
    let unused = 64 - width;
    let value = (value << unused) as i64 >> unused;
    65 - if value < 0 { value.leading_ones() } else { value.leading_zeros() }
}

/// The bits that a value needs, its sign included.
unsafe fn of(node: &Node, depth: u32) -> u32 {
    let width = node.width as u32;
    if depth == 0 || width > 64 {
        return width;
    }
    // SAFETY: operands are labels.
    let bits = unsafe {
        let first = |node: &Node| STATE.node(node.a);
        match node.op {
            op::ZEXT => first(node).width as u32 + 1,
            op::SEXT => of(first(node), depth - 1),
            op::ADD | op::SUB | op::MUL => result(node, depth - 1),
            // As many as a constant that is not negative has.
            op::AND if node.b == 0 && node.constant >> (width - 1) == 0 => of_constant(node.constant, width),
            op::AND | op::OR | op::XOR => operand(node, node.a, depth - 1).max(operand(node, node.b, depth - 1)),
            op::SREM if node.b == 0 => of_constant(node.constant, width),
            op::SHL if node.b == 0 => of(first(node), depth - 1) + (node.constant as u32).min(width),
            op::ASHR if node.b == 0 => {
                of(first(node), depth - 1).saturating_sub((node.constant as u32).min(width)).max(1)
            }
            // Zeros come in from above.
            op::LSHR if node.b == 0 && node.constant > 0 => width + 1 - (node.constant as u32).min(width),
            op::ITE => operand(node, node.b, depth - 1).max(operand(node, node.c, depth - 1)),
            _ => width,
        }
    };
    bits.min(width)
}
