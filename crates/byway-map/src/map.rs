//! The map of a program: what there is in its canonical module.

use std::collections::BTreeMap;
use std::ops::Index;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::id::{BlockId, ExternalId, FileId, FunctionId, SignatureId, SiteId};
use crate::site::{Site, SiteKind};

/// Functions, blocks, edges, calls and sites of a canonical module, each with its place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramMap {
    /// Source files, absolute where the build says so.
    pub files: Vec<PathBuf>,
    /// The functions that have a body.
    pub functions: Vec<Function>,
    /// The blocks of all functions, function by function.
    pub blocks: Vec<Block>,
    /// The sites in the order of the module; a site's number is its position.
    pub sites: Vec<Site>,
    /// For each switch on at most 64 bits, the values of its cases. Its block goes to successor 0 by default and to
    /// successor 1 + i in case i.
    pub cases: BTreeMap<SiteId, Vec<u64>>,
    /// The types of functions that are called through pointers.
    pub signatures: Vec<Signature>,
    /// Further names of functions and variables.
    pub aliases: Vec<String>,
    /// The functions that are called or referred to but have no body here.
    pub externals: Vec<External>,
}

/// A function with a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// The name as in the source (for C++ the mangled one).
    pub name: String,
    /// The name in the canonical module.
    pub symbol: String,
    /// File and line of its definition.
    pub position: Option<(FileId, u32)>,
    /// Its first block, the entry.
    pub first_block: BlockId,
    /// How many blocks it has.
    pub block_count: u32,
}

impl Function {
    /// Its blocks, the entry first.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + use<> {
        let first = self.first_block.number();
        (first..first + self.block_count).map(BlockId::new)
    }
}

/// A basic block. No edge is critical, so a block's count and its neighbours' give the count of every edge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The source lines with code in it.
    pub lines: Vec<(FileId, u32)>,
    /// Where it can go, in the order of its terminator, with repetitions.
    pub successors: Vec<BlockId>,
    /// The calls in it, in order, but for those of assembly and of LLVM's own functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// Whether nothing happens in it but going on: it stands for an edge, or for a way out.
    pub is_edge: bool,
    /// Whether control can get here at all from the function's entry.
    pub reachable: bool,
    /// Whether the program fails here: it aborts, an assertion does not hold, a trap; or nothing happens but going on to such a
    /// block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fails: bool,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Its site.
    pub site: SiteId,
    /// What it calls.
    pub callee: Callee,
    /// The functions with a body whose address is an argument of a call of a function without one, which may call them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callbacks: Vec<FunctionId>,
}

/// What a call calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Callee {
    /// A function with a body, by any of its names.
    Function(FunctionId),
    /// A function without a body here.
    External(ExternalId),
    /// Through a pointer: any function of this type whose address is taken.
    Pointer(SignatureId),
}

/// A type of functions that are called through pointers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The type as LLVM writes it.
    pub text: String,
    /// The functions with a body that such a call can reach: those of this type whose address is taken.
    pub functions: Vec<FunctionId>,
}

/// A function without a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct External {
    /// Its name.
    pub name: String,
}

macro_rules! indexed {
    ($($id:ty, $list:ident, $item:ty;)*) => {$(
        impl Index<$id> for ProgramMap {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$list[id.index()]
            }
        }
    )*};
}

indexed! {
    BlockId, blocks, Block;
    ExternalId, externals, External;
    FileId, files, PathBuf;
    FunctionId, functions, Function;
    SignatureId, signatures, Signature;
    SiteId, sites, Site;
}

impl ProgramMap {
    /// The function that a block belongs to.
    pub fn function_of(&self, block: BlockId) -> &Function {
        let after = self.functions.partition_point(|function| function.first_block <= block);
        &self.functions[after - 1]
    }

    /// The site of a number that comes from a trace, which also has sites of models and of the runtime.
    pub fn site(&self, number: u32) -> Option<&Site> {
        self.sites.get(number as usize)
    }

    /// The numbers of all blocks.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + use<> {
        (0..self.blocks.len() as u32).map(BlockId::new)
    }

    /// The numbers of all functions.
    pub fn function_ids(&self) -> impl ExactSizeIterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId::new)
    }

    /// The functions with a body that a call may reach directly: itself, or what its pointer may point to.
    pub fn callees<'a>(&'a self, call: &'a Call) -> &'a [FunctionId] {
        match &call.callee {
            Callee::Function(function) => std::slice::from_ref(function),
            Callee::External(_) => &[],
            Callee::Pointer(signature) => &self[*signature].functions,
        }
    }

    /// How many sites there are of each kind.
    pub fn sites_by_kind(&self) -> BTreeMap<SiteKind, usize> {
        let mut counts: BTreeMap<SiteKind, usize> = SiteKind::ALL.into_iter().map(|kind| (kind, 0)).collect();
        for site in &self.sites {
            *counts.entry(site.kind).or_default() += 1;
        }
        counts
    }

    /// How many calls there are of each function without a body.
    pub fn calls_of_externals(&self) -> BTreeMap<&str, u32> {
        let mut counts: BTreeMap<&str, u32> =
            self.externals.iter().map(|external| (external.name.as_str(), 0)).collect();
        for call in self.blocks.iter().flat_map(|block| &block.calls) {
            if let Callee::External(external) = call.callee {
                *counts.entry(&self[external].name).or_default() += 1;
            }
        }
        counts
    }

    /// Marks the blocks of a function that control can get to from its entry.
    pub fn mark_reachable(&mut self, function: FunctionId) {
        let mut waiting = vec![self[function].first_block];
        while let Some(block) = waiting.pop() {
            let block = &mut self.blocks[block.index()];
            if !std::mem::replace(&mut block.reachable, true) {
                waiting.extend(&block.successors);
            }
        }
    }
}
