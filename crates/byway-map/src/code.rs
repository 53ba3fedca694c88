//! What the code of a program says, as plain data that two versions of a program can be compared by.
//!
//! [`ProgramCode`] is made of the canonical module before local variables become registers, so that each assignment of the
//! source is still there. Code is a sequence of [`Statement`]s: what the front end made up to a store, a call or a decision. Their
//! [`Token`]s leave out what does not change the meaning: debug information, the numbers of values and of string constants,
//! the names of types. Members of structures are offsets, so a layout that changes shows where it is used.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::id::{BlockId, FileId};
use crate::validate::MapError;

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

impl ProgramCode {
    /// Fails if a number in it is not that of anything, so that looking up what it names never does.
    pub fn validate(&self) -> Result<(), MapError> {
        let known = |ok: bool, what| if ok { Ok(()) } else { Err(MapError(what)) };
        let has_file = |file: FileId| known(file.index() < self.files.len(), "a file");
        let has_tokens =
            |tokens: &[TokenId]| known(tokens.iter().all(|&token| (token as usize) < self.tokens.len()), "a token");
        for function in &self.functions {
            function.position.map_or(Ok(()), |(file, _)| has_file(file))?;
            has_tokens(&function.signature)?;
            function.validate()?;
            for statement in &function.statements {
                statement.position.map_or(Ok(()), |(file, ..)| has_file(file))?;
                has_tokens(&statement.tokens)?;
                let mut locals = statement.tokens.iter().filter_map(|&token| match self.tokens[token as usize] {
                    Token::Local(local) => Some(local as usize),
                    _ => None,
                });
                known(locals.all(|local| local < function.locals.len()), "a local variable")?;
            }
            let mut ends = function.blocks.iter().filter_map(|block| block.end);
            ends.try_for_each(|(file, ..)| has_file(file))?;
        }
        for variable in &self.variables {
            variable.position.map_or(Ok(()), |(file, _)| has_file(file))?;
            has_tokens(&variable.tokens)?;
        }
        Ok(())
    }
}

impl FunctionCode {
    fn validate(&self) -> Result<(), MapError> {
        let known = |ok: bool, what| if ok { Ok(()) } else { Err(MapError(what)) };
        let offset = |block: BlockId| block.index().checked_sub(self.first_block.index());
        let has_block = |block: BlockId| offset(block).is_some_and(|offset| offset < self.blocks.len());
        for block in &self.blocks {
            let (first, end) = block.statements;
            known(first <= end && end as usize <= self.statements.len(), "a statement")?;
            known(block.successors.iter().all(|&block| has_block(block)), "a successor")?;
        }
        known(self.statements.iter().all(|statement| has_block(statement.block)), "a block")
    }

    /// One of its blocks.
    pub fn block(&self, id: BlockId) -> &BlockCode {
        &self.blocks[id.index() - self.first_block.index()]
    }
}
