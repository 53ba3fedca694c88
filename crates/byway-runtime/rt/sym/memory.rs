//! Reading and writing labels as the program reads and writes memory.

use crate::conditional::{self, Write};
use crate::layout::{BYTE_SHIFT, cause, event};
use crate::nodes::{self, Operand, concat, extract, mask, value_of, zero_extend};
use crate::state::{PINNED, STATE, thread};
use crate::{bounds, events, objects, shadow, snapshots, spans};

pub const NODE: u32 = (1 << BYTE_SHIFT) - 1;

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

/// The node of which a byte of memory is a part, 0 if of none.
pub unsafe fn node_at(address: usize) -> u32 {
    // SAFETY: labels are mapped.
    unsafe { *shadow::label(address) & NODE }
}

/// Up to 8 bytes of memory.
pub unsafe fn bytes_at(address: usize, size: usize) -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: the caller names memory of an object.
    unsafe { core::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), size) };
    u64::from_le_bytes(bytes)
}

/// A byte of memory.
pub unsafe fn byte(address: usize) -> Operand {
    // SAFETY: the caller names memory of an object.
    unsafe { peek(shadow::label(address), bytes_at(address, 1), 1) }
}

/// Up to 8 bytes with the labels that they have; labels that are out of date are left where they are. There may be none at all.
pub unsafe fn peek(labels: *const u32, bytes: u64, size: usize) -> Operand {
    // SAFETY: there are as many labels.
    unsafe {
        let label = |index: usize| if labels.is_null() { 0 } else { *labels.add(index) };
        let mut whole: Option<Operand> = None;
        let mut index = 0;
        while index < size {
            let first = label(index);
            let step = if first == 0 { 0 } else { 1u32 << BYTE_SHIFT };
            let mut length = 1;
            while index + length < size && label(index + length) == first.wrapping_add(length as u32 * step) {
                length += 1;
            }
            let width = 8 * length as u32;
            let constant = Operand::constant((bytes >> (8 * index)) as u128, width);
            let (node, low) = (Operand::of(first & NODE), 8 * (first >> BYTE_SHIFT));
            let is_current = first != 0 && (node.value >> low) & mask(width) == constant.value;
            let part = if is_current { extract(node, low, width) } else { constant };
            whole = Some(match whole {
                Some(lower) => concat(part, lower),
                None => part,
            });
            index += length;
        }
        whole.unwrap_or(Operand::constant(0, 8))
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
        match snapshot(address_label, address, size, object.as_ref()) {
            Ok(snapshot) => nodes::load(address_label, snapshot, 8 * size as u32, value),
            Err(why) => {
                events::pin(address_label, why, site);
                load(address, size, value)
            }
        }
    }
}

/// A snapshot of what may be read through an address, or why there is none.
pub unsafe fn snapshot(
    address_label: u32,
    address: usize,
    size: usize,
    object: Option<&objects::Object>,
) -> Result<u32, u32> {
    // SAFETY: the label is a node's.
    unsafe {
        match object {
            Some(object) => snapshots::take(object, spans::of(address_label), (address, size)),
            None => Err(cause::UNKNOWN_OBJECT),
        }
    }
}

/// An access of so many bytes, through an address of which so many of the lowest bits must be 0.
pub unsafe fn access(
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

pub unsafe fn recent(label: u32, size: usize, write: bool, site: u32) -> bool {
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
            // A model looks further than its function does, and says itself what that reads.
            if STATE.sized && shadow::is_sized(address, size) && !events::is_in_model(site) {
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
        store(address, size, label);
    }
}

/// The same for at most 8 bytes, where the address may have a label: with the value, and what was there before it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_store_through(
    address_label: u32,
    label: u32,
    address: usize,
    size: u32,
    site: u32,
    value: u64,
    old: u64,
) {
    // SAFETY: called by instrumented code.
    unsafe {
        if address_label == 0 || !STATE.active || STATE.busy || STATE.is_marked(address_label, PINNED) {
            return byway_sym_store(address_label, label, address, size, site);
        }
        let (size, aligned) = (size as usize & 0xffff, size >> 16);
        let width = 8 * size as u32;
        let value = if label == 0 { Operand::constant(value as u128, width) } else { widened(label, width) };
        let write = Write { address_label, address, size, value, old };
        store_through(&write, aligned, site);
    }
}

unsafe fn widened(label: u32, width: u32) -> Operand {
    // SAFETY: the label is a node's.
    unsafe { zero_extend(Operand::of(label), width) }
}

/// A write through an address with a label.
pub unsafe fn store_through(write: &Write, aligned: u32, site: u32) {
    // SAFETY: a run is traced.
    unsafe {
        let (label, address, size) = (write.address_label, write.address, write.size);
        let object = objects::find(address).filter(|object| address + size <= object.base + object.size);
        access(label, address, (size, aligned), object.as_ref(), true, site);
        if object.is_some_and(|object| conditional::store(write, &object)) {
            return;
        }
        events::pin(label, cause::SYMBOLIC_STORE, site);
        store(address, size, write.value.label);
    }
}

/// Gives memory the label of what was written.
pub unsafe fn store(address: usize, size: usize, label: u32) {
    // SAFETY: a run is traced if there is a label.
    unsafe {
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
