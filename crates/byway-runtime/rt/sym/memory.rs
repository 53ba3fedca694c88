//! Reading and writing labels as the program reads and writes memory.

use crate::layout::{BYTE_SHIFT, SYMBOLIC_ADDRESS, cause, event};
use crate::nodes::{self, Operand, concat, extract, mask, value_of, zero_extend};
use crate::state::{PINNED, STATE, thread};
use crate::{bounds, events, objects, shadow, snapshots};

const NODE: u32 = (1 << BYTE_SHIFT) - 1;

/// Whether a byte of memory is still what its label says.
#[inline(always)]
pub unsafe fn is_current(memory_label: u32, byte: u8) -> bool {
    // SAFETY: labels are numbers of nodes.
    unsafe {
        let node = STATE.node(memory_label & NODE);
        (value_of(node) >> (8 * (memory_label >> BYTE_SHIFT))) as u8 == byte
    }
}

unsafe fn stale(address: usize, size: usize) {
    // SAFETY: a run is traced.
    unsafe {
        shadow::clear(address, size);
        (*STATE.header).stale += 1;
    }
}

/// The label of what was read from memory at a known address.
unsafe fn load(address: usize, size: usize, value: u128) -> u32 {
    // SAFETY: labels are mapped.
    unsafe {
        let labels = shadow::label(address);
        let first = *labels;
        let node = first & NODE;
        if size == 1 {
            if first == 0 {
                return 0;
            }
            if !is_current(first, value as u8) {
                stale(address, 1);
                return 0;
            }
            return extract(Operand::of(node), 8 * (first >> BYTE_SHIFT), 8).label;
        }
        if first != 0 && first >> BYTE_SHIFT == 0 && STATE.node(node).width as usize == size * 8 {
            let mut index = 1;
            while index < size && *labels.add(index) == node | (index as u32) << BYTE_SHIFT {
                index += 1;
            }
            if index == size && value_of(STATE.node(node)) == value {
                return node;
            }
        }
        assemble(address, size, value)
    }
}

/// Puts a value together from the parts of other values that lie in memory.
#[inline(never)]
unsafe fn assemble(address: usize, size: usize, value: u128) -> u32 {
    // SAFETY: labels are mapped.
    unsafe {
        let labels = shadow::label(address);
        let mut whole: Option<Operand> = None;
        let mut index = 0;
        while index < size {
            let (part, length) = part(address, labels, index, size, value);
            whole = Some(match whole {
                Some(low) => concat(part, low),
                None => part,
            });
            index += length;
        }
        whole.map_or(0, |whole| whole.label)
    }
}

/// The longest run of bytes from `index` on that belong to one node, or to none.
unsafe fn part(address: usize, labels: *mut u32, index: usize, size: usize, value: u128) -> (Operand, usize) {
    // SAFETY: labels are mapped.
    unsafe {
        let first = *labels.add(index);
        let mut length = 1;
        if first == 0 {
            while index + length < size && *labels.add(index + length) == 0 {
                length += 1;
            }
            return (Operand::constant(value >> (8 * index), 8 * length as u32), length);
        }
        while index + length < size && *labels.add(index + length) == first.wrapping_add((length as u32) << BYTE_SHIFT)
        {
            length += 1;
        }
        let width = 8 * length as u32;
        let constant = Operand::constant(value >> (8 * index), width);
        let whole = Operand::of(first & NODE);
        let low = 8 * (first >> BYTE_SHIFT);
        if (whole.value >> low) & mask(width) != constant.value {
            stale(address + index, length);
            return (constant, length);
        }
        (extract(whole, low, width), length)
    }
}

/// The label of what was read through an address with a label.
unsafe fn load_through(
    address_label: u32,
    address: usize,
    (size, aligned): (usize, u32),
    value: u128,
    site: u32,
) -> u32 {
    // SAFETY: labels are mapped.
    unsafe {
        if STATE.is_marked(address_label, PINNED) {
            return load(address, size, value);
        }
        let object = objects::find(address).filter(|object| address + size <= object.base + object.size);
        access(address_label, address, (size, aligned), object.as_ref(), false, site);
        let snapshot = match &object {
            Some(object) => snapshots::take(object),
            None => Err(cause::UNKNOWN_OBJECT),
        };
        match snapshot {
            Ok(snapshot) => nodes::load(address_label, snapshot, 8 * size as u32, value),
            Err(why) => {
                events::pin(address_label, why, site);
                load(address, size, value)
            }
        }
    }
}

