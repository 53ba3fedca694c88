//! Calls: labels go along with arguments and come back with results.

use std::collections::HashSet;

use byway_llvm::ir::{Kind, Opcode, Type, Value};
use byway_trace::layout::cause;

use super::operations::bits_of;
use super::reach::has_labels;
use super::segment::{Condition, Label, MemoryRange, Slow};
use super::tables::thread;
use super::walk::{Leaf, Walk};
use super::{intrinsics, targets};

/// In the labels of variable arguments: it travels in a floating-point register.
const FLOAT: u32 = 1 << 31;
/// In the labels of variable arguments: it is copied to the stack, with its size in the lower bits.
const STACK: u32 = 1 << 30;
/// Of larger arguments that are passed as copies, only the beginning is looked at.
const LONGEST_COPY: u64 = 256;

/// Whether a call touches memory in a way that nobody instruments: a library function that is given a pointer, modelled or
/// not, a copy or fill of memory at a computed place; or calls a function through a pointer.
pub fn can_fail<'ctx>(call: Value<'ctx>, models: &HashSet<Value<'ctx>>) -> bool {
    if !call.is_call() {
        return false;
    }
    let callee = call.callee();
    if !callee.is_function() && !callee.is_assembly() {
        return true;
    }
    let is_given = |argument: &Value<'ctx>| argument.ty().kind() == Kind::Pointer;
    let is_library = callee.is_assembly() || callee.is_declaration() || models.contains(&callee);
    if !is_library || !call.arguments().iter().any(is_given) {
        return false;
    }
    !callee.is_function() || !callee.name().starts_with("llvm.") || intrinsics::can_fail(call, &callee.name())
}

/// Whether branches may be taken between this instruction and the next one: not in intrinsics, nor in functions without any.
pub fn may_branch<'ctx>(instruction: Value<'ctx>, straight: &HashSet<Value<'ctx>>) -> bool {
    if !instruction.is_call() {
        return false;
    }
    let callee = instruction.callee();
    let is_straight = || callee.name().starts_with("llvm.") || straight.contains(&callee);
    !(callee.is_assembly() || callee.is_function() && is_straight())
}

/// A call.
pub fn call<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>) {
    let callee = call.callee();
    if callee.is_assembly() {
        walk.lose(&labels_of_arguments(walk, call), cause::OPERATION, walk.program.site(call));
        return walk.flush(call);
    }
    if callee.is_function() && callee.is_declaration() {
        let name = callee.name();
        if name.starts_with("llvm.") {
            return intrinsics::intrinsic(walk, call, &name);
        }
        if walk.is_model && name.starts_with("byway_") {
            return intrinsics::of_model(walk, call, &name);
        }
        // A check of UndefinedBehaviorSanitizer's that has failed only says so.
        if !walk.is_model && !name.starts_with("__ubsan_handle_") {
            unmodelled(walk, call, &name);
        }
        walk.flush(call);
        return after(walk, call);
    }
    if !callee.is_function() {
        targets::take(walk, call, callee, walk.program.targets.of_call(call));
    }
    pass_arguments(walk, call);
    walk.flush(call);
    if !walk.is_model && walk.program.models.contains(&callee) {
        let code = &walk.program.code;
        code.before(call);
        code.store(walk.program.site(call), code.offset(walk.program.tables.thread, thread::CALL_SITE));
    }
    after(walk, call);
    if call.is_must_tail() || !walk.can_be_symbolic(call) {
        return;
    }
    if call.opcode() == Some(Opcode::LLVMInvoke) {
        walk.results.insert(call.normal_destination(), call);
    } else {
        take_result(walk, call);
    }
}

fn labels_of_arguments<'ctx>(walk: &Walk<'_, 'ctx>, call: Value<'ctx>) -> Vec<Label<'ctx>> {
    call.arguments()
        .into_iter()
        .filter(|argument| argument.is_data())
        .flat_map(|argument| walk.labels_of(argument))
        .collect()
}

/// A function that returns twice may come back from frames that no longer exist.
fn after<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>) {
    if call.has_attribute("returns_twice")
        && let Some(next) = call.next()
    {
        walk.program.code.before(next);
        walk.restore_frames(true);
    }
}

