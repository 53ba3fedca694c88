//! Calls of LLVM's own functions, and in models of those of `models/byway.h`.

use byway_llvm::ir::{Kind, Value};
use byway_trace::layout::op;

use super::memory::is_fixed;
use super::operations::{bits_of, lose_all};
use super::segment::{Condition, Label, MemoryRange, Slow};
use super::walk::Walk;

/// Functions of two or three integers that the runtime expresses; its `byway_sym_intrinsic` has the same numbers.
const COMPUTED: [(&str, u32); 18] = [
    ("bswap", 1),
    ("fshl", 2),
    ("fshr", 3),
    ("smax", 4),
    ("smin", 5),
    ("umax", 6),
    ("umin", 7),
    ("abs", 8),
    ("sadd.sat", 9),
    ("uadd.sat", 10),
    ("ssub.sat", 11),
    ("usub.sat", 12),
    ("sadd.with.overflow", 13),
    ("uadd.with.overflow", 14),
    ("ssub.with.overflow", 15),
    ("usub.with.overflow", 16),
    ("smul.with.overflow", 17),
    ("umul.with.overflow", 18),
];
/// From this number on the result is a pair of the number and whether it overflowed.
const FIRST_PAIR: u32 = 13;

/// Whether a call of one of LLVM's functions copies or fills memory at a place or of a size that is computed.
pub fn can_fail(call: Value<'_>, name: &str) -> bool {
    let copies = name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.");
    let arguments = call.arguments();
    (copies || name.starts_with("llvm.memset."))
        && (!is_fixed(arguments[0]) || !arguments[2].is_constant() || copies && !is_fixed(arguments[1]))
}

/// A call of one of LLVM's functions.
pub fn intrinsic<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, name: &str) {
    let name = name.trim_start_matches("llvm.");
    let is = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let ignored =
        ["lifetime", "dbg", "assume", "stacksave", "stackrestore", "va_end", "va_copy", "prefetch", "invariant"];
    if ignored.into_iter().any(is) {
        return;
    }
    if is("memcpy") || is("memmove") {
        return transfer(walk, call, true);
    }
    if is("memset") {
        return transfer(walk, call, false);
    }
    if is("va_start") {
        return variable_arguments(walk, call);
    }
    if ["expect", "expect.with.probability", "ssa.copy", "launder.invariant.group", "strip.invariant.group"]
        .into_iter()
        .any(is)
    {
        return walk.set_labels(call, walk.labels_of(call.arguments()[0]));
    }
    let counts = [("ctpop", op::CTPOP), ("ctlz", op::CTLZ), ("cttz", op::CTTZ)];
    if let Some((_, operator)) = counts.into_iter().find(|(name, _)| is(name)) {
        return count(walk, call, operator);
    }
    if let Some((_, number)) = COMPUTED.into_iter().find(|(name, _)| is(name)) {
        return computed(walk, call, number);
    }
    if is("objectsize") || is("is.constant") {
        return;
    }
    lose_all(walk, call);
}

fn count<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, operator: u8) {
    let operand = call.arguments()[0];
    let Some(bits) = bits_of(call) else { return lose_all(walk, call) };
    let label = walk.label_of(operand);
    let what = u32::from(operator) | bits << 8;
    let step = move |slow: &Slow<'_, 'ctx>| slow.cast(what, slow.label(label), call);
    let label = walk.step(&[label], Box::new(step));
    walk.set_label(call, label);
}

fn computed<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, number: u32) {
    let operands = call.arguments();
    let Some(bits) = bits_of(operands[0]).filter(|&bits| bits <= 64) else { return lose_all(walk, call) };
    let labels: Vec<Label<'ctx>> = operands.iter().map(|&operand| walk.label_of(operand)).collect();
    let pair = number >= FIRST_PAIR;
    let step = |part: u32| {
        let (operands, labels) = (operands.clone(), labels.clone());
        move |slow: &Slow<'_, 'ctx>| {
            let program = slow.program;
            let result = if pair { program.code.extract(call, part) } else { call };
            let operand = |index: usize| operands.get(index).filter(|operand| bits_of(**operand) == Some(bits));
            let label = |index: usize| operand(index).map_or(slow.none(), |_| slow.label(labels[index]));
            let value = |index: usize| operand(index).map_or(program.large(0), |operand| slow.number(*operand));
            let what = program.small(number | part << 8 | bits << 16);
            let arguments = [what, label(0), label(1), label(2), value(0), value(1), value(2), slow.number(result)];
            program.label("byway_sym_intrinsic", &arguments)
        }
    };
    let first = walk.step(&labels, Box::new(step(0)));
    if !pair {
        return walk.set_label(call, first);
    }
    let second = walk.step(&labels, Box::new(step(1)));
    walk.set_labels(call, vec![first, second]);
}

