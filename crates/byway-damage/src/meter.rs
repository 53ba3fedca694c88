//! An allocator that counts what the current thread takes.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
    static MOST: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, with a count of the bytes that each thread has, and of the most that it had.
#[derive(Debug, Clone, Copy)]
pub struct Meter;

impl Meter {
    /// Begins to count: what the thread has now is taken for nothing.
    pub(crate) fn begin() {
        NOW.set(0);
        MOST.set(0);
    }

    /// The most bytes that the thread had since.
    pub(crate) fn most() -> u64 {
        MOST.get().max(0) as u64
    }

    fn count(bytes: i64) {
        // A thread that ends has no counters any more, and nobody asks for them.
        let _ = NOW.try_with(|now| {
            now.set(now.get() + bytes);
            let _ = MOST.try_with(|most| most.set(most.get().max(now.get())));
        });
    }
}

// SAFETY: the system's allocator does everything; counting allocates nothing, since the counters need no destructor.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Meter::count(layout.size() as i64);
        // SAFETY: as for the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Meter::count(layout.size() as i64);
        // SAFETY: as for the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        Meter::count(-(layout.size() as i64));
        // SAFETY: as for the caller.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Meter::count(size as i64 - layout.size() as i64);
        // SAFETY: as for the caller.
        unsafe { System.realloc(place, layout, size) }
    }
}
