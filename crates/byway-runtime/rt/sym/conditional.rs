//! Writes that happen or not: through an address, or of a length, that depends on the input.
//!
//! Each byte that such a write can reach is from then on a choice: what is written if it is reached, what was there if not.
//! The path assumes that the write stays within its object, so only bytes of that are looked at.

use crate::layout::{cause, op};
use crate::nodes::{Operand, binary, concat, extract, ite, mask, zero_extend};
use crate::objects::Object;
use crate::spans::{self, Span};
use crate::state::STATE;
use crate::{events, memory, ranges, shadow, substitute};

/// How many places a write can have.
const PLACES: usize = 1024;
/// How long a range of symbolic length can be.
pub const LONGEST: usize = 1024;
/// Which part of all nodes may be made for such writes, and how many at most: a loop that prints numbers into a buffer makes a thousand for
/// each, and what comes of it is rarely looked at.
const SHARE: u32 = 4;
const MOST: u32 = 1 << 17;
/// How many levels a write adds to an expression.
const LEVELS: u32 = 4;

/// How many nodes were made here.
#[unsafe(link_section = ".bss.byway_hot")]
static mut USED: u32 = 0;

/// A write of up to 8 bytes.
pub struct Write {
    pub address_label: u32,
    pub address: usize,
    pub size: usize,
    pub value: Operand,
    /// What was there before it.
    pub old: u64,
}

/// The places that a write can have.
#[derive(Clone, Copy)]
struct Places {
    first: usize,
    last: usize,
    step: usize,
}

impl Places {
    /// Those within the object, if there are not too many.
    unsafe fn of(write: &Write, object: &Object) -> Option<Places> {
        // SAFETY: the label is a node's.
        unsafe {
            let Span { low, high, step } = spans::of(write.address_label);
            let (base, end) = (object.base as i128, (object.base + object.size - write.size) as i128);
            let step = step.max(1);
            let skipped = if low < base { ((base - low) as u64).div_ceil(step) as i128 * step as i128 } else { 0 };
            let (first, last) = (low + skipped, high.min(end));
            // If it is not where it should be, nothing is known of it.
            if (write.address as i128) < first || write.address as i128 > last {
                return None;
            }
            let places = Places { first: first as usize, last: last as usize, step: step as usize };
            (places.contains(write.address) && places.count() <= PLACES).then_some(places)
        }
    }

    fn contains(&self, place: usize) -> bool {
        place >= self.first && place <= self.last && (place - self.first).checked_rem(self.step) == Some(0)
    }

    fn count(&self) -> usize {
        (self.last - self.first).checked_div(self.step).unwrap_or(0) + 1
    }
}

/// Whether so many nodes may be made.
unsafe fn reserve(nodes: usize) -> bool {
    // SAFETY: only the traced thread comes here.
    unsafe {
        let limit = (STATE.node_limit / SHARE).min(MOST);
        let is_room =
            USED as usize + nodes <= limit as usize && STATE.next_node as usize + nodes < STATE.node_limit as usize;
        if is_room {
            USED += nodes as u32;
        }
        is_room
    }
}

/// Whether what has this label may become so much deeper.
unsafe fn is_flat(label: u32) -> bool {
    // SAFETY: the label is a node's.
    unsafe { STATE.node(label).depth as u32 + LEVELS < STATE.depth_limit }
}

unsafe fn are_flat(address: usize, size: usize) -> bool {
    // SAFETY: labels are mapped in a traced run.
    unsafe {
        if !shadow::is_tagged(address, size) {
            return true;
        }
        let mut index = 0;
        while index < size {
            if !is_flat(memory::node_at(address + index)) {
                return false;
            }
            index += 1;
        }
        true
    }
}

/// A condition as an operand.
fn condition(label: u32, value: bool) -> Operand {
    Operand { label, width: 1, value: value as u128 }
}

/// Gives the bytes of an operand to memory.
unsafe fn set(address: usize, size: usize, label: u32) {
    // SAFETY: a run is traced.
    unsafe { if label == 0 { shadow::clear(address, size) } else { shadow::set(address, size, label) } }
}

/// One or the other; what was chosen under the same condition before is not asked again.
unsafe fn choose(condition: Operand, then: Operand, otherwise: Operand) -> Operand {
    // SAFETY: operands are labels.
    unsafe {
        let node = STATE.node(otherwise.label);
        let again = otherwise.label != 0 && node.op == op::ITE && node.a == condition.label && node.width <= 64;
        let otherwise = match (again, node.c) {
            (false, _) => otherwise,
            (true, 0) => Operand::constant(node.constant as u128, otherwise.width),
            (true, label) => Operand::of(label),
        };
        let value = if condition.value != 0 { then.value } else { otherwise.value };
        STATE.nuls |= then.width == 8 && (then.value == 0 || otherwise.value == 0);
        Operand { label: ite(condition, then, otherwise), width: then.width, value }
    }
}

/// A write through a symbolic address to an object. Called behind it, or before it with what is there. False if nothing was done: the
/// address is to be taken as it is.
pub unsafe fn store(write: &Write, object: &Object) -> bool {
    // SAFETY: the object is memory of the program, the write is within it.
    unsafe {
        let Some(places) = Places::of(write, object) else { return false };
        let (start, length) = (places.first, places.last - places.first + write.size);
        let is_flat = is_flat(write.address_label) && is_flat(write.value.label) && are_flat(start, length);
        let by_byte = places.step < write.size;
        let nodes = places.count() * if by_byte { 1 + write.size } else { 3 };
        if !is_flat || !reserve(nodes) {
            return false;
        }
        if by_byte {
            store_bytes(write, places)
        } else {
            store_whole(write, places)
        }
        true
    }
}

