//! Copies of objects that were read through symbolic addresses.

use crate::layout::{Snapshot, cause, object_kind, op};
use crate::memory::NODE;
use crate::objects::Object;
use crate::shadow;
use crate::spans::Span;
use crate::state::STATE;

/// How many bytes of copies an object that changes gets, and how many copies at least.
const CHANGES: usize = 1 << 20;
const VERSIONS: u32 = 16;
/// A constant object may be this many times as large as one that can change.
const CONSTANT_FACTOR: usize = 16;
/// Objects up to this size are copied as a whole, so that all reads from one have the same table; of others only what can be read.
const WHOLE: usize = 1024;
/// An object with more bytes of the input than this is made of much.
const MUCH_INPUT: usize = 256;

/// An object that events speak of.
pub struct Known {
    base: usize,
    size: usize,
    /// 1 + the index of its event; 0 if there is none.
    pub event: u32,
}

/// The last copy of an object, or of a part of it.
struct Copied {
    base: usize,
    size: usize,
    /// 1 + its offset, divided by 8; 0 if there is none.
    snapshot: u32,
    /// What its versions took.
    spent: Spent,
}

/// What copies of an object took.
#[derive(Clone, Copy)]
struct Spent {
    copies: u32,
    bytes: usize,
}

impl Spent {
    const NOTHING: Spent = Spent { copies: 0, bytes: 0 };

    fn is_enough(&self) -> bool {
        self.copies >= VERSIONS && self.bytes >= CHANGES
    }

    fn add(&mut self, bytes: usize) {
        self.copies += 1;
        self.bytes += bytes;
    }
}

/// What copies of parts of an object took: each part is another one.
struct Parts {
    base: usize,
    size: usize,
    spent: Spent,
}

const SLOTS: usize = 4096;
static mut KNOWN: [Known; SLOTS] = [const { Known { base: 0, size: 0, event: 0 } }; SLOTS];
static mut COPIED: [Copied; SLOTS] = [const { Copied { base: 0, size: 0, snapshot: 0, spent: Spent::NOTHING } }; SLOTS];
static mut PARTS: [Parts; SLOTS] = [const { Parts { base: 0, size: 0, spent: Spent::NOTHING } }; SLOTS];

fn slot(base: usize) -> usize {
    (base >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52 & (SLOTS - 1)
}

unsafe fn known(base: usize) -> &'static mut Known {
    // SAFETY: the slot is below the size.
    unsafe { &mut *(&raw mut KNOWN).cast::<Known>().add(slot(base)) }
}

unsafe fn copied(base: usize) -> &'static mut Copied {
    // SAFETY: the slot is below the size.
    unsafe { &mut *(&raw mut COPIED).cast::<Copied>().add(slot(base)) }
}

/// What copies of parts of an object took.
unsafe fn parts(object: &Object) -> &'static mut Spent {
    // SAFETY: the slot is below the size.
    unsafe {
        let parts = &mut *(&raw mut PARTS).cast::<Parts>().add(slot(object.base));
        if (parts.base, parts.size) != (object.base, object.size) {
            *parts = Parts { base: object.base, size: object.size, spent: Spent::NOTHING };
        }
        &mut parts.spent
    }
}

/// What is known of an object, which may be nothing.
pub unsafe fn entry(object: &Object) -> &'static mut Known {
    // SAFETY: a slot of the table.
    unsafe {
        let known = known(object.base);
        if known.base != object.base || known.size != object.size {
            *known = Known { base: object.base, size: object.size, event: 0 };
        }
        known
    }
}

/// The object at `base` is gone.
pub fn forget(base: usize) {
    // SAFETY: slots of the tables.
    unsafe {
        let (known, copied) = (known(base), copied(base));
        let parts = &mut *(&raw mut PARTS).cast::<Parts>().add(slot(base));
        if parts.base == base {
            parts.base = 0;
        }
        if known.base == base {
            known.base = 0;
        }
        if copied.base == base {
            copied.base = 0;
        }
    }
}

/// The part of an object that can be read through an address with this span; the read of this run is within it.
fn readable(object: &Object, span: Span, (address, size): (usize, usize)) -> Object {
    if object.size <= WHOLE {
        return *object;
    }
    let end = (object.base + object.size) as i128;
    let from = span.low.max(object.base as i128).min(address as i128) as usize & !7;
    let to = (span.high + size as i128).max((address + size) as i128).min(end) as usize;
    let base = from.max(object.base);
    // What is always there can be changed nowhere; of other constant objects only the whole is known to go.
    let constant = object.constant && (object.kind == object_kind::GLOBAL || base == object.base);
    Object { base, size: to - base, constant, ..*object }
}

