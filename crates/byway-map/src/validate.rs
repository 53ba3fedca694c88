//! Whether a map that was read is one: every number in it is that of something.

use thiserror::Error;

use crate::id::{BlockId, FileId, FunctionId};
use crate::map::{Block, Call, Callee, Function, ProgramMap};

/// Why something that was read is no map of a program.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the map of the program names {0} that it does not have")]
pub struct MapError(pub(crate) &'static str);

impl ProgramMap {
    /// Fails if a number in the map is not that of anything, so that looking up what the map names never does.
    pub fn validate(&self) -> Result<(), MapError> {
        self.validate_functions()?;
        self.blocks.iter().try_for_each(|block| self.validate_block(block))?;
        for site in &self.sites {
            self.has_block(site.block)?;
            site.position.map_or(Ok(()), |(file, ..)| self.has_file(file))?;
        }
        let known = |site: &crate::SiteId| site.index() < self.sites.len();
        self.cases.keys().all(known).then_some(()).ok_or(MapError("a switch"))?;
        self.signatures.iter().try_for_each(|signature| self.have_functions(&signature.functions))
    }

    /// The functions have all blocks among them, one after the other, at least one each.
    fn validate_functions(&self) -> Result<(), MapError> {
        let mut next = 0_u64;
        for function in &self.functions {
            if u64::from(function.first_block.number()) != next || function.block_count == 0 {
                return Err(MapError("a function's blocks"));
            }
            next += u64::from(function.block_count);
            function.position.map_or(Ok(()), |(file, _)| self.has_file(file))?;
        }
        if next != self.blocks.len() as u64 {
            return Err(MapError("a function's blocks"));
        }
        self.functions.iter().try_for_each(|function| self.validate_flow(function))
    }

    /// Control stays in a function, but for calls.
    fn validate_flow(&self, function: &Function) -> Result<(), MapError> {
        let (first, count) = (function.first_block.number(), function.block_count);
        let is_inside = |block: &BlockId| block.number().checked_sub(first).is_some_and(|offset| offset < count);
        let mut successors = function.blocks().flat_map(|block| &self[block].successors);
        successors.all(is_inside).then_some(()).ok_or(MapError("a successor"))
    }

    fn validate_block(&self, block: &Block) -> Result<(), MapError> {
        block.lines.iter().try_for_each(|&(file, _)| self.has_file(file))?;
        block.calls.iter().try_for_each(|call| self.validate_call(call))
    }

    fn validate_call(&self, call: &Call) -> Result<(), MapError> {
        self.have_functions(&call.callbacks)?;
        let known = match call.callee {
            Callee::Function(function) => function.index() < self.functions.len(),
            Callee::External(external) => external.index() < self.externals.len(),
            Callee::Pointer(signature) => signature.index() < self.signatures.len(),
        };
        (known && call.site.index() < self.sites.len()).then_some(()).ok_or(MapError("a call"))
    }

    fn has_block(&self, block: BlockId) -> Result<(), MapError> {
        (block.index() < self.blocks.len()).then_some(()).ok_or(MapError("a block"))
    }

    fn has_file(&self, file: FileId) -> Result<(), MapError> {
        (file.index() < self.files.len()).then_some(()).ok_or(MapError("a source file"))
    }

    fn have_functions(&self, functions: &[FunctionId]) -> Result<(), MapError> {
        let known = |function: &FunctionId| function.index() < self.functions.len();
        functions.iter().all(known).then_some(()).ok_or(MapError("a function"))
    }
}
