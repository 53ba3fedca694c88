//! What a value is at a place, if it was computed from what is there: in `count[c]++` the count that is written is one more than
//! that which was read, whichever it is. Without this each count would be made of all others.

use crate::layout::{Node, op};
use crate::nodes::{Operand, binary, extract, ite, mask, sign_extend, zero_extend};
use crate::state::STATE;
use crate::{memory, snapshots};

/// How far a value is looked into.
const DEPTH: u32 = 6;

/// Whether a value is computed from what was read through the same address.
pub unsafe fn reads(label: u32, address: u32) -> bool {
    // SAFETY: labels are numbers of nodes.
    unsafe { is_reader(label, address, DEPTH) }
}

unsafe fn is_reader(label: u32, address: u32, depth: u32) -> bool {
    // SAFETY: operands are labels.
    unsafe {
        let node = STATE.node(label);
        if label == 0 || depth == 0 || node.width > 64 {
            return false;
        }
        match node.op {
            op::LOAD => node.a == address,
            op::ZEXT | op::SEXT | op::EXTRACT => is_reader(node.a, address, depth - 1),
            op::ITE => [node.a, node.b, node.c].iter().any(|&label| is_reader(label, address, depth - 1)),
            _ if apply(node, 0, 0).is_some() => {
                is_reader(node.a, address, depth - 1) || is_reader(node.b, address, depth - 1)
            }
            _ => false,
        }
    }
}

/// What the value is if the address is a place of the same object.
pub unsafe fn at(value: Operand, address: u32, place: usize) -> Operand {
    // SAFETY: labels are numbers of nodes.
    unsafe { replaced(value, address, place, DEPTH) }
}

unsafe fn replaced(value: Operand, address: u32, place: usize, depth: u32) -> Operand {
    // SAFETY: operands are labels.
    unsafe {
        if !is_reader(value.label, address, depth) {
            return value;
        }
        let (node, width) = (*STATE.node(value.label), value.width);
        let inner = |label: u32| replaced(Operand::of(label), address, place, depth - 1);
        let operand =
            |label: u32| if label == 0 { Operand::constant(node.constant as u128, width) } else { inner(label) };
        match node.op {
            op::LOAD => match snapshots::part(node.b, place, width as usize / 8) {
                Some((labels, bytes)) => memory::peek(labels, bytes, width as usize / 8),
                None => value,
            },
            op::ZEXT => zero_extend(inner(node.a), width),
            op::SEXT => sign_extend(inner(node.a), width),
            op::EXTRACT => extract(inner(node.a), node.c, width),
            op::ITE => {
                let (condition, then, otherwise) = (inner(node.a), operand(node.b), operand(node.c));
                let chosen = if condition.value != 0 { then.value } else { otherwise.value };
                Operand { label: ite(condition, then, otherwise), width, value: chosen }
            }
            _ => computed(&node, operand(node.a), operand(node.b)),
        }
    }
}

/// A node of the same operator with other operands.
unsafe fn computed(node: &Node, a: Operand, b: Operand) -> Operand {
    // SAFETY: operands are labels.
    unsafe {
        let value = apply(node, a.value as u64, b.value as u64).unwrap_or(0) as u128 & mask(node.width as u32);
        Operand { label: binary(node.op, node.width as u32, a, b, value), width: node.width as u32, value }
    }
}

/// What an operator computes; only of those that are common where something is counted or collected.
fn apply(node: &Node, a: u64, b: u64) -> Option<u64> {
    Some(match node.op {
        op::ADD => a.wrapping_add(b),
        op::SUB => a.wrapping_sub(b),
        op::MUL => a.wrapping_mul(b),
        op::AND => a & b,
        op::OR => a | b,
        op::XOR => a ^ b,
        _ => return None,
    })
}