/// Places that do not overlap.
unsafe fn store_whole(write: &Write, places: Places) {
    // SAFETY: all places are in the object.
    unsafe {
        let is_read = substitute::reads(write.value.label, write.address_label);
        let mut place = places.first;
        while place <= places.last {
            let is_here = place == write.address;
            let before = if is_here { write.old } else { memory::bytes_at(place, write.size) };
            let otherwise = memory::peek(shadow::label(place), before, write.size);
            let then = if is_read { substitute::at(write.value, write.address_label, place) } else { write.value };
            let here = is_at(write, place);
            if here.label != 0 || is_here {
                set(place, write.size, choose(here, then, otherwise).label);
            }
            place += places.step;
        }
    }
}

/// Whether the write is at a place.
unsafe fn is_at(write: &Write, place: usize) -> Operand {
    // SAFETY: the label is a node's.
    unsafe {
        let (address, is_here) = (Operand::of(write.address_label), place == write.address);
        condition(binary(op::EQ, 1, address, Operand::constant(place as u128, 64), is_here as u128), is_here)
    }
}

/// Places that overlap: each byte can be any of the write's.
unsafe fn store_bytes(write: &Write, places: Places) {
    // SAFETY: all places are in the object.
    unsafe {
        let mut byte = places.first;
        while byte < places.last + write.size {
            let within = byte.wrapping_sub(write.address);
            let before = if within < write.size { write.old >> (8 * within) } else { memory::bytes_at(byte, 1) };
            let mut content = memory::peek(shadow::label(byte), before & 0xff, 1);
            let mut index = 0;
            while index < write.size {
                let place = byte.wrapping_sub(index);
                if places.contains(place) {
                    content = choose(is_at(write, place), extract(write.value, 8 * index as u32, 8), content);
                }
                index += 1;
            }
            set(byte, 1, content.label);
            byte += 1;
        }
    }
}

/// A range that is written: where, its length, and from where it is copied, or which byte is repeated.
pub struct Range {
    pub to: usize,
    pub size: usize,
    pub size_label: u32,
    pub from: Source,
}

/// What a range is filled with.
#[derive(Clone, Copy)]
pub enum Source {
    Memory(usize),
    Byte(Operand),
}

impl Range {
    /// The byte that is written at an index.
    unsafe fn byte(&self, index: usize) -> Operand {
        // SAFETY: within the object.
        unsafe {
            match self.from {
                Source::Memory(from) => memory::byte(from + index),
                Source::Byte(byte) => byte,
            }
        }
    }

    /// Writes what is written for sure.
    pub unsafe fn write(&self, size: usize) {
        // SAFETY: as promised by the caller.
        unsafe {
            match self.from {
                Source::Memory(from) => ranges::copy(self.to, from, size),
                Source::Byte(byte) => ranges::fill(self.to, byte.label, size),
            }
        }
    }
}

/// Writes a range of symbolic length, which has room for `room` bytes. Called before it is written. False if nothing was done: the
/// length is to be taken as it is.
pub unsafe fn write_range(range: &Range, room: usize, site: u32) -> bool {
    // SAFETY: the room is in the objects.
    unsafe {
        let span = spans::of(range.size_label);
        let high = span.high.max(0).min(room as i128) as usize;
        let end = high.min(LONGEST);
        let start = span.low.max(0).min(range.size as i128) as usize;
        let is_flat = is_flat(range.size_label)
            && are_flat(range.to, end)
            && match range.from {
                Source::Memory(from) => are_flat(from, end),
                Source::Byte(byte) => is_flat(byte.label),
            };
        if range.size > end || !is_flat || !reserve(2 * (end - start)) {
            return false;
        }
        if end < high {
            // What could be longer is another path.
            let (length, most) = (Operand::of(range.size_label), Operand::constant(end as u128, 64));
            events::pin(binary(op::ULE, 1, as_64_bits(length), most, 1), cause::LENGTH, site);
        }
        write_ends(range, start, end);
        true
    }
}

unsafe fn as_64_bits(operand: Operand) -> Operand {
    // SAFETY: the label is a node's.
    unsafe { if operand.width > 64 { extract(operand, 0, 64) } else { zero_extend(operand, 64) } }
}

/// The bytes from `start` to `end` are written if the length reaches them; those before are for sure. What is copied upwards is
/// copied from its end on, since both may overlap.
unsafe fn write_ends(range: &Range, start: usize, end: usize) {
    // SAFETY: the room is in the objects.
    unsafe {
        let upwards = matches!(range.from, Source::Memory(from) if from < range.to);
        if !upwards {
            range.write(start);
        }
        let length = as_64_bits(Operand::of(range.size_label));
        let mut done = start;
        while done < end {
            let index = if upwards { start + end - 1 - done } else { done };
            let is_reached = index < range.size;
            let reached = binary(op::ULT, 1, Operand::constant(index as u128, 64), length, is_reached as u128);
            let (then, otherwise) = (range.byte(index), memory::byte(range.to + index));
            set(range.to + index, 1, choose(condition(reached, is_reached), then, otherwise).label);
            done += 1;
        }
        if upwards {
            range.write(start);
        }
    }
}

/// The bytes of an operand, repeated.
pub unsafe fn repeated(byte: Operand, size: usize) -> Operand {
    // SAFETY: the label is a node's.
    unsafe {
        if byte.label == 0 {
            let value = (byte.value as u64 & 0xff).wrapping_mul(0x0101_0101_0101_0101);
            return Operand::constant(value as u128 & mask(8 * size as u32), 8 * size as u32);
        }
        let mut all = byte;
        let mut index = 1;
        while index < size {
            all = concat(byte, all);
            index += 1;
        }
        all
    }
}
