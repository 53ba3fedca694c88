//! Makes [`ProgramInstructions`] of a module.

use std::collections::HashMap;
use std::path::PathBuf;

use byway_llvm::constant::{Constant, DataLayout};
use byway_llvm::inkwell::module::Module;
use byway_llvm::inspect;
use byway_llvm::ir::{Block, Kind, Opcode, Value};
use byway_map::{
    BlockId, FileId, FunctionInstructions, GlobalVariable, Instruction, Operand, Operation, Position,
    ProgramInstructions, Step,
};

/// Says what the instructions of a module are, before its local variables become registers.
pub(crate) fn instructions(module: &Module<'_>) -> ProgramInstructions {
    let mut reader = Reader {
        program: ProgramInstructions::default(),
        files: HashMap::new(),
        functions: HashMap::new(),
        externals: HashMap::new(),
        variables: HashMap::new(),
        layout: DataLayout::of(module),
    };
    for function in inspect::functions(module).map(Value::of_function) {
        if function.is_declaration() {
            reader.externals.insert(function, reader.program.externals.len() as u32);
            reader.program.externals.push(function.name());
        } else {
            reader.functions.insert(function, reader.functions.len() as u32);
        }
    }
    let variables: Vec<Value<'_>> = inspect::variables(module).map(Value::of_global).collect();
    reader.variables = variables.iter().copied().zip(0..).collect();
    for &variable in &variables {
        reader.variable(variable);
    }
    let mut next_block = 0;
    for function in inspect::defined_functions(module) {
        let function = Value::of_function(function);
        let described = reader.function(function, next_block);
        next_block += described.blocks.len() as u32;
        reader.program.functions.push(described);
    }
    reader.program
}

struct Reader<'ctx> {
    program: ProgramInstructions,
    files: HashMap<PathBuf, FileId>,
    functions: HashMap<Value<'ctx>, u32>,
    externals: HashMap<Value<'ctx>, u32>,
    variables: HashMap<Value<'ctx>, u32>,
    layout: DataLayout<'ctx>,
}

/// The values of a function by their numbers.
struct Numbers<'ctx> {
    instructions: HashMap<Value<'ctx>, u32>,
    parameters: HashMap<Value<'ctx>, u32>,
    blocks: HashMap<Block<'ctx>, BlockId>,
}

/// What is no instruction of the program: it says something to debuggers or to the optimiser.
pub(crate) fn is_silent(instruction: Value<'_>) -> bool {
    let silent = ["llvm.dbg.", "llvm.lifetime.", "llvm.experimental.noalias.", "llvm.assume"];
    instruction.is_call() && {
        let callee = instruction.callee();
        callee.is_function() && silent.iter().any(|prefix| callee.name().starts_with(prefix))
    }
}

impl<'ctx> Reader<'ctx> {
    fn function(&mut self, function: Value<'ctx>, first_block: u32) -> FunctionInstructions {
        let blocks = function.blocks();
        let of_block = |block: Block<'ctx>| block.instructions().into_iter().filter(|&value| !is_silent(value));
        let numbers = Numbers {
            instructions: blocks.iter().flat_map(|&block| of_block(block)).zip(0..).collect(),
            parameters: function.parameters().into_iter().zip(0..).collect(),
            blocks: blocks.iter().copied().zip((first_block..).map(BlockId::new)).collect(),
        };
        let (mut all, mut ranges) = (Vec::new(), Vec::new());
        for &block in &blocks {
            let first = all.len() as u32;
            for value in of_block(block) {
                all.push(self.instruction(value, &numbers));
            }
            ranges.push((first, all.len() as u32));
        }
        FunctionInstructions {
            symbol: function.name(),
            parameters: function.parameters().len() as u32,
            is_variadic: function.is_variadic_function(),
            first_block: BlockId::new(first_block),
            blocks: ranges,
            instructions: all,
        }
    }

