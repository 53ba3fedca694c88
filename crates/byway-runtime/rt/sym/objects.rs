//! Objects: what an address belongs to, and how large that is.

use crate::layout::{NO_SITE, event, object_kind};
use crate::shadow::{self, MASK};
use crate::state::{STATE, byway_epoch, thread};
use crate::{events, system};

/// An object.
#[derive(Clone, Copy)]
pub struct Object {
    pub base: usize,
    pub size: usize,
    pub kind: u8,
    /// It never changes.
    pub constant: bool,
    pub site: u32,
    /// The label of its size.
    pub size_label: u32,
}

/// A local variable whose address is used. Instrumented functions write these.
#[repr(C)]
pub struct Local {
    pub base: usize,
    pub size: usize,
}

/// A variable of the program, as the instrumentation lists it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Global {
    base: usize,
    /// The lowest bit says that it is constant, the others are the size.
    size: usize,
}

unsafe extern "C" {
    static byway_globals: [Global; 0];
    static byway_global_count: usize;
}

/// A bit for every 16 bytes: a block of the allocator begins here.
const STARTS: usize = 0x6800_0000_0000;
/// For each such block, its size and where it was allocated.
const SIZES: usize = 0x6000_0000_0000;
/// Where local variables are noted.
const LOCALS: usize = 0x6a00_0000_0000;
const LOCALS_SIZE: usize = 1 << 32;
/// Everything else: arguments, tables, mappings.
const MAX_OTHERS: usize = 4096;
static mut OTHERS: [Object; MAX_OTHERS] =
    [Object { base: 0, size: 0, kind: 0, constant: false, site: 0, size_label: 0 }; MAX_OTHERS];
#[unsafe(link_section = ".bss.byway_hot")]
static mut OTHER_COUNT: usize = 0;
static mut GLOBALS: *mut Global = core::ptr::null_mut();
static mut GLOBAL_COUNT: usize = 0;

const SITE_BITS: u32 = 24;
/// In the entry of a block, and in the size of a local variable: the size is symbolic.
const SYMBOLIC: u64 = 1 << 63;

/// Reserves memory for the tables, and sorts the list of global variables.
pub unsafe fn prepare() -> bool {
    // SAFETY: only free memory is taken; the instrumented module's list is as long as it says.
    unsafe {
        let reserved = system::reserve_at(SIZES, (MASK + 1) / 2)
            && system::reserve_at(STARTS, (MASK + 1) / 128)
            && system::reserve_at(LOCALS, LOCALS_SIZE);
        if !reserved {
            return false;
        }
        let count = byway_global_count;
        let table = system::reserve(count * size_of::<Global>() + 1) as *mut Global;
        if !table.is_null() {
            core::ptr::copy_nonoverlapping((&raw const byway_globals).cast::<Global>(), table, count);
            sort(table, count);
            GLOBALS = table;
            GLOBAL_COUNT = count;
        }
        true
    }
}

/// Sorts by address: a heap sort, since there is no allocator to lend memory.
unsafe fn sort(table: *mut Global, count: usize) {
    // SAFETY: all indices are below the count.
    unsafe {
        let sift = |mut root: usize, end: usize| loop {
            let mut child = 2 * root + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && (*table.add(child)).base < (*table.add(child + 1)).base {
                child += 1;
            }
            if (*table.add(root)).base >= (*table.add(child)).base {
                return;
            }
            core::ptr::swap(table.add(root), table.add(child));
            root = child;
        };
        let mut start = count / 2;
        while start > 0 {
            start -= 1;
            sift(start, count);
        }
        let mut end = count;
        while end > 1 {
            end -= 1;
            core::ptr::swap(table, table.add(end));
            sift(0, end);
        }
    }
}

/// Local variables of the first thread are noted from now on.
pub unsafe fn begin() {
    // SAFETY: the thread's own variable.
    unsafe { thread().frames = LOCALS as *mut Local };
}

fn size_entry(address: usize) -> *mut u64 {
    (SIZES + ((address & MASK) >> 4) * 8) as *mut u64
}

fn start_word(address: usize) -> *mut u64 {
    (STARTS + ((address & MASK) >> 10) * 8) as *mut u64
}

/// Notes a block of the allocator.
pub unsafe fn add_block(address: usize, size: usize, site: u32) {
    // SAFETY: the tables are mapped when a run is traced.
    unsafe {
        *size_entry(address) = (size as u64) << SITE_BITS | (site & ((1 << SITE_BITS) - 1)) as u64;
        *start_word(address) |= 1 << (address >> 4 & 63);
    }
}

