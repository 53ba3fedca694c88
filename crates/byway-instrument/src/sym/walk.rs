//! Goes through a function, block by block, and hands each instruction to who knows it.

use std::collections::HashMap;

use byway_llvm::ir::{Block, IntPredicate, Kind, Opcode, Type, Value};
use byway_trace::layout::cause;

use super::reach::has_labels;
use super::segment::{Condition, Label, MemoryRange, Segment, Slow, Step};
use super::tables::{MAX_LOCALS, thread};
use super::{Program, calls, memory, operations, targets};

/// How many steps a segment has at most: all values that it needs stay alive until its end.
const LONGEST: usize = 48;
/// Up to this size a local variable's tags are looked at in passing.
const SMALL_LOCAL: u64 = 64;

/// Instruments a function.
pub fn instrument<'ctx>(program: &Program<'ctx>, function: Value<'ctx>) {
    let mut walk = Walk {
        program,
        function,
        is_model: program.models.contains(&function),
        labels: HashMap::new(),
        segment: Segment::default(),
        waiting: Vec::new(),
        phis: Vec::new(),
        results: HashMap::new(),
        frames: None,
        kept: None,
        replaced: HashMap::new(),
        unnoted: None,
    };
    let blocks = function.blocks();
    let mut first = Some(walk.enter(blocks[0]));
    for block in in_order(&blocks) {
        let instructions = first.take().unwrap_or_else(|| block.instructions());
        walk.block(block, instructions);
    }
    walk.finish_phis();
}

