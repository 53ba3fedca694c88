//! Pointers that the input has chosen.

use byway_trace::layout::{Event, Node, op};

use super::Importer;

/// How many parts an address may have to be looked at for a pointer.
const LOOKS: usize = 64;
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
