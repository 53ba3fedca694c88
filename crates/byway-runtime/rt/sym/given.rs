//! What the observer gave to this run beside its files: arguments with room, names of files, objects.

use core::ffi::{c_char, c_int};
use core::mem::{size_of, zeroed};
use core::ptr::{copy_nonoverlapping, null, write_bytes};

use crate::layout::{FIXED, MAX_SOURCES, NO_SITE, Request, SOURCES, Source, TEXTS, ending, op, place, source_kind};
use crate::nodes::{self, Operand};
use crate::request::{Strings, behind, list};
use crate::state::{STATE, TRACE};
use crate::system_call::{self, call};
use crate::{events, inputs, shadow, system};

/// The texts that came with the request, as they follow each other. All but `rooms` and `sizes` lie one behind the other.
struct Given {
    request: Request,
    /// The room of each argument, and whether it is fixed.
    rooms: *const u32,
    /// The size of each object.
    sizes: *const u32,
    /// How large each named file may become, and 1 more; 0 if its size is fixed.
    mosts: *const u32,
    /// Whether the size of anything depends on the input.
    is_sized: bool,
    names: *const u8,
    variables: *const u8,
    /// The next object, with its name before it.
    next_object: *const u8,
    objects_taken: u32,
}

static mut GIVEN: Given = unsafe { zeroed() };

/// Finds what is where; the list of arguments, as the kernel would place them.
pub unsafe fn take(request: &Request, texts: usize) -> Strings {
    // SAFETY: the observer wrote as much as the request says; one zero byte more follows.
    unsafe {
        let (count, objects) = (request.arguments as usize, request.objects as usize);
        let list = system::reserve((count + 1) * size_of::<usize>()) as Strings;
        let rooms = texts as *const u32;
        let sizes = rooms.add(count);
        let mosts = sizes.add(objects);
        let mut at: *const u8 = mosts.add(request.names as usize).cast();
        (inputs::PATTERNS, inputs::PATTERN_COUNT) = (at, request.patterns as usize);
        let mut index = 0;
        while index < request.patterns as usize {
            at = behind(at);
            index += 1;
        }
        index = 0;
        while index < count {
            *list.add(index) = at as *mut c_char;
            at = at.add((*rooms.add(index) & !FIXED) as usize + 1);
            index += 1;
        }
        let names = at;
        let mut is_sized = request.stdin_most != 0;
        index = 0;
        while index < request.names as usize {
            at = behind(at);
            is_sized |= *mosts.add(index) != 0;
            index += 1;
        }
        let variables = at;
        index = 1;
        while index < request.variables as usize {
            at = behind(at);
            index += 1;
        }
        let (request, next_object) = (*request, at);
        GIVEN = Given { request, rooms, sizes, mosts, is_sized, names, variables, next_object, objects_taken: 0 };
        list
    }
}

/// The environment of this run, if it is not that of the fork server.
pub unsafe fn environment() -> Option<Strings> {
    // SAFETY: there are as many variables as the request says.
    unsafe {
        let count = (GIVEN.request.variables as usize).checked_sub(1)?;
        Some(list(count, GIVEN.variables).0)
    }
}

/// How long an argument may become.
pub unsafe fn room(index: usize) -> usize {
    // SAFETY: there is one for each argument.
    unsafe { (*GIVEN.rooms.add(index) & !FIXED) as usize }
}

/// Whether an argument is never symbolic.
pub unsafe fn is_fixed(index: usize) -> bool {
    // SAFETY: there is one for each argument.
    unsafe { *GIVEN.rooms.add(index) & FIXED != 0 }
}

/// Says how many arguments there are, if there might be others: one branch for each that may be there.
pub unsafe fn count_arguments() {
    // SAFETY: the request is the run's.
    unsafe {
        let request = &GIVEN.request;
        let count = request.arguments.saturating_sub(1);
        if request.most <= request.least || request.most > 255 {
            return;
        }
        let Some(source) = inputs::add_source(source_kind::ARGUMENT_COUNT, 0, 0) else { return };
        let label = inputs::byte(source, 0, count as u8);
        if label != 0 {
            compare(Operand::of(label), request.least, request.most, 255, place::ARGUMENT_COUNT, NO_SITE);
        }
    }
}

