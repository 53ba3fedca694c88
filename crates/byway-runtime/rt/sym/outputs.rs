//! What leaves the program: each byte that depends on the input, with the descriptor and the offset that it goes to. Only if a run
//! asks for it ([`crate::layout::OUTPUTS`]).

use crate::layout::{Event, event};
use crate::state::{STATE, thread};
use crate::streams::Stream;
use crate::{events, memory, shadow, system};

/// The most streams whose buffers are followed.
const STREAMS: usize = 32;
static mut NOTED: [Noted; STREAMS] = [Noted { stream: core::ptr::null_mut(), end: 0, position: -1 }; STREAMS];

/// Standard output and standard error as they were when the program began: device and inode.
static mut GIVEN: [(u64, u64); 2] = [(0, 0); 2];

/// A stream that was written to.
#[derive(Clone, Copy)]
struct Noted {
    stream: *mut Stream,
    /// The end of what was noted of its buffer.
    end: usize,
    /// Where its descriptor was then: if it is elsewhere, the buffer went out meanwhile.
    position: i64,
}

impl Noted {
    /// From where on nothing of a buffer was noted.
    fn start(&self, position: i64, base: usize, at: usize) -> usize {
        if self.position == position && self.end >= base && self.end <= at { self.end } else { base }
    }
}

unsafe extern "C" {
    static mut stdout: *mut Stream;
    static mut stderr: *mut Stream;
}

/// Whether somebody wants to know what leaves the program.
pub unsafe fn are_wanted() -> bool {
    // SAFETY: the thread's own variable.
    unsafe { STATE.outputs && STATE.active && thread().traced != 0 }
}

/// Before the program begins: which files its outputs are.
pub unsafe fn begin() {
    // SAFETY: the only thread.
    unsafe {
        if are_wanted() {
            GIVEN = [identity(1), identity(2)];
        }
    }
}

/// Device and inode of an open file.
unsafe fn identity(file: i32) -> (u64, u64) {
    // SAFETY: changes nothing.
    unsafe { system::status(file).map_or((0, 0), |status| (status.device, status.inode)) }
}

/// How an event names a descriptor, and whether it is 1 or 2 and no longer the file that it was when the program began.
unsafe fn named(file: i32) -> (u32, u8) {
    // SAFETY: written before the program began.
    unsafe {
        let (own, given) = (identity(file), GIVEN);
        if file == 1 || file == 2 {
            return (file as u32, (own != given[file as usize - 1]) as u8);
        }
        match () {
            () if own == given[0] => (1, 0),
            () if own == given[1] => (2, 0),
            () => (file as u32, 0),
        }
    }
}

/// Bytes of memory went to a descriptor, from an offset on.
pub unsafe fn note(file: i32, offset: i64, address: usize, size: usize) {
    // SAFETY: memory that was just written out.
    unsafe {
        if !are_wanted() || offset < 0 || !shadow::is_tagged(address, size) {
            return;
        }
        let (name, flag) = named(file);
        let mut index = 0;
        while index < size {
            let at = address + index;
            let byte = if shadow::is_tagged(at, 1) { memory::byte(at).label } else { 0 };
            if byte != 0 {
                events::append(Event {
                    kind: event::OUTPUT,
                    flag,
                    detail: 0,
                    site: thread().call_site,
                    label: byte,
                    extra: name,
                    a: *(at as *const u8) as u64,
                    b: offset as u64 + index as u64,
                });
            }
            index += 1;
        }
    }
}

/// Bytes of memory were written to a descriptor just now, and then some more.
pub unsafe fn wrote(file: i32, address: usize, size: usize, behind: usize) {
    // SAFETY: as for the caller.
    unsafe {
        if are_wanted() {
            note(file, system::position(file) - (size + behind) as i64, address, size);
        }
    }
}

unsafe fn noted(stream: *mut Stream) -> Option<&'static mut Noted> {
    // SAFETY: the table is ours.
    unsafe {
        let table = (&raw mut NOTED).cast::<Noted>();
        let (mut index, mut free) = (0, None);
        while index < STREAMS {
            let slot = &mut *table.add(index);
            if slot.stream == stream {
                return Some(slot);
            }
            if slot.stream.is_null() && free.is_none() {
                free = Some(index);
            }
            index += 1;
        }
        let slot = &mut *table.add(free?);
        *slot = Noted { stream, end: 0, position: -1 };
        Some(slot)
    }
}

