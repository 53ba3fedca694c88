//! Reads and writes.

use byway_llvm::ir::{Kind, Opcode, Value};
use byway_trace::layout::{cause, op};

use super::reach::has_labels;
use super::segment::{Condition, Label, MemoryRange, Slow};
use super::walk::{Leaf, Walk};

/// Whether an instruction can fail on other inputs: an access through an address that is computed, a division.
pub fn can_fail(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMLoad) => !is_fixed(instruction.operand(0)),
        Some(Opcode::LLVMStore) => !is_fixed(instruction.operand(1)),
        Some(Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem) => {
            !instruction.operand(1).is_constant()
        }
        _ => false,
    }
}

/// Whether an address is a variable's, or at a fixed distance from one.
pub fn is_fixed(address: Value<'_>) -> bool {
    match address.opcode() {
        Some(Opcode::LLVMAlloca) => true,
        Some(Opcode::LLVMGetElementPtr) => {
            is_fixed(address.operand(0)) && address.operands().skip(1).all(Value::is_constant)
        }
        Some(_) => false,
        None => address.is_constant(),
    }
}

/// Writes of so many bytes through a symbolic address are followed to all places that they can have.
const MOST_THROUGH: u64 = 8;

/// Whether the first and the last byte of an access are in the same 8 bytes.
fn together(size: u64, alignment: u32, offset: u64) -> bool {
    size == 1 || size <= 8 && offset == 0 && u64::from(alignment) >= size.next_power_of_two()
}

/// Behind the size of an access: how many of the lowest bits of its address must be 0. What is not at the address itself is
/// aligned if that is.
fn alignment(access: Value<'_>, offset: u64) -> u32 {
    if offset == 0 { access.alignment().max(1).trailing_zeros() << 16 } else { 0 }
}

/// A read.
pub fn load<'ctx>(walk: &mut Walk<'_, 'ctx>, load: Value<'ctx>) {
    let address = load.operand(0);
    let label = walk.label_of(address);
    if label != Label::Zero || walk.segment.writes_through {
        walk.segment.reads_through = true;
    }
    let leaves = walk.leaves(load.ty());
    let mut labels = Vec::new();
    for leaf in leaves {
        labels.push(load_leaf(walk, load, &leaf, label));
    }
    if !labels.is_empty() {
        walk.set_labels(load, labels);
    }
}

fn load_leaf<'ctx>(walk: &mut Walk<'_, 'ctx>, load: Value<'ctx>, leaf: &Leaf<'ctx>, label: Label<'ctx>) -> Label<'ctx> {
    let (address, site) = (load.operand(0), walk.program.site(load));
    let size = walk.program.code.store_size_of(leaf.ty);
    let Leaf { path, offset, ty } = leaf.clone();
    let place = MemoryRange { address, offset, size };
    if !has_labels(ty) {
        walk.segment.when(Condition::Tag(place, false));
        walk.segment.when_label(label);
        walk.segment.step(Box::new(move |slow| touch(slow, place, label, false, site)));
        return Label::Zero;
    }
    if label == Label::Zero && address.is_constant_variable() {
        return Label::Zero;
    }
    walk.segment.when_label(label);
    walk.segment.when(Condition::Tag(place, together(size, load.alignment(), offset)));
    let aligned = if walk.is_model { 0 } else { alignment(load, offset) };
    walk.segment.step(Box::new(move |slow| {
        let program = slow.program;
        let [low, high] = slow.halves(slow.leaf(load, &path));
        let at = slow.address(place);
        let size_and_alignment = program.small(size as u32 | aligned);
        let arguments = [slow.label(label), at, size_and_alignment, low, high, site];
        let whole = program.label("byway_sym_load", &arguments);
        match ty.kind() {
            Kind::Integer(bits) if u64::from(bits) != 8 * size => {
                let what = u32::from(op::EXTRACT) | bits << 8;
                program.label("byway_sym_cast", &[program.small(what), whole, low, high])
            }
            _ => whole,
        }
    }))
}

impl<'ctx> Slow<'_, 'ctx> {
    /// The number of a place.
    pub fn address(&self, place: MemoryRange<'ctx>) -> Value<'ctx> {
        let number = self.number(place.address);
        if place.offset == 0 { number } else { self.program.code.add(number, self.program.large(place.offset)) }
    }
}

/// An access to memory whose content has no labels.
fn touch<'ctx>(
    slow: &Slow<'_, 'ctx>,
    place: MemoryRange<'ctx>,
    label: Label<'ctx>,
    write: bool,
    site: Value<'ctx>,
) -> Value<'ctx> {
    let program = slow.program;
    let at = slow.address(place);
    let (size, write) = (program.large(place.size), program.small(u32::from(write)));
    program.note("byway_sym_range", &[at, size, slow.label(label), program.small(0), write, site]);
    let why = program.small(cause::FLOATING_POINT);
    program.note("byway_sym_opaque", &[at, size, write, why, site]);
    slow.none()
}

