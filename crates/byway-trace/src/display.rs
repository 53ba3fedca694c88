//! Expressions for people to read.

use std::fmt;

use crate::evaluate::recorded;
use crate::layout::{Node, op};
use crate::operand::{Operand, Operands};
use crate::trace::Trace;

/// An expression of a trace, as text. Below a depth it is cut off: `...`.
#[derive(Debug, Clone, Copy)]
pub struct Expression<'a> {
    trace: &'a Trace,
    label: u32,
    depth: u32,
}

/// How deep expressions are shown.
const DEPTH: u32 = 6;

impl<'a> Expression<'a> {
    /// The expression of a label of the trace, in its usual depth.
    pub fn new(trace: &'a Trace, label: u32) -> Self {
        Expression { trace, label, depth: DEPTH }
    }

    /// The expression, in another depth.
    pub fn with_depth(self, depth: u32) -> Self {
        Expression { depth, ..self }
    }

    fn write(&self, formatter: &mut fmt::Formatter<'_>, label: u32, depth: u32) -> fmt::Result {
        let node = self.trace.node(label);
        match node.op {
            op::INPUT => return write!(formatter, "{}[{}]", self.trace.inputs()[node.a as usize].name, node.constant),
            op::CONST => return number(formatter, recorded(node)),
            _ if depth == 0 => return formatter.write_str("..."),
            _ => {}
        }
        let operands = Operands::of(self.trace.nodes(), node);
        let operands = Written { expression: self, operands: operands.all(), depth: depth - 1 };
        if let Some(symbol) = infix(node.op) {
            formatter.write_str("(")?;
            operands.write(formatter, 0)?;
            write!(formatter, " {symbol} ")?;
            operands.write(formatter, 1)?;
            return formatter.write_str(")");
        }
        operands.write_function(formatter, node)
    }
}

/// The operands of a node on their way to the text.
struct Written<'a> {
    expression: &'a Expression<'a>,
    operands: [Operand; 3],
    depth: u32,
}

impl Written<'_> {
    fn write(&self, formatter: &mut fmt::Formatter<'_>, index: usize) -> fmt::Result {
        let operand = self.operands[index];
        match operand.label {
            0 => number(formatter, operand.constant.into()),
            label => self.expression.write(formatter, label, self.depth),
        }
    }

    fn write_function(&self, formatter: &mut fmt::Formatter<'_>, node: &Node) -> fmt::Result {
        match node.op {
            op::ITE => {
                formatter.write_str("(")?;
                self.write(formatter, 0)?;
                formatter.write_str(" ? ")?;
                self.write(formatter, 1)?;
                formatter.write_str(" : ")?;
                self.write(formatter, 2)?;
                return formatter.write_str(")");
            }
            op::ZEXT => write!(formatter, "zext{}(", node.width)?,
            op::SEXT => write!(formatter, "sext{}(", node.width)?,
            op::EXTRACT => write!(formatter, "bits{}..{}(", node.c, node.c + u32::from(node.width))?,
            op::LOAD => write!(formatter, "load{}(", node.width)?,
            op::CTPOP => formatter.write_str("popcount(")?,
            op::CTLZ => formatter.write_str("clz(")?,
            _ => formatter.write_str("ctz(")?,
        }
        self.write(formatter, 0)?;
        formatter.write_str(")")
    }
}

impl fmt::Display for Expression<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(formatter, self.label, self.depth)
    }
}

fn infix(operator: u8) -> Option<&'static str> {
    Some(match operator {
        op::ADD => "+",
        op::SUB => "-",
        op::MUL => "*",
        op::UDIV => "/u",
        op::SDIV => "/s",
        op::UREM => "%u",
        op::SREM => "%s",
        op::SHL => "<<",
        op::LSHR => ">>u",
        op::ASHR => ">>s",
        op::AND => "&",
        op::OR => "|",
        op::XOR => "^",
        op::EQ => "==",
        op::NE => "!=",
        op::ULT => "<u",
        op::ULE => "<=u",
        op::SLT => "<s",
        op::SLE => "<=s",
        op::CONCAT => "::",
        _ => return None,
    })
}

/// Small numbers in decimal, others in hexadecimal.
fn number(formatter: &mut fmt::Formatter<'_>, value: u128) -> fmt::Result {
    if value < 1000 { write!(formatter, "{value}") } else { write!(formatter, "{value:#x}") }
}
