//! Whether what a run left in the memory is a trace: every number that names something names something that is there.
//!
//! A program may write anywhere, so anything may be in the memory. After this check nothing in it makes its readers fail, and
//! to read it takes no more time and memory than its length gives reason for.

use std::collections::HashMap;

use crate::error::{Place, TraceError};
use crate::kind::{Cause, EventKind, SourceKind};
use crate::layout::{self, Event, Node, Source, op};
use crate::memory::Content;
use crate::trace::{Snapshot, is_model_site};

type Reason = &'static str;

/// No offset in a file is larger.
const LARGEST_OFFSET: u64 = i64::MAX as u64;

/// Checks everything but the header's counts, by which the content was read.
pub(crate) fn check(content: &Content) -> Result<(), TraceError> {
    let malformed = |place| move |reason| TraceError::Malformed { place, reason };
    let mut symbolic_bytes = 0;
    for (source, number) in content.sources.iter().zip(0..) {
        symbolic_bytes += u64::from(source.bytes);
        let fits = demand(symbolic_bytes <= content.limits.input.into(), "more than may be symbolic");
        fits.and_then(|()| check_source(content, source)).map_err(malformed(Place::Source(number)))?;
    }
    for (loss, number) in content.losses.iter().zip(0..) {
        let at = malformed(Place::Loss(number));
        Cause::of(loss.cause).ok_or("unknown cause").map_err(at)?;
        check_text(content, loss.name).and(check_text(content, loss.reader)).map_err(at)?;
    }
    let mut nodes_check = Nodes::new(content);
    for (node, label) in content.nodes.iter().zip(0..).skip(1) {
        nodes_check.check(label, node).map_err(malformed(Place::Node(label)))?;
    }
    for (event, index) in content.events.iter().zip(0..) {
        check_event(content, index, event).map_err(malformed(Place::Event(index)))?;
    }
    Ok(())
}

fn check_source(content: &Content, source: &Source) -> Result<(), Reason> {
    let kind = SourceKind::of(source.kind).ok_or("unknown kind")?;
    match kind {
        SourceKind::Argument => demand(source.index >= 1, "no such argument")?,
        SourceKind::Object => demand((source.index as usize) < layout::MAX_SOURCES, "no such object")?,
        _ => {}
    }
    check_text(content, source.name)
}

fn check_text(content: &Content, offset: u32) -> Result<(), Reason> {
    demand((offset as usize) < content.texts_end(), "text out of range, or without an end")
}

/// What nodes are checked against.
struct Nodes<'a> {
    nodes: &'a [Node],
    sources: &'a [Source],
    snapshots: &'a [u8],
    /// How far an object can reach.
    input_limit: u64,
    /// The snapshots that have been checked: length, and the largest label in it.
    seen: HashMap<u32, (u32, u32)>,
    /// How many bytes those have. They have different places, so that is not more than there are.
    seen_bytes: usize,
}

impl<'a> Nodes<'a> {
    fn new(content: &'a Content) -> Self {
        Nodes {
            nodes: &content.nodes,
            sources: &content.sources,
            snapshots: content.snapshots(),
            input_limit: content.limits.input.into(),
            seen: HashMap::new(),
            seen_bytes: 0,
        }
    }
}