/// An access of so many bytes, through an address of which so many of the lowest bits must be 0.
unsafe fn access(
    label: u32,
    address: usize,
    (size, aligned): (usize, u32),
    object: Option<&objects::Object>,
    write: bool,
    site: u32,
) {
    // SAFETY: a run is traced.
    unsafe {
        let object = object.map_or(0, |object| objects::announce(object));
        if recent(label, size, write, site) {
            (*STATE.header).repeated += 1;
            return;
        }
        let index = events::at(event::ACCESS, write as u8, site, label, size as u32, object as u64, address as u64);
        if aligned != 0 && index != u32::MAX && bounds::zero_bits(label) < aligned {
            (*STATE.events.add(index as usize)).detail = aligned as u16;
        }
    }
}

/// Accesses that were noted: the same address at the same place adds nothing.
const RECENT: usize = 1 << 14;
static mut ACCESSES: [u64; RECENT] = [0; RECENT];

unsafe fn recent(label: u32, size: usize, write: bool, site: u32) -> bool {
    let key = (label as u64) << 32 | (site as u64) ^ (size as u64) << 26 ^ (write as u64) << 31;
    // Labels that were made one after the other are near each other, so that short runs touch little of the table.
    let slot = (label as usize >> 3) << 5 | (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59) as usize;
    // SAFETY: the index is taken modulo the size.
    unsafe {
        let known = &mut *(&raw mut ACCESSES).cast::<u64>().add(slot & (RECENT - 1));
        core::mem::replace(known, key) == key
    }
}

/// Called after a read of up to 16 bytes, if there may be something symbolic in it. Behind its size is how many of the lowest bits
/// of the address must be 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_load(
    address_label: u32,
    address: usize,
    size: u32,
    value: u64,
    value_high: u64,
    site: u32,
) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        let (size, aligned) = (size as usize & 0xffff, size >> 16);
        if address_label == 0 {
            if STATE.sized && shadow::is_sized(address, size) {
                events::reach(address, size, false, site);
            }
            if !shadow::is_tagged(address, size) {
                return 0;
            }
        }
        if !STATE.active || STATE.busy || thread().traced == 0 {
            if STATE.active && !STATE.busy {
                STATE.lose(cause::THREAD, site, 0);
            }
            return 0;
        }
        let value = (value as u128 | (value_high as u128) << 64) & mask(8 * size as u32);
        if address_label == 0 {
            load(address, size, value)
        } else {
            load_through(address_label, address, (size, aligned), value, site)
        }
    }
}

/// Called after a write of up to 16 bytes, if there may be something symbolic in it, or was where it went. Its size is as that of a
/// read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_store(address_label: u32, label: u32, address: usize, size: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        let (size, aligned) = (size as usize & 0xffff, size >> 16);
        if !STATE.active {
            // A child of the traced process: its memory is its own, and nothing is traced there.
            return;
        }
        if STATE.sized && address_label == 0 && shadow::is_sized(address, size) {
            events::reach(address, size, true, site);
        }
        if address_label != 0 && !STATE.is_marked(address_label, PINNED) {
            let object = objects::find(address).filter(|object| address + size <= object.base + object.size);
            access(address_label, address, (size, aligned), object.as_ref(), true, site);
            events::pin(address_label, cause::SYMBOLIC_STORE, site);
        }
        if label == 0 {
            return shadow::clear(address, size);
        }
        let operand = Operand::of(label);
        STATE.nuls |= size == 1 && operand.value == 0;
        let whole = if operand.width < 8 * size as u32 { zero_extend(operand, 8 * size as u32).label } else { label };
        if whole == 0 {
            return shadow::clear(address, size);
        }
        shadow::set(address, size, whole);
    }
}

/// Called after `llvm.memcpy` and `llvm.memmove`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_copy(to: usize, from: usize, size: usize, lt: u32, lf: u32, ls: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        ranges([(from, lf, false), (to, lt, true)], size, ls, site);
        copy(to, from, size);
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

/// Called after `llvm.memset`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_fill(to: usize, size: usize, lt: u32, byte: u32, ls: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        range(to, size, lt, ls, true, site);
        fill(to, byte, size);
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

/// Called for a local variable whose size is known only at run time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_local(address: usize, size: usize, label: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        shadow::clear(address, size);
        let thread = thread();
        if thread.traced != 0 && !thread.frames.is_null() {
            if label != 0 {
                events::at(event::ALLOCATION, 1, site, label, 0, size as u64, 0);
            }
            objects::add_local(address, size, label);
        }
    }
}

/// Called where memory is used in a way that has no expressions: atomically, by assembly, as floating-point numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_opaque(address: usize, size: usize, written: u32, why: u32, site: u32) {
    // SAFETY: called by instrumented code.
    unsafe {
        if STATE.active && thread().traced != 0 && shadow::is_tagged(address, size) {
            STATE.lose(why, site, 0);
        }
        if written != 0 {
            shadow::clear(address, size);
        }
    }
}

/// Called when a local variable begins to exist: what was in its memory before is no longer there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_forget(address: usize, size: usize) {
    // SAFETY: called by instrumented code.
    unsafe { shadow::clear(address, size) };
}
