//! What models of library functions are written with: see `models/byway.h`. Behind its arguments, each function gets
//! the labels of all of them.

use crate::layout::{NO_SITE, cause, event, object_kind, op};
use crate::nodes::{Operand, binary, extract, zero_extend};
use crate::objects::{self, Object};
use crate::ranges::{self, copy, fill, note_range, range, ranges};
use crate::state::{STATE, thread};
use crate::{events, inputs, shadow};

/// Whether models are to do anything.
unsafe fn is_traced() -> bool {
    // SAFETY: the thread's own variable.
    unsafe { STATE.active && thread().traced != 0 }
}

unsafe fn site() -> u32 {
    // SAFETY: the thread's own variable.
    unsafe { thread().call_site }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_symbolic(address: usize, size: usize, _: u32, _: u32) -> i32 {
    // SAFETY: tags of all addresses are mapped.
    unsafe { (is_traced() && shadow::is_tagged(address, size)) as i32 }
}

/// Whether there is any expression: without one no byte is symbolic, and a model has nothing to say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_anything() -> i32 {
    // SAFETY: the thread's own variable.
    unsafe { (STATE.has_nodes() && is_traced()) as i32 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_started() -> i64 {
    // SAFETY: written once, before the first run.
    unsafe { crate::server::STARTED }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_traced() -> i32 {
    // SAFETY: the thread's own variable.
    unsafe { is_traced() as i32 }
}

/// How many bytes there are from an address to the end of its object; 0 if nobody knows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_left(address: usize, _: u32) -> usize {
    // SAFETY: only looked up.
    unsafe {
        if !is_traced() {
            return 0;
        }
        objects::find(address).map_or(0, |object| object.base + object.size - address)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_grows(address: usize, _: u32) -> i32 {
    // SAFETY: only looked up.
    unsafe {
        let is_sized = || objects::find(address).is_some_and(|object| object.size_label != 0);
        (objects::has_sized() && is_traced() && is_sized()) as i32
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_labelled(_: u64, label: u32) -> i32 {
    (label != 0) as i32
}

/// The label of a result: that of the model, if it agrees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_is(real: u64, model: u64, _: u32, label: u32) -> u32 {
    // SAFETY: a run is traced if there is a label.
    unsafe {
        if label != 0 && real != model {
            STATE.lose(cause::MODEL, site(), 0);
            return 0;
        }
        label
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_put(address: usize, byte: u32, _: u32, label: u32) {
    // SAFETY: the byte is memory of the program.
    unsafe {
        if label == 0 || !is_traced() {
            return shadow::clear(address, 1);
        }
        if *(address as *const u8) != byte as u8 {
            STATE.lose(cause::MODEL, site(), 0);
            return shadow::clear(address, 1);
        }
        STATE.nuls |= byte as u8 == 0;
        let byte = extract(Operand::of(label), 0, 8).label;
        if byte == 0 { shadow::clear(address, 1) } else { shadow::set_byte(address, byte) }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_copy(to: usize, from: usize, size: usize, _: u32, _: u32, _: u32) {
    // SAFETY: both are memory of the program.
    unsafe { copy(to, from, size) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_fill(to: usize, _: u32, size: usize, _: u32, label: u32, _: u32) {
    // SAFETY: memory of the program.
    unsafe { fill(to, label, size) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_clear(address: usize, size: usize, _: u32, _: u32) {
    // SAFETY: memory of the program.
    unsafe { shadow::clear(address, size) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_reads(address: usize, size: usize, la: u32, ls: u32) {
    // SAFETY: only looked up.
    unsafe { range(address, size, la, ls, false, site()) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_writes(address: usize, size: usize, la: u32, ls: u32) {
    // SAFETY: only looked up.
    unsafe { range(address, size, la, ls, true, site()) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_copies(to: usize, from: usize, size: usize, lt: u32, lf: u32, ls: u32) {
    // SAFETY: both are memory of the program.
    unsafe {
        if lt | lf | ls == 0 {
            return ranges([(from, lf, false), (to, lt, true)], size, ls, site());
        }
        ranges::byway_sym_copying(to, from, size, lt, lf, ls, site())
    };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_copied(to: usize, from: usize, size: usize, lt: u32, lf: u32, ls: u32) {
    // SAFETY: both are memory of the program.
    unsafe {
        if lt | lf | ls == 0 || !is_traced() {
            copy(to, from, size);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_fills(to: usize, byte: u32, size: usize, lt: u32, lb: u32, ls: u32) {
    // SAFETY: memory of the program.
    unsafe {
        if lt | ls == 0 {
            return range(to, size, lt, ls, true, site());
        }
        ranges::byway_sym_filling(to, size, lt, lb, ls, byte, site())
    };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_filled(to: usize, _: u32, size: usize, lt: u32, lb: u32, ls: u32) {
    // SAFETY: memory of the program.
    unsafe {
        if lt | ls == 0 || !is_traced() {
            fill(to, lb, size);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_compares(a: usize, b: usize, size: usize, la: u32, lb: u32, ls: u32) {
    // SAFETY: only looked up.
    unsafe { ranges([(a, la, false), (b, lb, false)], size, ls, site()) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_may_read(address: usize, size: usize, la: u32, ls: u32) {
    // SAFETY: only looked up.
    unsafe { note_range((address, la, false), size, ls, 0, site()) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_may_write(address: usize, size: usize, la: u32, ls: u32) {
    // SAFETY: only looked up.
    unsafe { note_range((address, la, true), size, ls, 0, site()) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_taken(_: u64, label: u32) {
    // SAFETY: the label is a node's.
    unsafe { events::pin(label, cause::LENGTH, site()) };
}

/// The product that an allocator is about to compute, exactly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_allocates(count: usize, size: usize, lc: u32, ls: u32) {
    // SAFETY: a run is traced if there are labels.
    unsafe {
        if lc | ls == 0 || !is_traced() {
            return;
        }
        let wide = |label, value| zero_extend(Operand { label, width: 64, value: value as u128 }, 128);
        let (count, size) = (wide(lc, count), wide(ls, size));
        let product = count.value * size.value;
        let label = binary(op::MUL, 128, count, size, product);
        if label != 0 {
            events::at(event::ALLOCATION, 0, site(), label, 0, product as u64, 0);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_allocated(address: usize, size: usize, _: u32, label: u32) {
    // SAFETY: a new block of the allocator.
    unsafe {
        if !is_prepared() {
            return;
        }
        if address != 0 {
            shadow::clear(address, size);
        }
        note_block(address, size, label);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_resized(address: usize, size: usize, _: u32, label: u32) {
    // SAFETY: a block of the allocator.
    unsafe {
        if is_prepared() {
            note_block(address, size, label);
        }
    }
}

/// A block of the allocator, if it could be had.
unsafe fn note_block(address: usize, size: usize, label: u32) {
    // SAFETY: the tables are mapped.
    unsafe {
        if address != 0 {
            objects::add_block(address, size, site());
            if label != 0 && STATE.active {
                objects::add_symbolic_size(address, size, label);
            }
        }
    }
}

/// A size that the allocator is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_asks(size: usize, label: u32) {
    // SAFETY: a run is traced if there is a label.
    unsafe {
        if label != 0 && is_traced() {
            events::at(event::ALLOCATION, 0, site(), label, 0, size as u64, 0);
        }
    }
}

/// Blocks are noted from the start of the fork server on, before any run.
unsafe fn is_prepared() -> bool {
    // SAFETY: a variable that is set once.
    unsafe { crate::server::PREPARED }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_released(address: usize, label: u32) {
    // SAFETY: only looked up.
    unsafe {
        // Which block it is decides which one is gone: no expression says that.
        events::pin(label, cause::UNKNOWN_OBJECT, site());
        if is_prepared() && address != 0 {
            objects::remove_block(address);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_table(base: usize, size: usize, _: u32, _: u32) {
    // SAFETY: memory of the library.
    unsafe {
        if is_traced() {
            objects::add_other(Object {
                base,
                size,
                kind: object_kind::LIBRARY,
                constant: true,
                site: NO_SITE,
                size_label: 0,
            });
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_mapped(
    base: usize,
    size: usize,
    file: i32,
    offset: u64,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: the mapping was just made; only what the file has is looked at.
    unsafe {
        if !is_traced() {
            return;
        }
        shadow::clear(base, size);
        objects::add_other(Object {
            base,
            size,
            kind: object_kind::MAPPING,
            constant: false,
            site: site(),
            size_label: 0,
        });
        let Some(source) = inputs::source_of(file) else { return };
        let Some(status) = crate::system::status(file) else { return };
        let there = status.size.saturating_sub(offset).min(size as u64) as usize;
        inputs::label(source, offset, base, there);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_unmapped(base: usize, size: usize, _: u32, _: u32) {
    // SAFETY: only looked up.
    unsafe {
        if is_traced() {
            objects::remove_other(base);
            shadow::clear(base, size);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_lost(function: *const u8, _: u32) {
    // SAFETY: names are constants.
    unsafe {
        if is_traced() {
            events::lose_named(cause::UNMODELLED, function, site());
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_consumed(
    function: *const u8,
    address: usize,
    size: usize,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: names are constants.
    unsafe {
        if is_traced() && shadow::is_tagged(address, size) {
            events::lose_named(cause::UNMODELLED, function, site());
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_too_long() {
    // SAFETY: counts only.
    unsafe { STATE.lose(cause::LONG_STRING, site(), 0) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_opened(file: i32, flags: i32, created: i32, _: u32, _: u32, _: u32) {
    // SAFETY: the tables are ours.
    unsafe {
        if is_traced() {
            inputs::opened(file, flags, created != 0);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_closed(file: i32, _: u32) {
    // SAFETY: the tables are ours.
    unsafe { inputs::closed(file) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_duplicated(from: i32, to: i32, _: u32, _: u32) {
    // SAFETY: the tables are ours.
    unsafe { inputs::duplicated(from, to) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_reading(file: i32, _: u32) {
    // SAFETY: the tables are ours.
    unsafe {
        if is_traced() {
            inputs::source_of(file);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_read(file: i32, address: usize, size: usize, _: u32, _: u32, _: u32) {
    // SAFETY: the bytes were just written.
    unsafe { if is_traced() { inputs::read(file, address, size) } else { shadow::clear(address, size) } };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_read_at(
    file: i32,
    address: usize,
    size: usize,
    offset: u64,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: the bytes were just written.
    unsafe { if is_traced() { inputs::read_at(file, address, size, offset) } else { shadow::clear(address, size) } };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_written(file: i32, _: u32) {
    // SAFETY: the tables are ours.
    unsafe {
        if is_traced() {
            inputs::written(file);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_replacing(now: i32, _: u32) {
    // SAFETY: the header is mapped when a run is traced.
    unsafe {
        if is_traced() {
            (*STATE.header).replaced = now as u32;
        }
    }
}
