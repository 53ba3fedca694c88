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
