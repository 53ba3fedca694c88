//! Instructions that compute.

use byway_canonical::site_kind;
use byway_llvm::ir::{IntPredicate, Kind, Opcode, Value};
use byway_map::SiteKind;
use byway_trace::layout::{cause, op};

use super::models::Meaning;
use super::reach::has_labels;
use super::segment::{Condition, Label, Slow};
use super::signedness::{Signedness, signedness};
use super::walk::Walk;

/// The operator of an instruction with two operands.
fn operator(opcode: Opcode) -> Option<u8> {
    use Opcode::*;
    Some(match opcode {
        LLVMAdd => op::ADD,
        LLVMSub => op::SUB,
        LLVMMul => op::MUL,
        LLVMUDiv => op::UDIV,
        LLVMSDiv => op::SDIV,
        LLVMURem => op::UREM,
        LLVMSRem => op::SREM,
        LLVMShl => op::SHL,
        LLVMLShr => op::LSHR,
        LLVMAShr => op::ASHR,
        LLVMAnd => op::AND,
        LLVMOr => op::OR,
        LLVMXor => op::XOR,
        _ => return None,
    })
}

/// The operator of a comparison, and whether its operands change places.
fn comparison(predicate: IntPredicate) -> (u8, bool) {
    use IntPredicate::*;
    match predicate {
        LLVMIntEQ => (op::EQ, false),
        LLVMIntNE => (op::NE, false),
        LLVMIntULT => (op::ULT, false),
        LLVMIntULE => (op::ULE, false),
        LLVMIntUGT => (op::ULT, true),
        LLVMIntUGE => (op::ULE, true),
        LLVMIntSLT => (op::SLT, false),
        LLVMIntSLE => (op::SLE, false),
        LLVMIntSGT => (op::SLT, true),
        LLVMIntSGE => (op::SLE, true),
    }
}

/// The bits of a scalar that has labels.
pub fn bits_of(value: Value<'_>) -> Option<u32> {
    match value.ty().kind() {
        Kind::Integer(bits) if bits <= 128 => Some(bits),
        Kind::Pointer => Some(64),
        _ => None,
    }
}

/// An instruction that only computes.
pub fn operation<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    use Opcode::*;
    let Some(opcode) = instruction.opcode() else { return };
    match opcode {
        LLVMICmp => compare(walk, instruction),
        LLVMSelect => select(walk, instruction),
        LLVMGetElementPtr => element(walk, instruction),
        LLVMZExt | LLVMSExt | LLVMTrunc | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast => {
            cast(walk, instruction)
        }
        LLVMFreeze => freeze(walk, instruction),
        LLVMExtractValue => extract_value(walk, instruction),
        LLVMInsertValue => insert_value(walk, instruction),
        LLVMExtractElement => extract_element(walk, instruction),
        LLVMInsertElement => insert_element(walk, instruction),
        LLVMShuffleVector => shuffle(walk, instruction),
        LLVMSIToFP | LLVMUIToFP => {
            let labels = walk.labels_of(instruction.operand(0));
            walk.lose(&labels, cause::FLOATING_POINT, walk.program.site(instruction));
        }
        _ => match operator(opcode) {
            Some(operator) => binary(walk, instruction, operator),
            None => lose_all(walk, instruction),
        },
    }
}

/// Something that there is no expression for.
pub fn lose_all<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let labels: Vec<Label<'ctx>> = instruction.operands().flat_map(|operand| walk.labels_of(operand)).collect();
    walk.lose(&labels, cause::OPERATION, walk.program.site(instruction));
}