/// Forgets a block of the allocator.
pub unsafe fn remove_block(address: usize) {
    // SAFETY: the tables are mapped when a run is traced.
    unsafe {
        *start_word(address) &= !(1 << (address >> 4 & 63));
        if STATE.sized && *size_entry(address) & SYMBOLIC != 0 {
            // Up to the end of the last 8 bytes.
            let size = ((*size_entry(address) & !SYMBOLIC) >> SITE_BITS) as usize;
            shadow::clear_sized(address, size + 7);
        }
    }
    crate::snapshots::forget(address);
}

/// Notes another object.
pub unsafe fn add_other(object: Object) {
    // SAFETY: room is checked.
    unsafe {
        remove_other(object.base);
        if OTHER_COUNT < MAX_OTHERS {
            *(&raw mut OTHERS).cast::<Object>().add(OTHER_COUNT) = object;
            OTHER_COUNT += 1;
        }
    }
}

/// Forgets another object.
pub unsafe fn remove_other(base: usize) {
    // SAFETY: indices are below the count.
    unsafe {
        let others = (&raw mut OTHERS).cast::<Object>();
        let mut index = 0;
        while index < OTHER_COUNT {
            if (*others.add(index)).base == base {
                OTHER_COUNT -= 1;
                *others.add(index) = *others.add(OTHER_COUNT);
                crate::snapshots::forget(base);
                return;
            }
            index += 1;
        }
    }
}

/// The object at an address.
pub unsafe fn find(address: usize) -> Option<Object> {
    // SAFETY: each looks only at tables that are mapped when a run is traced.
    unsafe { local(address).or_else(|| global(address)).or_else(|| other(address)).or_else(|| block(address)) }
}

unsafe fn local(address: usize) -> Option<Object> {
    // SAFETY: entries below the top were written by instrumented functions.
    unsafe {
        let here = &raw const address as usize;
        if address < here {
            return None;
        }
        let mut at = thread().frames;
        while at as usize > LOCALS {
            at = at.sub(1);
            let local = &*at;
            let size = local.size & !SYMBOLIC as usize;
            if address.wrapping_sub(local.base) < size {
                return Some(Object {
                    base: local.base,
                    size,
                    kind: object_kind::STACK,
                    constant: false,
                    site: NO_SITE,
                    size_label: if size != local.size { size_label(local.base) } else { 0 },
                });
            }
            if local.base > address.wrapping_add(1 << 20) {
                return None;
            }
        }
        None
    }
}

