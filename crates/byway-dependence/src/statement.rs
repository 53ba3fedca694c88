//! Statements: what the front end made up to a store, a call or the end of a block.

use byway_map::{BlockId, Operand, Operation, Position, ProgramInstructions};

/// The number of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub u32);

/// A statement of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// Its function.
    pub function: u32,
    /// Its block.
    pub block: BlockId,
    /// Its first instruction, and the one behind its last.
    pub instructions: (u32, u32),
    /// How many calls of the block come before it, as the map counts them.
    pub calls_before: u32,
    /// Where it is in the source.
    pub position: Option<Position>,
}

impl Statement {
    /// Its last instruction, which says what it does.
    pub fn last(&self) -> u32 {
        self.instructions.1 - 1
    }
}

/// The statements of a program, in its order.
pub fn statements(program: &ProgramInstructions) -> Vec<Statement> {
    let mut all = Vec::new();
    for (number, function) in (0..).zip(&program.functions) {
        for (offset, &(start, end)) in (0..).zip(&function.blocks) {
            let block = BlockId::new(function.first_block.number() + offset);
            let (mut first, mut calls, mut position) = (start, 0, None);
            for index in start..end {
                let instruction = &function.instructions[index as usize];
                if !matches!(instruction.operation, Operation::Allocate(_)) {
                    position = instruction.position.or(position);
                }
                if instruction.operation.ends_statement() {
                    let instructions = (first, index + 1);
                    all.push(Statement { function: number, block, instructions, calls_before: calls, position });
                    (first, position) = (index + 1, None);
                }
                calls += u32::from(is_mapped_call(program, &instruction.operation, &instruction.operands));
            }
        }
    }
    all
}

/// Whether an instruction is one of the calls that maps list.
fn is_mapped_call(program: &ProgramInstructions, operation: &Operation, operands: &[Operand]) -> bool {
    *operation == Operation::Call
        && match &operands[0] {
            Operand::Assembly => false,
            Operand::External(external) => !program.externals[*external as usize].starts_with("llvm."),
            _ => true,
        }
}
