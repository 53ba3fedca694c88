//! What the instructions of a program compute from what, as plain data.
//!
//! [`ProgramInstructions`] is made of the canonical module before local variables become registers, so that each assignment of the
//! source has an instruction. Functions and blocks are those of the program's map, in its order. It says less than LLVM does: which
//! values an instruction uses, how it gets at memory, and what may become of pointers.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::code::Position;
use crate::id::BlockId;
use crate::map::ProgramMap;
use crate::validate::MapError;

/// The instructions of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramInstructions {
    /// Source files.
    pub files: Vec<PathBuf>,
    /// The functions that have a body.
    pub functions: Vec<FunctionInstructions>,
    /// The names of functions that have none.
    pub externals: Vec<String>,
    /// The global variables.
    pub variables: Vec<GlobalVariable>,
}

/// A function with a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionInstructions {
    /// The name in the canonical module.
    pub symbol: String,
    /// How many parameters it has.
    pub parameters: u32,
    /// Whether it takes any number of further arguments.
    pub is_variadic: bool,
    /// Its first block.
    pub first_block: BlockId,
    /// For each of its blocks the first of its instructions, and the one behind its last.
    pub blocks: Vec<(u32, u32)>,
    /// Its instructions.
    pub instructions: Vec<Instruction>,
}

/// A global variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlobalVariable {
    /// The name in the canonical module.
    pub symbol: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is defined elsewhere.
    pub is_external: bool,
    /// Whether it never changes.
    pub is_constant: bool,
    /// The pointers in its first value, with where they are.
    pub pointers: Vec<(u64, Operand)>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// What with.
    pub operands: Vec<Operand>,
    /// Where it is in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
}

/// What an instruction does, as far as memory, pointers and control are concerned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Room on the stack for a variable, of so many bytes if that is known.
    Allocate(Option<u64>),
    /// Reads so many bytes at an address.
    Load(u64),
    /// Writes a value of so many bytes at an address: the value, the address.
    Store(u64),
    /// Reads and writes so many bytes at once: the address, then values.
    Update(u64),
    /// An address so far from another: a constant number of bytes, and for each operand behind the first a step.
    Offset(i64, Vec<Step>),
    /// One of its operands, or a part of one.
    Copy,
    /// One of its operands: the one of the block that control came from.
    Merge(Vec<BlockId>),
    /// A number that may be an address somewhere in an object that an operand points into.
    Combine,
    /// A number that is no address.
    Compute,
    /// Calls the first operand with the others.
    Call,
    /// Leaves the function.
    Return,
    /// Decides which block comes next.
    Branch,
    /// Goes on to the only block that can come next.
    Jump,
    /// Control does not get behind it.
    Stop,
}

/// A step by an index that is not constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// How far it is from one element to the next.
    pub stride: u64,
    /// How many elements there are, if it is an array of known length.
    pub count: Option<u64>,
}

/// What an instruction works with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operand {
    /// The result of another instruction of the function.
    Register(u32),
    /// A parameter of the function.
    Parameter(u32),
    /// A function, by its number.
    Function(u32),
    /// A function without a body, by its number.
    External(u32),
    /// An address in a variable: so many bytes behind its beginning, if that is known.
    Variable(u32, Option<i64>),
    /// A number.
    Integer(i64),
    /// Any of these.
    OneOf(Vec<Operand>),
    /// A piece of assembly.
    Assembly,
    /// Something else that is no address.
    Other,
}

impl Operation {
    /// Whether it is the last of a statement: what the front end made up to a store, a call or the end of a block.
    pub fn ends_statement(&self) -> bool {
        use Operation::{Branch, Call, Return, Stop, Store, Update};
        matches!(self, Store(_) | Update(_) | Call | Return | Branch | Stop)
    }
}

impl ProgramInstructions {
    /// Fails if a number in it is not that of anything, or if functions and blocks are not those of the map.
    pub fn validate(&self, map: &ProgramMap) -> Result<(), MapError> {
        let known = |ok: bool, what| if ok { Ok(()) } else { Err(MapError(what)) };
        known(self.functions.len() == map.functions.len(), "a function")?;
        for (function, mapped) in self.functions.iter().zip(&map.functions) {
            let same =
                function.first_block == mapped.first_block && function.blocks.len() == mapped.block_count as usize;
            known(same, "a function's blocks")?;
            let mut next = 0;
            for &(first, end) in &function.blocks {
                known(first == next && end >= first, "a block's instructions")?;
                next = end;
            }
            known(next as usize == function.instructions.len(), "a block's instructions")?;
            for instruction in &function.instructions {
                self.validate_instruction(function, instruction)?;
            }
        }
        let mut pointers = self.variables.iter().flat_map(|variable| &variable.pointers);
        known(pointers.all(|(_, operand)| self.has(None, operand)), "an operand")
    }

    fn validate_instruction(&self, function: &FunctionInstructions, instruction: &Instruction) -> Result<(), MapError> {
        let known = |ok: bool, what| if ok { Ok(()) } else { Err(MapError(what)) };
        known(instruction.position.is_none_or(|(file, ..)| file.index() < self.files.len()), "a file")?;
        known(instruction.operands.iter().all(|operand| self.has(Some(function), operand)), "an operand")?;
        let least = match &instruction.operation {
            Operation::Load(_) | Operation::Update(_) | Operation::Call => 1,
            Operation::Store(_) => 2,
            Operation::Offset(_, steps) => steps.len() + 1,
            Operation::Merge(blocks) => {
                let first = function.first_block.index();
                let mine = first..first + function.blocks.len();
                known(blocks.iter().all(|block| mine.contains(&block.index())), "a block")?;
                blocks.len()
            }
            _ => 0,
        };
        known(instruction.operands.len() >= least, "an operand")
    }

    fn has(&self, function: Option<&FunctionInstructions>, operand: &Operand) -> bool {
        match operand {
            Operand::Register(number) => {
                function.is_some_and(|function| (*number as usize) < function.instructions.len())
            }
            Operand::Parameter(number) => function.is_some_and(|function| *number < function.parameters),
            Operand::Function(number) => (*number as usize) < self.functions.len(),
            Operand::External(number) => (*number as usize) < self.externals.len(),
            Operand::Variable(number, _) => (*number as usize) < self.variables.len(),
            Operand::OneOf(all) => all.iter().all(|operand| self.has(function, operand)),
            Operand::Integer(_) | Operand::Assembly | Operand::Other => true,
        }
    }
}
