//! What the tests share: random expressions.
#![allow(dead_code)]

use byway_trace::Builder;
use byway_trace::layout::{self, op};
use proptest::prelude::*;

/// How to make one node of what is there already.
#[derive(Debug, Clone)]
pub struct Step {
    /// Chooses the operator.
    pub op: u8,
    /// Choose operands.
    pub operands: [prop::sample::Index; 3],
    /// The width, where it is free, and the position of bits.
    pub width: u8,
    /// The constant operand, and whether there is one, and where.
    pub constant: Option<(u64, bool)>,
}

/// The steps of an expression over a few bytes of input.
pub fn steps(count: usize) -> impl Strategy<Value = (Vec<u8>, Vec<Step>)> {
    let constant = prop::option::of((prop_oneof![0..20u64, any::<u64>()], any::<bool>()));
    let step = (op::ADD..=op::CTTZ, any::<[prop::sample::Index; 3]>(), 1..=128u8, constant)
        .prop_map(|(op, operands, width, constant)| Step { op, operands, width, constant });
    (prop::collection::vec(any::<u8>(), 1..6), prop::collection::vec(step, 1..count))
}

/// Makes the nodes. The labels of all that were made, inputs first.
pub fn build(builder: &mut Builder, bytes: &[u8], steps: &[Step]) -> Vec<u32> {
    let source = builder.source(layout::source_kind::STDIN, 0, "");
    let mut labels: Vec<u32> =
        bytes.iter().enumerate().map(|(offset, &byte)| builder.input(source, offset as u64, byte)).collect();
    for step in steps {
        let operands = step.operands.map(|index| *index.get(&labels));
        labels.push(add(builder, step, operands, &labels));
    }
    labels
}

fn add(builder: &mut Builder, step: &Step, [a, b, c]: [u32; 3], labels: &[u32]) -> u32 {
    let width = builder.width(a);
    match step.op {
        op::ADD..=op::SLE => {
            let result = if step.op >= op::EQ { 1 } else { width };
            match step.constant.filter(|_| width <= 64) {
                Some((constant, true)) => builder.node(step.op, result, [a, 0, 0], cut(constant, width)),
                Some((constant, false)) => builder.node(step.op, result, [0, a, 0], cut(constant, width)),
                None => {
                    let b = of_width(builder, b, width);
                    builder.node(step.op, result, [a, b, 0], 0)
                }
            }
        }
        op::ZEXT | op::SEXT => builder.node(step.op, width.max(step.width), [a, 0, 0], 0),
        op::EXTRACT => {
            let low = step.width % width;
            builder.node(op::EXTRACT, (step.width % (width - low)).max(1), [a, 0, low.into()], 0)
        }
        op::CONCAT => match step.constant.filter(|_| width < step.width && step.width <= 64) {
            Some((constant, true)) => {
                builder.node(op::CONCAT, step.width, [a, 0, 0], cut(constant, step.width - width))
            }
            Some((constant, false)) => {
                builder.node(op::CONCAT, step.width, [0, a, 0], cut(constant, step.width - width))
            }
            None => {
                let (a, b) = (at_most(builder, a, 64), at_most(builder, b, 64));
                builder.node(op::CONCAT, builder.width(a) + builder.width(b), [a, b, 0], 0)
            }
        },
        op::ITE => {
            let condition = at_most(builder, b, 1);
            match step.constant.filter(|_| width <= 64) {
                Some((constant, _)) => builder.node(op::ITE, width, [condition, a, 0], cut(constant, width)),
                None => {
                    let c = of_width(builder, c, width);
                    builder.node(op::ITE, width, [condition, a, c], 0)
                }
            }
        }
        op::LOAD => add_load(builder, step, a, labels),
        _ => builder.node(step.op, width, [a, 0, 0], 0),
    }
}

/// A read from a table of bytes, of which every third is one of the nodes.
fn add_load(builder: &mut Builder, step: &Step, a: u32, labels: &[u32]) -> u32 {
    const BASE: u64 = 0x10_0000;
    let bits = 2 + step.width % 4;
    let index = at_most(builder, a, bits);
    let index = builder.node(op::ZEXT, 64, [index, 0, 0], 0);
    let index = builder.node(op::MUL, 64, [index, 0, 0], 1 << (5 - bits));
    let address = builder.node(op::ADD, 64, [index, 0, 0], BASE);
    let seed = step.constant.map_or(0, |(constant, _)| constant) as u8;
    let labelled = |position: usize| step.width.is_multiple_of(2) && position.is_multiple_of(3);
    let label = |position: usize| {
        let label = labels[position % labels.len()];
        let byte = position as u32 % u32::from(builder.width(label).div_ceil(8));
        if labelled(position) { label | byte << layout::BYTE_SHIFT } else { 0 }
    };
    let value = |position: usize| seed.wrapping_mul(position as u8 / 5) ^ seed >> (position % 2);
    let bytes: Vec<u8> = (0..32 + 15).map(value).collect();
    let labels: Vec<u32> =
        if step.width.is_multiple_of(2) { (0..bytes.len()).map(label).collect() } else { Vec::new() };
    let snapshot = builder.snapshot(BASE, &bytes, &labels);
    builder.node(op::LOAD, (step.width % 16 + 1) * 8, [address, snapshot, 0], 0)
}

fn cut(constant: u64, width: u8) -> u64 {
    if width >= 64 { constant } else { constant & ((1 << width) - 1) }
}

fn at_most(builder: &mut Builder, label: u32, width: u8) -> u32 {
    if builder.width(label) <= width { label } else { builder.node(op::EXTRACT, width, [label, 0, 0], 0) }
}

fn of_width(builder: &mut Builder, label: u32, width: u8) -> u32 {
    let label = at_most(builder, label, width);
    if builder.width(label) == width { label } else { builder.node(op::SEXT, width, [label, 0, 0], 0) }
}
