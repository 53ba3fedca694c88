//! The beginning of the program: alone, or as a fork server that makes one child for each run.

use core::ffi::c_int;

use crate::events::FRESH;
use crate::layout::{Header, VISITS};
use crate::request::{self, CANNOT, Received, Strings, find_socket, leave, remove_variable};
use crate::state::{STATE, TRACE, byway_epoch, thread};
use crate::system_call::{self, call};
use crate::{blocks, calls, given, inputs, objects, outputs, shadow, system, table, unseen};

unsafe extern "C" {
    fn byway_subject_main(count: c_int, arguments: Strings, environment: Strings) -> c_int;
    fn fork() -> c_int;
    fn time(result: *mut i64) -> i64;
    fn exit(status: c_int) -> !;
    fn __register_atfork(
        before: Option<unsafe extern "C" fn()>,
        parent: Option<unsafe extern "C" fn()>,
        child: Option<unsafe extern "C" fn()>,
        object: usize,
    ) -> c_int;
    static mut environ: Strings;
}

/// The socket to the observer; negative if there is none.
static mut SOCKET: c_int = -1;
/// When the fork server began, in seconds since 1970; 0 if there is none.
pub static mut STARTED: i64 = 0;
/// Whether the tables of objects are there.
pub static mut PREPARED: bool = false;

const ADDR_NO_RANDOMIZE: usize = 0x004_0000;

#[used]
#[unsafe(link_section = ".preinit_array")]
static PREINIT: unsafe extern "C" fn(c_int, Strings, Strings) = preinit;

/// Runs before all constructors.
unsafe extern "C" fn preinit(_: c_int, arguments: Strings, environment: Strings) {
    // SAFETY: called once by the C library, with the arguments of `main`.
    unsafe {
        let socket = find_socket(environment);
        if socket >= 0 {
            without_randomisation(arguments, environment);
            remove_variable(environment);
        }
        if !shadow::map_tags() {
            leave(CANNOT);
        }
        if socket >= 0 {
            if !shadow::map_labels() || !objects::prepare() {
                leave(CANNOT);
            }
            SOCKET = socket;
            PREPARED = true;
        }
    }
}

/// Addresses are the same in every run.
unsafe fn without_randomisation(arguments: Strings, environment: Strings) {
    // SAFETY: begins the same program again, with the same arguments.
    unsafe {
        let now = call(system_call::PERSONALITY, [0xffff_ffff, 0, 0, 0, 0, 0]);
        if now < 0 || now as usize & ADDR_NO_RANDOMIZE != 0 {
            return;
        }
        call(system_call::PERSONALITY, [now as usize | ADDR_NO_RANDOMIZE, 0, 0, 0, 0, 0]);
        let after = call(system_call::PERSONALITY, [0xffff_ffff, 0, 0, 0, 0, 0]);
        if after as usize & ADDR_NO_RANDOMIZE != 0 {
            let program = c"/proc/self/exe".as_ptr() as usize;
            call(system_call::EXECVE, [program, arguments as usize, environment as usize, 0, 0, 0]);
        }
    }
}

/// The program's `main`, whose own is now called `byway_subject_main`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn main(count: c_int, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: the arguments are those of `main`.
    unsafe {
        if SOCKET < 0 {
            return byway_subject_main(count, arguments, environment);
        }
        __register_atfork(None, Some(after_fork), Some(in_child), 0);
        STARTED = time(core::ptr::null_mut());
        unseen::watch();
        serve()
    }
}

/// A child of the program does not trace.
unsafe extern "C" fn in_child() {
    // SAFETY: the child has one thread.
    unsafe {
        if STATE.active {
            STATE.active = false;
            byway_epoch = 0;
            thread().traced = 0;
        }
    }
}

unsafe extern "C" fn after_fork() {
    // SAFETY: the header is mapped when a run is traced.
    unsafe {
        if STATE.active {
            (*STATE.header).children += 1;
        }
    }
}

unsafe fn serve() -> ! {
    // SAFETY: the only thread there is.
    unsafe {
        blocks::remember();
        request::begin(SOCKET, blocks::count() as u64);
        while let Some(received) = Received::new(SOCKET) {
            let process = fork();
            if process == 0 {
                run(&received);
            }
            received.see_to_end(SOCKET, process);
        }
        leave(0)
    }
}

/// In the child: becomes the run that was asked for.
unsafe fn run(received: &Received) -> ! {
    // SAFETY: the only thread; all that is mapped is ours.
    unsafe {
        let memory = received.file(0) as c_int;
        let header = TRACE as *const Header;
        let mapped = map_trace(memory) && blocks::share(memory);
        let marks = if mapped { system::reserve_gradually((*header).node_limit as usize + 1) } else { 0 };
        if marks == 0 {
            leave(CANNOT);
        }
        received.take_files(SOCKET);
        let count = received.request.arguments as usize;
        let list = given::take(&received.request, received.texts);
        if let Some(environment) = given::environment() {
            environ = environment;
        }
        request::call_it(*list);
        table::begin();
        STATE.begin(marks);
        objects::begin();
        thread().traced = 1;
        outputs::begin();
        if (*header).symbolic & VISITS != 0 {
            byway_epoch = FRESH | 1;
        }
        inputs::begin(list.cast(), environ.cast());
        let status = byway_subject_main(count as c_int, list, environ);
        if outputs::are_wanted() {
            outputs::exits(
                calls::byway_sym_result(byway_subject_main as *const () as usize, 0, status as u32 as u64, 0, 32),
                status,
            );
            outputs::end();
        }
        exit(status)
    }
}

/// Maps the memory of the run.
unsafe fn map_trace(file: c_int) -> bool {
    // SAFETY: nobody else uses the place; the file is as large as the memory.
    unsafe { system::status(file).is_some_and(|status| system::share_at(TRACE, status.size as usize, file, 0)) }
}
