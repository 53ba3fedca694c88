//! What the observer gave to this run beside its files: arguments with room, names of files, objects.

use core::ffi::{c_char, c_int};
use core::mem::size_of;
use core::ptr::{copy_nonoverlapping, null, write_bytes};

use crate::layout::{FIXED, NO_SITE, Request, ending, op, place, source_kind};
use crate::nodes::{self, Operand};
use crate::state::STATE;
use crate::system_call::{self, call};
use crate::{events, inputs, shadow, system};

type Strings = *mut *mut c_char;

/// The texts that came with the request, as they follow each other. All but `rooms` and `sizes` lie one behind the other.
struct Given {
    request: Request,
    /// The room of each argument, and whether it is fixed.
    rooms: *const u32,
    /// The size of each object.
    sizes: *const u32,
    names: *const u8,
    /// The next object, with its name before it.
    next_object: *const u8,
    objects_taken: u32,
}

static mut GIVEN: Given = Given {
    request: Request { magic: [0; 8], arguments: 0, bytes: 0, least: 0, most: 0, names: 0, objects: 0 },
    rooms: null(),
    sizes: null(),
    names: null(),
    next_object: null(),
    objects_taken: 0,
};

unsafe fn behind(text: *const u8) -> *const u8 {
    // SAFETY: the text ends with a zero.
    unsafe { text.add(inputs::length(text) + 1) }
}

/// Finds what is where; the list of arguments, as the kernel would place them.
pub unsafe fn take(request: &Request, texts: usize) -> Strings {
    // SAFETY: the observer wrote as much as the request says; one zero byte more follows.
    unsafe {
        let (count, objects) = (request.arguments as usize, request.objects as usize);
        let list = system::reserve((count + 1) * size_of::<usize>()) as Strings;
        let rooms = texts as *const u32;
        let sizes = rooms.add(count);
        inputs::PATTERN = sizes.add(objects).cast();
        let mut at = behind(inputs::PATTERN);
        let mut index = 0;
        while index < count {
            *list.add(index) = at as *mut c_char;
            at = at.add((*rooms.add(index) & !FIXED) as usize + 1);
            index += 1;
        }
        let names = at;
        index = 0;
        while index < request.names as usize {
            at = behind(at);
            index += 1;
        }
        GIVEN = Given { request: *request, rooms, sizes, names, next_object: at, objects_taken: 0 };
        list
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
        if label == 0 {
            return;
        }
        bound(label, request);
        let mut less = request.least;
        while less < request.most {
            let (more, less_operand) = (count > less, Operand::constant(less as u128, 8));
            let condition = nodes::binary(op::ULT, 1, less_operand, Operand::of(label), more as u128);
            events::branch_at(condition, more, place::ARGUMENT_COUNT, NO_SITE);
            if !more {
                return;
            }
            less += 1;
        }
    }
}

/// Nobody is to look for fewer arguments, or more.
unsafe fn bound(label: u32, request: &Request) {
    // SAFETY: the label is a node's.
    unsafe {
        let count = Operand::of(label);
        let holds = |a: Operand, b: Operand| {
            let condition = nodes::binary(op::ULE, 1, a, b, (a.value <= b.value) as u128);
            if a.value <= b.value {
                events::assume(condition, place::ARGUMENT_COUNT, NO_SITE);
            }
        };
        if request.least > 0 {
            holds(Operand::constant(request.least as u128, 8), count);
        }
        holds(count, Operand::constant(request.most as u128, 8));
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
            } else if holds {
                events::assume(condition, place::ASSUMPTION, events::call_site());
            }
        }
        if !holds {
            end(ending::ASSUMPTION, 1);
        }
    }
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