/// Notes what a function that nobody models was given.
fn unmodelled<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, name: &str) {
    let arguments: Vec<Value<'ctx>> =
        call.arguments().into_iter().filter(|argument| has_labels(argument.ty())).collect();
    let computed = |argument: &Value<'ctx>| argument.ty().kind() == Kind::Pointer && !argument.is_constant();
    let pointers: Vec<Value<'ctx>> = arguments.iter().copied().filter(computed).collect();
    let labels: Vec<Label<'ctx>> = arguments.iter().flat_map(|&argument| walk.labels_of(argument)).collect();
    if pointers.is_empty() && labels.iter().all(|label| *label == Label::Zero) {
        return;
    }
    for &label in &labels {
        walk.segment.when_label(label);
    }
    for &pointer in &pointers {
        walk.segment.when(Condition::TagOfAny(pointer));
    }
    let (name, site) = (walk.program.text(name), walk.program.site(call));
    walk.segment.step(Box::new(move |slow| {
        let (program, code) = (slow.program, &slow.program.code);
        let mut given = slow.none();
        for &label in &labels {
            given = code.or(given, slow.label(label));
        }
        for &pointer in &pointers {
            // Only the lowest bit says that there are labels.
            let tag = Condition::TagOfAny(pointer).emit(program, pointer);
            let tag = code.and(code.resize(tag, code.integer(32)), program.small(1));
            given = code.or(given, tag);
        }
        program.note("byway_sym_unmodelled", &[given, name, site]);
        slow.none()
    }));
}

/// How an argument travels.
#[derive(Clone, Copy)]
enum Passed<'ctx> {
    Label(Label<'ctx>),
    Mark(u32),
    Copy(Value<'ctx>, u64),
}

fn pass_arguments<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>) {
    let (variadic, _) = call.variadic();
    let mut passed = Vec::new();
    let mut any = false;
    for (index, argument) in call.arguments().into_iter().enumerate() {
        let labels = walk.labels_of(argument);
        if passed.len() + labels.len() > thread::MAX_ARGUMENTS {
            walk.lose(&labels, cause::OPERATION, walk.program.site(call));
            continue;
        }
        let copy = call.passed_copy(index as u32).map(|ty| walk.program.code.size_of(ty));
        let how = match copy {
            Some(size) if variadic => Passed::Mark(STACK | size as u32 & 0xffff),
            Some(size) => Passed::Copy(argument, size),
            None if bits_of(argument).is_some() => Passed::Label(labels[0]),
            // Each scalar in it has its own place.
            None if !variadic && labels.len() > 1 => {
                for label in labels {
                    any |= label != Label::Zero;
                    walk.segment.when_label(label);
                    passed.push(Passed::Label(label));
                }
                continue;
            }
            None if variadic && argument.ty().kind() == Kind::Float => {
                let size = walk.program.code.size_of(argument.ty());
                Passed::Mark(if size <= 8 { FLOAT } else { STACK | size as u32 })
            }
            None => Passed::Mark(0),
        };
        match how {
            Passed::Copy(address, size) if size > 0 => {
                any = true;
                for place in pieces(address, size) {
                    walk.segment.when(Condition::Tag(place, false));
                }
            }
            Passed::Label(label) if label != Label::Zero => {
                any = true;
                walk.segment.when_label(label);
            }
            _ => {}
        }
        passed.push(how);
    }
    if any {
        hand_over(walk, call, passed);
    }
}

/// Puts what is said of each argument where the callee looks for it.
fn hand_over<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, passed: Vec<Passed<'ctx>>) {
    let callee = call.callee();
    walk.segment.step(Box::new(move |slow| {
        let (program, code) = (slow.program, &slow.program.code);
        for (index, how) in passed.iter().enumerate() {
            let place = code.offset(program.tables.thread, thread::ARGUMENTS + 4 * index as u64);
            match *how {
                Passed::Label(label) => code.store(slow.label(label), place),
                Passed::Mark(mark) => code.store(program.small(mark), place),
                Passed::Copy(address, size) => {
                    let arguments = [program.small(index as u32), slow.number(address), program.large(size)];
                    program.note("byway_sym_pass_copy", &arguments);
                    continue;
                }
            };
        }
        program.note("byway_sym_call", &[slow.number(callee), program.small(passed.len() as u32)]);
        slow.none()
    }));
}

/// A range in pieces whose tags can be looked at with one instruction each.
fn pieces<'ctx>(address: Value<'ctx>, size: u64) -> impl Iterator<Item = MemoryRange<'ctx>> {
    const PIECE: u64 = 48;
    let size = size.min(LONGEST_COPY);
    (0..size.div_ceil(PIECE)).map(move |piece| {
        let offset = piece * PIECE;
        MemoryRange { address, offset, size: PIECE.min(size - offset) }
    })
}

