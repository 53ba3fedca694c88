//! A program that is its own fork server, for who asks: for the variants that run as the program does, `main` wrapped.
//!
//! With `BYWAY_SERVER` in its environment it begins once, its constructors included, and each run is a child of it.

use core::ffi::c_int;

use crate::request::{self, CANNOT, Received, Strings, leave};
use crate::system_call::{self, call};

/// What `main` is to be given.
pub struct Given {
    pub count: c_int,
    pub arguments: Strings,
    pub environment: Strings,
}

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

/// If somebody asked for a server, waits for runs, and returns in the child that is to be one, with what it is given. `begin`
/// is called there with the descriptor of the observer's memory.
#[inline(never)]
pub unsafe fn serve_if_asked(given: &mut Given, begin: unsafe fn(usize)) {
    // SAFETY: the only thread there is.
    unsafe {
        if SOCKET < 0 {
            return;
        }
        if !is_alone() {
            leave(CANNOT);
        }
        request::begin(SOCKET, 0);
        while let Some(received) = Received::new(SOCKET) {
            let process = fork();
            if process == 0 {
                begin(received.file(0));
                return take(given, &received);
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
unsafe fn take(given: &mut Given, received: &Received) {
    // SAFETY: the observer wrote as much as the request says; one zero byte more follows.
    unsafe {
        received.take_files(SOCKET);
        let count = received.request.arguments as usize;
        let rooms = received.texts as *const u32;
        let (arguments, behind) = request::list(count, rooms.add(count).cast());
        given.count = count as c_int;
        given.arguments = arguments;
        if let Some(count) = (received.request.variables as usize).checked_sub(1) {
            given.environment = request::list(count, behind).0;
        }
        request::call_it(*arguments);
    }
}