    fn instruction(&mut self, value: Value<'ctx>, numbers: &Numbers<'ctx>) -> Instruction {
        let position = inspect::location(value.instruction()).map(|place| self.position(place));
        let mut operation = self.operation(value);
        let operands = match &mut operation {
            Operation::Call => {
                let arguments = value.arguments().into_iter().filter(|argument| argument.is_data());
                let mut operands = vec![self.operand(value.callee(), numbers)];
                operands.extend(arguments.map(|argument| self.operand(argument, numbers)));
                operands
            }
            Operation::Merge(blocks) => {
                let incoming = value.incoming();
                *blocks = incoming.iter().map(|(_, block)| numbers.blocks[block]).collect();
                incoming.into_iter().map(|(value, _)| self.operand(value, numbers)).collect()
            }
            Operation::Offset(bytes, steps) => {
                let mut operands = vec![self.operand(value.operand(0), numbers)];
                for (step, index) in self.steps(value, bytes) {
                    steps.push(step);
                    operands.push(self.operand(index, numbers));
                }
                operands
            }
            Operation::Allocate(_) => Vec::new(),
            _ => value.operands().map(|operand| self.operand(operand, numbers)).collect(),
        };
        Instruction { operation, operands, position }
    }

    fn operation(&self, value: Value<'ctx>) -> Operation {
        use Opcode::*;
        match value.opcode().expect("an instruction") {
            LLVMAlloca => {
                let count = value.operand(0).integer();
                Operation::Allocate(count.map(|count| count * self.layout.size(value.allocated_type())))
            }
            LLVMLoad => Operation::Load(self.layout.size(value.ty())),
            LLVMStore => Operation::Store(self.layout.size(value.operand(0).ty())),
            LLVMAtomicRMW | LLVMAtomicCmpXchg => Operation::Update(self.layout.size(value.operand(1).ty())),
            LLVMGetElementPtr => Operation::Offset(0, Vec::new()),
            LLVMPHI => Operation::Merge(Vec::new()),
            LLVMAdd | LLVMSub | LLVMAnd | LLVMOr | LLVMXor => Operation::Combine,
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast
            | LLVMSelect | LLVMFreeze | LLVMExtractValue | LLVMInsertValue | LLVMExtractElement | LLVMInsertElement
            | LLVMShuffleVector | LLVMVAArg => Operation::Copy,
            LLVMCall | LLVMInvoke | LLVMCallBr => Operation::Call,
            LLVMRet => Operation::Return,
            LLVMBr if value.operand_count() == 1 => Operation::Jump,
            LLVMBr | LLVMSwitch | LLVMIndirectBr => Operation::Branch,
            LLVMUnreachable | LLVMResume => Operation::Stop,
            _ => Operation::Compute,
        }
    }

    /// The steps of an address by indices that are not constant; constant ones are added to `bytes`. Steps from the pointer itself are
    /// never constant: what they are in a loop would have no end.
    fn steps(&self, address: Value<'ctx>, bytes: &mut i64) -> Vec<(Step, Value<'ctx>)> {
        let mut steps = Vec::new();
        let mut ty = address.element_type().expect("an address");
        for number in 1..address.operand_count() {
            let index = address.operand(number);
            let mut count = None;
            if number > 1 {
                match ty.kind() {
                    Kind::Struct(_) => {
                        let member = index.integer().unwrap_or(0) as u32;
                        *bytes += self.layout.offset(ty, member) as i64;
                        ty = ty.member(member);
                        continue;
                    }
                    // The last member of a structure may be an array of any length.
                    Kind::Array(element, length) => (ty, count) = (element, Some(length).filter(|&length| length > 1)),
                    Kind::Vector(element, length) => (ty, count) = (element, Some(u64::from(length))),
                    _ => {}
                }
            }
            let stride = self.layout.size(ty);
            match index.signed() {
                Some(0) => {}
                Some(constant) if count.is_some_and(|count| (0..count as i64).contains(&constant)) => {
                    *bytes += constant * stride as i64;
                }
                _ => steps.push((Step { stride, count }, index)),
            }
        }
        steps
    }

    fn operand(&mut self, value: Value<'ctx>, numbers: &Numbers<'ctx>) -> Operand {
        if let Some(&number) = numbers.instructions.get(&value) {
            return Operand::Register(number);
        }
        if let Some(&number) = numbers.parameters.get(&value) {
            return Operand::Parameter(number);
        }
        if value.is_assembly() { Operand::Assembly } else { self.constant(value) }
    }

