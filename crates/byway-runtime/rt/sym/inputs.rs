//! Where input comes from: arguments, standard input, files.

use crate::layout::{
    ARGUMENTS, ENVIRONMENT, FILES, MAX_SOURCES, NO_SITE, SOURCES, STDIN, Source, TEXTS, cause, object_kind, source_kind,
};
use crate::objects::{self, Object};
use crate::request::behind;
use crate::state::{STATE, TRACE};
use crate::system_call::{self, call};
use crate::{given, nodes, shadow, streams, system};

unsafe extern "C" {
    fn fnmatch(pattern: *const u8, text: *const u8, flags: i32) -> i32;
}

/// What is known of a file descriptor.
#[derive(Clone, Copy)]
struct Descriptor {
    /// 0: not looked at yet. [`NOT_SYMBOLIC`], or 1 + the number of a source.
    source: u32,
    /// How many bytes were read, where the system does not tell the position.
    position: u64,
}

const NOT_SYMBOLIC: u32 = u32::MAX;
const MAX_DESCRIPTORS: usize = 1024;
static mut DESCRIPTORS: [Descriptor; MAX_DESCRIPTORS] = [Descriptor { source: 0, position: 0 }; MAX_DESCRIPTORS];

/// A file that is a source, or that is known not to be one since this run made or changed it.
#[derive(Clone, Copy)]
struct File {
    device: u64,
    inode: u64,
    source: u32,
}

static mut FILE_TABLE: [File; MAX_SOURCES] = [File { device: 0, inode: 0, source: 0 }; MAX_SOURCES];
#[unsafe(link_section = ".bss.byway_hot")]
static mut FILE_COUNT: usize = 0;

/// The patterns for names of symbolic files, one behind the other.
pub static mut PATTERNS: *const u8 = core::ptr::null();
/// How many patterns; none means all.
pub static mut PATTERN_COUNT: usize = 0;

unsafe fn is_symbolic(what: u32) -> bool {
    // SAFETY: the header is mapped when a run is traced.
    unsafe { STATE.active && (*STATE.header).symbolic & what != 0 }
}

/// Adds a source; none if there is no room for more.
pub unsafe fn add_source(kind: u32, index: u32, name: u32) -> Option<u32> {
    // SAFETY: room is checked.
    unsafe {
        let number = (*STATE.header).sources;
        if number as usize >= MAX_SOURCES {
            STATE.lose(cause::INPUT, NO_SITE, 0);
            return None;
        }
        *((TRACE + SOURCES) as *mut Source).add(number as usize) = Source { kind, index, name, bytes: 0 };
        (*STATE.header).sources = number + 1;
        Some(number)
    }
}

/// Labels bytes in memory that came from a source.
pub unsafe fn label(source: u32, offset: u64, address: usize, size: usize) {
    // SAFETY: the bytes are memory of the program that was just written.
    unsafe {
        let header = &mut *STATE.header;
        let bytes = &mut (*((TRACE + SOURCES) as *mut Source).add(source as usize)).bytes;
        let mut index = 0;
        while index < size {
            let before = STATE.next_node;
            let full = header.input_bytes >= header.input_limit;
            let node =
                if full { 0 } else { nodes::input(source, offset + index as u64, *((address + index) as *const u8)) };
            if STATE.next_node != before {
                *bytes += 1;
                header.input_bytes += 1;
            }
            STATE.nuls |= *((address + index) as *const u8) == 0;
            if node == 0 {
                if full {
                    STATE.lose(cause::INPUT, NO_SITE, 0);
                    return shadow::clear(address + index, size - index);
                }
                shadow::clear(address + index, 1);
            } else {
                shadow::set_byte(address + index, node);
            }
            index += 1;
        }
    }
}

/// The label of one byte of a source.
pub unsafe fn byte(source: u32, offset: u64, value: u8) -> u32 {
    // SAFETY: the header is mapped when a run is traced.
    unsafe {
        let header = &mut *STATE.header;
        if header.input_bytes >= header.input_limit {
            return 0;
        }
        let before = STATE.next_node;
        let node = nodes::input(source, offset, value);
        if STATE.next_node != before {
            (*((TRACE + SOURCES) as *mut Source).add(source as usize)).bytes += 1;
            header.input_bytes += 1;
        }
        node
    }
}

