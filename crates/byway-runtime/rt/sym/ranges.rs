//! Ranges of memory that are copied, filled, read or written as a whole. Their addresses and their length may be symbolic.

use crate::conditional::{self, Range, Source, Write};
use crate::layout::{SYMBOLIC_ADDRESS, cause, event, op};
use crate::memory::{self, access, recent};
use crate::nodes::{self, Operand, binary, extract};
use crate::state::{PINNED, STATE, thread};
use crate::{events, objects, shadow};

/// Up to this size, what is copied or filled through a symbolic address is written in pieces.
const SMALL: usize = 64;
const PIECE: usize = 8;

/// An address with its label.
#[derive(Clone, Copy)]
struct Place {
    address: usize,
    label: u32,
}

impl Place {
    /// An address that was taken for what it is has no label.
    unsafe fn new(address: usize, label: u32) -> Place {
        // SAFETY: the label is a node's.
        unsafe { Place { address, label: unpinned(label) } }
    }

    /// A place behind it.
    unsafe fn behind(self, offset: usize) -> Place {
        let address = self.address.wrapping_add(offset);
        // SAFETY: the label is a node's.
        unsafe {
            if self.label == 0 || offset == 0 {
                return Place { address, ..self };
            }
            let (whole, offset) = (Operand::of(self.label), Operand::constant(offset as u128, 64));
            Place { address, label: binary(op::ADD, 64, whole, offset, address as u128) }
        }
    }
}

/// 0 for a label that was taken for its value.
unsafe fn unpinned(label: u32) -> u32 {
    // SAFETY: the label is a node's.
    unsafe { if label != 0 && STATE.is_marked(label, PINNED) { 0 } else { label } }
}

unsafe fn is_followed() -> bool {
    // SAFETY: the thread's own variable.
    unsafe { STATE.active && !STATE.busy && thread().traced != 0 }
}

/// Called before `llvm.memcpy` and `llvm.memmove`, if an address or the length has a label: what is there before is part of what is
/// there then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_copying(to: usize, from: usize, size: usize, lt: u32, lf: u32, ls: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if lt | lf | ls == 0 || !is_followed() {
            return;
        }
        note_range((from, lf, false), size, ls, 0, site);
        note_range((to, lt, true), size, ls, 1, site);
        let (to, from, ls) = (Place::new(to, lt), Place::new(from, lf), unpinned(ls));
        if to.label | from.label != 0 {
            if ls == 0 && size <= SMALL {
                return copy_pieces(to, from, size, site);
            }
            events::pin(from.label, cause::LARGE_OBJECT, site);
            events::pin(to.label, cause::SYMBOLIC_STORE, site);
        }
        write(&Range { to: to.address, size, size_label: ls, from: Source::Memory(from.address) }, site);
    }
}

/// Called after it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_copy(to: usize, from: usize, size: usize, lt: u32, lf: u32, ls: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if lt | lf | ls != 0 && is_followed() {
            return;
        }
        ranges([(from, lf, false), (to, lt, true)], size, ls, site);
        copy(to, from, size);
    }
}

/// Called before `llvm.memset`, if its address or length has a label.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_filling(to: usize, size: usize, lt: u32, lb: u32, ls: u32, byte: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if lt | ls == 0 || !is_followed() {
            return;
        }
        note_range((to, lt, true), size, ls, 0, site);
        let (to, ls) = (Place::new(to, lt), unpinned(ls));
        let byte = if lb == 0 { Operand::constant(byte as u128, 8) } else { extract(Operand::of(lb), 0, 8) };
        if to.label != 0 {
            if ls == 0 && size <= SMALL {
                return fill_pieces(to, byte, size, site);
            }
            events::pin(to.label, cause::SYMBOLIC_STORE, site);
        }
        write(&Range { to: to.address, size, size_label: ls, from: Source::Byte(byte) }, site);
    }
}

/// Called after it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_fill(to: usize, size: usize, lt: u32, byte: u32, ls: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if lt | ls != 0 && is_followed() {
            return;
        }
        range(to, size, lt, ls, true, site);
        fill(to, byte, size);
    }
}

/// Writes a range at a known place, before it is written. If its length is symbolic, and no others can be kept, that is taken for what
/// it is.
unsafe fn write(range: &Range, site: u32) {
    // SAFETY: the range is memory of the program.
    unsafe {
        if range.size_label == 0 {
            return range.write(range.size);
        }
        let target = objects::find(range.to);
        // Of an object as long as that, there are no other bytes.
        if target.is_some_and(|object| object.base == range.to && object.size_label == range.size_label) {
            return range.write(range.size);
        }
        let left = |address: usize, object: objects::Object| object.base + object.size - address;
        let mut room = target.map_or(0, |object| left(range.to, object));
        if let Source::Memory(from) = range.from {
            room = room.min(objects::find(from).map_or(0, |object| left(from, object)));
        }
        if room < range.size || !conditional::write_range(range, room, site) {
            events::pin(range.size_label, cause::LENGTH, site);
            range.write(range.size);
        }
    }
}

/// Copies a few bytes from, or to, a symbolic address. All are read before any is written.
unsafe fn copy_pieces(to: Place, from: Place, size: usize, site: u32) {
    let mut pieces = [Operand::constant(0, 8); SMALL / PIECE];
    // SAFETY: the ranges are memory of the program.
    unsafe {
        let mut number = 0;
        while number * PIECE < size {
            let length = PIECE.min(size - number * PIECE);
            pieces[number] = read_piece(from.behind(number * PIECE), length, site);
            number += 1;
        }
        number = 0;
        while number * PIECE < size {
            write_piece(to.behind(number * PIECE), PIECE.min(size - number * PIECE), pieces[number], site);
            number += 1;
        }
    }
}