fn binary<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>, operator: u8) {
    let (a, b) = (instruction.operand(0), instruction.operand(1));
    let Some(bits) = bits_of(instruction) else { return lose_all(walk, instruction) };
    if matches!(operator, op::UDIV | op::SDIV | op::UREM | op::SREM) {
        divide(walk, instruction, matches!(operator, op::SDIV | op::SREM));
    }
    let (la, lb) = (walk.label_of(a), walk.label_of(b));
    let what = u32::from(operator) | bits << 8 | bits << 16;
    let checked = is_checked(walk, instruction);
    let what = if checked && operator == op::SHL { what | base(instruction) } else { what };
    let site = checked.then(|| walk.program.site_number(instruction));
    let step = move |slow: &Slow<'_, 'ctx>| match site {
        Some(site) if bits <= 64 => slow.checked(what, site, (la, a), (lb, b), instruction),
        _ => slow.binary(what, (la, a), (lb, b), instruction),
    };
    let label = walk.step(&[la, lb], Box::new(step));
    walk.set_label(instruction, label);
    if checked && bits > 64 && !is_shift(operator) {
        let site = walk.program.site(instruction);
        let step = move |slow: &Slow<'_, 'ctx>| {
            slow.program.note("byway_sym_overflow", &[slow.label(label), site]);
            slow.none()
        };
        walk.step(&[label], Box::new(step));
    }
}

/// Whether C does not define an instruction for all operands: signed arithmetic, shifts by what is not constant. Models are
/// not the program's.
fn is_checked<'ctx>(walk: &Walk<'_, 'ctx>, instruction: Value<'ctx>) -> bool {
    let kind = site_kind(instruction.instruction());
    !walk.is_model && matches!(kind, Some(SiteKind::SignedArithmetic | SiteKind::Shift))
}

/// Behind operator and widths: whether what is shifted to the left is a signed number (2), or may be one (1).
fn base(shift: Value<'_>) -> u32 {
    match signedness(shift) {
        Signedness::Signed => 2 << 24,
        Signedness::Unknown => 1 << 24,
        Signedness::Unsigned => 0,
    }
}

fn is_shift(operator: u8) -> bool {
    matches!(operator, op::SHL | op::LSHR | op::ASHR)
}

/// A division can fail for its divisor; one of signed numbers by -1, for what is divided too. It is noted before it is done: if it
/// traps, the trace says what would not have.
fn divide<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>, signed: bool) {
    let (a, b) = (instruction.operand(0), instruction.operand(1));
    let (la, lb) = (walk.label_of(a), walk.label_of(b));
    let by_minus_one = signed && b.signed().is_none_or(|divisor| divisor == -1);
    let (site, signed) = (walk.program.site(instruction), walk.program.small(signed.into()));
    let step = move |slow: &Slow<'_, 'ctx>| {
        let arguments = [signed, slow.label(la), slow.label(lb), slow.number(a), slow.number(b), site];
        slow.program.note("byway_sym_divide", &arguments);
        slow.none()
    };
    let labels = if by_minus_one { &[la, lb][..] } else { &[lb] };
    if labels.iter().any(|&label| label != Label::Zero) {
        walk.step(labels, Box::new(step));
        walk.flush(instruction);
    }
}

fn compare<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let (mut a, mut b) = (instruction.operand(0), instruction.operand(1));
    let Some(bits) = bits_of(a) else { return lose_all(walk, instruction) };
    let (operator, swapped) = comparison(instruction.predicate());
    if swapped {
        std::mem::swap(&mut a, &mut b);
    }
    let (la, lb) = (walk.label_of(a), walk.label_of(b));
    let what = u32::from(operator) | 1 << 8 | bits << 16;
    let step = move |slow: &Slow<'_, 'ctx>| slow.binary(what, (la, a), (lb, b), instruction);
    let label = walk.step(&[la, lb], Box::new(step));
    walk.set_label(instruction, label);
}