impl Nodes<'_> {
    fn check(&mut self, label: u32, node: &Node) -> Result<(), Reason> {
        let width = u32::from(node.width);
        if !(1..=128).contains(&width) {
            return Err("bad width");
        }
        // What is not an operand is checked with its operator.
        let operands = match node.op {
            op::INPUT | op::CONST => [0, 0, 0],
            op::LOAD | op::EXTRACT => [node.a, 0, 0],
            _ => [node.a, node.b, node.c],
        };
        if operands.iter().any(|&operand| operand >= label) {
            return Err("operand is not an earlier node");
        }
        match node.op {
            op::INPUT => self.check_input(node),
            op::CONST => Ok(()),
            op::ADD..=op::XOR => self.check_pair(node.a, node.b, width, width),
            op::EQ..=op::SLE => {
                demand(width == 1, "bad width")?;
                self.check_pair(node.a, node.b, self.width(node.a.max(node.b)), width)
            }
            op::ZEXT | op::SEXT => demand(node.a != 0 && self.width(node.a) <= width, "bad width of operand"),
            op::EXTRACT => {
                let end = u64::from(node.c) + u64::from(width);
                demand(node.a != 0 && end <= u64::from(self.width(node.a)), "bits out of range")
            }
            op::CONCAT => self.check_concat(node, width),
            op::ITE => {
                demand(node.a != 0 && self.width(node.a) == 1, "bad width of condition")?;
                self.check_pair(node.b, node.c, width, width)
            }
            op::LOAD => self.check_load(label, node),
            op::CTPOP..=op::CTTZ => demand(node.a != 0 && self.width(node.a) == width, "bad width of operand"),
            _ => Err("unknown operator"),
        }
    }

    fn check_input(&self, node: &Node) -> Result<(), Reason> {
        let source = self.sources.get(node.a as usize).filter(|_| node.width == 8).ok_or("no such input")?;
        let is_object = source.kind == layout::source_kind::OBJECT;
        let end = if is_object { self.input_limit } else { LARGEST_OFFSET };
        demand(node.constant < end, "no such byte of the input")
    }

    fn width(&self, label: u32) -> u32 {
        u32::from(self.nodes[label as usize].width)
    }

    /// Two operands of a width, at most one of them constant.
    fn check_pair(&self, a: u32, b: u32, width: u32, result: u32) -> Result<(), Reason> {
        let fits = |label: u32| match label {
            0 => width.max(result) <= 64,
            _ => self.width(label) == width,
        };
        demand(a != 0 || b != 0, "no operand but constants")?;
        demand(fits(a) && fits(b), "bad width of operand")
    }

    fn check_concat(&self, node: &Node, width: u32) -> Result<(), Reason> {
        let known = |label: u32| if label == 0 { 0 } else { self.width(label) };
        let sum = known(node.a) + known(node.b);
        let fits = match (node.a, node.b) {
            (0, 0) => false,
            (0, _) | (_, 0) => sum < width && width <= 64,
            _ => sum == width,
        };
        demand(fits, "bad width of operand")
    }

    fn check_load(&mut self, label: u32, node: &Node) -> Result<(), Reason> {
        demand(node.a != 0 && self.width(node.a) == 64, "bad width of address")?;
        demand(node.width.is_multiple_of(8), "bad width")?;
        let (length, largest) = match self.seen.get(&node.b) {
            Some(&seen) => seen,
            None => {
                let seen = self.check_snapshot(label, node.b)?;
                *self.seen.entry(node.b).or_insert(seen)
            }
        };
        demand(u32::from(node.width / 8) <= length, "more than the snapshot")?;
        demand(largest < label, "snapshot with a later node")
    }

    /// Its length, and the largest label in it. Labels are those of earlier nodes than the first that reads it.
    fn check_snapshot(&mut self, label: u32, offset: u32) -> Result<(u32, u32), Reason> {
        let snapshot = Snapshot::at(self.snapshots, offset).ok_or("snapshot out of range")?;
        self.seen_bytes += snapshot.bytes.len() + size_of_val(snapshot.labels);
        demand(self.seen_bytes <= self.snapshots.len(), "snapshots in the same place")?;
        let mut largest = 0;
        for &packed in snapshot.labels {
            let (of, byte) = (packed & ((1 << layout::BYTE_SHIFT) - 1), packed >> layout::BYTE_SHIFT);
            demand(of < label, "snapshot with a later node")?;
            let is_there = of != 0 && byte * 8 < self.width(of);
            demand(packed == 0 || is_there, "snapshot with a byte that its node does not have")?;
            largest = largest.max(of);
        }
        Ok((snapshot.bytes.len() as u32, largest))
    }
}

fn check_event(content: &Content, index: u32, event: &Event) -> Result<(), Reason> {
    let Content { nodes, events, .. } = content;
    let kind = EventKind::of(event.kind).ok_or("unknown kind")?;
    let labelled = |label: u32| label != 0 && (label as usize) < nodes.len();
    let width = |label: u32| nodes[label as usize].width;
    let object = |number: u64| {
        let earlier = usize::try_from(number).ok().filter(|_| number <= u64::from(index));
        number == 0 || earlier.is_some_and(|number| events[number - 1].kind == layout::event::OBJECT)
    };
    match kind {
        EventKind::Visit | EventKind::Point => return Ok(()),
        EventKind::Object => return demand(event.label == 0 || labelled(event.label), "no such node"),
        EventKind::Access if event.label == 0 => return demand(object(event.a) && event.a != 0, "no such object"),
        EventKind::Division => {
            let labels = [event.label, event.dividend()];
            demand(labels.iter().all(|&label| label == 0 || labelled(label)), "no such node")?;
            let widths = labels.into_iter().filter(|&label| label != 0).map(width);
            let widths: Vec<u8> = widths.collect();
            return demand(
                !widths.is_empty() && widths.windows(2).all(|pair| pair[0] == pair[1]),
                "bad width of operand",
            );
        }
        _ => demand(labelled(event.label), "no such node")?,
    }
    match kind {
        EventKind::Overflow => {
            let op = nodes[event.label as usize].op;
            demand(matches!(op, op::ADD | op::SUB | op::MUL), "no arithmetic")
        }
        EventKind::ShiftBase => demand(nodes[event.label as usize].op == op::SHL, "no shift"),
        EventKind::Terminator => demand(width(event.label) == 1, "bad width of condition"),
        EventKind::Output => demand(width(event.label) == 8 && event.flag <= 1, "bad width of output"),
        EventKind::Exit => demand(width(event.label) <= 64, "bad width of status"),
        EventKind::Branch | EventKind::Repeat => {
            demand(width(event.label) == 1 && event.flag <= 1, "bad width of condition")
        }
        EventKind::Access => {
            demand(width(event.label) == 64 && event.detail < 64, "bad width of address")?;
            demand(object(event.a), "no such object")
        }
        EventKind::Length => {
            let address = event.address_label();
            demand(address == 0 || labelled(address) && width(address) == 64, "bad width of address")?;
            demand(is_model_site(event.site) || object(event.extra.into()), "no such object")
        }
        _ => Ok(()),
    }
}

fn demand(holds: bool, reason: Reason) -> Result<(), Reason> {
    if holds { Ok(()) } else { Err(reason) }
}