/// At the beginning of a function: the labels of its arguments.
pub fn take_arguments<'ctx>(walk: &mut Walk<'_, 'ctx>) {
    let function = walk.function;
    let mut any = false;
    let mut place = 0;
    for (index, parameter) in function.parameters().into_iter().enumerate() {
        let copied = function.passed_copy(index as u32);
        let leaves = if copied.is_some() { Vec::new() } else { walk.leaves(parameter.ty()) };
        let places = leaves.len().max(1);
        if place + places > thread::MAX_ARGUMENTS {
            continue;
        }
        let first = place as u32;
        place += places;
        if let Some(ty) = copied {
            any |= take_copy(walk, parameter, first, ty);
        } else if walk.can_be_symbolic(parameter) {
            any = true;
            let labels =
                leaves.into_iter().zip(first..).map(|(leaf, place)| take_argument(walk, parameter, leaf, place));
            let labels = labels.collect();
            walk.set_labels(parameter, labels);
        }
    }
    if let Some(kept) = walk.kept {
        any = true;
        let step = move |slow: &Slow<'_, 'ctx>| {
            slow.program.note("byway_sym_variadic", &[slow.number(function), kept]);
            slow.none()
        };
        walk.step_when(Condition::Arguments, Box::new(step));
    }
    if any {
        let step = move |slow: &Slow<'_, 'ctx>| {
            slow.program.note("byway_sym_entered", &[slow.number(function)]);
            slow.none()
        };
        walk.step_when(Condition::Arguments, Box::new(step));
    }
}

fn take_argument<'ctx>(walk: &mut Walk<'_, 'ctx>, parameter: Value<'ctx>, leaf: Leaf<'ctx>, place: u32) -> Label<'ctx> {
    if !has_labels(leaf.ty) {
        return Label::Zero;
    }
    let function = walk.function;
    let step = move |slow: &Slow<'_, 'ctx>| {
        let program = slow.program;
        let value = slow.leaf(parameter, &leaf.path);
        let ([low, high], bits) = (slow.halves(value), bits_of(value).unwrap_or(64));
        let arguments = [slow.number(function), program.small(place), low, high, program.small(bits)];
        program.label("byway_sym_argument", &arguments)
    };
    walk.step_when(Condition::Arguments, Box::new(step))
}

fn take_copy<'ctx>(walk: &mut Walk<'_, 'ctx>, parameter: Value<'ctx>, index: u32, ty: Type<'ctx>) -> bool {
    let (function, size) = (walk.function, walk.program.code.size_of(ty));
    for place in pieces(parameter, size) {
        walk.segment.when(Condition::Tag(place, false));
    }
    let step = move |slow: &Slow<'_, 'ctx>| {
        let program = slow.program;
        let arguments = [slow.number(function), program.small(index), slow.number(parameter), program.large(size)];
        program.note("byway_sym_argument_copy", &arguments);
        slow.none()
    };
    walk.step_when(Condition::Arguments, Box::new(step));
    true
}

/// How many parts of a result have labels.
const MOST_RESULTS: usize = 8;

/// After a call: the labels of its result.
pub fn take_result<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>) {
    let callee = call.callee();
    let leaves = walk.leaves(call.ty());
    if leaves.is_empty() || leaves.len() > MOST_RESULTS || !has_labels(call.ty()) {
        return;
    }
    let mut labels = Vec::new();
    for (index, leaf) in leaves.into_iter().enumerate() {
        if !has_labels(leaf.ty) {
            labels.push(Label::Zero);
            continue;
        }
        let step = move |slow: &Slow<'_, 'ctx>| {
            let program = slow.program;
            let value = slow.leaf(call, &leaf.path);
            let ([low, high], bits) = (slow.halves(value), bits_of(value).unwrap_or(64));
            let arguments = [slow.number(callee), program.small(index as u32), low, high, program.small(bits)];
            program.label("byway_sym_result", &arguments)
        };
        labels.push(walk.step_when(Condition::Result, Box::new(step)));
    }
    let step = move |slow: &Slow<'_, 'ctx>| {
        slow.program.note("byway_sym_resulted", &[]);
        slow.none()
    };
    walk.step_when(Condition::Result, Box::new(step));
    walk.set_labels(call, labels);
}

/// The end of a function.
pub fn leave<'ctx>(walk: &mut Walk<'_, 'ctx>, leave: Value<'ctx>) {
    if leave.opcode() == Some(Opcode::LLVMRet) && leave.operand_count() == 1 {
        let value = leave.operand(0);
        let labels = walk.labels_of(value);
        let function = walk.function;
        if labels.len() <= MOST_RESULTS && labels.iter().any(|label| *label != Label::Zero) {
            for &label in &labels {
                walk.segment.when_label(label);
            }
            for (index, label) in labels.into_iter().enumerate() {
                walk.segment.step(Box::new(move |slow| {
                    let index = slow.program.small(index as u32);
                    slow.program.note("byway_sym_return", &[slow.number(function), index, slow.label(label)]);
                    slow.none()
                }));
            }
        }
    }
    let follows_tail_call = leave.block().instructions().iter().rev().nth(1).is_some_and(|call| call.is_must_tail());
    if follows_tail_call {
        return;
    }
    walk.flush(leave);
    walk.program.code.before(leave);
    walk.restore_frames(false);
}