/// Before a library function writes to a stream: what inlined functions put into its buffer meanwhile is noted.
pub unsafe fn stream_writes(stream: *mut Stream) {
    // SAFETY: a stream of the C library.
    unsafe {
        if !are_wanted() || stream.is_null() {
            return;
        }
        let Some((base, at)) = (*stream).written() else { return };
        let Some(noted) = noted(stream) else { return };
        let position = system::position((*stream).file());
        let from = noted.start(position, base, at);
        if position >= 0 {
            note((*stream).file(), position + (from - base) as i64, from, at - from);
        }
        (noted.end, noted.position) = (at, position);
    }
}

/// After it did: these bytes of memory were written, and then some more. What the buffer holds means nothing.
pub unsafe fn stream_wrote(stream: *mut Stream, address: usize, size: usize, behind: usize) {
    // SAFETY: a stream of the C library.
    unsafe {
        if !are_wanted() || stream.is_null() {
            return;
        }
        let (base, at) = (*stream).written().unwrap_or((0, 0));
        let position = system::position((*stream).file());
        if position >= 0 {
            let end = position + (at - base) as i64;
            note((*stream).file(), end - (size + behind) as i64, address, size);
        }
        if let Some(noted) = noted(stream) {
            let from = noted.start(position, base, at);
            shadow::clear(from, at - from);
            (noted.end, noted.position) = (at, position);
        }
    }
}

/// The program ends, and what streams have buffered goes out.
pub unsafe fn end() {
    // SAFETY: streams that were written to are there until they are closed.
    unsafe {
        if !are_wanted() {
            return;
        }
        stream_writes(stdout);
        stream_writes(stderr);
        let mut index = 0;
        while index < STREAMS {
            let stream = (*(&raw mut NOTED).cast::<Noted>().add(index)).stream;
            if !stream.is_null() {
                stream_writes(stream);
            }
            index += 1;
        }
    }
}

/// A stream is closed: its memory is somebody else's from now on.
pub unsafe fn close(stream: *mut Stream) {
    // SAFETY: the table is ours.
    unsafe {
        stream_writes(stream);
        let mut index = 0;
        while index < STREAMS {
            let slot = &mut *(&raw mut NOTED).cast::<Noted>().add(index);
            if slot.stream == stream {
                slot.stream = core::ptr::null_mut();
            }
            index += 1;
        }
    }
}

/// The program ends with a status, which has a label.
pub unsafe fn exits(label: u32, status: i32) {
    // SAFETY: room is checked.
    unsafe {
        if are_wanted() && label != 0 {
            let site = thread().call_site;
            let a = status as u32 as u64;
            events::append(Event { kind: event::EXIT, flag: 0, detail: 0, site, label, extra: 0, a, b: 0 });
        }
    }
}

// What models call, see `models/byway.h`.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_outputs() -> i32 {
    // SAFETY: the thread's own variable.
    unsafe { are_wanted() as i32 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_wrote(
    file: i32,
    address: usize,
    size: usize,
    behind: usize,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: memory of the program that was just written out.
    unsafe { wrote(file, address, size, behind) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_wrote_at(
    file: i32,
    address: usize,
    size: usize,
    offset: i64,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: memory of the program that was just written out.
    unsafe { note(file, offset, address, size) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_writes(stream: *mut Stream, _: u32) {
    // SAFETY: a stream of the C library, or null for all.
    unsafe { if stream.is_null() { end() } else { stream_writes(stream) } };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_wrote(
    stream: *mut Stream,
    address: usize,
    size: usize,
    behind: usize,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: a stream of the C library, and memory of the program that was just written to it.
    unsafe { stream_wrote(stream, address, size, behind) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_closes(stream: *mut Stream, _: u32) {
    // SAFETY: a stream of the C library, or null.
    unsafe {
        if are_wanted() && !stream.is_null() {
            close(stream);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_exits(status: i32, label: u32) {
    // SAFETY: the label is that of the status.
    unsafe {
        exits(label, status);
        end();
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_leaves(status: i32, label: u32) {
    // SAFETY: the label is that of the status.
    unsafe { exits(label, status) };
}
