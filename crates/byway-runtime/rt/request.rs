//! What all fork servers have in common: how they hear of runs and say what became of them.
//!
//! No function of the C library is called here.

use core::ffi::{c_char, c_int};
use core::mem::{size_of, zeroed};

use crate::layout::{MAGIC, Reply, Request, VARIABLE};
use crate::system_call::{self, call};

/// A list of texts that ends with a null pointer.
pub type Strings = *mut *mut c_char;

unsafe extern "C" {
    /// What the library functions print that print the program's name.
    static mut __progname_full: *mut c_char;
    static mut __progname: *mut c_char;
}

/// How a fork server ends that cannot begin.
pub const CANNOT: usize = 125;

/// Ends this process at once.
pub unsafe fn leave(status: usize) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { call(system_call::EXIT_GROUP, [status, 0, 0, 0, 0, 0]) };
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

/// The socket to the observer; negative if there is none.
pub unsafe fn find_socket(environment: Strings) -> c_int {
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
pub unsafe fn remove_variable(environment: Strings) {
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

/// What was asked for.
pub struct Received {
    pub request: Request,
    /// The memory, standard input, output, error, the directory.
    pub files: [c_int; 5],
    /// What follows the request, and one zero byte.
    pub texts: usize,
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

const PROT_READ_WRITE: usize = 3;
const MAP_PRIVATE_ANONYMOUS: usize = 0x22;

impl Received {
    /// Waits for a request; none if there will be none any more.
    pub unsafe fn new(socket: c_int) -> Option<Received> {
        // SAFETY: all buffers are as large as said; a request is numbers only.
        unsafe {
            let mut received = Received { request: zeroed(), files: [-1; 5], texts: 0 };
            let mut vector = Vector { base: &raw mut received.request as usize, length: size_of::<Request>() };
            // A header of 16 bytes, and five descriptors.
            let mut control = [0u64; 6];
            let mut message = Message {
                name: 0,
                name_length: 0,
                vectors: &raw mut vector as usize,
                vector_count: 1,
                control: control.as_mut_ptr() as usize,
                control_length: size_of::<[u64; 6]>(),
                flags: 0,
            };
            let got = call(system_call::RECVMSG, [socket as usize, &raw mut message as usize, 0, 0, 0, 0]);
            if got != size_of::<Request>() as isize || received.request.magic != MAGIC || message.control_length < 36 {
                return None;
            }
            let files = control.as_ptr().add(2).cast::<c_int>();
            let mut index = 0;
            while index < 5 {
                *received.files.as_mut_ptr().add(index) = *files.add(index);
                index += 1;
            }
            received.texts = reserve(received.request.bytes as usize + 1);
            let mut have = 0;
            while received.texts != 0 && have < received.request.bytes as usize {
                let rest = received.request.bytes as usize - have;
                let got = call(system_call::READ, [socket as usize, received.texts + have, rest, 0, 0, 0]);
                if got <= 0 {
                    return None;
                }
                have += got as usize;
            }
            (received.texts != 0).then_some(received)
        }
    }

    /// A descriptor.
    pub unsafe fn file(&self, index: usize) -> usize {
        // SAFETY: there are five.
        unsafe { *self.files.as_ptr().add(index) as usize }
    }

    /// In the process of the run: its directory and its first three descriptors; the others and the socket are closed. It has
    /// a process group of its own, since a signal to its group would reach the server too.
    pub unsafe fn take_files(&self, socket: c_int) {
        // SAFETY: all descriptors are ours.
        unsafe {
            call(system_call::PRCTL, [PR_SET_DUMPABLE, 1, 0, 0, 0, 0]);
            call(system_call::SETPGID, [0, 0, 0, 0, 0, 0]);
            call(system_call::FCHDIR, [self.file(4), 0, 0, 0, 0, 0]);
            let mut index = 1;
            while index < 4 {
                call(system_call::DUP3, [self.file(index), index - 1, 0, 0, 0, 0]);
                index += 1;
            }
            let mut index = 0;
            while index < 5 {
                if self.file(index) > 2 {
                    call(system_call::CLOSE, [self.file(index), 0, 0, 0, 0, 0]);
                }
                index += 1;
            }
            if socket > 2 {
                call(system_call::CLOSE, [socket as usize, 0, 0, 0, 0, 0]);
            }
        }
    }

    /// In the server: the run has all this now.
    unsafe fn release(&self) {
        // SAFETY: all descriptors and the memory are ours.
        unsafe {
            let mut index = 0;
            while index < 5 {
                call(system_call::CLOSE, [self.file(index), 0, 0, 0, 0, 0]);
                index += 1;
            }
            call(system_call::MUNMAP, [self.texts, self.request.bytes as usize + 1, 0, 0, 0, 0]);
        }
    }

    /// In the server: says that a process is the run, waits for its end, and says how that was.
    pub unsafe fn see_to_end(&self, socket: c_int, process: c_int) {
        // SAFETY: the process is a child of ours, or there is none.
        unsafe {
            reply(socket, process, 0, 0, 0);
            let (mut status, mut usage) = (0i32, [0u64; 18]);
            if process > 0 {
                let (status, usage) = (&raw mut status as usize, usage.as_mut_ptr() as usize);
                while call(system_call::WAIT4, [process as usize, status, 0, usage, 0, 0]) == -4 {}
            }
            self.release();
            let cpu = (usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3];
            reply(socket, process, status, cpu, 0);
        }
    }
}

/// Zeroed memory; 0 if there is none.
unsafe fn reserve(size: usize) -> usize {
    // SAFETY: new memory at a place of the kernel's choice.
    let address = unsafe { call(system_call::MMAP, [0, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, usize::MAX, 0]) };
    if address < 0 { 0 } else { address as usize }
}

const PR_SET_DUMPABLE: usize = 4;

/// Says that the server waits for runs. They can neither trace it, nor read its memory, nor take its descriptors.
pub unsafe fn begin(socket: c_int, blocks: u64) {
    // SAFETY: only what others may do to us changes.
    unsafe { call(system_call::PRCTL, [PR_SET_DUMPABLE, 0, 0, 0, 0, 0]) };
    // SAFETY: the socket is ours.
    unsafe { reply(socket, 0, 0, 0, blocks) };
}

/// Says something to the observer.
unsafe fn reply(socket: c_int, process: c_int, status: c_int, cpu: u64, blocks: u64) {
    // SAFETY: the socket is ours.
    unsafe {
        let reply = Reply { magic: MAGIC, process, status, cpu, blocks };
        call(system_call::WRITE, [socket as usize, &raw const reply as usize, size_of::<Reply>(), 0, 0, 0]);
    }
}

/// The first byte behind a text.
pub unsafe fn behind(text: *const u8) -> *const u8 {
    let mut end = text;
    // SAFETY: the text ends with a zero.
    unsafe {
        while *end != 0 {
            end = end.add(1);
        }
        end.add(1)
    }
}

/// A list of `count` texts that lie one behind the other, and what is behind the last.
pub unsafe fn list(count: usize, first: *const u8) -> (Strings, *const u8) {
    // SAFETY: as many texts are there; without memory the process ends.
    unsafe {
        let list = reserve((count + 1) * size_of::<usize>()) as Strings;
        if list.is_null() {
            leave(CANNOT);
        }
        let (mut at, mut index) = (first, 0);
        while index < count {
            *list.add(index) = at as *mut c_char;
            at = behind(at);
            index += 1;
        }
        (list, at)
    }
}

/// From now on the program is called so.
pub unsafe fn call_it(name: *mut c_char) {
    // SAFETY: the name ends with a zero, and stays.
    unsafe {
        if name.is_null() {
            return;
        }
        let (mut short, mut at) = (name, name);
        while *at != 0 {
            at = at.add(1);
            if *at.sub(1) == b'/' as c_char {
                short = at;
            }
        }
        (__progname_full, __progname) = (name, short);
    }
}
