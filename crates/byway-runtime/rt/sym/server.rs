//! The beginning of the program: alone, or as a fork server that makes one child for each run.

use core::ffi::{c_char, c_int};
use core::mem::{size_of, zeroed};

use crate::layout::{Header, MAGIC, Reply, Request, VARIABLE, VISITS};
use crate::state::{STATE, TRACE, byway_epoch, thread};
use crate::system_call::{self, call};
use crate::{blocks, given, inputs, objects, shadow, system, table};

type Strings = *mut *mut c_char;

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
/// How a fork server ends that cannot begin.
const CANNOT: usize = 125;

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
            call(system_call::EXIT_GROUP, [CANNOT, 0, 0, 0, 0, 0]);
        }
        if socket >= 0 {
            if !shadow::map_labels() || !objects::prepare() {
                call(system_call::EXIT_GROUP, [CANNOT, 0, 0, 0, 0, 0]);
            }
            SOCKET = socket;
            PREPARED = true;
        }
    }
}

/// The text behind `NAME=` if this is the variable.
unsafe fn value_of(text: *const c_char) -> Option<*const u8> {
    // SAFETY: texts end with a zero.
    unsafe {
        let name = VARIABLE.to_bytes();
        let text = text.cast::<u8>();
        let mut index = 0;
        while index < name.len() {
            if *text.add(index) != *name.as_ptr().add(index) {
                return None;
            }
            index += 1;
        }
        (*text.add(index) == b'=').then(|| text.add(index + 1))
    }
}

unsafe fn find_socket(environment: Strings) -> c_int {
    // SAFETY: the list ends with a null pointer.
    unsafe {
        let mut index = 0;
        while !environment.is_null() && !(*environment.add(index)).is_null() {
            if let Some(mut digits) = value_of(*environment.add(index)) {
                let mut number: c_int = 0;
                while (*digits).is_ascii_digit() && number < 1 << 20 {
                    number = number * 10 + (*digits - b'0') as c_int;
                    digits = digits.add(1);
                }
                return number;
            }
            index += 1;
        }
        -1
    }
}

