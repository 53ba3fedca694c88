//! Streams of the C library. The bytes in a stream's buffer are labelled there, since `getc` is often inlined and reads
//! the buffer itself.

use crate::state::{STATE, thread};
use crate::{inputs, shadow, system};

/// The beginning of glibc's `FILE`, which is part of its binary interface.
#[repr(C)]
pub struct Stream {
    flags: i32,
    read_at: usize,
    read_end: usize,
    read_base: usize,
    write_base: usize,
    write_at: usize,
    write_end: usize,
    buffer_base: usize,
    buffer_end: usize,
    save_base: usize,
    backup_base: usize,
    save_end: usize,
    markers: usize,
    chain: usize,
    file: i32,
}

impl Stream {
    /// Its descriptor.
    pub fn file(&self) -> i32 {
        self.file
    }

    /// What it has buffered to be written: where that begins and ends.
    pub fn written(&self) -> Option<(usize, usize)> {
        (self.write_base != 0 && self.write_at >= self.write_base).then_some((self.write_base, self.write_at))
    }
}

/// Whether a stream has to read before it can give anything.
pub unsafe fn is_empty(stream: *mut Stream) -> bool {
    // SAFETY: a stream of the C library.
    unsafe { (*stream).read_at >= (*stream).read_end }
}

/// Characters that were pushed back are in a buffer of their own.
const IN_BACKUP: i32 = 0x100;

/// What is known of a stream.
#[derive(Clone, Copy)]
struct Known {
    stream: *mut Stream,
    file: i32,
    /// The offset in the source of what follows the buffered bytes.
    end: i64,
    /// The buffer when its position was asked for: where it was read, and where it ended.
    read_at: usize,
    read_end: usize,
}

const SLOTS: usize = 256;
static mut KNOWN: [Known; SLOTS] =
    [Known { stream: core::ptr::null_mut(), file: -1, end: 0, read_at: 0, read_end: 0 }; SLOTS];

unsafe fn known(stream: *mut Stream) -> &'static mut Known {
    let mut slot = (stream as usize >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    // SAFETY: indices are taken modulo the size; a full table reuses a slot.
    unsafe {
        let table = (&raw mut KNOWN).cast::<Known>();
        let mut probes = 0;
        while probes < SLOTS {
            let known = &mut *table.add(slot % SLOTS);
            if known.stream == stream || known.stream.is_null() {
                break;
            }
            slot += 1;
            probes += 1;
        }
        let known = &mut *table.add(slot % SLOTS);
        if known.stream != stream || known.file != (*stream).file {
            let file = (*stream).file;
            *known = Known { stream, file, end: inputs::position(file) as i64, read_at: 0, read_end: 0 };
        }
        known
    }
}

/// A descriptor was closed, and its stream with it.
pub unsafe fn forget(file: i32) {
    // SAFETY: the table is ours.
    unsafe {
        let mut index = 0;
        while index < SLOTS {
            let known = &mut *(&raw mut KNOWN).cast::<Known>().add(index);
            if known.file == file {
                known.file = -1;
            }
            index += 1;
        }
    }
}

unsafe fn buffered(stream: *mut Stream) -> i64 {
    // SAFETY: a stream of the C library.
    unsafe { ((*stream).read_end as i64).wrapping_sub((*stream).read_at as i64) }
}

unsafe fn is_followed(stream: *mut Stream) -> bool {
    // SAFETY: a stream of the C library.
    unsafe {
        STATE.active
            && thread().traced != 0
            && !stream.is_null()
            && (*stream).flags & IN_BACKUP == 0
            && inputs::source_of((*stream).file).is_some()
    }
}

/// Where in its input a stream is; negative if it is not symbolic.
pub unsafe fn position(stream: *mut Stream) -> i64 {
    // SAFETY: a stream of the C library.
    unsafe {
        if !is_followed(stream) {
            return -1;
        }
        let known = known(stream);
        (known.read_at, known.read_end) = ((*stream).read_at, (*stream).read_end);
        known.end - buffered(stream)
    }
}

