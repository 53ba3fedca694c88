//! Input that libraries read which byway did not compile: its bytes have no labels, and somebody must say so.
//!
//! Models see what the program itself reads. A library's reads go from its own table of imports to the C library. In these
//! tables the functions that read are replaced, when the fork server begins: each calls the C library's, and notes what was
//! read and which library called. Libraries that are loaded later are not seen.

use core::arch::global_asm;

use crate::inputs;
use crate::layout::{NO_SITE, cause};
use crate::libraries::{self, Library, NONE, is_same};
use crate::state::{STATE, thread};
use crate::streams::{Stream, is_empty};
use crate::system_call::{self, call};

/// Libraries whose imports are watched.
const MAX_WATCHED: usize = 128;
static mut WATCHED: [Library; MAX_WATCHED] = [NONE; MAX_WATCHED];
static mut WATCHED_COUNT: usize = 0;

/// Where the last function of ours was called from. Only for the name of the library: threads may write what they like.
#[unsafe(no_mangle)]
static mut BYWAY_UNSEEN_CALLER: usize = 0;

const MAP_ANONYMOUS: i32 = 0x20;
const PAGE: usize = 4096;
const READ_WRITE: usize = 3;

/// Watches the libraries that are loaded.
pub unsafe fn watch() {
    // SAFETY: the only thread there is; libraries stay where they are.
    unsafe {
        let mut libc = NONE;
        libraries::each(|library| {
            if library.is_called(b"libc.so") {
                libc = library;
            }
        });
        if libc.name.is_null() || !find_real(&libc) {
            return;
        }
        libraries::each(|library| watch_library(library));
    }
}

unsafe fn watch_library(library: Library) {
    // SAFETY: room is checked; imports are where the library looks for them.
    unsafe {
        let is_of_system = library.is_called(b"libc.so")
            || library.is_called(b"ld-")
            || library.is_called(b"ld64")
            || library.is_called(b"linux-")
            || library.is_called(b"libpthread.so");
        if is_of_system || WATCHED_COUNT == MAX_WATCHED {
            return;
        }
        let mut is_watched = false;
        library.each_import(|name, place| {
            let ours = replacement(name);
            if ours != 0 {
                let page = place as usize & !(PAGE - 1);
                if call(system_call::MPROTECT, [page, PAGE, READ_WRITE, 0, 0, 0]) == 0 {
                    *place = ours;
                    is_watched = true;
                }
            }
        });
        if is_watched {
            *(&raw mut WATCHED).cast::<Library>().add(WATCHED_COUNT) = library;
            WATCHED_COUNT += 1;
        }
    }
}

/// The library that called.
unsafe fn reader() -> u32 {
    // SAFETY: indices are below the count; names end with a zero.
    unsafe {
        let mut index = 0;
        while index < WATCHED_COUNT {
            let library = &*(&raw const WATCHED).cast::<Library>().add(index);
            if library.has(BYWAY_UNSEEN_CALLER) {
                return inputs::kept(library.name, inputs::length(library.name));
            }
            index += 1;
        }
        0
    }
}

/// A library has read from a descriptor.
unsafe fn note(file: i32) {
    // SAFETY: the tables are ours.
    unsafe {
        if !STATE.active || STATE.busy || thread().traced == 0 {
            return;
        }
        let source = inputs::unseen(file);
        if source != 0 {
            STATE.lose_input(cause::UNSEEN_INPUT, NO_SITE, source, reader());
        }
    }
}

/// A function of the C library that reads: what it is called, how it is called, and whether something was read.
macro_rules! reads {
    ($($index:literal $name:literal $ours:ident $entry:ident
       ($($parameter:ident: $type:ty),*) -> $result:ty, $file:expr, $before:expr, $is_read:expr;)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $ours($($parameter: $type),*) -> $result {
                // SAFETY: the function of the C library is called with what it was to be called with.
                unsafe {
                    let real: unsafe extern "C" fn($($type),*) -> $result = core::mem::transmute(REAL[$index]);
                    let may_read = $before;
                    let result = real($($parameter),*);
                    let is_read: fn($result) -> bool = $is_read;
                    if may_read && is_read(result) {
                        note($file);
                    }
                    result
                }
            }
            // Keeps where it was called from, and goes on.
            #[cfg(target_arch = "x86_64")]
            global_asm!(
                concat!(".hidden ", stringify!($entry)),
                concat!(stringify!($entry), ":"),
                "mov r11, [rsp]",
                "mov [rip + {caller}], r11",
                "jmp {ours}",
                caller = sym BYWAY_UNSEEN_CALLER,
                ours = sym $ours,
            );
            #[cfg(target_arch = "aarch64")]
            global_asm!(
                concat!(".hidden ", stringify!($entry)),
                concat!(stringify!($entry), ":"),
                "adrp x16, {caller}",
                "str x30, [x16, :lo12:{caller}]",
                "b {ours}",
                caller = sym BYWAY_UNSEEN_CALLER,
                ours = sym $ours,
            );
        )*
        unsafe extern "C" {
            $(fn $entry();)*
        }

        const COUNT: usize = [$($index),*].len();
        /// The functions of the C library; 0 where it has none.
        static mut REAL: [usize; COUNT] = [0; COUNT];

        /// Finds them; false if there is none at all.
        unsafe fn find_real(libc: &Library) -> bool {
            // SAFETY: names end with a zero.
            unsafe {
                let mut any = 0;
                $(
                    REAL[$index] = libc.function($name.as_ptr());
                    any |= REAL[$index];
                )*
                any != 0
            }
        }

        /// What takes the place of a function; 0 if nothing does.
        unsafe fn replacement(name: *const u8) -> usize {
            // SAFETY: names end with a zero.
            unsafe {
                $(
                    if REAL[$index] != 0 && is_same(name, $name.as_ptr()) {
                        return $entry as *const () as usize;
                    }
                )*
                0
            }
        }
    };
}

