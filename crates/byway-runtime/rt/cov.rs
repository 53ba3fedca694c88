//! Linked into the `cov` variant: shares its counters with whoever asks for them.
//!
//! Without `BYWAY_COVERAGE` in the environment nothing happens. With it, the file it names is mapped over the counters,
//! so that counts survive however the program ends, and those of its children and of later runs add up. A file that
//! is not meant for this program is left alone: the program must behave as if we were not here.

#![no_std]
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_void};
use core::mem::{MaybeUninit, size_of};
use core::ptr;

#[allow(dead_code)]
#[path = "../src/layout.rs"]
mod layout;

use layout::{Header, MAGIC, PAGE, VARIABLE, counter_bytes};

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
    fn unsetenv(name: *const c_char) -> c_int;
    fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn read(file: c_int, buffer: *mut c_void, length: usize) -> isize;
    fn lseek(file: c_int, offset: i64, whence: c_int) -> i64;
    fn close(file: c_int) -> c_int;
    fn mmap(address: *mut c_void, length: usize, protection: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

const O_RDWR: c_int = 2;
const O_CLOEXEC: c_int = 0o2000000;
const SEEK_END: c_int = 2;
const PROT_READ_WRITE: c_int = 3;
const MAP_SHARED: c_int = 1;
const MAP_FIXED: c_int = 0x10;

/// Called by a constructor of the instrumented module, before the program's own constructors.
///
/// # Safety
/// `counters` is page-aligned and has room for `blocks` counters in whole pages; `id` points to 16 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_cov_start(counters: *mut u64, blocks: u64, id: *const [u8; 16]) {
    // SAFETY: calls of the C library with valid arguments; the rest is promised by the caller.
    unsafe {
        let path = getenv(VARIABLE.as_ptr());
        if path.is_null() {
            return;
        }
        let errno = *__errno_location();
        let file = open(path, O_RDWR | O_CLOEXEC);
        if file >= 0 {
            if is_ours(file, blocks, &*id) {
                share(file, counters, blocks);
            }
            close(file);
        }
        unsetenv(VARIABLE.as_ptr());
        *__errno_location() = errno;
    }
}

/// # Safety
/// `file` is an open file.
unsafe fn is_ours(file: c_int, blocks: u64, id: &[u8; 16]) -> bool {
    let mut header = MaybeUninit::<Header>::uninit();
    // SAFETY: the buffer has the length that is read; every bit pattern is a header.
    unsafe {
        let length = size_of::<Header>();
        if read(file, header.as_mut_ptr().cast(), length) != length as isize {
            return false;
        }
        let size = lseek(file, 0, SEEK_END);
        let expected = Header { magic: MAGIC, id: *id, blocks };
        header.assume_init() == expected && size == (PAGE + counter_bytes(blocks)) as i64
    }
}

/// Maps the file's counters over ours and adds what was counted before.
///
/// # Safety
/// As for [`byway_cov_start`]; `file` has [`counter_bytes`] bytes after its first page.
unsafe fn share(file: c_int, counters: *mut u64, blocks: u64) {
    let length = counter_bytes(blocks);
    // SAFETY: the second mapping replaces whole pages that hold nothing but counters.
    unsafe {
        let shared: *mut u64 =
            mmap(ptr::null_mut(), length, PROT_READ_WRITE, MAP_SHARED, file, PAGE as i64).cast();
        if shared as isize == -1 {
            return;
        }
        let mut block = 0;
        while block < blocks as usize {
            let early = ptr::read_volatile(counters.add(block));
            if early != 0 {
                *shared.add(block) = (*shared.add(block)).wrapping_add(early);
            }
            block += 1;
        }
        mmap(counters.cast(), length, PROT_READ_WRITE, MAP_SHARED | MAP_FIXED, file, PAGE as i64);
    }
}