/// How long a text is.
pub unsafe fn length(text: *const u8) -> usize {
    let mut length = 0;
    // SAFETY: the text ends with a zero.
    unsafe {
        while *text.add(length) != 0 {
            length += 1;
        }
    }
    length
}

/// Begins a run: labels the arguments and environment, prepares standard input.
pub unsafe fn begin(arguments: *const *const u8, environment: *const *const u8) {
    // SAFETY: both lists end with a null pointer.
    unsafe {
        let mut index = 0;
        while !(*arguments.add(index)).is_null() {
            let text = *arguments.add(index);
            note_text(text, given::room(index) + 1);
            if index > 0
                && is_symbolic(ARGUMENTS)
                && !given::is_fixed(index)
                && let Some(source) = add_source(source_kind::ARGUMENT, index as u32, 0)
            {
                // The zeros behind the text too: where it ends depends on the input.
                label(source, 0, text as usize, given::room(index));
            }
            index += 1;
        }
        given::count_arguments();
        let mut index = 0;
        while is_symbolic(ENVIRONMENT) && !environment.is_null() && !(*environment.add(index)).is_null() {
            let text = *environment.add(index);
            let mut name = 0;
            while *text.add(name) != 0 && *text.add(name) != b'=' {
                name += 1;
            }
            let value = if *text.add(name) == 0 { text.add(name) } else { text.add(name + 1) };
            note_text(text, length(text) + 1);
            let kept = STATE.text(text, name);
            if let Some(source) = add_source(source_kind::ENVIRONMENT, 0, kept) {
                label(source, 0, value as usize, length(value));
            }
            index += 1;
        }
        if let Some(input) = descriptor(0) {
            input.source = NOT_SYMBOLIC;
            if is_symbolic(STDIN)
                && let Some(source) = add_source(source_kind::STDIN, 0, 0)
            {
                input.source = source + 1;
            }
        }
    }
}

unsafe fn note_text(text: *const u8, size: usize) {
    let object = Object {
        base: text as usize,
        size,
        kind: object_kind::ARGUMENT,
        constant: false,
        site: NO_SITE,
        size_label: 0,
    };
    // SAFETY: the text is memory of the program.
    unsafe { objects::add_other(object) };
}

unsafe fn descriptor(file: i32) -> Option<&'static mut Descriptor> {
    // SAFETY: the index is checked.
    unsafe {
        (file >= 0 && (file as usize) < MAX_DESCRIPTORS)
            .then(|| &mut *(&raw mut DESCRIPTORS).cast::<Descriptor>().add(file as usize))
    }
}

unsafe fn known_file(status: &system::Status) -> Option<&'static mut File> {
    // SAFETY: indices are below the count.
    unsafe {
        let mut index = 0;
        while index < FILE_COUNT {
            let file = &mut *(&raw mut FILE_TABLE).cast::<File>().add(index);
            if file.device == status.device && file.inode == status.inode {
                return Some(file);
            }
            index += 1;
        }
        None
    }
}

unsafe fn note_file(status: &system::Status, source: u32) {
    // SAFETY: room is checked.
    unsafe {
        if let Some(file) = known_file(status) {
            file.source = source;
        } else if FILE_COUNT < MAX_SOURCES {
            let file = File { device: status.device, inode: status.inode, source };
            *(&raw mut FILE_TABLE).cast::<File>().add(FILE_COUNT) = file;
            FILE_COUNT += 1;
        }
    }
}

/// The source that a descriptor reads from.
pub unsafe fn source_of(file: i32) -> Option<u32> {
    // SAFETY: the tables are ours.
    unsafe {
        if !STATE.active {
            return None;
        }
        let descriptor = descriptor(file)?;
        if descriptor.source == 0 {
            descriptor.source = look_at(file).map_or(NOT_SYMBOLIC, |source| source + 1);
        }
        if descriptor.source == NOT_SYMBOLIC {
            return None;
        }
        given::size(descriptor.source - 1, file);
        Some(descriptor.source - 1)
    }
}

