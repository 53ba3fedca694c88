//! Copies of objects that were read through symbolic addresses.

use crate::layout::{Snapshot, cause};
use crate::objects::Object;
use crate::shadow;
use crate::state::STATE;

/// How often an object that changes is copied again.
const VERSIONS: u32 = 16;
/// A constant object may be this many times as large as one that can change.
const CONSTANT_FACTOR: usize = 16;

/// What is known of an object that events speak of.
pub struct Known {
    base: usize,
    size: usize,
    /// 1 + the index of its event; 0 if there is none.
    pub event: u32,
    /// 1 + the offset of its last snapshot, divided by 8; 0 if there is none.
    snapshot: u32,
    versions: u32,
}

const SLOTS: usize = 4096;
static mut KNOWN: [Known; SLOTS] = [const { Known { base: 0, size: 0, event: 0, snapshot: 0, versions: 0 } }; SLOTS];

unsafe fn slot(base: usize) -> &'static mut Known {
    let hash = (base >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
    // SAFETY: the index is taken modulo the size.
    unsafe { &mut *(&raw mut KNOWN).cast::<Known>().add(hash & (SLOTS - 1)) }
}

/// What is known of an object, which may be nothing.
pub unsafe fn entry(object: &Object) -> &'static mut Known {
    // SAFETY: a slot of the table.
    unsafe {
        let known = slot(object.base);
        if known.base != object.base || known.size != object.size {
            *known = Known { base: object.base, size: object.size, event: 0, snapshot: 0, versions: 0 };
        }
        known
    }
}

/// The object at `base` is gone.
pub fn forget(base: usize) {
    // SAFETY: a slot of the table.
    unsafe {
        let known = slot(base);
        if known.base == base {
            known.base = 0;
        }
    }
}

/// A snapshot of the object as it is now: its offset divided by 8, or why there is none.
pub unsafe fn take(object: &Object) -> Result<u32, u32> {
    // SAFETY: the object is memory of the program; room is checked.
    unsafe {
        let limit = (*STATE.header).object_limit as usize * if object.constant { CONSTANT_FACTOR } else { 1 };
        if object.size > limit {
            return Err(cause::LARGE_OBJECT);
        }
        let known = entry(object);
        if known.snapshot != 0 && (object.constant || is_unchanged(known.snapshot - 1, object)) {
            return Ok(known.snapshot - 1);
        }
        if known.versions >= VERSIONS {
            return Err(cause::CHANGING_OBJECT);
        }
        let labelled = shadow::is_tagged(object.base, object.size);
        let bytes = size_of::<Snapshot>() + object.size.next_multiple_of(8);
        let bytes = bytes + if labelled { (object.size * 4).next_multiple_of(8) } else { 0 };
        let used = (*STATE.header).snapshot_bytes;
        if used + bytes as u64 > (*STATE.header).snapshot_limit {
            return Err(cause::SNAPSHOTS);
        }
        (*STATE.header).snapshot_bytes = used + bytes as u64;
        let snapshot = at(used as usize / 8);
        let header = Snapshot { base: object.base as u64, length: object.size as u32, labelled: labelled as u32 };
        *snapshot = header;
        core::ptr::copy_nonoverlapping(object.base as *const u8, content(snapshot), object.size);
        if labelled {
            copy_labels(object, labels(snapshot));
        }
        known.snapshot = used as u32 / 8 + 1;
        known.versions += 1;
        Ok(known.snapshot - 1)
    }
}

unsafe fn at(offset: usize) -> *mut Snapshot {
    // SAFETY: promised by the caller: the offset is a snapshot's.
    unsafe { STATE.snapshots.cast::<u64>().add(offset).cast() }
}

unsafe fn content(snapshot: *mut Snapshot) -> *mut u8 {
    // SAFETY: the bytes follow the header.
    unsafe { snapshot.add(1).cast() }
}

unsafe fn labels(snapshot: *mut Snapshot) -> *mut u32 {
    // SAFETY: the labels follow the bytes.
    unsafe { content(snapshot).add(((*snapshot).length as usize).next_multiple_of(8)).cast() }
}

/// Labels that are out of date are left out.
unsafe fn copy_labels(object: &Object, to: *mut u32) {
    // SAFETY: as many labels as the object has bytes.
    unsafe {
        let mut index = 0;
        while index < object.size {
            let address = object.base + index;
            let label = *shadow::label(address);
            *to.add(index) =
                if label != 0 && crate::memory::is_current(label, *(address as *const u8)) { label } else { 0 };
            index += 1;
        }
    }
}

unsafe fn is_unchanged(offset: u32, object: &Object) -> bool {
    // SAFETY: the snapshot has as many bytes, and labels if it says so, as the object.
    unsafe {
        let snapshot = at(offset as usize);
        let now = core::slice::from_raw_parts(object.base as *const u8, object.size);
        let then = core::slice::from_raw_parts(content(snapshot), object.size);
        if now != then {
            return false;
        }
        if (*snapshot).labelled == 0 {
            return !shadow::is_tagged(object.base, object.size);
        }
        let now = core::slice::from_raw_parts(shadow::label(object.base), object.size);
        let then = core::slice::from_raw_parts(labels(snapshot), object.size);
        now == then
    }
}
