//! Pointers that the input has chosen.

use byway_trace::layout::{self, Event, Node, op};

use super::Importer;
use crate::{Expr, Op};

/// How many parts an address may have to be looked at for a pointer.
const LOOKS: usize = 64;
/// What is smaller is an offset and no pointer.
const LEAST_POINTER: u64 = 1 << 16;
/// What an address points to is taken to have at most so many bytes.
const POINTED_TO: u64 = 64;
/// How many bytes a pointer has.
const POINTER: usize = 8;

/// A pointer that the input has chosen.
pub(super) struct Pointer {
    pub(super) label: u32,
    /// Whether nothing else of the address depends on the input.
    pub(super) is_all: bool,
}

impl Importer<'_> {
    /// The part of an address that was chosen by the input and leads to the object by itself: a pointer from a table, or one of
    /// two.
    pub(super) fn pointer(&self, address: u32, object: &Event) -> Option<Pointer> {
        let is_pointer = |node: &Node| node.width == 64 && node.value.wrapping_sub(object.a) <= object.b;
        let (mut found, mut others) = (None, 0);
        let mut pending = vec![address];
        for looks in 1.. {
            let Some(label) = pending.pop() else { break };
            // Sums of sums of the same have parts without number.
            if looks > LOOKS {
                others += 1;
                break;
            }
            let node = self.trace.node(label);
            match node.op {
                op::LOAD if is_pointer(node) && self.leads_nowhere_else(node, object) => others += 1,
                op::LOAD | op::ITE | op::CONCAT if found.is_none() && is_pointer(node) => found = Some(label),
                op::ADD | op::SUB => pending.extend([node.b, node.a].into_iter().filter(|&label| label != 0)),
                _ => others += 1,
            }
        }
        found.map(|label| Pointer { label, is_all: others == 0 })
    }

    /// That an access goes where the constant part of its address points to. `None` if that is the object that it went to: an index that is
    /// far too large leads from one variable into another one.
    pub fn pointed_to(&mut self, event: &Event) -> Option<Expr> {
        if event.kind != layout::event::ACCESS || event.label == 0 {
            return None;
        }
        let node = self.trace.node(event.label);
        let is_offset = node.op == op::ADD && (node.a == 0) != (node.b == 0) && node.width == 64;
        let object = *self.trace.object(event).filter(|_| is_offset && node.constant >= LEAST_POINTER)?;
        if node.constant.wrapping_sub(object.a) <= object.b {
            return None;
        }
        let (constant, address) = (self.number(node.constant), self.expr(event.label));
        let position = self.pool.binary(Op::Sub, address, constant);
        // Nothing of the object that it went to is meant.
        let gap = object.a.checked_sub(node.constant).unwrap_or(POINTED_TO);
        let size = self.number(gap.min(POINTED_TO));
        Some(self.pool.binary(Op::Ult, position, size))
    }

    /// Whether a pointer is from a table all of whose pointers are to this object: then it is a place in the object and no choice
    /// between objects.
    fn leads_nowhere_else(&self, load: &Node, object: &Event) -> bool {
        let table = self.trace.snapshot(load.b);
        let read = byway_trace::evaluate::recorded(self.trace.node(load.a)) as u64;
        let first = (read.wrapping_sub(table.base) % POINTER as u64) as usize;
        let mut entries = table.bytes.get(first..).unwrap_or_default().chunks_exact(POINTER);
        let is_constant = (0..table.labels.len()).all(|index| table.label(index).is_none());
        let is_inside = |entry: &[u8]| {
            entry.try_into().is_ok_and(|entry| u64::from_le_bytes(entry).wrapping_sub(object.a) < object.b)
        };
        is_constant && entries.all(is_inside)
    }
}
