//! Which blocks of the program were executed: instrumented code writes a byte for each.
//!
//! In a traced run the bytes lie in the memory that the observer sees, so that they are there however the run ends, and
//! children add theirs. Blocks that constructors execute ran before, in the fork server: they are written again.

use core::ffi::c_int;

use crate::layout::{Header, blocks_offset};
use crate::state::TRACE;
use crate::system;

unsafe extern "C" {
    /// Whole pages, made by the instrumentation.
    static mut byway_hits: [u8; 0];
    static byway_block_count: u64;
}

/// The numbers of the blocks that were executed before the first run.
static mut EARLIER: *mut u32 = core::ptr::null_mut();
static mut EARLIER_COUNT: usize = 0;

/// How many blocks the program has.
pub unsafe fn count() -> usize {
    // SAFETY: a constant.
    unsafe { byway_block_count as usize }
}

/// Remembers what was executed so far.
pub unsafe fn remember() {
    // SAFETY: the table has room for all blocks, and takes none for those that are not there.
    unsafe {
        EARLIER = system::reserve(count() * size_of::<u32>() + 1) as *mut u32;
        let hits = (&raw const byway_hits).cast::<u8>();
        let mut block = 0;
        while block < count() && !EARLIER.is_null() {
            if *hits.add(block) != 0 {
                *EARLIER.add(EARLIER_COUNT) = block as u32;
                EARLIER_COUNT += 1;
            }
            block += 1;
        }
    }
}

/// Shares the bytes with the observer. The memory of the run is mapped.
pub unsafe fn share(file: c_int) -> bool {
    // SAFETY: the part for blocks has as many pages as the variable, which is whole pages of its own.
    unsafe {
        let header = &*(TRACE as *const Header);
        if header.blocks as usize != count() {
            return false;
        }
        let hits = (&raw mut byway_hits).cast::<u8>();
        let offset = blocks_offset(header.node_limit, header.event_limit, header.snapshot_limit);
        if !system::share_at(hits as usize, count(), file, offset) {
            return false;
        }
        let mut index = 0;
        while index < EARLIER_COUNT {
            *hits.add(*EARLIER.add(index) as usize) = 1;
            index += 1;
        }
        true
    }
}
