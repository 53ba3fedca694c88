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
#[allow(dead_code)]
mod system_call;

use layout::{Header, MAGIC, PAGE, VARIABLE, counter_bytes};
use system_call::{CLOSE, LSEEK, MMAP, OPENAT, READ, call};

unsafe extern "C" {
    static mut environ: *mut *const c_char;
}

/// The counters of the program.
struct Counters {
    first: *mut u64,
    blocks: u64,
    id: *const [u8; 16],
}

static mut COUNTERS: Counters = Counters { first: ptr::null_mut(), blocks: 0, id: ptr::null() };

const AT_FDCWD: usize = -100isize as usize;
const O_RDWR: usize = 2;
const O_CLOEXEC: usize = 0o2000000;
const SEEK_SET: usize = 0;
const SEEK_END: usize = 2;
const PROT_READ_WRITE: usize = 3;
const MAP_SHARED: usize = 1;
const MAP_FIXED: usize = 0x10;

/// Called by a constructor of the instrumented module, before the program's own constructors.
///
/// # Safety
/// `counters` is page-aligned and has room for `blocks` counters in whole pages; `id` points to 16 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_cov_start(counters: *mut u64, blocks: u64, id: *const [u8; 16]) {
    // SAFETY: the path ends with a zero; the rest is promised by the caller.
    unsafe {
        COUNTERS = Counters { first: counters, blocks, id };
        let Some(path) = take_variable() else { return };
        let file = call(OPENAT, [AT_FDCWD, path as usize, O_RDWR | O_CLOEXEC, 0, 0, 0]);
        if file < 0 {
            return;
        }
        byway_cov_count_into(file as c_int);
        call(CLOSE, [file as usize, 0, 0, 0, 0, 0]);
    }
}

/// Counts into a file from now on, if it is meant for this program. What was counted before is added to it.
///
/// # Safety
/// `file` is an open file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_cov_count_into(file: c_int) {
    // SAFETY: the program's constructor said where the counters are.
    unsafe {
        let Counters { first, blocks, id } = COUNTERS;
        if !first.is_null() && is_ours(file as usize, blocks, &*id) {
            share(file as usize, first, blocks);
        }
    }
}

/// The value of the variable, which leaves the environment.
///
/// # Safety
/// No other thread runs yet.
unsafe fn take_variable() -> Option<*const c_char> {
    // SAFETY: the environment is a list of strings that ends with a null pointer.
    unsafe {
        let mut entry = environ;
        while !entry.is_null() && !(*entry).is_null() {
            if let Some(value) = value_of(*entry) {
                while !(*entry).is_null() {
                    *entry = *entry.add(1);
                    entry = entry.add(1);
                }
                return Some(value);
            }
            entry = entry.add(1);
        }
        None
    }
}

/// The value of the string `NAME=VALUE` if the name is ours.
///
/// # Safety
/// `text` ends with a zero.
unsafe fn value_of(text: *const c_char) -> Option<*const c_char> {
    let mut rest = text;
    // SAFETY: a difference is found at the end of `text` at the latest.
    unsafe {
        for &byte in VARIABLE.to_bytes() {
            if *rest as u8 != byte {
                return None;
            }
            rest = rest.add(1);
        }
        (*rest as u8 == b'=').then(|| rest.add(1))
    }
}

/// # Safety
/// `file` is an open file.
unsafe fn is_ours(file: usize, blocks: u64, id: &[u8; 16]) -> bool {
    let mut header = MaybeUninit::<Header>::uninit();
    // SAFETY: the buffer has the length that is read; every bit pattern is a header.
    unsafe {
        let length = size_of::<Header>();
        call(LSEEK, [file, 0, SEEK_SET, 0, 0, 0]);
        if call(READ, [file, header.as_mut_ptr() as usize, length, 0, 0, 0]) != length as isize {
            return false;
        }
        let size = call(LSEEK, [file, 0, SEEK_END, 0, 0, 0]);
        let expected = Header { magic: MAGIC, id: *id, blocks };
        header.assume_init() == expected && size == (PAGE + counter_bytes(blocks)) as isize
    }
}

/// Maps the file's counters over ours and adds what was counted before.
///
/// # Safety
/// As for [`byway_cov_start`]; `file` has [`counter_bytes`] bytes after its first page.
unsafe fn share(file: usize, counters: *mut u64, blocks: u64) {
    let map = |address: *mut c_void, flags: usize| {
        // SAFETY: a new mapping, or one that replaces whole pages that hold nothing but counters.
        unsafe { call(MMAP, [address as usize, counter_bytes(blocks), PROT_READ_WRITE, flags, file, PAGE]) }
    };
    let shared = map(ptr::null_mut(), MAP_SHARED);
    if shared < 0 {
        return;
    }
    let shared = shared as *mut u64;
    for block in 0..blocks as usize {
        // SAFETY: both have `blocks` counters.
        unsafe {
            let early = ptr::read_volatile(counters.add(block));
            if early != 0 {
                *shared.add(block) = (*shared.add(block)).wrapping_add(early);
            }
        }
    }
    map(counters.cast(), MAP_SHARED | MAP_FIXED);
}