/// The program never sees the variable.
unsafe fn remove_variable(environment: Strings) {
    // SAFETY: the list ends with a null pointer.
    unsafe {
        let (mut from, mut to) = (0, 0);
        loop {
            let text = *environment.add(from);
            *environment.add(to) = text;
            if text.is_null() {
                return;
            }
            to += value_of(text).is_none() as usize;
            from += 1;
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

unsafe fn reply(process: c_int, status: c_int, cpu: u64) {
    // SAFETY: the socket is ours.
    unsafe {
        let reply = Reply { magic: MAGIC, process, status, cpu, blocks: blocks::count() as u64 };
        call(system_call::WRITE, [SOCKET as usize, &raw const reply as usize, size_of::<Reply>(), 0, 0, 0]);
    }
}

unsafe fn serve() -> ! {
    // SAFETY: the only thread there is.
    unsafe {
        blocks::remember();
        reply(0, 0, 0);
        loop {
            let mut received = Received { request: zeroed(), files: [-1; 5], texts: 0 };
            if !receive(&mut received) {
                call(system_call::EXIT_GROUP, [0, 0, 0, 0, 0, 0]);
            }
            let process = fork();
            if process == 0 {
                run(&received);
            }
            reply(process, 0, 0);
            let (mut status, mut usage) = (0i32, [0u64; 18]);
            if process > 0 {
                let (status, usage) = (&raw mut status as usize, usage.as_mut_ptr() as usize);
                while call(system_call::WAIT4, [process as usize, status, 0, usage, 0, 0]) == -4 {}
            }
            let mut index = 0;
            while index < 5 {
                call(system_call::CLOSE, [*received.files.as_ptr().add(index) as usize, 0, 0, 0, 0, 0]);
                index += 1;
            }
            system::release(received.texts, received.request.bytes as usize + 1);
            let cpu = (usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3];
            reply(process, status, cpu);
        }
    }
}

struct Received {
    request: Request,
    /// The memory, standard input, output, error, the directory.
    files: [c_int; 5],
    texts: usize,
}

#[repr(C)]
struct Vector {
    base: usize,
    length: usize,
}

#[repr(C)]
struct Message {
    name: usize,
    name_length: usize,
    vectors: usize,
    vector_count: usize,
    control: usize,
    control_length: usize,
    flags: usize,
}

/// Receives a request; false if there is none any more.
unsafe fn receive(received: &mut Received) -> bool {
    // SAFETY: all buffers are as large as said.
    unsafe {
        let mut vector = Vector { base: &raw mut received.request as usize, length: size_of::<Request>() };
        // A header of 16 bytes, and five descriptors.
        let mut control = [0u64; 6];
        let mut message = Message {
            name: 0,
            name_length: 0,
            vectors: &raw mut vector as usize,
            vector_count: 1,
            control: control.as_mut_ptr() as usize,
            control_length: size_of_val(&control),
            flags: 0,
        };
        let got = call(system_call::RECVMSG, [SOCKET as usize, &raw mut message as usize, 0, 0, 0, 0]);
        if got != size_of::<Request>() as isize || received.request.magic != MAGIC || message.control_length < 36 {
            return false;
        }
        let files = control.as_ptr().add(2).cast::<c_int>();
        let mut index = 0;
        while index < 5 {
            *received.files.as_mut_ptr().add(index) = *files.add(index);
            index += 1;
        }
        received.texts = system::reserve(received.request.bytes as usize + 1);
        let mut have = 0;
        while received.texts != 0 && have < received.request.bytes as usize {
            let rest = received.request.bytes as usize - have;
            let got = call(system_call::READ, [SOCKET as usize, received.texts + have, rest, 0, 0, 0]);
            if got <= 0 {
                return false;
            }
            have += got as usize;
        }
        received.texts != 0
    }
}

/// In the child: becomes the run that was asked for.
unsafe fn run(received: &Received) -> ! {
    // SAFETY: the only thread; all that is mapped is ours.
    unsafe {
        let file = |index: usize| *received.files.as_ptr().add(index) as usize;
        call(system_call::FCHDIR, [file(4), 0, 0, 0, 0, 0]);
        let header = TRACE as *const Header;
        let mapped = map_trace(file(0) as c_int) && blocks::share(file(0) as c_int);
        let marks = if mapped { system::reserve_gradually((*header).node_limit as usize + 1) } else { 0 };
        if marks == 0 {
            call(system_call::EXIT_GROUP, [CANNOT, 0, 0, 0, 0, 0]);
        }
        let mut index = 1;
        while index < 4 {
            call(system_call::DUP3, [file(index), index - 1, 0, 0, 0, 0]);
            index += 1;
        }
        let mut index = 0;
        while index < 5 {
            if file(index) > 2 {
                call(system_call::CLOSE, [file(index), 0, 0, 0, 0, 0]);
            }
            index += 1;
        }
        if SOCKET > 2 {
            call(system_call::CLOSE, [SOCKET as usize, 0, 0, 0, 0, 0]);
        }
        let count = received.request.arguments as usize;
        let list = given::take(&received.request, received.texts);
        table::begin();
        STATE.begin(marks);
        objects::begin();
        thread().traced = 1;
        if (*header).symbolic & VISITS != 0 {
            byway_epoch = 1;
        }
        inputs::begin(list.cast(), environ.cast());
        exit(byway_subject_main(count as c_int, list, environ))
    }
}

/// Maps the memory of the run.
unsafe fn map_trace(file: c_int) -> bool {
    // SAFETY: nobody else uses the place; the file is as large as the memory.
    unsafe { system::status(file).is_some_and(|status| system::share_at(TRACE, status.size as usize, file, 0)) }
}