/// Says that a number is not less than one and not more than another, and branches on whether it is greater than each that it
/// could be equal to, up to the first that it is not greater than. Above `fine`, each is twice the one before it.
unsafe fn compare(number: Operand, least: u32, most: u32, fine: u32, site: u32, called: u32) {
    // SAFETY: the label is a node's.
    unsafe {
        let constant = |value: u32| Operand::constant(value as u128, number.width);
        let in_order = |a: Operand, b: Operand| {
            if a.value <= b.value {
                events::assume(nodes::binary(op::ULE, 1, a, b, 1), site, called);
            }
        };
        if least > 0 {
            in_order(constant(least), number);
        }
        in_order(number, constant(most));
        let mut less = least;
        while less < most {
            let greater = number.value > less as u128;
            let condition = nodes::binary(op::ULT, 1, constant(less), number, greater as u128);
            events::branch_at(condition, greater, site, called);
            if !greater {
                return;
            }
            less += if less < fine { 1 } else { less };
        }
    }
}

/// How large the sizes are that are told apart one by one.
const FINE: u32 = 256;

/// Which sources have been asked for their size.
static mut ASKED: [bool; MAX_SOURCES] = [false; MAX_SOURCES];

/// Before a source is first read: says how large it is, if that depends on the input.
pub unsafe fn size(source: u32, file: c_int) {
    // SAFETY: sources are fewer than there is room for.
    unsafe {
        let asked = (&raw mut ASKED).cast::<bool>().add(source as usize);
        if !GIVEN.is_sized || *asked {
            return;
        }
        *asked = true;
        let of = *((TRACE + SOURCES) as *const Source).add(source as usize);
        let most = if of.kind == source_kind::STDIN { GIVEN.request.stdin_most } else { most_of(of.name) };
        let Some(status) = system::status(file) else { return };
        if most == 0 || !status.regular || status.size >= most as u64 {
            return;
        }
        let Some(source) = inputs::add_source(source_kind::SIZE, source, of.name) else { return };
        let size = status.size as u32;
        let byte = |index: u64| inputs::byte(source, index, (size >> (8 * index)) as u8);
        let bytes = [byte(0), byte(1), byte(2), byte(3)];
        if bytes[0] == 0 || bytes[1] == 0 || bytes[2] == 0 || bytes[3] == 0 {
            return;
        }
        let pair = |low: u32, high: u32| nodes::concat(Operand::of(high), Operand::of(low));
        let number = nodes::concat(pair(bytes[2], bytes[3]), pair(bytes[0], bytes[1]));
        if number.label != 0 {
            compare(number, 0, most - 1, FINE, place::SIZE, events::call_site());
        }
    }
}

/// How large a file may become whose path is this text, and 1 more; 0 if its size is fixed.
unsafe fn most_of(path: u32) -> u32 {
    // SAFETY: the path is a text of the trace; there are as many names as the request says.
    unsafe {
        let path = (TRACE + TEXTS + path as usize) as *const u8;
        let length = inputs::length(path);
        let mut number = 0;
        let mut name = GIVEN.names;
        while number < GIVEN.request.names as usize {
            let size = inputs::length(name);
            let is_end = size < length && *path.add(length - size - 1) == b'/';
            if is_end && is_same(path.add(length - size), name) {
                return *GIVEN.mosts.add(number);
            }
            name = behind(name);
            number += 1;
        }
        0
    }
}

unsafe fn is_same(a: *const u8, b: *const u8) -> bool {
    // SAFETY: both texts end with a zero.
    unsafe {
        let mut index = 0;
        while *a.add(index) == *b.add(index) {
            if *a.add(index) == 0 {
                return true;
            }
            index += 1;
        }
        false
    }
}

