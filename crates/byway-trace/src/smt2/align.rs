//! Which of the lowest bits of an expression are 0 whatever the input: addresses of elements of an array have some, and
//! what is never read need not be in a table.

use crate::evaluate::recorded;
use crate::layout::{Node, op};
use crate::operand::{Operand, Operands};

/// For each node, how many of its lowest bits are known to be 0.
#[derive(Debug, Default)]
pub struct Alignment(Vec<u8>);

/// More than this is of no use.
const MOST: u32 = 16;

impl Alignment {
    /// The alignment of all nodes.
    pub fn of(nodes: &[Node]) -> Self {
        let mut known = Alignment(Vec::with_capacity(nodes.len()));
        for node in nodes {
            let zeros = known.of_node(nodes, node).min(node.width.into()).min(MOST);
            known.0.push(zeros as u8);
        }
        known
    }

    /// How many of a node's lowest bits are 0.
    pub fn get(&self, label: u32) -> u32 {
        self.0[label as usize].into()
    }

    fn of_node(&self, nodes: &[Node], node: &Node) -> u32 {
        if node.op == op::CONST {
            return recorded(node).trailing_zeros();
        }
        let operands = Operands::of(nodes, node);
        let [a, b, c] = operands.all().map(|operand| self.of_operand(operand));
        let [_, second, _] = operands.all();
        match node.op {
            op::ADD | op::SUB | op::OR | op::XOR => a.min(b),
            op::AND => a.max(b),
            op::MUL => a + b,
            op::SHL if second.label == 0 => a.saturating_add(second.constant.min(MOST.into()) as u32),
            op::ZEXT | op::SEXT => a,
            op::EXTRACT => a.saturating_sub(node.c),
            op::CONCAT if b < second.width => b,
            op::CONCAT => a + b,
            op::ITE => b.min(c),
            _ => 0,
        }
    }

    fn of_operand(&self, operand: Operand) -> u32 {
        match operand.label {
            0 => operand.constant.trailing_zeros().min(operand.width),
            label => self.get(label),
        }
    }
}