impl<'ctx> Slow<'_, 'ctx> {
    /// The label of an operator's result.
    pub fn binary(
        &self,
        what: u32,
        (la, a): (Label<'ctx>, Value<'ctx>),
        (lb, b): (Label<'ctx>, Value<'ctx>),
        result: Value<'ctx>,
    ) -> Value<'ctx> {
        let (program, wide) = (self.program, what >> 16 & 0xff > 64);
        let ([a, a_high], [b, b_high], [value, high]) = (self.halves(a), self.halves(b), self.halves(result));
        let labels = [program.small(what), self.label(la), self.label(lb)];
        if wide {
            let values = [a, a_high, b, b_high, value, high];
            return program.label("byway_sym_wide", &[&labels[..], &values[..]].concat());
        }
        program.label("byway_sym_binary", &[&labels[..], &[a, b, value][..]].concat())
    }

    /// The same for at most 64 bits, at a place where C does not define it for all operands.
    fn checked(
        &self,
        what: u32,
        site: u32,
        (la, a): (Label<'ctx>, Value<'ctx>),
        (lb, b): (Label<'ctx>, Value<'ctx>),
        result: Value<'ctx>,
    ) -> Value<'ctx> {
        let what = self.program.large(u64::from(site) << 32 | u64::from(what));
        let values = [self.number(a), self.number(b), self.number(result)];
        self.program.label("byway_sym_checked", &[&[what, self.label(la), self.label(lb)][..], &values[..]].concat())
    }

    /// The label of an extension, a truncation or a count of bits.
    pub fn cast(&self, what: u32, label: Value<'ctx>, result: Value<'ctx>) -> Value<'ctx> {
        let [low, high] = self.halves(result);
        self.program.label("byway_sym_cast", &[self.program.small(what), label, low, high])
    }
}

/// Whether an instruction without a branch decides the path. Models say themselves what they mean.
pub fn decides(walk: &Walk<'_, '_>, instruction: Value<'_>) -> bool {
    !walk.is_model && site_kind(instruction.instruction()) == Some(SiteKind::Select)
}

fn select<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    if decides(walk, instruction) {
        return decide(walk, instruction);
    }
    let (condition, then, otherwise) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
    let (Some(bits), Some(1)) = (bits_of(instruction), bits_of(condition)) else {
        return lose_all(walk, instruction);
    };
    let (lc, lt, lo) = (walk.label_of(condition), walk.label_of(then), walk.label_of(otherwise));
    let step = move |slow: &Slow<'_, 'ctx>| {
        let program = slow.program;
        let value = program.code.resize(condition, program.code.integer(32));
        let ([t, t_high], [o, o_high]) = (slow.halves(then), slow.halves(otherwise));
        let labels = [slow.label(lc), slow.label(lt), slow.label(lo)];
        let arguments = [&[program.small(bits)][..], &labels[..], &[value, t, t_high, o, o_high][..]].concat();
        program.label("byway_sym_ite", &arguments)
    };
    let label = walk.step(&[lc, lt, lo], Box::new(step));
    walk.set_label(instruction, label);
}

/// A choice of the path: what is chosen has the labels of its side.
fn decide<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let (condition, then, otherwise) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
    let (label, site) = (walk.label_of(condition), walk.program.site(instruction));
    let step = move |slow: &Slow<'_, 'ctx>| {
        let taken = slow.program.code.resize(condition, slow.program.code.integer(32));
        slow.program.note("byway_sym_branch", &[slow.label(label), taken, site]);
        slow.none()
    };
    walk.step(&[label], Box::new(step));
    let sides = walk.labels_of(then).into_iter().zip(walk.labels_of(otherwise));
    let labels = sides.map(|(then, otherwise)| {
        let step =
            move |slow: &Slow<'_, 'ctx>| slow.program.code.select(condition, slow.label(then), slow.label(otherwise));
        walk.step(&[then, otherwise], Box::new(step))
    });
    let labels = labels.collect();
    walk.set_labels(instruction, labels);
}

