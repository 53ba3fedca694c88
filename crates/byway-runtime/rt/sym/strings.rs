//! Strings that may have no end: whether a library function that reads one goes behind its object.
//!
//! A model names the bytes of the object and says of each when the function stops there (see `models/byway.h`). Their
//! disjunction is the expression of the event; it begins with the last byte, so that strings of one object share it.

use crate::layout::{cause, event, op};
use crate::nodes::{Operand, binary};
use crate::state::{STATE, TERMINATED, thread};
use crate::{events, objects, shadow};

/// Of a longer rest of an object nobody asks.
const LONGEST: usize = 512;

/// What was said of the bytes so far: the disjunction of what depends on the input, and whether one ends the string for sure.
static mut ENDS: (u32, bool) = (0, false);

/// Whether a byte depends on the input.
unsafe fn is_labelled(address: usize) -> bool {
    // SAFETY: tags of all addresses are mapped, and labels where there are tags.
    unsafe { shadow::is_tagged(address, 1) && *shadow::label(address) != 0 }
}

/// The first byte that is zero whatever the input is, of `size`.
unsafe fn sure_nul(address: usize, size: usize) -> usize {
    let mut index = 0;
    // SAFETY: the bytes are those of an object.
    unsafe {
        while index < size && (*((address + index) as *const u8) != 0 || is_labelled(address + index)) {
            index += 1;
        }
    }
    index
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_nuls() -> i32 {
    // SAFETY: the thread's own variable.
    unsafe { (STATE.nuls && STATE.active && thread().traced != 0) as i32 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_sure_nul(address: usize, size: usize, _: u32, _: u32) -> usize {
    // SAFETY: the caller names bytes of an object; it is called for labelled strings only.
    unsafe { if STATE.active { sure_nul(address, size) } else { 0 } }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_unended(
    address: usize,
    seen: usize,
    most: usize,
    _: u32,
    _: u32,
    _: u32,
) -> usize {
    // SAFETY: the last byte that was seen was read.
    unsafe {
        let is_traced = STATE.active && !STATE.busy && thread().traced != 0;
        if !is_traced || !is_labelled(address + seen - 1) {
            return 0;
        }
        // A block whose size depends on the input may be as long as the string in it is: its bytes here are not those of other runs.
        let Some(object) = objects::find(address).filter(|object| object.size_label == 0) else { return 0 };
        let left = object.base + object.size - address;
        let looked_at = if left < LONGEST { left } else { LONGEST };
        if left >= most || seen > left || sure_nul(address, looked_at) < looked_at {
            return 0;
        }
        if left > LONGEST {
            STATE.lose(cause::LONG_STRING, thread().call_site, 0);
            return 0;
        }
        left
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_may_end(here: u32, label: u32) {
    // SAFETY: the label is a node's of one bit; only the traced thread comes here.
    unsafe {
        let (ends, is_sure) = ENDS;
        if label == 0 {
            ENDS = (ends, is_sure || here & 1 != 0);
        } else if ends == 0 {
            ENDS = (label, is_sure);
        } else {
            let (rest, byte) = (Operand::of(ends), Operand::of(label));
            ENDS = (binary(op::OR, 1, rest, byte, rest.value | byte.value), is_sure);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_must_end() {
    // SAFETY: the label is a node's.
    unsafe {
        let (label, is_sure) = core::mem::replace(&mut *(&raw mut ENDS), (0, false));
        if label != 0 && !is_sure && STATE.mark(label, TERMINATED) {
            events::at(event::TERMINATOR, 0, thread().call_site, label, 0, STATE.node(label).value, 0);
        }
    }
}
