//! What expressions are worth.
//!
//! Every operator means what SMT-LIB says: division by zero and shifts by too much have values.

use crate::layout::{Node, op};
use crate::operand::Operands;
use crate::trace::{Snapshot, Trace};

/// The bits of a width.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value that a node had in its run.
pub fn recorded(node: &Node) -> u128 {
    if node.width > 64 { u128::from(node.constant) << 64 | u128::from(node.value) } else { node.value.into() }
}

/// What a node is worth if its operands have these values. Inputs and reads are worth what `values[0]` says: they depend
/// on more than operands.
pub fn evaluate(node: &Node, operands: &Operands, values: [u128; 3]) -> u128 {
    let width = u32::from(node.width);
    let [first, second, _] = operands.all();
    let [a, b, c] = values;
    // Sign-extended to 128 bits.
    let signed = |value: u128, width: u32| {
        let unused = 128 - width;
        ((value << unused) as i128) >> unused
    };
    let shift = u32::try_from(b).ok().filter(|&shift| shift < width);
    let value = match node.op {
        op::CONST => recorded(node),
        op::ADD => a.wrapping_add(b),
        op::SUB => a.wrapping_sub(b),
        op::MUL => a.wrapping_mul(b),
        op::UDIV => a.checked_div(b).unwrap_or(u128::MAX),
        op::UREM => a.checked_rem(b).unwrap_or(a),
        op::SDIV => match (signed(a, width), signed(b, width)) {
            (a, 0) if a < 0 => 1,
            (_, 0) => u128::MAX,
            (a, b) => a.wrapping_div(b) as u128,
        },
        op::SREM => match (signed(a, width), signed(b, width)) {
            (a, 0) => a as u128,
            (a, b) => a.wrapping_rem(b) as u128,
        },
        op::SHL => shift.map_or(0, |shift| a << shift),
        op::LSHR => shift.map_or(0, |shift| a >> shift),
        op::ASHR => (signed(a, width) >> shift.unwrap_or(127)) as u128,
        op::AND => a & b,
        op::OR => a | b,
        op::XOR => a ^ b,
        op::EQ => (a == b).into(),
        op::NE => (a != b).into(),
        op::ULT => (a < b).into(),
        op::ULE => (a <= b).into(),
        op::SLT => (signed(a, first.width) < signed(b, first.width)).into(),
        op::SLE => (signed(a, first.width) <= signed(b, first.width)).into(),
        op::SEXT => signed(a, first.width) as u128,
        op::EXTRACT => a >> node.c.min(127),
        op::CONCAT => a << second.width.min(127) | b,
        op::ITE => return if a != 0 { b } else { c },
        op::CTPOP => a.count_ones().into(),
        op::CTLZ => a.leading_zeros().saturating_sub(128 - width).into(),
        op::CTTZ => a.trailing_zeros().min(width).into(),
        // ZEXT, INPUT, LOAD.
        _ => a,
    };
    value & mask(width)
}

/// A byte of the input that an expression asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputByte {
    /// The source, an index into [`Trace::inputs`].
    pub source: u32,
    /// Where in the source.
    pub offset: u64,
    /// What it was in the run.
    pub recorded: u8,
}

/// What all nodes of a trace are worth.
#[derive(Debug)]
pub struct Values {
    low: Vec<u64>,
    /// The upper halves of wide nodes, by label. Nearly no node is wide.
    high: Vec<(u32, u64)>,
}

impl Values {
    /// What a node is worth.
    pub fn get(&self, label: u32) -> u128 {
        let low = u128::from(self.low[label as usize]);
        if self.high.is_empty() {
            return low;
        }
        match self.high.binary_search_by_key(&label, |&(label, _)| label) {
            Ok(position) => u128::from(self.high[position].1) << 64 | low,
            Err(_) => low,
        }
    }

    fn push(&mut self, value: u128) {
        let label = self.low.len() as u32;
        self.low.push(value as u64);
        if value >> 64 != 0 {
            self.high.push((label, (value >> 64) as u64));
        }
    }
}

/// What is at an address. Where there is nothing (other inputs may make an address that is outside), it is 0.
pub(crate) fn load(snapshot: Snapshot<'_>, address: u64, count: usize, value: impl Fn(u32) -> u128) -> u128 {
    let Some(position) = snapshot.position(address, count) else { return 0 };
    let byte = |index: usize| match snapshot.label(index) {
        Some((label, byte)) => (value(label) >> (byte * 8)) as u8,
        None => snapshot.bytes[index],
    };
    (position..position + count).rev().fold(0, |value, index| value << 8 | u128::from(byte(index)))
}

/// What all nodes of a trace are worth if the input has the bytes that `input` says.
pub fn evaluate_all(trace: &Trace, input: impl Fn(InputByte) -> u8) -> Values {
    let nodes = trace.nodes();
    let mut values = Values { low: Vec::with_capacity(nodes.len()), high: Vec::new() };
    values.push(0);
    for node in nodes.iter().skip(1) {
        let operands = Operands::of(nodes, node);
        let of = |index: usize| {
            let operand = operands.all()[index];
            if operand.label == 0 { operand.constant.into() } else { values.get(operand.label) }
        };
        let value = match node.op {
            op::INPUT => input(InputByte { source: node.a, offset: node.constant, recorded: node.value as u8 }).into(),
            op::LOAD => {
                let count = usize::from(node.width / 8);
                load(trace.snapshot(node.b), of(0) as u64, count, |label| values.get(label))
            }
            _ => evaluate(node, &operands, [of(0), of(1), of(2)]),
        };
        values.push(value);
    }
    values
}