/// An address: the base, and for each index that is not constant the index times the size of what it counts.
fn element<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    if bits_of(instruction).is_none() {
        return lose_all(walk, instruction);
    }
    let code = &walk.program.code;
    let base = instruction.operand(0);
    let mut ty = instruction.source_element_type();
    let mut constant = 0u64;
    let mut scaled: Vec<(Value<'ctx>, Label<'ctx>, u64)> = Vec::new();
    for (position, index) in (1..instruction.operand_count()).map(|number| instruction.operand(number)).enumerate() {
        let size = match (position, ty.kind()) {
            (0, _) => code.size_of(ty),
            (_, Kind::Struct(_)) => {
                let member = index.integer().expect("members are constant") as u32;
                constant = constant.wrapping_add(code.offset_of(ty, member));
                ty = ty.member(member);
                continue;
            }
            (_, Kind::Array(element, _) | Kind::Vector(element, _)) => {
                ty = element;
                code.size_of(element)
            }
            _ => return lose_all(walk, instruction),
        };
        match index.signed() {
            Some(index) => constant = constant.wrapping_add((index as u64).wrapping_mul(size)),
            None => scaled.push((index, walk.label_of(index), size)),
        }
    }
    let base_label = walk.label_of(base);
    let labels: Vec<Label<'ctx>> =
        std::iter::once(base_label).chain(scaled.iter().map(|&(_, label, _)| label)).collect();
    let step = move |slow: &Slow<'_, 'ctx>| {
        let mut sum = (slow.label(base_label), slow.number(base));
        for &(index, label, size) in &scaled {
            let part = slow.scaled(index, label, size);
            sum = slow.sum(sum, part);
        }
        if constant != 0 {
            sum = slow.sum(sum, (slow.program.small(0), slow.program.large(constant)));
        }
        sum.0
    };
    let label = walk.step(&labels, Box::new(step));
    walk.set_label(instruction, label);
}

impl<'ctx> Slow<'_, 'ctx> {
    /// An index, with its sign, times a size: label and value.
    pub fn scaled(&self, index: Value<'ctx>, label: Label<'ctx>, size: u64) -> (Value<'ctx>, Value<'ctx>) {
        let (program, code) = (self.program, &self.program.code);
        let wide = code.resize_signed(index, code.integer(64));
        let value = code.multiply(wide, program.large(size));
        if label == Label::Zero {
            return (program.small(0), value);
        }
        let mut label = self.label(label);
        let bits = bits_of(index).unwrap_or(64);
        if bits < 64 {
            label = self.cast(u32::from(op::SEXT) | 64 << 8, label, wide);
        } else if bits > 64 {
            label = self.cast(u32::from(op::EXTRACT) | 64 << 8, label, wide);
        }
        if size == 1 {
            return (label, value);
        }
        let what = program.small(u32::from(op::MUL) | 64 << 8 | 64 << 16);
        let arguments = [what, label, program.small(0), wide, program.large(size), value];
        (program.label("byway_sym_binary", &arguments), value)
    }

    fn sum(&self, a: (Value<'ctx>, Value<'ctx>), b: (Value<'ctx>, Value<'ctx>)) -> (Value<'ctx>, Value<'ctx>) {
        let program = self.program;
        let value = program.code.add(a.1, b.1);
        let what = program.small(u32::from(op::ADD) | 64 << 8 | 64 << 16);
        (program.label("byway_sym_binary", &[what, a.0, b.0, a.1, b.1, value]), value)
    }
}

fn cast<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let operand = instruction.operand(0);
    let labels = walk.labels_of(operand);
    if labels.iter().all(|label| *label == Label::Zero) {
        return;
    }
    let (Some(from), Some(to)) = (bits_of(operand), bits_of(instruction)) else {
        let why = if has_labels(instruction.ty()) { cause::OPERATION } else { cause::FLOATING_POINT };
        return walk.lose(&labels, why, walk.program.site(instruction));
    };
    let label = labels[0];
    if from == to {
        return walk.set_label(instruction, label);
    }
    let operator = match instruction.opcode() {
        Some(Opcode::LLVMSExt) => op::SEXT,
        _ if to > from => op::ZEXT,
        _ => op::EXTRACT,
    };
    let what = u32::from(operator) | to << 8;
    let step = move |slow: &Slow<'_, 'ctx>| slow.cast(what, slow.label(label), instruction);
    let label = walk.step(&[label], Box::new(step));
    walk.set_label(instruction, label);
}