reads! {
    0 b"read\0" byway_unseen_read byway_entry_read (fd: i32, to: usize, size: usize) -> isize, fd, true, |result| result > 0;
    1 b"__read_chk\0" byway_unseen_internal_read_chk byway_entry_internal_read_chk (fd: i32, to: usize, size: usize, room: usize) -> isize, fd, true, |result| result > 0;
    2 b"pread\0" byway_unseen_pread byway_entry_pread (fd: i32, to: usize, size: usize, offset: i64) -> isize, fd, true, |result| result > 0;
    3 b"pread64\0" byway_unseen_pread64 byway_entry_pread64 (fd: i32, to: usize, size: usize, offset: i64) -> isize, fd, true, |result| result > 0;
    4 b"readv\0" byway_unseen_readv byway_entry_readv (fd: i32, parts: usize, count: i32) -> isize, fd, true, |result| result > 0;
    5 b"mmap\0" byway_unseen_mmap byway_entry_mmap (at: usize, size: usize, access: i32, flags: i32, fd: i32, offset: i64) -> usize, fd, fd >= 0 && flags & MAP_ANONYMOUS == 0, |result| result != usize::MAX;
    6 b"mmap64\0" byway_unseen_mmap64 byway_entry_mmap64 (at: usize, size: usize, access: i32, flags: i32, fd: i32, offset: i64) -> usize, fd, fd >= 0 && flags & MAP_ANONYMOUS == 0, |result| result != usize::MAX;
    7 b"getc\0" byway_unseen_getc byway_entry_getc (stream: *mut Stream) -> i32, (*stream).file(), is_empty(stream), |result| result >= 0;
    8 b"_IO_getc\0" byway_unseen_io_getc byway_entry_io_getc (stream: *mut Stream) -> i32, (*stream).file(), is_empty(stream), |result| result >= 0;
    9 b"fgetc\0" byway_unseen_fgetc byway_entry_fgetc (stream: *mut Stream) -> i32, (*stream).file(), is_empty(stream), |result| result >= 0;
    10 b"getc_unlocked\0" byway_unseen_getc_unlocked byway_entry_getc_unlocked (stream: *mut Stream) -> i32, (*stream).file(), is_empty(stream), |result| result >= 0;
    11 b"__uflow\0" byway_unseen_internal_uflow byway_entry_internal_uflow (stream: *mut Stream) -> i32, (*stream).file(), is_empty(stream), |result| result >= 0;
    12 b"__underflow\0" byway_unseen_internal_underflow byway_entry_internal_underflow (stream: *mut Stream) -> i32, (*stream).file(), is_empty(stream), |result| result >= 0;
    13 b"getwc\0" byway_unseen_getwc byway_entry_getwc (stream: *mut Stream) -> i32, (*stream).file(), is_empty(stream), |result| result >= 0;
    14 b"fgets\0" byway_unseen_fgets byway_entry_fgets (to: usize, size: i32, stream: *mut Stream) -> usize, (*stream).file(), is_empty(stream), |result| result != 0;
    15 b"fread\0" byway_unseen_fread byway_entry_fread (to: usize, size: usize, count: usize, stream: *mut Stream) -> usize, (*stream).file(), is_empty(stream), |result| result > 0;
    16 b"fread_unlocked\0" byway_unseen_fread_unlocked byway_entry_fread_unlocked (to: usize, size: usize, count: usize, stream: *mut Stream) -> usize, (*stream).file(), is_empty(stream), |result| result > 0;
    17 b"getdelim\0" byway_unseen_getdelim byway_entry_getdelim (line: usize, size: usize, end: i32, stream: *mut Stream) -> isize, (*stream).file(), is_empty(stream), |result| result > 0;
    18 b"__getdelim\0" byway_unseen_internal_getdelim byway_entry_internal_getdelim (line: usize, size: usize, end: i32, stream: *mut Stream) -> isize, (*stream).file(), is_empty(stream), |result| result > 0;
    19 b"getline\0" byway_unseen_getline byway_entry_getline (line: usize, size: usize, stream: *mut Stream) -> isize, (*stream).file(), is_empty(stream), |result| result > 0;
}
