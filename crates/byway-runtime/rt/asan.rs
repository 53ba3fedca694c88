//! Linked into the `asan` variant, with `--wrap=main`: arguments and environment move to the heap, and the program is a fork
//! server for who asks.
//!
//! The kernel puts the strings of `argv` and `environ` one behind the other, so a read past the end of one finds the
//! next, and AddressSanitizer sees nothing wrong. In blocks of exactly their size it does.
//!
//! To begin takes a program with sanitizers longer than most runs do. With `BYWAY_SERVER` in its environment it begins once,
//! its constructors included, and each run is a child of it.

#![no_std]
#![allow(unsafe_code)]

#[allow(dead_code)]
#[path = "../../byway-trace/src/layout.rs"]
mod layout;
mod request;
#[allow(dead_code)]
mod system_call;

use core::ffi::{c_char, c_int};
use core::ptr;

use request::{CANNOT, Received, Strings, leave};
use system_call::call;

unsafe extern "C" {
    fn __real_main(count: c_int, arguments: Strings, environment: Strings) -> c_int;
    fn malloc(size: usize) -> *mut u8;
    fn strlen(text: *const c_char) -> usize;
    static mut environ: Strings;
}

/// Keeps the blocks reachable for the leak checker.
static mut KEPT: Strings = ptr::null_mut();
/// What `main` is to be given.
struct Given {
    count: c_int,
    arguments: Strings,
    environment: Strings,
}

static mut GIVEN: Given = Given { count: 0, arguments: ptr::null_mut(), environment: ptr::null_mut() };
/// The socket to the observer; negative if there is none.
static mut SOCKET: c_int = -1;

#[used]
#[unsafe(link_section = ".preinit_array")]
static PREINIT: unsafe extern "C" fn(c_int, Strings, Strings) = preinit;

/// Runs before all constructors: they do not see the variable.
unsafe extern "C" fn preinit(_: c_int, _: Strings, environment: Strings) {
    // SAFETY: called once by the C library, with the arguments of `main`.
    unsafe {
        SOCKET = request::find_socket(environment);
        if SOCKET >= 0 {
            request::remove_variable(environment);
        }
    }
}

/// Called in place of `main`. Its last act is to become that of the program, in a server's child as well: the stacks in reports
/// are the same.
///
/// # Safety
/// The arguments are those of a `main`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_main(count: c_int, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: both lists end with a null pointer, as the C standard and POSIX say.
    unsafe {
        GIVEN = Given { count, arguments, environment };
        if SOCKET >= 0 {
            serve();
        }
        let arguments = copy(GIVEN.arguments);
        let environment = if GIVEN.environment.is_null() { GIVEN.environment } else { copy(GIVEN.environment) };
        KEPT = arguments;
        environ = environment;
        __real_main(GIVEN.count, arguments, environment)
    }
}

/// Waits for runs; returns in the child that is to be one.
#[inline(never)]
unsafe fn serve() {
    // SAFETY: the only thread there is.
    unsafe {
        if !is_alone() {
            leave(CANNOT);
        }
        request::reply(SOCKET, 0, 0, 0, 0);
        while let Some(received) = Received::new(SOCKET) {
            let process = fork();
            if process == 0 {
                return take(&received);
            }
            received.see_to_end(SOCKET, process);
        }
        leave(0)
    }
}

/// A child, made by the kernel alone: before and after a `fork` of the C library the sanitizers lock all of their tables,
/// which is most of what a short run would take. With one thread there is nothing to lock.
unsafe fn fork() -> c_int {
    const SIGCHLD: usize = 17;
    const CLONE_CHILD_CLEARTID: usize = 0x20_0000;
    const CLONE_CHILD_SETTID: usize = 0x100_0000;
    const PR_GET_TID_ADDRESS: usize = 40;
    let mut known_at = 0usize;
    // SAFETY: where the C library keeps the number of the thread the kernel writes that of the child, as for its `fork`.
    unsafe {
        let asked = call(system_call::PRCTL, [PR_GET_TID_ADDRESS, &raw mut known_at as usize, 0, 0, 0, 0]);
        let flags = if asked == 0 && known_at != 0 { CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID } else { 0 };
        // The last two arguments are in another order on other machines; no flag asks for the other one.
        call(system_call::CLONE, [SIGCHLD | flags, 0, 0, known_at, known_at, 0]) as c_int
    }
}

/// Whether there is only one thread: a child has no other.
unsafe fn is_alone() -> bool {
    const AT_FDCWD: isize = -100;
    let mut status = [0u64; 18];
    // SAFETY: the buffer is as large as the kernel's structure.
    let result = unsafe {
        let path = c"/proc/self/task".as_ptr() as usize;
        call(system_call::FSTATAT, [AT_FDCWD as usize, path, status.as_mut_ptr() as usize, 0, 0, 0])
    };
    // A directory has two links, and this one another for each thread.
    let links = if cfg!(target_arch = "x86_64") { status[2] } else { status[2] >> 32 };
    result < 0 || links <= 3
}

/// In the child: what was asked for. Arguments have no room, and there is nothing but the environment besides.
unsafe fn take(received: &Received) {
    // SAFETY: the observer wrote as much as the request says; one zero byte more follows.
    unsafe {
        received.take_files(SOCKET);
        let count = received.request.arguments as usize;
        let rooms = received.texts as *const u32;
        let (arguments, behind) = request::list(count, rooms.add(count).cast());
        GIVEN.count = count as c_int;
        GIVEN.arguments = arguments;
        if let Some(count) = (received.request.variables as usize).checked_sub(1) {
            GIVEN.environment = request::list(count, behind).0;
        }
        request::call_it(*arguments);
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