/// The name of a file in the directory of the run, by number; null if there are not as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_file_name(number: usize, _: u32) -> *const u8 {
    // SAFETY: there are as many names as the request says.
    unsafe {
        if number >= GIVEN.request.names as usize {
            return null();
        }
        let (mut name, mut left) = (GIVEN.names, number);
        while left > 0 {
            name = behind(name);
            left -= 1;
        }
        name
    }
}

/// Fills memory with the next object, and labels it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_object(address: usize, size: usize, name: *const u8, _: u32, _: u32, _: u32) {
    // SAFETY: the program says that so many bytes are there; so does the request of its objects.
    unsafe {
        let index = GIVEN.objects_taken;
        write_bytes(address as *mut u8, 0, size);
        if index < GIVEN.request.objects {
            let bytes = behind(GIVEN.next_object);
            let there = *GIVEN.sizes.add(index as usize) as usize;
            copy_nonoverlapping(bytes, address as *mut u8, if there < size { there } else { size });
            GIVEN.next_object = bytes.add(there);
        }
        GIVEN.objects_taken = index + 1;
        shadow::clear(address, size);
        let kept = if name.is_null() { 0 } else { STATE.text(name, inputs::length(name)) };
        if let Some(source) = inputs::add_source(source_kind::OBJECT, index, kept) {
            inputs::label(source, 0, address, size);
        }
    }
}

/// What the program assumes: a part of the path that nobody is to look behind. If it does not hold, this is the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_assume(condition: u64, label: u32) {
    // SAFETY: a run is traced.
    unsafe {
        let holds = condition != 0;
        if label != 0 {
            let condition = is_not_zero(Operand::of(label), holds);
            if !holds {
                events::branch_at(condition, false, place::ASSUMPTION, events::call_site());
            } else {
                events::assume(condition, place::ASSUMPTION, events::call_site());
            }
        }
        if !holds {
            (*STATE.header).line = events::call_site();
            end(ending::ASSUMPTION, 1);
        }
    }
}

/// What the program would like to hold of its input, if it can.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_prefer(condition: u64, label: u32) {
    // SAFETY: a run is traced if there is a label.
    unsafe {
        if label != 0 {
            let holds = condition != 0;
            let condition = is_not_zero(Operand::of(label), holds);
            if condition != 0 {
                events::prefer(condition, holds, place::ASSUMPTION, events::call_site());
            }
        }
    }
}

/// Whether other sides of branches are looked for from here on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_fork(enable: c_int, _: u32) {
    // SAFETY: a run is traced.
    unsafe { STATE.unforked = enable == 0 }
}

/// Whether an operand is not 0, as an expression of one bit: what was extended is not extended.
unsafe fn is_not_zero(operand: Operand, holds: bool) -> u32 {
    // SAFETY: labels are numbers of nodes.
    unsafe {
        let node = STATE.node(operand.label);
        if operand.width == 1 {
            return operand.label;
        }
        if matches!(node.op, op::ZEXT | op::SEXT) {
            return is_not_zero(Operand::of(node.a), holds);
        }
        nodes::binary(op::NE, 1, operand, Operand::constant(0, operand.width), holds as u128)
    }
}

/// Ends the run at once; the observer finds out how.
unsafe fn end(how: u32, status: c_int) -> ! {
    // SAFETY: a run is traced.
    unsafe {
        if (*STATE.header).ending == ending::ORDINARY {
            (*STATE.header).ending = how;
        }
        loop {
            call(system_call::EXIT_GROUP, [status as usize, 0, 0, 0, 0, 0]);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_silent_exit(status: c_int, _: u32) {
    // SAFETY: a run is traced.
    unsafe { end(ending::SILENT, status) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_intrinsic_report_error(
    file: *const u8,
    line: c_int,
    message: *const u8,
    suffix: *const u8,
    _: u32,
    _: u32,
    _: u32,
    _: u32,
) {
    // SAFETY: texts end with a zero.
    unsafe {
        let keep = |text: *const u8| if text.is_null() { 0 } else { STATE.text(text, inputs::length(text)) };
        let header = &mut *STATE.header;
        (header.file, header.line) = (keep(file), line as u32);
        (header.message, header.suffix) = (keep(message), keep(suffix));
        end(ending::ERROR, 1)
    }
}
