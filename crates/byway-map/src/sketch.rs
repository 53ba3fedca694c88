//! Maps drawn by hand, for tests of what works on maps.

use crate::id::{BlockId, FunctionId, SignatureId, SiteId};
use crate::map::{Block, Call, Callee, Function, ProgramMap, Signature};
use crate::site::{Site, SiteKind};

/// A map under construction.
#[derive(Debug, Clone, Default)]
pub struct Sketch {
    map: ProgramMap,
}

impl Sketch {
    /// Adds a function. For each of its blocks, the successors by their numbers in the function; the first block is the entry.
    pub fn function(&mut self, name: &str, blocks: &[&[u32]]) -> FunctionId {
        let first = self.map.blocks.len() as u32;
        for successors in blocks {
            let successors = successors.iter().map(|successor| BlockId::new(first + successor)).collect();
            self.map.blocks.push(Block { successors, ..Block::default() });
        }
        let id = FunctionId::new(self.map.functions.len() as u32);
        self.map.functions.push(Function {
            name: name.to_owned(),
            symbol: name.to_owned(),
            position: None,
            first_block: BlockId::new(first),
            block_count: blocks.len() as u32,
        });
        self.map.mark_reachable(id);
        id
    }

    /// The block of a function with this number in it.
    pub fn block(&self, function: FunctionId, number: u32) -> BlockId {
        BlockId::new(self.map[function].first_block.number() + number)
    }

    /// Has a block call a function.
    pub fn call(&mut self, block: BlockId, callee: FunctionId) {
        self.add_call(block, SiteKind::Call, Callee::Function(callee), Vec::new());
    }

    /// Has a block call one of some functions, through a pointer.
    pub fn call_one_of(&mut self, block: BlockId, functions: &[FunctionId]) {
        let signature = SignatureId::new(self.map.signatures.len() as u32);
        self.map.signatures.push(Signature { text: format!("{signature}"), functions: functions.to_vec() });
        self.add_call(block, SiteKind::IndirectCall, Callee::Pointer(signature), Vec::new());
    }

    fn add_call(&mut self, block: BlockId, kind: SiteKind, callee: Callee, callbacks: Vec<FunctionId>) {
        let site = SiteId::new(self.map.sites.len() as u32);
        self.map.sites.push(Site { kind, block, position: None });
        self.map.blocks[block.index()].calls.push(Call { site, callee, callbacks });
    }

    /// The map.
    pub fn finish(self) -> ProgramMap {
        self.map
    }
}