/// Before a copy or fill of memory at a symbolic place or of a symbolic length: what is there stays, where it does not reach.
fn transferring<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, copies: bool) {
    let arguments = call.arguments();
    let (to, other, size) = (arguments[0], arguments[1], arguments[2]);
    let (lt, lo, ls) = (walk.label_of(to), walk.label_of(other), walk.label_of(size));
    let site = walk.program.site(call);
    let step = move |slow: &Slow<'_, 'ctx>| {
        let program = slow.program;
        let (to, length) = (slow.number(to), slow.number(size));
        let labels = [slow.label(lt), slow.label(lo), slow.label(ls)];
        if copies {
            program
                .note("byway_sym_copying", &[&[to, slow.number(other), length][..], &labels[..], &[site][..]].concat());
        } else {
            let byte = program.code.resize(other, program.code.integer(32));
            program.note("byway_sym_filling", &[&[to, length][..], &labels[..], &[byte, site][..]].concat());
        }
        slow.none()
    };
    if copies {
        walk.step(&[lt, lo, ls], Box::new(step))
    } else {
        walk.step(&[lt, ls], Box::new(step))
    };
}

/// A copy or fill of memory.
fn transfer<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, copies: bool) {
    let arguments = call.arguments();
    let (to, other, size) = (arguments[0], arguments[1], arguments[2]);
    transferring(walk, call, copies);
    // What was read before it must be seen before it.
    walk.flush(call);
    let (lt, lo, ls) = (walk.label_of(to), walk.label_of(other), walk.label_of(size));
    let site = walk.program.site(call);
    let step = move |slow: &Slow<'_, 'ctx>| {
        let program = slow.program;
        let length = slow.number(size);
        if copies {
            let places = [slow.number(to), slow.number(other), length];
            let labels = [slow.label(lt), slow.label(lo), slow.label(ls), site];
            program.note("byway_sym_copy", &[&places[..], &labels[..]].concat());
        } else {
            let arguments = [slow.number(to), length, slow.label(lt), slow.label(lo), slow.label(ls), site];
            program.note("byway_sym_fill", &arguments);
        }
        slow.none()
    };
    let small = size.integer().filter(|&size| size <= 48);
    for label in [lt, lo, ls] {
        walk.segment.when_label(label);
    }
    match small {
        Some(0) => return,
        Some(size) => {
            walk.segment.when(Condition::Tag(MemoryRange { address: to, offset: 0, size }, false));
            if copies {
                walk.segment.when(Condition::Tag(MemoryRange { address: other, offset: 0, size }, false));
            }
        }
        None => walk.segment.when(Condition::Traced),
    }
    walk.segment.step(Box::new(step));
}

fn variable_arguments<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>) {
    let (Some(kept), list) = (walk.kept, call.arguments()[0]) else { return };
    let fixed = walk.function.parameters().len() as u32;
    let step = move |slow: &Slow<'_, 'ctx>| {
        let program = slow.program;
        program.note("byway_sym_va_start", &[slow.number(list), kept, program.small(fixed)]);
        slow.none()
    };
    walk.step_when(Condition::Traced, Box::new(step));
}

/// A call of a function of `models/byway.h`: it gets the labels of its arguments behind them.
pub fn of_model<'ctx>(walk: &mut Walk<'_, 'ctx>, call: Value<'ctx>, name: &str) {
    walk.flush(call);
    let program = walk.program;
    let code = &program.code;
    code.before(call);
    let mut arguments: Vec<Value<'ctx>> = Vec::new();
    for argument in call.arguments() {
        arguments.push(match argument.ty().kind() {
            Kind::Integer(bits) if bits < 32 => code.resize(argument, code.integer(32)),
            _ => argument,
        });
    }
    for argument in call.arguments() {
        arguments.push(match walk.label_of(argument) {
            Label::Ready(label) => label,
            _ => program.small(0),
        });
    }
    let name = name.replacen("byway_", "byway_intrinsic_", 1);
    let result = program.runtime(&name, call.ty(), &arguments);
    if call.ty().kind() != Kind::Void {
        call.replace_with(result);
        walk.replaced.insert(call, result);
    }
    code.remove(call);
}