/// The blocks that can be reached, each after all that dominate it.
fn in_order<'ctx>(blocks: &[Block<'ctx>]) -> Vec<Block<'ctx>> {
    let mut order = Vec::new();
    let mut seen = std::collections::HashSet::from([blocks[0]]);
    let mut stack = vec![(blocks[0], blocks[0].successors())];
    while let Some((block, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(next) if seen.insert(next) => stack.push((next, next.successors())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Nothing goes before these, and local variables are noted before they are all there.
pub fn is_first(instruction: Value<'_>) -> bool {
    matches!(instruction.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMLandingPad | Opcode::LLVMAlloca))
}

/// The labels of a value, one for each scalar in it.
type Labels<'ctx> = Vec<Label<'ctx>>;

/// A scalar within a value: how to get at it, where it is in memory, and its type.
#[derive(Debug, Clone)]
pub struct Leaf<'ctx> {
    pub path: Vec<u32>,
    pub offset: u64,
    pub ty: Type<'ctx>,
}

/// The walk through one function.
pub struct Walk<'p, 'ctx> {
    pub program: &'p Program<'ctx>,
    pub function: Value<'ctx>,
    pub is_model: bool,
    labels: HashMap<Value<'ctx>, Labels<'ctx>>,
    pub segment: Segment<'ctx>,
    /// The values whose labels the current segment computes.
    waiting: Vec<Value<'ctx>>,
    /// Labels of phis, whose edges are added at the end: the phi, which of its scalars, the label.
    phis: Vec<(Value<'ctx>, usize, Value<'ctx>)>,
    /// Invokes whose results are taken at the beginning of these blocks.
    pub results: HashMap<Block<'ctx>, Value<'ctx>>,
    /// Where local variables were noted before and after this function's.
    pub frames: Option<(Value<'ctx>, Value<'ctx>)>,
    /// The labels of variable arguments.
    pub kept: Option<Value<'ctx>>,
    /// In models, calls of the runtime in the place of what was there.
    pub replaced: HashMap<Value<'ctx>, Value<'ctx>>,
    /// The number of the current block, as long as no operation was noted in it since it began, or since the last call.
    pub unnoted: Option<u32>,
}

/// Values of more scalars than this have no labels.
const MOST_LEAVES: usize = 16;

impl<'ctx> Walk<'_, 'ctx> {
    /// The scalars in a type; none if there are too many, or some that have no labels and no size.
    pub fn leaves(&self, ty: Type<'ctx>) -> Vec<Leaf<'ctx>> {
        let mut leaves = Vec::new();
        self.add_leaves(ty, &mut Vec::new(), 0, &mut leaves);
        if leaves.len() > MOST_LEAVES {
            leaves.clear();
        }
        leaves
    }

    fn add_leaves(&self, ty: Type<'ctx>, path: &mut Vec<u32>, offset: u64, leaves: &mut Vec<Leaf<'ctx>>) {
        if leaves.len() > MOST_LEAVES {
            return;
        }
        let code = &self.program.code;
        let members: Vec<(u64, Type<'ctx>)> = match ty.kind() {
            Kind::Struct(count) => (0..count).map(|index| (code.offset_of(ty, index), ty.member(index))).collect(),
            Kind::Array(element, count) if count <= MOST_LEAVES as u64 => {
                (0..count).map(|index| (index * code.size_of(element), element)).collect()
            }
            // Lanes of vectors are packed; those that are not whole bytes have no place of their own.
            Kind::Vector(element, count)
                if count <= MOST_LEAVES as u32
                    && code.store_size_of(element) * u64::from(count) == code.store_size_of(ty) =>
            {
                (0..count).map(|index| (u64::from(index) * code.store_size_of(element), element)).collect()
            }
            Kind::Array(..) | Kind::Vector(..) => {
                return leaves.extend(vec![Leaf { path: Vec::new(), offset, ty }; MOST_LEAVES + 1]);
            }
            _ => return leaves.push(Leaf { path: path.clone(), offset, ty }),
        };
        for (index, (within, member)) in members.into_iter().enumerate() {
            path.push(index as u32);
            self.add_leaves(member, path, offset + within, leaves);
            path.pop();
        }
    }

    /// The labels of a value.
    pub fn labels_of(&self, value: Value<'ctx>) -> Labels<'ctx> {
        let known = self.labels.get(&value).cloned();
        known.unwrap_or_else(|| vec![Label::Zero; self.leaves(value.ty()).len().max(1)])
    }

    /// The label of a scalar.
    pub fn label_of(&self, value: Value<'ctx>) -> Label<'ctx> {
        self.labels.get(&value).and_then(|labels| labels.first()).copied().unwrap_or(Label::Zero)
    }

    /// Whether a value can be symbolic.
    pub fn can_be_symbolic(&self, value: Value<'ctx>) -> bool {
        self.program.symbolic.contains(&value)
    }

    /// Notes the labels of a value.
    pub fn set_labels(&mut self, value: Value<'ctx>, labels: Labels<'ctx>) {
        if labels.iter().any(|label| matches!(label, Label::Pending(_))) {
            self.waiting.push(value);
        }
        if labels.iter().any(|label| *label != Label::Zero) {
            self.labels.insert(value, labels);
        }
    }

    /// Notes the label of a scalar.
    pub fn set_label(&mut self, value: Value<'ctx>, label: Label<'ctx>) {
        self.set_labels(value, vec![label]);
    }

    /// Adds a step that is needed if one of these labels is set; none at all if they never are.
    pub fn step(&mut self, labels: &[Label<'ctx>], step: Step<'ctx>) -> Label<'ctx> {
        if labels.iter().all(|label| *label == Label::Zero) {
            return Label::Zero;
        }
        for &label in labels {
            self.segment.when_label(label);
        }
        self.segment.step(step)
    }

    /// Adds a step that is needed under a condition.
    pub fn step_when(&mut self, condition: Condition<'ctx>, step: Step<'ctx>) -> Label<'ctx> {
        self.segment.when(condition);
        self.segment.step(step)
    }

    /// Notes that a label is lost here.
    pub fn lose(&mut self, labels: &[Label<'ctx>], why: u32, site: Value<'ctx>) {
        for &label in labels {
            let step = move |slow: &Slow<'_, 'ctx>| {
                slow.program.note("byway_sym_lost", &[slow.label(label), slow.program.small(why), site]);
                slow.none()
            };
            self.step(&[label], Box::new(step));
        }
    }

    /// Ends the current segment before an instruction.
    pub fn flush(&mut self, before: Value<'ctx>) {
        let segment = std::mem::take(&mut self.segment);
        let waiting = std::mem::take(&mut self.waiting);
        if segment.len() == 0 {
            return;
        }
        let mut wanted: Vec<usize> = Vec::new();
        for value in &waiting {
            let steps = self.labels[value].iter().filter_map(|label| match label {
                Label::Pending(step) => Some(*step),
                _ => None,
            });
            wanted.extend(steps);
        }
        wanted.sort_unstable();
        wanted.dedup();
        let ready: HashMap<usize, Value<'ctx>> =
            segment.place(self.program, self.function, before, &wanted).into_iter().collect();
        for value in waiting {
            for label in self.labels.get_mut(&value).expect("waiting values have labels") {
                if let Label::Pending(step) = *label {
                    *label = Label::Ready(ready[&step]);
                }
            }
        }
    }

    /// The beginning of the function: its arguments, and its local variables. Returns the program's instructions; what is
    /// put between them is ours, and has no labels.
    fn enter(&mut self, entry: Block<'ctx>) -> Vec<Value<'ctx>> {
        // All room of a known size comes first, so that it is there before the first segment ends.
        let is_fixed = |instruction: &Value<'ctx>| {
            instruction.opcode() == Some(Opcode::LLVMAlloca) && instruction.operand(0).integer().is_some()
        };
        let allocas: Vec<Value<'ctx>> = entry.instructions().into_iter().filter(is_fixed).collect();
        for &alloca in allocas.iter().rev().filter(|&&alloca| alloca != entry.first()) {
            alloca.move_before(entry.first());
        }
        let instructions = entry.instructions();
        let locals: Vec<Value<'ctx>> =
            allocas.iter().copied().filter(|instruction| self.is_noted_local(*instruction)).take(MAX_LOCALS).collect();
        let after = instructions[allocas.len()];
        if self.function.is_variadic_function() {
            self.program.code.before(instructions[0]);
            let kept = self.program.code.alloca(self.program.code.integer(32).array(64));
            self.program.code.store(self.program.small(0), kept);
            self.kept = Some(kept);
        }
        if !locals.is_empty() && !self.is_model {
            self.note_locals(&locals, after);
        }
        calls::take_arguments(self);
        instructions
    }

    /// A local variable whose address goes elsewhere, of a size that is known.
    fn is_noted_local(&self, instruction: Value<'ctx>) -> bool {
        instruction.users().into_iter().any(|user| match user.opcode() {
            Some(Opcode::LLVMLoad) => false,
            Some(Opcode::LLVMStore) => user.operand(0) == instruction,
            Some(Opcode::LLVMCall) => !user.callee().name().starts_with("llvm.lifetime."),
            _ => true,
        })
    }

    fn note_locals(&mut self, locals: &[Value<'ctx>], after: Value<'ctx>) {
        let program = self.program;
        let code = &program.code;
        code.before(after);
        let field = code.offset(program.tables.thread, thread::FRAMES);
        let top = code.load(code.pointer(), field, 8);
        let unwanted = code.compare(IntPredicate::LLVMIntEQ, top, code.pointer().zero());
        let place = code.select(unwanted, program.tables.sink, top);
        for (index, &local) in locals.iter().enumerate() {
            let size = self.size_of_local(local);
            code.store(local, code.offset(place, 16 * index as u64));
            code.store(program.large(size), code.offset(place, 16 * index as u64 + 8));
            if size > SMALL_LOCAL {
                program.note("byway_sym_forget", &[code.number(local), program.large(size)]);
            }
        }
        let above = code.offset(top, 16 * locals.len() as u64);
        let above = code.select(unwanted, code.pointer().zero(), above);
        code.store(above, field);
        self.frames = Some((top, above));
        for &local in locals {
            let size = self.size_of_local(local);
            if size > 0 && size <= SMALL_LOCAL {
                let step = move |slow: &Slow<'_, 'ctx>| {
                    slow.program.note("byway_sym_forget", &[slow.number(local), slow.program.large(size)]);
                    slow.none()
                };
                self.step_when(Condition::Tag(MemoryRange { address: local, offset: 0, size }, false), Box::new(step));
            }
        }
    }

    fn size_of_local(&self, local: Value<'ctx>) -> u64 {
        let count = local.operand(0).integer().unwrap_or(0);
        self.program.code.size_of(local.allocated_type()) * count
    }

    /// Sets the end of the local variables, as it was before this function or as it is within.
    pub fn restore_frames(&self, within: bool) {
        if let Some((top, above)) = self.frames {
            let code = &self.program.code;
            code.store(if within { above } else { top }, code.offset(self.program.tables.thread, thread::FRAMES));
        }
    }

    fn block(&mut self, block: Block<'ctx>, instructions: Vec<Value<'ctx>>) {
        // Blocks have their numbers from before they were split.
        let number = self.program.blocks.get(&block).copied();
        if let Some(number) = number {
            self.note_executed(number, &instructions);
        }
        self.unnoted = number;
        if let Some(invoke) = self.results.remove(&block) {
            calls::take_result(self, invoke);
        }
        for instruction in instructions {
            if let Some(&(block, calls)) = self.program.points.get(&instruction) {
                self.program.code.before(instruction);
                self.program.note("byway_sym_point", &[self.program.small(block), self.program.small(calls)]);
            }
            if !is_first(instruction) && self.segment.len() >= LONGEST {
                self.flush(instruction);
            }
            if self.can_fail(instruction) {
                self.note_operation();
            }
            let may_branch =
                calls::may_branch(instruction, &self.program.straight) || operations::decides(self, instruction);
            self.instruction(instruction);
            if may_branch {
                self.unnoted = number;
            }
        }
    }

    /// Whether an instruction can fail on other inputs.
    fn can_fail(&self, instruction: Value<'ctx>) -> bool {
        memory::can_fail(instruction) || calls::can_fail(instruction, &self.program.models)
    }

    /// Notes that the block executes an operation that can fail, once for each part of the path.
    fn note_operation(&mut self) {
        let Some(number) = self.unnoted.take() else { return };
        let step = move |slow: &Slow<'_, 'ctx>| {
            slow.program.note("byway_sym_visit", &[slow.program.small(number)]);
            slow.none()
        };
        self.step_when(Condition::Visit(number), Box::new(step));
    }

    /// Notes that the block was executed. Each time, and at once: it may never end.
    fn note_executed(&self, number: u32, instructions: &[Value<'ctx>]) {
        let program = self.program;
        let Some(&first) = instructions.iter().find(|instruction| !is_first(**instruction)) else { return };
        program.code.before(first);
        let place = program.code.offset(program.tables.hits, number.into());
        program.code.store_volatile(program.code.integer(8).constant(1), place);
    }

    fn instruction(&mut self, instruction: Value<'ctx>) {
        use Opcode::*;
        let Some(opcode) = instruction.opcode() else { return };
        match opcode {
            LLVMPHI => self.phi(instruction),
            LLVMLoad => memory::load(self, instruction),
            LLVMStore => memory::store(self, instruction),
            LLVMAtomicRMW | LLVMAtomicCmpXchg => memory::atomic(self, instruction),
            LLVMAlloca => memory::alloca(self, instruction),
            LLVMCall | LLVMInvoke => calls::call(self, instruction),
            LLVMCallBr => self.flush(instruction),
            LLVMLandingPad => {
                if let Some(next) = instruction.next() {
                    self.program.code.before(next);
                    self.restore_frames(true);
                }
            }
            LLVMBr => self.branch(instruction),
            LLVMSwitch => self.switch(instruction),
            LLVMRet | LLVMResume => calls::leave(self, instruction),
            LLVMIndirectBr => self.jump(instruction),
            LLVMUnreachable => self.flush(instruction),
            _ => operations::operation(self, instruction),
        }
    }

    fn phi(&mut self, phi: Value<'ctx>) {
        let leaves = self.leaves(phi.ty());
        if leaves.is_empty() || !has_labels(phi.ty()) || !self.can_be_symbolic(phi) {
            return;
        }
        self.program.code.before(phi);
        let mut labels = Vec::new();
        for (index, leaf) in leaves.into_iter().enumerate() {
            if has_labels(leaf.ty) {
                let label = self.program.code.phi(self.program.code.integer(32));
                self.phis.push((phi, index, label));
                labels.push(Label::Ready(label));
            } else {
                labels.push(Label::Zero);
            }
        }
        self.set_labels(phi, labels);
    }

    fn finish_phis(&mut self) {
        for (phi, index, label) in std::mem::take(&mut self.phis) {
            for (value, block) in phi.incoming() {
                let value = match self.labels_of(value)[index] {
                    Label::Zero => self.program.small(0),
                    Label::Ready(label) => label,
                    Label::Pending(_) => unreachable!("all segments have been placed"),
                };
                label.add_incoming(value, block);
            }
        }
    }

    fn branch(&mut self, branch: Value<'ctx>) {
        // The condition is the first operand; without one there is only the target.
        if branch.operand_count() == 3 {
            let condition = branch.operand(0);
            let (label, site) = (self.label_of(condition), self.program.site(branch));
            let step = move |slow: &Slow<'_, 'ctx>| {
                let taken = slow.program.code.resize(condition, slow.program.code.integer(32));
                slow.program.note("byway_sym_branch", &[slow.label(label), taken, site]);
                slow.none()
            };
            self.step(&[label], Box::new(step));
        }
        self.flush(branch);
    }

    /// A jump to an address.
    fn jump(&mut self, jump: Value<'ctx>) {
        targets::take(self, jump, jump.operand(0), targets::labels(jump));
        self.flush(jump);
    }

    fn switch(&mut self, switch: Value<'ctx>) {
        let value = switch.operand(0);
        let (label, site) = (self.label_of(value), self.program.site(switch));
        if matches!(value.ty().kind(), Kind::Integer(bits) if bits <= 64) {
            let step = move |slow: &Slow<'_, 'ctx>| {
                slow.program.note("byway_sym_switch", &[slow.label(label), slow.number(value), site]);
                slow.none()
            };
            self.step(&[label], Box::new(step));
        } else {
            self.lose(&[label], cause::OPERATION, site);
        }
        self.flush(switch);
    }
}

impl<'ctx> Slow<'_, 'ctx> {
    /// A scalar within a value.
    pub fn leaf(&self, value: Value<'ctx>, path: &[u32]) -> Value<'ctx> {
        path.iter().fold(value, |value, &index| match value.ty().kind() {
            Kind::Vector(..) => self.program.code.lane(value, index),
            _ => self.program.code.extract(value, index),
        })
    }
}