/// A snapshot of what can be read, as it is now: its offset divided by 8, or why there is none.
pub unsafe fn take(object: &Object, span: Span, read: (usize, usize)) -> Result<u32, u32> {
    // SAFETY: the object is memory of the program.
    unsafe {
        let limit = (*STATE.header).object_limit as usize * if object.constant { CONSTANT_FACTOR } else { 1 };
        let part = readable(object, span, read);
        if part.size > limit {
            return Err(cause::LARGE_OBJECT);
        }
        let is_whole = (part.base, part.size) == (object.base, object.size);
        if is_whole || part.constant {
            return version(&part).map(|(snapshot, _)| snapshot);
        }
        let parts = parts(object);
        if !parts.is_enough() || last(&part).is_some() {
            let (snapshot, bytes) = version(&part)?;
            if bytes > 0 {
                parts.add(bytes);
            }
            return Ok(snapshot);
        }
        // Too many parts: all reads have the same table from now on.
        if object.size > limit { Err(cause::CHANGING_OBJECT) } else { version(object).map(|(snapshot, _)| snapshot) }
    }
}

/// The entry of an object, or of a part of one.
unsafe fn entry_of(object: &Object) -> &'static mut Copied {
    // SAFETY: a slot of the table.
    unsafe {
        let copied = copied(object.base);
        if copied.base != object.base || copied.size != object.size {
            *copied = Copied { base: object.base, size: object.size, snapshot: 0, spent: Spent::NOTHING };
        }
        copied
    }
}

/// The last copy, if nothing changed since.
unsafe fn last(object: &Object) -> Option<u32> {
    // SAFETY: the snapshot is the object's.
    unsafe {
        let copied = copied(object.base);
        let is_of = (copied.base, copied.size) == (object.base, object.size) && copied.snapshot != 0;
        let is_last = is_of && (object.constant || is_unchanged(copied.snapshot - 1, object));
        is_last.then(|| copied.snapshot - 1)
    }
}

/// The last copy or, if it changed, a new one, and how much memory that takes.
unsafe fn version(object: &Object) -> Result<(u32, usize), u32> {
    // SAFETY: the object is memory of the program; the entry is its own.
    unsafe {
        if STATE.near && !object.constant && is_made_of_input(object) {
            return Err(cause::INPUT_OBJECT);
        }
        if let Some(snapshot) = last(object) {
            return Ok((snapshot, 0));
        }
        let copied = entry_of(object);
        if copied.spent.is_enough() {
            return Err(cause::CHANGING_OBJECT);
        }
        let (snapshot, bytes) = copy(object)?;
        copied.snapshot = snapshot + 1;
        copied.spent.add(bytes);
        Ok((snapshot, bytes))
    }
}

/// A copy of an object, and how much memory it takes.
unsafe fn copy(object: &Object) -> Result<(u32, usize), u32> {
    // SAFETY: the object is memory of the program; room is checked.
    unsafe {
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
        Ok((used as u32 / 8, bytes))
    }
}

/// Whether more than so many bytes of an object are bytes of the input.
unsafe fn is_made_of_input(object: &Object) -> bool {
    if object.size <= MUCH_INPUT {
        return false;
    }
    // SAFETY: as many labels as the object has bytes; they are numbers of nodes.
    unsafe {
        let (mut index, mut found) = (0, 0);
        while index < object.size && found <= MUCH_INPUT && object.size - index + found > MUCH_INPUT {
            let label = *shadow::label(object.base + index);
            found += (label != 0 && STATE.node(label & NODE).op == op::INPUT) as usize;
            index += 1;
        }
        found > MUCH_INPUT
    }
}

/// The labels, which may be none, and up to 8 bytes of a snapshot at an address, if they are in it.
pub unsafe fn part(offset: u32, address: usize, size: usize) -> Option<(*const u32, u64)> {
    // SAFETY: the offset is a snapshot's, and the bytes are within it.
    unsafe {
        let snapshot = at(offset as usize);
        let place = address.wrapping_sub((*snapshot).base as usize);
        let length = (*snapshot).length as usize;
        if size > length || place > length - size {
            return None;
        }
        let bytes = crate::memory::bytes_at(content(snapshot) as usize + place, size);
        let labels: *const u32 =
            if (*snapshot).labelled != 0 { labels(snapshot).add(place) } else { core::ptr::null() };
        Some((labels, bytes))
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