/// The same value; in models also how a value gets its meaning.
fn freeze<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let label = match walk.program.meanings.get(&instruction).cloned() {
        None => return walk.set_labels(instruction, walk.labels_of(instruction.operand(0))),
        Some(Meaning::Concrete) => return,
        Some(Meaning::Is(real, model)) => {
            let [real, model] = [real, model].map(|value| walk.replaced.get(&value).copied().unwrap_or(value));
            let (lr, lm) = (walk.label_of(real), walk.label_of(model));
            let step = move |slow: &Slow<'_, 'ctx>| {
                let arguments = [slow.number(real), slow.number(model), slow.label(lr), slow.label(lm)];
                slow.program.label("byway_intrinsic_is", &arguments)
            };
            walk.step(&[lm], Box::new(step))
        }
        Some(Meaning::StreamByte(arguments)) => {
            let [stream, position, index, byte] =
                arguments.map(|value| walk.replaced.get(&value).copied().unwrap_or(value));
            let step = move |slow: &Slow<'_, 'ctx>| {
                let code = &slow.program.code;
                let byte = code.resize(byte, code.integer(32));
                let none = slow.none();
                slow.program
                    .label("byway_intrinsic_stream_byte", &[stream, position, index, byte, none, none, none, none])
            };
            walk.step_when(Condition::Traced, Box::new(step))
        }
    };
    walk.set_label(instruction, label);
}

/// Where the scalars of a member are among all scalars of an aggregate.
fn member_range<'ctx>(walk: &Walk<'_, 'ctx>, aggregate: Value<'ctx>, indices: &[u32]) -> std::ops::Range<usize> {
    let leaves = walk.leaves(aggregate.ty());
    let inside = |leaf: &super::walk::Leaf<'ctx>| leaf.path.starts_with(indices);
    let start = leaves.iter().position(inside).unwrap_or(0);
    start..start + leaves.iter().filter(|leaf| inside(leaf)).count()
}

fn extract_value<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let aggregate = instruction.operand(0);
    let range = member_range(walk, aggregate, &instruction.indices());
    let labels = walk.labels_of(aggregate).get(range).map(<[_]>::to_vec);
    walk.set_labels(instruction, labels.unwrap_or_default());
}

fn insert_value<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let (aggregate, member) = (instruction.operand(0), instruction.operand(1));
    let range = member_range(walk, aggregate, &instruction.indices());
    let mut labels = walk.labels_of(aggregate);
    let inserted = walk.labels_of(member);
    if range.len() == inserted.len() && range.end <= labels.len() {
        labels[range].copy_from_slice(&inserted);
        walk.set_labels(instruction, labels);
    } else {
        lose_all(walk, instruction);
    }
}

fn extract_element<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let labels = walk.labels_of(instruction.operand(0));
    let index = instruction.operand(1).integer();
    match index.and_then(|index| labels.get(index as usize)) {
        Some(&label) => walk.set_label(instruction, label),
        None => lose_all(walk, instruction),
    }
}

fn insert_element<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let mut labels = walk.labels_of(instruction.operand(0));
    let label = walk.label_of(instruction.operand(1));
    let index = instruction.operand(2).integer();
    match index.and_then(|index| labels.get_mut(index as usize)) {
        Some(lane) => {
            *lane = label;
            walk.set_labels(instruction, labels);
        }
        None => lose_all(walk, instruction),
    }
}

fn shuffle<'ctx>(walk: &mut Walk<'_, 'ctx>, instruction: Value<'ctx>) {
    let both = [walk.labels_of(instruction.operand(0)), walk.labels_of(instruction.operand(1))].concat();
    let lane = |lane: Option<u32>| lane.and_then(|lane| both.get(lane as usize)).copied().unwrap_or(Label::Zero);
    let labels = instruction.shuffle_mask().into_iter().map(lane).collect();
    walk.set_labels(instruction, labels);
}
