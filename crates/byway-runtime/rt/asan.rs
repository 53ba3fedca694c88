//! Linked into the `asan` variant, with `--wrap=main`: arguments and environment move to the heap, and the program is a fork
//! server for who asks.
//!
//! The kernel puts the strings of `argv` and `environ` one behind the other, so a read past the end of one finds the
//! next, and AddressSanitizer sees nothing wrong. In blocks of exactly their size it does.
//!
//! To begin takes a program with sanitizers longer than most runs do; a server begins once.

#![no_std]
#![allow(unsafe_code)]

mod fork_server;
#[allow(dead_code)]
#[path = "../../byway-trace/src/layout.rs"]
mod layout;
mod request;
#[allow(dead_code)]
mod system_call;

use core::ffi::{c_char, c_int};
use core::ptr;

use fork_server::Given;
use request::Strings;

unsafe extern "C" {
    fn __real_main(count: c_int, arguments: Strings, environment: Strings) -> c_int;
    fn malloc(size: usize) -> *mut u8;
    fn free(block: *mut u8);
    fn strlen(text: *const c_char) -> usize;
    static mut environ: Strings;
}

/// Keeps the blocks reachable for the leak checker.
static mut KEPT: Strings = ptr::null_mut();
/// The list of arguments and what it had when the program began: the program may put blocks of its own there, and free them.
static mut GIVEN: [*const u8; MOST_GIVEN] = [ptr::null(); MOST_GIVEN];
const MOST_GIVEN: usize = 64;

/// Called in place of `main`. Its last act is to become that of the program, in a server's child as well: the stacks in reports
/// are the same.
///
/// # Safety
/// The arguments are those of a `main`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_main(count: c_int, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: both lists end with a null pointer, as the C standard and POSIX say.
    unsafe {
        let mut given = Given { count, arguments, environment };
        fork_server::serve_if_asked(&mut given, begin);
        let arguments = copy(given.arguments);
        let environment = if given.environment.is_null() { given.environment } else { copy(given.environment) };
        KEPT = arguments;
        note_given(arguments);
        environ = environment;
        __real_main(given.count, arguments, environment)
    }
}

/// A run of the sanitizers' build has no memory in common with the observer.
unsafe fn begin(_: usize) {}

/// # Safety
/// `strings` ends with a null pointer.
unsafe fn copy(strings: Strings) -> Strings {
    // SAFETY: promised by the caller; every block is as large as what is written to it.
    unsafe {
        let mut count = 0;
        while !(*strings.add(count)).is_null() {
            count += 1;
        }
        let list: Strings = malloc((count + 1) * size_of::<*mut c_char>()).cast();
        let mut index = 0;
        while index < count {
            let text = *strings.add(index);
            let size = strlen(text) + 1;
            let block = malloc(size);
            ptr::copy_nonoverlapping(text.cast::<u8>(), block, size);
            *list.add(index) = block.cast();
            index += 1;
        }
        *list.add(count) = ptr::null_mut();
        list
    }
}

/// # Safety
/// `arguments` ends with a null pointer.
unsafe fn note_given(arguments: Strings) {
    // SAFETY: promised by the caller; only as many are noted as there is room for.
    unsafe {
        GIVEN[0] = arguments.cast();
        let mut index = 1;
        while index < MOST_GIVEN && !(*arguments.add(index - 1)).is_null() {
            GIVEN[index] = (*arguments.add(index - 1)).cast();
            index += 1;
        }
    }
}

/// AddressSanitizer calls this before it frees a block. Arguments are no blocks, but here they lie in some: to free what
/// lies inside of one is what AddressSanitizer reports.
///
/// # Safety
/// Called by AddressSanitizer only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_free_hook(block: *const u8) {
    let mut index = 0;
    // SAFETY: the list is filled up with null pointers; what is freed was never given out, so that nothing happens to it.
    unsafe {
        while index < MOST_GIVEN && !GIVEN[index].is_null() {
            if GIVEN[index] == block {
                free(block.cast_mut().add(1));
            }
            index += 1;
        }
    }
}

/// A program that leaks as it ends is not what we look for; `ASAN_OPTIONS` still has the last word.
#[unsafe(no_mangle)]
pub extern "C" fn __asan_default_options() -> *const c_char {
    c"detect_leaks=0".as_ptr()
}

/// Reports of undefined behaviour say how the program got there, as those of AddressSanitizer do.
#[unsafe(no_mangle)]
pub extern "C" fn __ubsan_default_options() -> *const c_char {
    c"print_stacktrace=1".as_ptr()
}
