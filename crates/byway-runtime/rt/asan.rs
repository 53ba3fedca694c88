//! Linked into the `asan` variant, with `--wrap=main`: arguments and environment move to the heap.
//!
//! The kernel puts the strings of `argv` and `environ` one behind the other, so a read past the end of one finds the
//! next, and AddressSanitizer sees nothing wrong. In blocks of exactly their size it does.

#![no_std]
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int};
use core::ptr;

type Strings = *mut *mut c_char;

unsafe extern "C" {
    fn __real_main(count: c_int, arguments: Strings, environment: Strings) -> c_int;
    fn malloc(size: usize) -> *mut u8;
    fn strlen(text: *const c_char) -> usize;
    static mut environ: Strings;
}

/// Keeps the blocks reachable for the leak checker.
static mut KEPT: Strings = ptr::null_mut();

/// Called in place of `main`.
///
/// # Safety
/// The arguments are those of a `main`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_main(count: c_int, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: both lists end with a null pointer, as the C standard and POSIX say.
    unsafe {
        let arguments = copy(arguments);
        let environment = if environment.is_null() { environment } else { copy(environment) };
        KEPT = arguments;
        environ = environment;
        __real_main(count, arguments, environment)
    }
}

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
