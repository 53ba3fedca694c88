//! The operands of a node.

use crate::layout::{Node, op};

/// An operand: another node, or the constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// The node; 0 if it is the constant.
    pub label: u32,
    /// The constant, if it is one.
    pub constant: u64,
    /// How many bits it has.
    pub width: u32,
}

/// The operands of a node, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operands {
    all: [Operand; 3],
    count: usize,
}

impl Operands {
    /// The operands of a node. What is not an operand (sources, snapshots, positions of bits) is left out.
    pub fn of(nodes: &[Node], node: &Node) -> Operands {
        let width = u32::from(node.width);
        let of = |label: u32| u32::from(nodes[label as usize].width);
        let operand = |label: u32, width: u32| Operand { label, constant: constant(label, node, width), width };
        let none = operand(0, 0);
        let (all, count) = match node.op {
            op::ADD..=op::XOR => ([operand(node.a, width), operand(node.b, width), none], 2),
            op::EQ..=op::SLE => {
                let width = if node.a == 0 { of(node.b) } else { of(node.a) };
                ([operand(node.a, width), operand(node.b, width), none], 2)
            }
            op::CONCAT => {
                let upper = if node.a == 0 { width - of(node.b) } else { of(node.a) };
                ([operand(node.a, upper), operand(node.b, width - upper), none], 2)
            }
            op::ITE => ([operand(node.a, 1), operand(node.b, width), operand(node.c, width)], 3),
            op::ZEXT | op::SEXT | op::EXTRACT | op::LOAD | op::CTPOP..=op::CTTZ => {
                ([operand(node.a, of(node.a)), none, none], 1)
            }
            _ => ([none; 3], 0),
        };
        Operands { all, count }
    }

    /// All of them.
    pub fn as_slice(&self) -> &[Operand] {
        &self.all[..self.count]
    }

    /// All three; those that are not there are 0, without width.
    pub fn all(&self) -> [Operand; 3] {
        self.all
    }
}

fn constant(label: u32, node: &Node, width: u32) -> u64 {
    match (label, width) {
        (0, 1..=63) => node.constant & ((1 << width) - 1),
        (0, 64) => node.constant,
        _ => 0,
    }
}