unsafe fn look_at(file: i32) -> Option<u32> {
    // SAFETY: the path is as long as the kernel says.
    unsafe {
        if !is_symbolic(FILES) {
            return None;
        }
        let status = system::status(file)?;
        if !status.regular {
            return None;
        }
        if let Some(known) = known_file(&status) {
            return (known.source != NOT_SYMBOLIC).then_some(known.source);
        }
        let mut path = [0u8; 4096];
        let length = system::path_of(file, path.as_mut_ptr(), path.len() - 1);
        let source = if !is_of_kernel(path.as_ptr()) && is_wanted(path.as_ptr(), length) {
            let name = STATE.text(path.as_ptr(), length);
            add_source(source_kind::FILE, 0, name)
        } else {
            None
        };
        note_file(&status, source.unwrap_or(NOT_SYMBOLIC));
        source
    }
}

/// What a descriptor reads from that a library read, as a text: 0 if that is no input, or if no input of its kind is symbolic.
pub unsafe fn unseen(file: i32) -> u32 {
    // SAFETY: the path is as long as the kernel says.
    unsafe {
        if file == 0 {
            let is_input = is_symbolic(STDIN) && descriptor(0).is_some_and(|input| input.source != NOT_SYMBOLIC);
            return if is_input { kept(b"stdin".as_ptr(), 5) } else { 0 };
        }
        let status = match system::status(file) {
            Some(status) if status.regular && is_symbolic(FILES) => status,
            _ => return 0,
        };
        // What a library may write to is most likely its own.
        let flags = call(system_call::FCNTL, [file as usize, F_GETFL, 0, 0, 0, 0]);
        let is_own = known_file(&status).is_some_and(|known| known.source == NOT_SYMBOLIC);
        if is_own || flags < 0 || flags as i32 & O_ACCMODE != O_RDONLY {
            return 0;
        }
        let mut path = [0u8; 4096];
        let length = system::path_of(file, path.as_mut_ptr(), path.len() - 1);
        let is_input = !is_of_kernel(path.as_ptr()) && is_wanted(path.as_ptr(), length);
        if is_input { kept(path.as_ptr(), length) } else { 0 }
    }
}

/// What is known of texts that were kept: the same one again is the same text.
const MAX_KEPT: usize = 64;
static mut KEPT: [u32; MAX_KEPT] = [0; MAX_KEPT];

/// Keeps a text, once.
pub unsafe fn kept(text: *const u8, size: usize) -> u32 {
    // SAFETY: the table has room for each index; texts end with a zero.
    unsafe {
        let mut index = 0;
        while index < MAX_KEPT {
            let known = &mut *(&raw mut KEPT).cast::<u32>().add(index);
            if *known == 0 {
                *known = STATE.text(text, size);
                return *known;
            }
            let other = (TRACE + TEXTS + *known as usize) as *const u8;
            let mut same = 0;
            while same < size && *other.add(same) == *text.add(same) {
                same += 1;
            }
            if same == size && *other.add(size) == 0 {
                return *known;
            }
            index += 1;
        }
        STATE.text(text, size)
    }
}

/// What the kernel makes up looks like a file and is none.
unsafe fn is_of_kernel(path: *const u8) -> bool {
    // SAFETY: the path ends with a zero, so no byte behind its end is looked at.
    unsafe {
        let begins = |prefix: &[u8]| {
            let mut index = 0;
            while index < prefix.len() && *path.add(index) == *prefix.as_ptr().add(index) {
                index += 1;
            }
            index == prefix.len()
        };
        begins(b"/proc/") || begins(b"/sys/") || begins(b"/dev/")
    }
}

/// Whether there are no patterns, or one matches.
unsafe fn is_wanted(path: *const u8, length: usize) -> bool {
    // SAFETY: there are as many patterns.
    unsafe {
        let (mut pattern, mut left) = (PATTERNS, PATTERN_COUNT);
        while left > 0 {
            if matches(pattern, path, length) {
                return true;
            }
            pattern = behind(pattern);
            left -= 1;
        }
        PATTERN_COUNT == 0
    }
}

