//! Whether expressions are worth what the program computed.
//!
//! Every node knows the value it had in the run. Here all of them are computed again, from nothing but the bytes of the
//! input: if a value differs, an expression does not say what the program did, and that is a mistake of byway.
//! Behind a division by zero there is nothing to compare: if it did not end the run, an optimiser made something else of it.

use crate::display::Expression;
use crate::evaluate::{Values, evaluate_all, recorded};
use crate::kind::EventKind;
use crate::layout::{Event, Node, op};
use crate::trace::Trace;

/// What the check of a trace found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfCheck {
    /// How many nodes were computed again.
    pub nodes: usize,
    /// How many events were compared with their expressions.
    pub events: usize,
    /// How many values differ.
    pub mismatches: usize,
    /// The first of those, nodes before events. Later ones may be wrong only since these are.
    pub first: Vec<Mismatch>,
}

impl SelfCheck {
    /// Whether nothing was wrong.
    pub fn is_clean(&self) -> bool {
        self.mismatches == 0
    }

    fn add(&mut self, mismatch: impl FnOnce() -> Mismatch) {
        self.mismatches += 1;
        if self.first.len() < SHOWN {
            self.first.push(mismatch());
        }
    }
}

/// How many mismatches are described.
const SHOWN: usize = 8;

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What it is the value of: a node, an event, a byte of the input.
    pub what: String,
    /// What the run says.
    pub recorded: u128,
    /// What the expression says.
    pub computed: u128,
    /// The expression.
    pub expression: String,
}

/// Computes everything again and compares.
pub fn self_check(trace: &Trace) -> SelfCheck {
    let end = first_undefined(trace);
    let events = trace.events().iter().filter(|event| claims(event).any(|(label, _)| label < end)).count();
    let nodes = trace.node_count().min(end.saturating_sub(1) as usize);
    let mut check = SelfCheck { nodes, events, mismatches: 0, first: Vec::new() };
    check_inputs(trace, &mut check);
    let values = evaluate_all(trace, |byte| byte.recorded);
    for (node, label) in trace.nodes().iter().zip(0..end).skip(1) {
        if values.get(label) != recorded(node) {
            check.add(|| Mismatch {
                what: format!("node {label}"),
                recorded: recorded(node),
                computed: values.get(label),
                expression: Expression::new(trace, label).to_string(),
            });
        }
    }
    check_events(trace, &values, end, &mut check);
    check
}

/// The first node that divides by zero; beyond all nodes if none does.
fn first_undefined(trace: &Trace) -> u32 {
    let divisor = |node: &Node| if node.b == 0 { node.constant.into() } else { recorded(trace.node(node.b)) };
    let divides_by_zero =
        |node: &Node| matches!(node.op, op::UDIV | op::SDIV | op::UREM | op::SREM) && divisor(node) == 0;
    trace.nodes().iter().zip(0..).skip(1).find(|(node, _)| divides_by_zero(node)).map_or(u32::MAX, |(_, label)| label)
}

/// A byte of the input has one value, however often it is read.
fn check_inputs(trace: &Trace, check: &mut SelfCheck) {
    let nodes = trace.nodes().iter().zip(0..).filter(|(node, _)| node.op == op::INPUT);
    let mut bytes: Vec<(u32, u64, u32)> = nodes.map(|(node, label)| (node.a, node.constant, label)).collect();
    bytes.sort_unstable();
    for pair in bytes.windows(2) {
        let [(source, offset, label), (other_source, other_offset, other)] = [pair[0], pair[1]];
        let (first, second) = (trace.node(label).value, trace.node(other).value);
        if (source, offset) == (other_source, other_offset) && first != second {
            check.add(|| Mismatch {
                what: format!("byte {offset} of {}", trace.inputs()[source as usize].name),
                recorded: first.into(),
                computed: second.into(),
                expression: Expression::new(trace, label).to_string(),
            });
        }
    }
}

fn check_events(trace: &Trace, values: &Values, end: u32, check: &mut SelfCheck) {
    for (index, event) in trace.events().iter().enumerate() {
        let Some(kind) = EventKind::of(event.kind) else { continue };
        for (label, claimed) in claims(event).filter(|&(label, _)| label < end) {
            // An event has room for 64 bits.
            let computed = u128::from(values.get(label) as u64);
            if computed != u128::from(claimed) {
                check.add(|| Mismatch {
                    what: format!("event {index} ({})", kind.name()),
                    recorded: claimed.into(),
                    computed,
                    expression: Expression::new(trace, label).to_string(),
                });
            }
        }
    }
}

/// The values that an event says expressions have.
fn claims(event: &Event) -> impl Iterator<Item = (u32, u64)> {
    let value = EventKind::of(event.kind).and_then(|kind| match kind {
        EventKind::Branch | EventKind::Repeat => Some(event.flag.into()),
        EventKind::Switch | EventKind::Division | EventKind::Length | EventKind::Allocation | EventKind::Pin => {
            Some(event.a)
        }
        EventKind::Overflow | EventKind::Shift | EventKind::ShiftBase => Some(event.a),
        EventKind::Terminator | EventKind::Preference | EventKind::Output | EventKind::Exit => Some(event.a),
        EventKind::Access | EventKind::Object => Some(event.b),
        EventKind::Visit | EventKind::Point => None,
    });
    let dividend = if event.kind == EventKind::Division as u8 { event.dividend() } else { 0 };
    let claims = [value.map(|value| (event.label, value)), Some((dividend, event.b))];
    claims.into_iter().flatten().filter(|&(label, _)| label != 0)
}