unsafe fn global(address: usize) -> Option<Object> {
    // SAFETY: the table is sorted and as long as its count says.
    unsafe {
        let (mut low, mut high) = (0, GLOBAL_COUNT);
        while low < high {
            let middle = (low + high) / 2;
            if (*GLOBALS.add(middle)).base <= address {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low == 0 {
            return None;
        }
        let global = *GLOBALS.add(low - 1);
        let (size, constant) = (global.size >> 1, global.size & 1 != 0);
        (address - global.base < size).then_some(Object {
            base: global.base,
            size,
            kind: object_kind::GLOBAL,
            constant,
            site: NO_SITE,
            size_label: 0,
        })
    }
}

unsafe fn other(address: usize) -> Option<Object> {
    // SAFETY: indices are below the count.
    unsafe {
        let others = (&raw const OTHERS).cast::<Object>();
        let mut index = 0;
        while index < OTHER_COUNT {
            let object = *others.add(index);
            if address.wrapping_sub(object.base) < object.size {
                return Some(object);
            }
            index += 1;
        }
        None
    }
}

/// How far back the beginning of a block is looked for.
const FARTHEST: usize = 1 << 26;

unsafe fn block(address: usize) -> Option<Object> {
    // SAFETY: the tables are mapped.
    unsafe {
        let mut word_address = address;
        let mut word = *start_word(address) & (u64::MAX >> (63 - (address >> 4 & 63)));
        while word == 0 {
            word_address = word_address.wrapping_sub(1024);
            if address.wrapping_sub(word_address) > FARTHEST {
                return None;
            }
            word = *start_word(word_address);
        }
        let index = 63 - word.leading_zeros() as usize;
        let base = (word_address & !1023) | index << 4;
        let entry = *size_entry(base);
        let size = ((entry & !SYMBOLIC) >> SITE_BITS) as usize;
        let site = entry as u32 & ((1 << SITE_BITS) - 1);
        let size_label = if entry & SYMBOLIC != 0 { size_label(base) } else { 0 };
        let object = Object { base, size, kind: object_kind::HEAP, constant: false, site, size_label };
        (address - base < size).then_some(object)
    }
}

/// An object whose size is symbolic.
#[derive(Clone, Copy)]
struct SymbolicSize {
    base: usize,
    label: u32,
    /// How many of its bytes were accessed, from the first to the last.
    reached: usize,
}

const MAX_SIZES: usize = 1024;
static mut SYMBOLIC_SIZES: [SymbolicSize; MAX_SIZES] = [SymbolicSize { base: 0, label: 0, reached: 0 }; MAX_SIZES];
#[unsafe(link_section = ".bss.byway_hot")]
static mut SYMBOLIC_SIZE_COUNT: usize = 0;

/// Notes that a block's size is symbolic.
pub unsafe fn add_symbolic_size(base: usize, size: usize, label: u32) {
    // SAFETY: the block was just noted.
    unsafe {
        add_sized(base, size, label);
        *size_entry(base) |= SYMBOLIC;
    }
}

/// Notes a local variable, whose size may be symbolic. The function that it belongs to takes it away again.
pub unsafe fn add_local(base: usize, size: usize, label: u32) {
    // SAFETY: there is room for more local variables than a stack has.
    unsafe {
        let frames = &mut thread().frames;
        if label != 0 {
            add_sized(base, size, label);
        }
        let symbolic = if label == 0 { 0 } else { SYMBOLIC as usize };
        **frames = Local { base, size: size | symbolic };
        *frames = frames.add(1);
    }
}

/// Whether the size of any object was symbolic so far.
pub fn has_sized() -> bool {
    // SAFETY: only the traced thread adds some.
    unsafe { SYMBOLIC_SIZE_COUNT != 0 }
}

unsafe fn add_sized(base: usize, size: usize, label: u32) {
    // SAFETY: the index is taken modulo the size.
    unsafe {
        let sized = SymbolicSize { base, label, reached: 0 };
        *(&raw mut SYMBOLIC_SIZES).cast::<SymbolicSize>().add(SYMBOLIC_SIZE_COUNT % MAX_SIZES) = sized;
        SYMBOLIC_SIZE_COUNT += 1;
        if byway_epoch != 0 {
            STATE.sized = true;
            shadow::set_sized(base, size);
        }
    }
}

/// The object at this place whose size is symbolic.
unsafe fn sized(base: usize) -> Option<&'static mut SymbolicSize> {
    // SAFETY: indices are below the size.
    unsafe {
        let sizes = (&raw mut SYMBOLIC_SIZES).cast::<SymbolicSize>();
        // The latest first; the oldest have been overwritten.
        let mut number = SYMBOLIC_SIZE_COUNT;
        while number > 0 && SYMBOLIC_SIZE_COUNT - number < MAX_SIZES {
            number -= 1;
            let sized = &mut *sizes.add(number % MAX_SIZES);
            if sized.base == base {
                return Some(sized);
            }
        }
        None
    }
}

unsafe fn size_label(base: usize) -> u32 {
    // SAFETY: only looked up.
    unsafe { sized(base).map_or(0, |sized| sized.label) }
}

/// The object whose size is symbolic and that an access reaches further into than any before.
pub unsafe fn reach(address: usize, size: usize) -> Option<Object> {
    // SAFETY: only looked up; tags are mapped.
    unsafe {
        let object = find(address).filter(|object| object.size_label != 0);
        let known = object.and_then(|object| sized(object.base).map(|sized| (object, sized)));
        let Some((object, sized)) = known else {
            // What was here is gone.
            shadow::clear_sized(address, size + 7);
            return None;
        };
        let reached = address + size - object.base;
        if reached <= sized.reached || reached > object.size {
            return None;
        }
        shadow::clear_sized(object.base + sized.reached, reached - sized.reached);
        sized.reached = reached;
        Some(object)
    }
}

/// 1 + the index of the event that says what object this is.
pub unsafe fn announce(object: &Object) -> u32 {
    // SAFETY: the cache entry is the object's.
    unsafe {
        let known = crate::snapshots::entry(object);
        if known.event == 0 {
            let index = events::append(crate::layout::Event {
                kind: event::OBJECT,
                flag: object.kind,
                detail: 0,
                site: object.site,
                label: object.size_label,
                extra: 0,
                a: object.base as u64,
                b: object.size as u64,
            });
            known.event = index.wrapping_add(1);
        }
        known.event
    }
}