    fn constant(&self, value: Value<'ctx>) -> Operand {
        if let Some(integer) = value.signed() {
            return Operand::Integer(integer);
        }
        match value.constant() {
            Some(Constant::Global(global)) => self.global(global.without_aliases()),
            Some(Constant::Expression(opcode)) => self.expression(value, opcode),
            Some(Constant::Aggregate(elements)) => {
                one_of(elements.into_iter().map(|element| self.constant(element)).collect())
            }
            _ => Operand::Other,
        }
    }

    fn global(&self, global: Value<'ctx>) -> Operand {
        if let Some(&number) = self.functions.get(&global) {
            return Operand::Function(number);
        }
        if let Some(&number) = self.externals.get(&global) {
            return Operand::External(number);
        }
        match self.variables.get(&global) {
            Some(&number) => Operand::Variable(number, Some(0)),
            None => Operand::Other,
        }
    }

    fn expression(&self, value: Value<'ctx>, opcode: Opcode) -> Operand {
        let operands = (0..value.operand_count()).map(|index| self.constant(value.operand(index)));
        match opcode {
            Opcode::LLVMGetElementPtr => match self.constant(value.operand(0)) {
                Operand::Variable(number, Some(before)) => {
                    Operand::Variable(number, self.constant_offset(value).map(|offset| before + offset))
                }
                other => other,
            },
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMBitCast | Opcode::LLVMTrunc => {
                self.constant(value.operand(0))
            }
            _ => one_of(operands.map(somewhere).collect()),
        }
    }

    fn constant_offset(&self, address: Value<'ctx>) -> Option<i64> {
        let mut ty = address.element_type()?;
        let mut offset = 0i64;
        for number in 1..address.operand_count() {
            let index = address.operand(number).signed()?;
            match ty.kind() {
                Kind::Struct(_) if number > 1 => {
                    offset += self.layout.offset(ty, index as u32) as i64;
                    ty = ty.member(index as u32);
                    continue;
                }
                Kind::Array(element, _) | Kind::Vector(element, _) if number > 1 => ty = element,
                _ => {}
            }
            offset += index * self.layout.size(ty) as i64;
        }
        Some(offset)
    }

    fn variable(&mut self, variable: Value<'ctx>) {
        let mut pointers = Vec::new();
        if let Some(value) = variable.initializer() {
            self.pointers(value, 0, &mut pointers);
        }
        self.program.variables.push(GlobalVariable {
            symbol: variable.name(),
            size: self.layout.size(variable.value_type()),
            is_external: variable.is_declaration(),
            is_constant: variable.is_constant_variable(),
            pointers,
        });
    }

    /// The addresses in a constant, with where they are.
    fn pointers(&self, value: Value<'ctx>, at: u64, found: &mut Vec<(u64, Operand)>) {
        match value.constant() {
            Some(Constant::Aggregate(elements)) => {
                for (index, element) in elements.into_iter().enumerate() {
                    let offset = match value.ty().kind() {
                        Kind::Struct(_) => self.layout.offset(value.ty(), index as u32),
                        _ => index as u64 * self.layout.size(element.ty()),
                    };
                    self.pointers(element, at + offset, found);
                }
            }
            Some(Constant::Global(_) | Constant::Expression(_)) => match self.constant(value) {
                Operand::Integer(_) | Operand::Other => {}
                address => found.push((at, address)),
            },
            _ => {}
        }
    }

    fn position(&mut self, place: inspect::Location) -> Position {
        let next = FileId::new(self.program.files.len() as u32);
        let file = *self.files.entry(place.file.clone()).or_insert_with(|| {
            self.program.files.push(place.file);
            next
        });
        (file, place.line, place.column)
    }
}

/// The operands that may be addresses; nothing if there is none.
fn one_of(mut all: Vec<Operand>) -> Operand {
    all.retain(|operand| !matches!(operand, Operand::Integer(_) | Operand::Other));
    all.dedup();
    match all.len() {
        0 => Operand::Other,
        1 => all.swap_remove(0),
        _ => Operand::OneOf(all),
    }
}

/// An address anywhere in the same object.
fn somewhere(operand: Operand) -> Operand {
    match operand {
        Operand::Variable(number, _) => Operand::Variable(number, None),
        other => other,
    }
}