/// Whether a pattern matches a path, or the end of it that follows a slash.
unsafe fn matches(pattern: *const u8, path: *const u8, length: usize) -> bool {
    // SAFETY: both texts end with a zero.
    unsafe {
        if fnmatch(pattern, path, 0) == 0 {
            return true;
        }
        // No end begins with a slash.
        let mut at = if *pattern == b'/' { 0 } else { length };
        while at > 0 {
            at -= 1;
            if *path.add(at) == b'/' && fnmatch(pattern, path.add(at + 1), 0) == 0 {
                return true;
            }
        }
        false
    }
}

const F_GETFL: usize = 3;
const O_ACCMODE: i32 = 3;
const O_RDONLY: i32 = 0;
const O_WRONLY: i32 = 1;
const O_TRUNC: i32 = 0o1000;

/// A file was opened.
pub unsafe fn opened(file: i32, flags: i32, created: bool) {
    // SAFETY: the tables are ours.
    unsafe {
        let Some(descriptor) = descriptor(file) else { return };
        *descriptor = Descriptor { source: 0, position: 0 };
        if created || flags & O_TRUNC != 0 || flags & O_ACCMODE == O_WRONLY {
            descriptor.source = NOT_SYMBOLIC;
            if let Some(status) = system::status(file)
                && status.regular
            {
                note_file(&status, NOT_SYMBOLIC);
            }
        }
    }
}

/// A descriptor was closed.
pub unsafe fn closed(file: i32) {
    // SAFETY: the tables are ours.
    unsafe {
        streams::forget(file);
        if let Some(descriptor) = descriptor(file) {
            *descriptor = Descriptor { source: 0, position: 0 };
        }
    }
}

/// A descriptor has another name now.
pub unsafe fn duplicated(from: i32, to: i32) {
    // SAFETY: the tables are ours.
    unsafe {
        if let (Some(from), Some(to)) = (descriptor(from).copied(), descriptor(to)) {
            *to = from;
        }
    }
}

/// What is written to a file is no input any more.
pub unsafe fn written(file: i32) {
    // SAFETY: the tables are ours.
    unsafe {
        if let Some(descriptor) = descriptor(file)
            && descriptor.source != NOT_SYMBOLIC
        {
            descriptor.source = NOT_SYMBOLIC;
            if let Some(status) = system::status(file)
                && status.regular
            {
                note_file(&status, NOT_SYMBOLIC);
            }
        }
    }
}

/// Where the next byte of a descriptor comes from, in its source.
pub unsafe fn position(file: i32) -> u64 {
    // SAFETY: the tables are ours.
    unsafe {
        let position = system::position(file);
        if position >= 0 { position as u64 } else { descriptor(file).map_or(0, |descriptor| descriptor.position) }
    }
}

/// So many bytes of a descriptor without a position were read.
pub unsafe fn advance(file: i32, to: u64) {
    // SAFETY: the tables are ours.
    unsafe {
        if let Some(descriptor) = descriptor(file) {
            descriptor.position = to;
        }
    }
}

/// Bytes were read from a descriptor to memory.
pub unsafe fn read(file: i32, address: usize, size: usize) {
    // SAFETY: the bytes were just written.
    unsafe {
        let Some(source) = source_of(file) else { return shadow::clear(address, size) };
        let after = system::position(file);
        let offset = if after >= 0 {
            (after as u64).saturating_sub(size as u64)
        } else {
            let offset = position(file);
            advance(file, offset + size as u64);
            offset
        };
        label(source, offset, address, size);
    }
}

/// Bytes were read from a place in a file to memory.
pub unsafe fn read_at(file: i32, address: usize, size: usize, offset: u64) {
    // SAFETY: the bytes were just written.
    unsafe {
        match source_of(file) {
            Some(source) => label(source, offset, address, size),
            None => shadow::clear(address, size),
        }
    }
}