/// How many bytes were taken since the position was asked for; negative if it is not known.
pub unsafe fn progress(stream: *mut Stream, before: i64) -> i64 {
    // SAFETY: a stream of the C library.
    unsafe {
        if before < 0 || !is_followed(stream) {
            return -1;
        }
        let position = system::position((*stream).file);
        if position >= 0 {
            return position - buffered(stream) - before;
        }
        let known = known(stream);
        let same = (*stream).read_end == known.read_end && (*stream).read_at >= known.read_at;
        if same {
            return ((*stream).read_at - known.read_at) as i64;
        }
        // The buffer was filled again, once as far as we can tell.
        known.end + (*stream).read_at.wrapping_sub((*stream).read_base) as i64 - before
    }
}

/// After `taken` bytes were taken from `position` on: labels what came into the buffer.
pub unsafe fn took(stream: *mut Stream, position: i64, taken: usize) {
    // SAFETY: a stream of the C library.
    unsafe {
        if position < 0 || !is_followed(stream) {
            return;
        }
        let now = position + taken as i64;
        let known = known(stream);
        if known.end - buffered(stream) == now {
            return;
        }
        known.end = now + buffered(stream);
        if system::position((*stream).file) < 0 {
            inputs::advance((*stream).file, known.end as u64);
        }
        label_buffer(stream, known.end);
    }
}

unsafe fn label_buffer(stream: *mut Stream, end: i64) {
    // SAFETY: what is between the beginning and the end of a stream's buffer was read from its file.
    unsafe {
        let (base, size) = ((*stream).read_base, (*stream).read_end.wrapping_sub((*stream).read_base));
        let Some(source) = inputs::source_of((*stream).file) else { return };
        let skipped = (size as i64 - end).max(0) as usize;
        if base != 0 && size < 1 << 40 && skipped <= size {
            inputs::label(source, (end - (size - skipped) as i64) as u64, base + skipped, size - skipped);
        }
    }
}

/// The stream is somewhere else now.
pub unsafe fn moved(stream: *mut Stream) {
    // SAFETY: a stream of the C library.
    unsafe {
        if !is_followed(stream) {
            return;
        }
        let position = system::position((*stream).file);
        if position >= 0 {
            let known = known(stream);
            if known.end != position {
                known.end = position;
            }
            shadow::clear((*stream).read_base, (*stream).read_end.wrapping_sub((*stream).read_base).min(1 << 20));
            label_buffer(stream, position);
        }
    }
}

/// Bytes that were taken are in memory now.
pub unsafe fn label(stream: *mut Stream, position: i64, address: usize, size: usize) {
    // SAFETY: the bytes were just written.
    unsafe {
        match source(stream) {
            Some(source) if position >= 0 => inputs::label(source, position as u64, address, size),
            _ => shadow::clear(address, size),
        }
    }
}

/// The source of a stream.
pub unsafe fn source(stream: *mut Stream) -> Option<u32> {
    // SAFETY: a stream of the C library.
    unsafe { if stream.is_null() { None } else { inputs::source_of((*stream).file) } }
}

// What models of functions that read streams say.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_position(stream: *mut Stream, _: u32) -> i64 {
    // SAFETY: a stream of the C library.
    unsafe { position(stream) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_progress(stream: *mut Stream, position: i64, _: u32, _: u32) -> i64 {
    // SAFETY: a stream of the C library.
    unsafe { progress(stream, position) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_took(
    stream: *mut Stream,
    position: i64,
    address: usize,
    size: usize,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: the bytes were just written.
    unsafe {
        if position >= 0 {
            took(stream, position, size);
            if address != 0 {
                label(stream, position, address, size);
            }
        } else if address != 0 {
            shadow::clear(address, size);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_byte(
    stream: *mut Stream,
    position: i64,
    index: usize,
    byte: u32,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) -> u32 {
    // SAFETY: a stream of the C library.
    unsafe {
        match source(stream) {
            Some(source) if position >= 0 => inputs::byte(source, position as u64 + index as u64, byte as u8),
            _ => 0,
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_stream_moved(stream: *mut Stream, _: u32) {
    // SAFETY: a stream of the C library.
    unsafe { moved(stream) };
}
