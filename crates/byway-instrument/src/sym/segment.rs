//! A segment: a run of instructions with one test in front of all that their labels need.

use byway_llvm::ir::{Block, IntPredicate, Kind, Value};

use super::Program;
use super::tables::thread;

/// The label of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label<'ctx> {
    /// It is never symbolic.
    Zero,
    /// It has been computed.
    Ready(Value<'ctx>),
    /// It will be computed by this step of the current segment.
    Pending(usize),
}

/// So many bytes at a distance from an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryRange<'ctx> {
    pub address: Value<'ctx>,
    pub offset: u64,
    pub size: u64,
}

/// What makes a segment necessary, besides labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition<'ctx> {
    /// A label is set.
    Label(Value<'ctx>),
    /// Memory has a tag: a place, and whether its first and its last byte are surely in the same 8 bytes.
    Tag(MemoryRange<'ctx>, bool),
    /// The same for an address that may be anything.
    TagOfAny(Value<'ctx>),
    /// The caller left labels for us.
    Arguments,
    /// The callee left labels for us.
    Result,
    /// The block was not noted in this part of the path.
    Visit(u32),
    /// The thread is traced.
    Traced,
}

/// A step of the code behind the test; returns its label.
pub type Step<'ctx> = Box<dyn Fn(&Slow<'_, 'ctx>) -> Value<'ctx> + 'ctx>;

/// A segment that is being put together.
#[derive(Default)]
pub struct Segment<'ctx> {
    conditions: Vec<Condition<'ctx>>,
    steps: Vec<Step<'ctx>>,
    /// Memory was read through an address that may be symbolic, or behind a write through one: what it was must be seen before it
    /// changes.
    pub reads_through: bool,
    /// Memory was written through an address that may be symbolic: before the next such write, what it then was must be seen.
    pub writes_through: bool,
}

impl<'ctx> Segment<'ctx> {
    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Adds a condition.
    pub fn when(&mut self, condition: Condition<'ctx>) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    /// Adds a condition for a label.
    pub fn when_label(&mut self, label: Label<'ctx>) {
        if let Label::Ready(value) = label {
            self.when(Condition::Label(value));
        }
    }

    /// Adds a step.
    pub fn step(&mut self, step: Step<'ctx>) -> Label<'ctx> {
        self.steps.push(step);
        Label::Pending(self.steps.len() - 1)
    }

    /// Puts the segment before an instruction. Returns what became of the steps that are `wanted`.
    pub fn place(
        self,
        program: &Program<'ctx>,
        function: Value<'ctx>,
        instruction: Value<'ctx>,
        wanted: &[usize],
    ) -> Vec<(usize, Value<'ctx>)> {
        let code = &program.code;
        let tail = instruction.block();
        let head = tail.split_before(instruction);
        let slow = code.append_block(function);
        code.at_end(head);
        let test = self.test(program, function);
        code.branch(test, slow, tail);
        code.at_end(slow);
        let mut emitted = Slow { program, labels: Vec::new() };
        for step in &self.steps {
            let label = step(&emitted);
            emitted.labels.push(label);
        }
        code.jump(tail);
        code.before(tail.first());
        let join = |step: usize| join(program, emitted.labels[step], (head, slow));
        wanted.iter().map(|&step| (step, join(step))).collect()
    }

    fn test(&self, program: &Program<'ctx>, function: Value<'ctx>) -> Value<'ctx> {
        let code = &program.code;
        let mut by_width: [Option<Value<'ctx>>; 65] = [None; 65];
        let mut add = |value: Value<'ctx>| {
            let Kind::Integer(bits) = value.ty().kind() else { unreachable!("conditions are integers") };
            let slot = &mut by_width[bits as usize];
            *slot = Some(slot.map_or(value, |other| code.or(other, value)));
        };
        for &condition in &self.conditions {
            add(condition.emit(program, function));
        }
        let tests = by_width.into_iter().flatten().map(|value| {
            let is_test = value.ty() == code.integer(1);
            if is_test { value } else { code.compare(IntPredicate::LLVMIntNE, value, value.ty().zero()) }
        });
        let test = tests.reduce(|a, b| code.or(a, b));
        test.unwrap_or_else(|| code.integer(1).constant(1))
    }
}

/// 0 if we came straight, the label if we took the detour.
fn join<'ctx>(program: &Program<'ctx>, label: Value<'ctx>, (head, slow): (Block<'ctx>, Block<'ctx>)) -> Value<'ctx> {
    let phi = program.code.phi(program.code.integer(32));
    phi.add_incoming(program.small(0), head);
    phi.add_incoming(label, slow);
    phi
}

const TAGS: u64 = 0x7fff_8000;
const ADDRESSES: u64 = (1 << 47) - 1;

impl<'ctx> Condition<'ctx> {
    /// The test, as an integer that is not 0 if the condition holds.
    pub fn emit(self, program: &Program<'ctx>, function: Value<'ctx>) -> Value<'ctx> {
        let code = &program.code;
        let field = |offset: u64| code.offset(program.tables.thread, offset);
        match self {
            Condition::Label(label) => label,
            Condition::Tag(MemoryRange { address, offset, size }, together) => {
                // So many bytes of tags, from that of the first byte on.
                let tags = if together { 1 } else { size.div_ceil(8) + 1 };
                let width = tags.next_power_of_two().min(8) as u32;
                let number = code.add(code.number(address), program.large(offset));
                let number = code.shift_right(number, program.large(3));
                let tag = code.address(code.add(number, program.large(TAGS)));
                code.load(code.integer(8 * width), tag, 1)
            }
            Condition::TagOfAny(address) => {
                let number = code.and(code.number(address), program.large(ADDRESSES));
                let number = code.shift_right(number, program.large(3));
                code.load(code.integer(8), code.address(code.add(number, program.large(TAGS))), 1)
            }
            Condition::Arguments => {
                let given = code.load(code.integer(64), field(thread::ARGUMENTS_FOR), 8);
                code.compare(IntPredicate::LLVMIntEQ, given, code.number(function))
            }
            Condition::Result => {
                let given = code.load(code.integer(64), field(thread::RESULT_OF), 8);
                code.compare(IntPredicate::LLVMIntNE, given, program.large(0))
            }
            Condition::Visit(block) => {
                let stamp = code.load(code.integer(32), code.offset(program.tables.stamps, 4 * u64::from(block)), 4);
                // The runtime changes it in functions that are said to change nothing the program can see.
                let epoch = code.load_volatile(code.integer(32), program.tables.epoch, 4);
                code.compare(IntPredicate::LLVMIntULT, stamp, epoch)
            }
            Condition::Traced => code.load(code.integer(32), field(thread::TRACED), 4),
        }
    }
}

/// What steps are emitted with.
pub struct Slow<'a, 'ctx> {
    pub program: &'a Program<'ctx>,
    labels: Vec<Value<'ctx>>,
}

impl<'ctx> Slow<'_, 'ctx> {
    /// A label as a value.
    pub fn label(&self, label: Label<'ctx>) -> Value<'ctx> {
        match label {
            Label::Zero => self.program.small(0),
            Label::Ready(value) => value,
            Label::Pending(step) => self.labels[step],
        }
    }

    /// The lower and the upper 64 bits of an integer or pointer.
    pub fn halves(&self, value: Value<'ctx>) -> [Value<'ctx>; 2] {
        let code = &self.program.code;
        let large = code.integer(64);
        match value.ty().kind() {
            Kind::Pointer => [code.number(value), large.zero()],
            Kind::Integer(bits) if bits <= 64 => [code.resize(value, large), large.zero()],
            Kind::Integer(_) => {
                let upper = code.shift_right(value, code.resize(large.constant(64), value.ty()));
                [code.resize(value, large), code.resize(upper, large)]
            }
            kind => unreachable!("labels of {kind:?}"),
        }
    }

    /// The lower 64 bits.
    pub fn number(&self, value: Value<'ctx>) -> Value<'ctx> {
        self.halves(value)[0]
    }

    /// What a step without a label returns.
    pub fn none(&self) -> Value<'ctx> {
        self.program.small(0)
    }
}