unsafe fn fill_pieces(to: Place, byte: Operand, size: usize, site: u32) {
    // SAFETY: the range is memory of the program.
    unsafe {
        let mut done = 0;
        while done < size {
            let length = PIECE.min(size - done);
            write_piece(to.behind(done), length, conditional::repeated(byte, length), site);
            done += length;
        }
    }
}

unsafe fn read_piece(from: Place, size: usize, site: u32) -> Operand {
    // SAFETY: the range is memory of the program.
    unsafe {
        let bytes = memory::bytes_at(from.address, size);
        if from.label != 0 {
            let object = objects::find(from.address).filter(|object| from.address + size <= object.base + object.size);
            match memory::snapshot(from.label, from.address, size, object.as_ref()) {
                Ok(snapshot) => {
                    let label = nodes::load(from.label, snapshot, 8 * size as u32, bytes as u128);
                    return Operand { label, ..Operand::constant(bytes as u128, 8 * size as u32) };
                }
                Err(why) => events::pin(from.label, why, site),
            }
        }
        memory::peek(shadow::label(from.address), bytes, size)
    }
}

unsafe fn write_piece(to: Place, size: usize, value: Operand, site: u32) {
    // SAFETY: the range is memory of the program.
    unsafe {
        if to.label == 0 {
            return memory::store(to.address, size, value.label);
        }
        let old = memory::bytes_at(to.address, size);
        let write = Write { address_label: to.label, address: to.address, size, value, old };
        memory::store_through(&write, 0, site);
    }
}

/// Copies labels, if they are followed here.
pub unsafe fn copy(to: usize, from: usize, size: usize) {
    // SAFETY: labels are mapped when a run is traced.
    unsafe {
        if STATE.active && thread().traced != 0 {
            shadow::copy(to, from, size);
        } else {
            shadow::clear(to, size);
        }
    }
}

/// Gives all bytes of a range the same label, or none.
pub unsafe fn fill(to: usize, byte: u32, size: usize) {
    // SAFETY: a run is traced if there is a label.
    unsafe {
        if byte == 0 || !STATE.active {
            return shadow::clear(to, size);
        }
        let byte = extract(Operand::of(byte), 0, 8).label;
        let mut index = 0;
        while index < size && byte != 0 {
            shadow::set_byte(to + index, byte);
            index += 1;
        }
    }
}

/// A range of memory, whose address or length may be symbolic.
pub unsafe fn range(address: usize, size: usize, address_label: u32, size_label: u32, write: bool, site: u32) {
    // SAFETY: as promised by the caller.
    unsafe { ranges([(address, address_label, write)], size, size_label, site) };
}

/// Ranges of memory of one length: for each its address, the label of that, and whether it is written. All are noted before any
/// address or the length is taken for what it is: each may fail for other values.
pub unsafe fn ranges<const N: usize>(places: [(usize, u32, bool); N], size: usize, size_label: u32, site: u32) {
    // SAFETY: a run is traced if there are labels, or objects of symbolic size.
    unsafe {
        let mut labels = size_label;
        for (address, label, write) in places {
            if STATE.sized && label | size_label == 0 && shadow::is_sized(address, size) {
                events::reach(address, size, write, site);
            }
            labels |= label;
        }
        if labels == 0 || !STATE.active || STATE.busy {
            return;
        }
        let mut number = 0;
        for (address, label, write) in places {
            note_range((address, label, write), size, size_label, number, site);
            number += 1;
        }
        for (_, label, write) in places {
            events::pin(label, if write { cause::SYMBOLIC_STORE } else { cause::LARGE_OBJECT }, site);
        }
        events::pin(size_label, cause::LENGTH, site);
    }
}

/// A range whose address or length may be symbolic, and which of several of that length it is.
pub unsafe fn note_range(
    (address, address_label, write): (usize, u32, bool),
    size: usize,
    size_label: u32,
    number: usize,
    site: u32,
) {
    // SAFETY: a run is traced if there are labels.
    unsafe {
        if address_label | size_label == 0 || !STATE.active || STATE.busy {
            return;
        }
        let object = objects::find(address);
        // The path assumes of each length that it stays in its object, until it is taken for what it is.
        let number = if unpinned(size_label) == 0 { number } else { number ^ (address << 2) };
        if size_label != 0 && !recent(size_label, number, write, site) {
            let index = object.as_ref().map_or(0, |object| objects::announce(object));
            // A length may be what is left from the address on: then they depend on the same.
            let is_symbolic = address_label != 0 && !STATE.is_marked(address_label, PINNED);
            events::append(crate::layout::Event {
                kind: event::LENGTH,
                flag: write as u8 | if is_symbolic { SYMBOLIC_ADDRESS } else { 0 },
                detail: 0,
                site,
                label: size_label,
                extra: index,
                a: size as u64,
                b: if is_symbolic { address_label as u64 } else { address as u64 },
            });
        }
        if address_label != 0 && !STATE.is_marked(address_label, PINNED) {
            access(address_label, address, (size, 0), object.as_ref(), write, site);
        }
    }
}

/// Called where memory without labels is used through an address with one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_range(address: usize, size: usize, la: u32, ls: u32, write: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe { range(address, size, la, ls, write != 0, site) };
}