/// A write.
pub fn store<'ctx>(walk: &mut Walk<'_, 'ctx>, store: Value<'ctx>) {
    let (value, address) = (store.operand(0), store.operand(1));
    let is_through = walk.label_of(address) != Label::Zero;
    if walk.segment.reads_through || is_through && walk.segment.writes_through {
        walk.flush(store);
    }
    walk.segment.writes_through |= is_through;
    let (label, site) = (walk.label_of(address), walk.program.site(store));
    let leaves = walk.leaves(value.ty());
    if leaves.is_empty() {
        let place = MemoryRange { address, offset: 0, size: walk.program.code.store_size_of(value.ty()) };
        walk.segment.when_label(label);
        walk.segment.when(Condition::Tag(place, false));
        walk.segment.step(Box::new(move |slow| touch(slow, place, label, true, site)));
        return;
    }
    let labels = walk.labels_of(value);
    for (Leaf { path, offset, ty }, stored) in leaves.into_iter().zip(labels) {
        let size = walk.program.code.store_size_of(ty);
        let place = MemoryRange { address, offset, size };
        walk.segment.when_label(label);
        walk.segment.when_label(stored);
        walk.segment.when(Condition::Tag(place, together(size, store.alignment(), offset)));
        if !has_labels(ty) {
            walk.segment.step(Box::new(move |slow| touch(slow, place, label, true, site)));
            continue;
        }
        let aligned = if walk.is_model { 0 } else { alignment(store, offset) };
        let old = (is_through && size <= MOST_THROUGH).then(|| before(walk, store, place));
        walk.segment.step(Box::new(move |slow| {
            let program = slow.program;
            let at = slow.address(place);
            let size_and_alignment = program.small(size as u32 | aligned);
            let arguments = [slow.label(label), slow.label(stored), at, size_and_alignment, site];
            match old {
                Some(old) => {
                    let values = [slow.number(slow.leaf(value, &path)), slow.number(old)];
                    program.note("byway_sym_store_through", &[&arguments[..], &values[..]].concat());
                }
                None => program.note("byway_sym_store", &arguments),
            }
            slow.none()
        }));
    }
}

/// What is at a place before a write: if its address is symbolic, that stays there for other addresses.
fn before<'ctx>(walk: &Walk<'_, 'ctx>, store: Value<'ctx>, place: MemoryRange<'ctx>) -> Value<'ctx> {
    let code = &walk.program.code;
    code.before(store);
    let address = if place.offset == 0 { place.address } else { code.offset(place.address, place.offset) };
    let alignment = if place.offset == 0 { store.alignment().max(1) } else { 1 };
    code.load(code.integer(8 * place.size as u32), address, alignment)
}

/// An atomic update: what it makes of symbolic data is not followed.
pub fn atomic<'ctx>(walk: &mut Walk<'_, 'ctx>, update: Value<'ctx>) {
    if walk.segment.reads_through {
        walk.flush(update);
    }
    let (address, site) = (update.operand(0), walk.program.site(update));
    let given: Vec<Label<'ctx>> = update.operands().skip(1).map(|operand| walk.label_of(operand)).collect();
    walk.lose(&given, cause::OPERATION, site);
    let size = walk.program.code.store_size_of(update.operand(1).ty());
    let step = move |slow: &Slow<'_, 'ctx>| {
        let program = slow.program;
        let (size, why) = (program.large(size), program.small(cause::OPERATION));
        program.note("byway_sym_opaque", &[slow.number(address), size, program.small(1), why, site]);
        slow.none()
    };
    walk.step_when(Condition::Tag(MemoryRange { address, offset: 0, size }, false), Box::new(step));
}

/// Room of a size that is known only now.
pub fn alloca<'ctx>(walk: &mut Walk<'_, 'ctx>, alloca: Value<'ctx>) {
    let count = alloca.operand(0);
    if count.integer().is_some() || walk.is_model {
        return;
    }
    let element = walk.program.code.size_of(alloca.allocated_type());
    let (label, site) = (walk.label_of(count), walk.program.site(alloca));
    let step = move |slow: &Slow<'_, 'ctx>| {
        let (label, size) = slow.scaled(count, label, element);
        slow.program.note("byway_sym_local", &[slow.number(alloca), size, label, site]);
        slow.none()
    };
    walk.segment.when_label(label);
    walk.step_when(Condition::Traced, Box::new(step));
}
