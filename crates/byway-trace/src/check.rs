//! Whether what a run left in the memory is a trace: every number that names something names something that is there.
//!
//! A program may write anywhere, so anything may be in the memory. After this check nothing in it makes its readers fail.

use std::collections::HashMap;

use crate::error::{Place, TraceError};
use crate::kind::{Cause, EventKind, SourceKind};
use crate::layout::{self, Event, Header, Node, op};
use crate::memory::Mapping;
use crate::trace::{Snapshot, is_model_site};

type Reason = &'static str;

/// Checks everything. The header is that of the mapping, read once.
pub(crate) fn check(mapping: &Mapping, header: &Header) -> Result<(), TraceError> {
    check_header(mapping, header)?;
    let malformed = |place| move |reason| TraceError::Malformed { place, reason };
    let texts = mapping.texts(header.text_bytes);
    for (source, number) in mapping.sources(header.sources).iter().zip(0..) {
        let at = malformed(Place::Source(number));
        SourceKind::of(source.kind).ok_or("unknown kind").and(check_text(texts, source.name)).map_err(at)?;
    }
    for (loss, number) in mapping.losses(header.losses).iter().zip(0..) {
        let at = malformed(Place::Loss(number));
        Cause::of(loss.cause).ok_or("unknown cause").map_err(at)?;
        check_text(texts, loss.name).and(check_text(texts, loss.reader)).map_err(at)?;
    }
    let nodes = mapping.nodes(header.nodes);
    let snapshots = mapping.snapshots(header.snapshot_bytes);
    let mut nodes_check = Nodes { nodes, sources: header.sources, snapshots, seen: HashMap::new() };
    for (node, label) in nodes.iter().zip(0..).skip(1) {
        nodes_check.check(label, node).map_err(malformed(Place::Node(label)))?;
    }
    let events = mapping.events(header.events);
    for (event, index) in events.iter().zip(0..) {
        check_event(nodes, events, index, event).map_err(malformed(Place::Event(index)))?;
    }
    Ok(())
}

fn check_header(mapping: &Mapping, header: &Header) -> Result<(), TraceError> {
    let limits = mapping.limits();
    let laid_out = (header.node_limit, header.event_limit, header.snapshot_limit, header.blocks);
    let expected = (limits.nodes, limits.events, limits.snapshots, mapping.block_count());
    if header.magic != layout::MAGIC || laid_out != expected {
        return Err(TraceError::Foreign);
    }
    let within = header.nodes <= limits.nodes
        && header.events <= limits.events
        && header.snapshot_bytes <= limits.snapshots
        && header.sources as usize <= layout::MAX_SOURCES
        && header.losses as usize <= layout::MAX_LOSSES
        && header.text_bytes as usize <= layout::MAX_TEXTS;
    if within { Ok(()) } else { Err(TraceError::Malformed { place: Place::Header, reason: "more than fits" }) }
}

fn check_text(texts: &[u8], offset: u32) -> Result<(), Reason> {
    let text = texts.get(offset as usize..).ok_or("text out of range")?;
    if text.contains(&0) { Ok(()) } else { Err("text without an end") }
}

/// What nodes are checked against.
struct Nodes<'a> {
    nodes: &'a [Node],
    sources: u32,
    snapshots: &'a [u8],
    /// The snapshots that have been checked: length, and the largest label in it.
    seen: HashMap<u32, (u32, u32)>,
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
            op::INPUT => demand(width == 8 && node.a < self.sources, "no such input"),
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
    fn check_snapshot(&self, label: u32, offset: u32) -> Result<(u32, u32), Reason> {
        let snapshot = Snapshot::at(self.snapshots, offset).ok_or("snapshot out of range")?;
        let mut largest = 0;
        for &packed in snapshot.labels {
            let (of, byte) = (packed & ((1 << layout::BYTE_SHIFT) - 1), packed >> layout::BYTE_SHIFT);
            demand(of < label, "snapshot with a later node")?;
            demand(of == 0 || byte * 8 < self.width(of), "snapshot with a byte that its node does not have")?;
            largest = largest.max(of);
        }
        Ok((snapshot.bytes.len() as u32, largest))
    }
}

fn check_event(nodes: &[Node], events: &[Event], index: u32, event: &Event) -> Result<(), Reason> {
    let kind = EventKind::of(event.kind).ok_or("unknown kind")?;
    let labelled = |label: u32| label != 0 && (label as usize) < nodes.len();
    let width = |label: u32| nodes[label as usize].width;
    let object = |number: u64| {
        let earlier = usize::try_from(number).ok().filter(|_| number <= u64::from(index));
        number == 0 || earlier.is_some_and(|number| events[number - 1].kind == layout::event::OBJECT)
    };
    match kind {
        EventKind::Visit => return Ok(()),
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
        EventKind::Branch => demand(width(event.label) == 1 && event.flag <= 1, "bad width of condition"),
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
