//! Labels of arguments and results. A caller leaves them in its thread's variable, under the name of the function it
//! calls; who finds its own name there takes them. Every label is checked against the value that came: a signal handler or
//! code that byway did not compile may have been in between.

use crate::layout::cause;
use crate::nodes::value_of;
use crate::shadow;
use crate::state::{STATE, thread};

#[inline(always)]
unsafe fn checked(label: u32, value: u64, high: u64, width: u32) -> u32 {
    // SAFETY: labels are numbers of nodes.
    unsafe {
        if label == 0 || !STATE.active {
            return 0;
        }
        let node = STATE.node(label);
        let same = node.width as u32 == width && value_of(node) == (value as u128 | (high as u128) << 64);
        if same { label } else { 0 }
    }
}

/// Called before a call, when the labels are in `arguments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_call(function: usize, count: u32) {
    // SAFETY: called by instrumented code, with at most as many arguments as there is room for.
    unsafe {
        let thread = thread();
        let mut any = false;
        let mut index = 0;
        while index < count as usize {
            let label = *thread.arguments.as_ptr().add(index);
            any |= label == IN_MEMORY || label != 0 && label < STACK;
            index += 1;
        }
        thread.arguments_for = if any && thread.traced != 0 { function } else { 0 };
        thread.argument_count = count;
    }
}

/// Marks in `arguments` an argument that is passed in memory; no node has this label.
pub const IN_MEMORY: u32 = u32::MAX;

/// Called before a call for an argument that is passed as a copy of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_pass_copy(index: u32, address: usize, size: usize) {
    // SAFETY: called by instrumented code.
    unsafe {
        let thread = thread();
        let labelled = index < 16 && shadow::is_tagged(address, size);
        *thread.arguments.as_mut_ptr().add(index as usize) = if labelled { IN_MEMORY } else { 0 };
        if labelled {
            *thread.copied_from.as_mut_ptr().add(index as usize) = address;
        }
    }
}

/// Called when a function begins that was given labels: the label of one argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_argument(function: usize, index: u32, value: u64, high: u64, width: u32) -> u32 {
    // SAFETY: called by instrumented code.
    unsafe {
        let thread = thread();
        if thread.arguments_for != function || index >= thread.argument_count {
            return 0;
        }
        let label = *thread.arguments.as_ptr().add(index as usize);
        if label >= STACK { 0 } else { checked(label, value, high, width) }
    }
}

/// The same for an argument that came as a copy in memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_argument_copy(function: usize, index: u32, address: usize, size: usize) {
    // SAFETY: called by instrumented code; the copy is as large as said.
    unsafe {
        let thread = thread();
        let given = thread.arguments_for == function
            && index < thread.argument_count
            && index < 16
            && *thread.arguments.as_ptr().add(index as usize) == IN_MEMORY;
        if given {
            shadow::copy(address, *thread.copied_from.as_ptr().add(index as usize), size);
        } else {
            shadow::clear(address, size);
        }
    }
}

/// Called when all arguments are taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_entered(function: usize) {
    // SAFETY: called by instrumented code.
    unsafe {
        let thread = thread();
        if thread.arguments_for == function {
            thread.arguments_for = 0;
        }
    }
}

/// Called before a function returns, for each part of its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_return(function: usize, index: u32, label: u32) {
    // SAFETY: called by instrumented code; the index is below 8.
    unsafe {
        let thread = thread();
        if index == 0 {
            thread.result_of = 0;
        }
        if label != 0 && thread.traced != 0 {
            if thread.result_of == 0 {
                thread.results = [0; 8];
            }
            thread.result_of = function;
            *thread.results.as_mut_ptr().add(index as usize) = label;
        }
    }
}

/// Called after a call, for each part of its result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_result(function: usize, index: u32, value: u64, high: u64, width: u32) -> u32 {
    // SAFETY: called by instrumented code; the index is below 8.
    unsafe {
        let thread = thread();
        if thread.result_of != function {
            return 0;
        }
        checked(*thread.results.as_ptr().add(index as usize), value, high, width)
    }
}

/// Called when all parts of a result are taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_resulted() {
    // SAFETY: called by instrumented code.
    unsafe { thread().result_of = 0 };
}

/// The labels that a function with variable arguments was given, kept in its frame until it asks for them.
#[repr(C)]
pub struct Variadic {
    count: u32,
    labels: [u32; 63],
}

/// Called when a function with variable arguments begins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_variadic(function: usize, kept: *mut Variadic) {
    // SAFETY: called by instrumented code; there is room for all that fit.
    unsafe {
        let thread = thread();
        (*kept).count = 0;
        if thread.arguments_for != function {
            return;
        }
        let mut index = 0;
        while index < thread.argument_count as usize && index < 63 {
            *(*kept).labels.as_mut_ptr().add(index) = *thread.arguments.as_ptr().add(index);
            index += 1;
        }
        (*kept).count = index as u32;
    }
}

/// The register save area of x86-64's calling convention, as `va_start` leaves it.
#[repr(C)]
struct VariableArguments {
    general_offset: u32,
    float_offset: u32,
    overflow: usize,
    saved: usize,
}

/// Set in the labels of variable arguments that travel in floating-point registers.
const FLOAT: u32 = 1 << 31;
/// Set, with a size in the lower bits, in those that are copied to the stack.
const STACK: u32 = 1 << 30;

/// Called after `va_start`: the labels go to where the arguments are; `fixed` of them have names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn byway_sym_va_start(list: usize, kept: *const Variadic, fixed: u32) {
    // SAFETY: called by instrumented code after `va_start` filled the list in.
    unsafe {
        if !cfg!(target_arch = "x86_64") {
            if (*kept).count != 0 {
                STATE.lose(cause::OPERATION, crate::layout::NO_SITE, 0);
            }
            return;
        }
        let list = &*(list as *const VariableArguments);
        // The area of saved registers and the stack may have labels of earlier calls.
        shadow::clear(list.saved + list.general_offset as usize, 48usize.saturating_sub(list.general_offset as usize));
        let (mut general, mut float, mut stack) = (0usize, 0usize, 0usize);
        let mut index = 0;
        while index < (*kept).count {
            let label = *(*kept).labels.as_ptr().add(index as usize);
            let label = if label == IN_MEMORY { 0 } else { label };
            let named = index < fixed;
            index += 1;
            if label & STACK != 0 {
                if !named {
                    stack += (label as usize & 0xffff).next_multiple_of(8);
                }
                continue;
            }
            if label & FLOAT != 0 {
                if float < 8 {
                    float += 1;
                } else if !named {
                    stack += 8;
                }
                continue;
            }
            let place = if general < 6 {
                general += 1;
                list.saved + (general - 1) * 8
            } else if named {
                continue;
            } else {
                stack += 8;
                list.overflow + stack - 8
            };
            if named {
                continue;
            }
            place_label(place, label);
        }
    }
}

unsafe fn place_label(place: usize, label: u32) {
    // SAFETY: the place is where the argument is.
    unsafe {
        if label == 0 || !STATE.active {
            return shadow::clear(place, 8);
        }
        let width = STATE.node(label).width as u32;
        let size = (width as usize).div_ceil(8);
        if width % 8 == 0 && size <= 8 {
            shadow::clear(place, 8);
            shadow::set(place, size, label);
        }
    }
}
