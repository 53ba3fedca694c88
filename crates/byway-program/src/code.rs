//! What the code of a program says, as plain data that two versions of a program can be compared by.
//!
//! [`ProgramCode`] is made of the canonical module before local variables become registers, so that each assignment of the
//! source is still there. Code is a sequence of [`Statement`]s: what the front end made up to a store, a call or a decision. Their
//! [`Token`]s leave out what does not change the meaning: debug information, the numbers of values and of string constants,
//! the names of types. Members of structures are offsets, so a layout that changes shows where it is used.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::map::{BlockId, FileId};

/// Index into [`ProgramCode::tokens`].
pub type TokenId = u32;

/// Where something stands: file, line, column.
pub type Position = (FileId, u32, u32);

/// The code of a program. Functions and blocks are those of the program's map, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramCode {
    /// Source files.
    pub files: Vec<PathBuf>,
    /// All tokens, each once.
    pub tokens: Vec<Token>,
    /// The functions that have a body.
    pub functions: Vec<FunctionCode>,
    /// The global variables that have a value and a name in the source.
    pub variables: Vec<VariableCode>,
}

/// The smallest part of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Token {
    /// An operation, a type, a flag.
    Word(String),
    /// An integer constant.
    Integer(i64),
    /// A string constant, without its terminator.
    Text(Vec<u8>),
    /// A function, by its symbol.
    Function(String),
    /// A global variable, by its symbol.
    Variable(String),
    /// A local variable: its position in [`FunctionCode::locals`].
    Local(u32),
    /// A parameter of the function.
    Argument(u32),
    /// The result of the instruction that is so many before this one in the same statement.
    Result(u32),
    /// A value that another statement computed, by what computed it.
    Outer(String),
    /// A table without references, by a hash of its content.
    Digest(String),
}

/// A function with a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCode {
    /// The name as in the source.
    pub name: String,
    /// The name in the canonical module.
    pub symbol: String,
    /// File and line of its definition.
    pub position: Option<(FileId, u32)>,
    /// The types of its result and parameters.
    pub signature: Vec<TokenId>,
    /// Its local variables.
    pub locals: Vec<Local>,
    /// Its statements, in the order of the source.
    pub statements: Vec<Statement>,
    /// Its first block.
    pub first_block: BlockId,
    /// Its blocks.
    pub blocks: Vec<BlockCode>,
}

/// A local variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// Its name; the front end's own variables have none.
    pub name: Option<String>,
    /// Its size in bytes.
    pub size: u64,
}

/// What the front end made up to a store, a call or the end of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The block it is in.
    pub block: BlockId,
    /// Where it is in the source.
    pub position: Option<Position>,
    /// What it does.
    pub tokens: Vec<TokenId>,
}

/// A block of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockCode {
    /// Its first statement in [`FunctionCode::statements`], and the one behind its last.
    pub statements: (u32, u32),
    /// Where its end is in the source: `break`, `goto`, the end of a loop.
    pub end: Option<Position>,
    /// Where it can go.
    pub successors: Vec<BlockId>,
    /// Which way a later block takes if it was this one that led there: leaving a scope by `break` or `return` says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves_by: Option<i64>,
    /// For a block that ends a scope and goes on where it was left for: for each successor but the first, which is the
    /// default, what `leaves_by` has to be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exits: Vec<i64>,
}

/// A global variable with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableCode {
    /// The name in the canonical module.
    pub symbol: String,
    /// File and line of its definition.
    pub position: Option<(FileId, u32)>,
    /// What it is at the beginning.
    pub tokens: Vec<TokenId>,
}

impl FunctionCode {
    /// One of its blocks.
    pub fn block(&self, id: BlockId) -> &BlockCode {
        &self.blocks[(id - self.first_block) as usize]
    }
}
