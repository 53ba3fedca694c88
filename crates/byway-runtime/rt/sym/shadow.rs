//! Labels of memory: a tag for every 8 bytes says whether any of them has a label; the labels are elsewhere. It also says
//! whether accesses are to be seen although there are none.
//!
//! The tags of all addresses are mapped at a fixed place, so that instrumented code can look at them with one instruction.
//! They are 0 and take no room until something is symbolic. A label in memory is a node's number and, in the upper bits,
//! which byte of the node it is.

use crate::layout::BYTE_SHIFT;
use crate::state::STATE;
use crate::system;

/// The tag of an address is at `TAGS + address / 8`.
pub const TAGS: usize = 0x7fff_8000;
const TAG_SIZE: usize = 1 << 44;
/// Bits of an address that count for everything but tags. Programs, their heap, their libraries and stack differ in these.
pub const MASK: usize = (1 << 44) - 1;
/// The label of an address is at `LABELS + (address & MASK) * 4`.
const LABELS: usize = 0x1100_0000_0000;

/// In a tag: some of the bytes have labels.
const LABELLED: u8 = 1;
/// In a tag: the bytes are of an object whose size is symbolic, and none behind them was accessed yet.
const SIZED: u8 = 2;
const LABELLED_8: u64 = 0x0101_0101_0101_0101;

/// The addresses that a process can have.
const ADDRESSES: usize = (1 << 47) - 1;

/// Maps the tags.
pub unsafe fn map_tags() -> bool {
    // SAFETY: only free memory is taken.
    unsafe { system::reserve_at(TAGS, TAG_SIZE) }
}

/// Maps the labels.
pub unsafe fn map_labels() -> bool {
    // SAFETY: only free memory is taken.
    unsafe { system::reserve_at(LABELS, (MASK + 1) * 4) }
}

/// Where the label of an address is.
#[inline(always)]
pub fn label(address: usize) -> *mut u32 {
    (LABELS + (address & MASK) * 4) as *mut u32
}

#[inline(always)]
fn tag(address: usize) -> *mut u8 {
    (TAGS + ((address & ADDRESSES) >> 3)) as *mut u8
}

/// Whether any of the bytes may have a label.
#[inline]
pub unsafe fn is_tagged(address: usize, size: usize) -> bool {
    if size == 0 {
        return false;
    }
    let mut at = tag(address);
    let last = tag(address.wrapping_add(size - 1));
    // SAFETY: tags of all addresses are mapped.
    unsafe {
        while at <= last && (at as usize & 7 != 0 || at.add(8) > last) {
            if *at & LABELLED != 0 {
                return true;
            }
            at = at.add(1);
        }
        while at.add(8) <= last {
            if *at.cast::<u64>() & LABELLED_8 != 0 {
                return true;
            }
            at = at.add(8);
        }
        while at <= last {
            if *at & LABELLED != 0 {
                return true;
            }
            at = at.add(1);
        }
    }
    false
}

/// Gives `size` bytes the labels of the bytes of one node.
#[inline]
pub unsafe fn set(address: usize, size: usize, node: u32) {
    // SAFETY: a run is traced, so labels are mapped.
    unsafe {
        let labels = label(address);
        let mut index = 0;
        while index < size {
            *labels.add(index) = node | (index as u32) << BYTE_SHIFT;
            index += 1;
        }
        let (first, last) = (tag(address), tag(address.wrapping_add(size - 1)));
        *first |= LABELLED;
        if last != first {
            *last |= LABELLED;
            if size > 8 {
                *tag(address.wrapping_add(8)) |= LABELLED;
            }
        }
    }
}

/// Takes the labels of a range away.
pub unsafe fn clear(address: usize, size: usize) {
    let end = address.wrapping_add(size);
    let mut at = address;
    // SAFETY: labels are touched only where a tag is set, so they are mapped.
    unsafe {
        if !STATE.has_nodes() {
            return;
        }
        while at < end {
            let granule = at & !7;
            let next = granule + 8;
            if at == granule && *tag(at) == 0 && tag(at) as usize & 7 == 0 {
                // Skip what has no tags quickly.
                let mut tags = tag(at).cast::<u64>();
                let mut skipped = granule;
                while skipped + 64 <= end && *tags == 0 {
                    tags = tags.add(1);
                    skipped += 64;
                }
                if skipped > at {
                    at = skipped;
                    continue;
                }
            }
            if *tag(at) & LABELLED != 0 {
                clear_in_granule(at, if next < end { next } else { end });
            }
            at = next;
        }
    }
}

unsafe fn clear_in_granule(from: usize, to: usize) {
    // SAFETY: the granule has a tag, so its labels are mapped.
    unsafe {
        let mut at = from;
        while at < to {
            *label(at) = 0;
            at += 1;
        }
        let granule = label(from & !7).cast::<u64>();
        if *granule | *granule.add(1) | *granule.add(2) | *granule.add(3) == 0 {
            *tag(from) &= !LABELLED;
        }
    }
}

/// Copies labels; the ranges may overlap.
pub unsafe fn copy(to: usize, from: usize, size: usize) {
    // SAFETY: labels of the target are written only if there are some at the source, as in a traced run.
    unsafe {
        if to == from || size == 0 {
            return;
        }
        if !is_tagged(from, size) {
            return clear(to, size);
        }
        core::ptr::copy(label(from), label(to), size);
        retag(to, size);
    }
}

/// Sets the tags of a range to what its labels say.
unsafe fn retag(address: usize, size: usize) {
    let mut granule = address & !7;
    // SAFETY: labels are mapped in a traced run.
    unsafe {
        while granule < address.wrapping_add(size) {
            let labels = label(granule).cast::<u64>();
            let any = *labels | *labels.add(1) | *labels.add(2) | *labels.add(3);
            let tag = tag(granule);
            if (*tag & LABELLED != 0) != (any != 0) {
                *tag ^= LABELLED;
            }
            granule += 8;
        }
    }
}

/// Gives one byte a label as it is in memory.
#[inline(always)]
pub unsafe fn set_byte(address: usize, memory_label: u32) {
    // SAFETY: a run is traced, so labels are mapped.
    unsafe {
        *label(address) = memory_label;
        *tag(address) |= LABELLED;
    }
}

/// Whether the first or the last byte of a range is of an object whose size is symbolic, as far as it was not accessed yet.
#[inline(always)]
pub unsafe fn is_sized(address: usize, size: usize) -> bool {
    // SAFETY: tags of all addresses are mapped.
    unsafe { (*tag(address) | *tag(address.wrapping_add(size.saturating_sub(1)))) & SIZED != 0 }
}

/// Says of a range that its object's size is symbolic.
pub unsafe fn set_sized(address: usize, size: usize) {
    // SAFETY: tags of all addresses are mapped.
    unsafe {
        let mut at = address;
        while at < address.wrapping_add(size) {
            *tag(at) |= SIZED;
            at = (at & !7) + 8;
        }
    }
}

/// No longer says so, of those 8 bytes that end within the range.
pub unsafe fn clear_sized(address: usize, size: usize) {
    // SAFETY: tags of all addresses are mapped.
    unsafe {
        let mut at = address & !7;
        while at + 8 <= address.wrapping_add(size) {
            *tag(at) &= !SIZED;
            at += 8;
        }
    }
}
