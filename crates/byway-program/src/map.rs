//! The map of a program: what there is in its canonical module.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use byway_llvm::inkwell::basic_block::BasicBlock;
use byway_llvm::inkwell::module::{Linkage, Module};
use byway_llvm::inkwell::values::{FunctionValue, InstructionOpcode};
use byway_llvm::inspect::{self, Location};
use serde::{Deserialize, Serialize};

use crate::site::{Site, SiteKind};

/// Index into [`ProgramMap::blocks`].
pub type BlockId = u32;
/// Index into [`ProgramMap::files`].
pub type FileId = u32;
/// Index into [`ProgramMap::functions`].
pub type FunctionId = u32;
/// Index into [`ProgramMap::sites`].
pub type SiteId = u32;

/// Functions, blocks, edges and sites of a canonical module, each with its place in the source.
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
    /// Further names of functions and variables.
    pub aliases: Vec<String>,
    /// The functions that are called or referred to but have no body here, with the number of calls.
    pub externals: BTreeMap<String, u32>,
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
    pub blocks: u32,
}

/// A basic block. No edge is critical, so a block's count and its neighbours' give the count of every edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The source lines with code in it.
    pub lines: Vec<(FileId, u32)>,
    /// Where it can go, in the order of its terminator, with repetitions.
    pub successors: Vec<BlockId>,
    /// The functions with a body that it calls by name, each once.
    pub calls: Vec<FunctionId>,
    /// Whether nothing happens in it but going on: it stands for an edge, or for a way out.
    pub is_edge: bool,
    /// Whether control can get here at all from the function's entry.
    pub reachable: bool,
    /// Whether the program fails here: it aborts, an assertion does not hold, a trap; or nothing happens but going on to such a
    /// block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fails: bool,
}

impl ProgramMap {
    /// The function that a block belongs to.
    pub fn function_of(&self, block: BlockId) -> &Function {
        let after = self.functions.partition_point(|function| function.first_block <= block);
        &self.functions[after - 1]
    }

    /// How many sites there are of each kind.
    pub fn sites_by_kind(&self) -> BTreeMap<SiteKind, usize> {
        let mut counts: BTreeMap<SiteKind, usize> = SiteKind::ALL.into_iter().map(|kind| (kind, 0)).collect();
        for site in &self.sites {
            *counts.entry(site.kind).or_default() += 1;
        }
        counts
    }
}

/// Makes a map in two steps: [`MapBuilder::blocks`] before local variables become registers, since assignments to them
/// are lines with code too; [`MapBuilder::finish`] on the canonical module. The blocks are the same at both times.
#[derive(Default)]
pub(crate) struct MapBuilder {
    map: ProgramMap,
    file_ids: HashMap<PathBuf, FileId>,
}

impl MapBuilder {
    /// Records functions, blocks, edges and lines.
    pub fn blocks(module: &Module<'_>) -> Self {
        let mut builder = MapBuilder::default();
        for function in inspect::defined_functions(module) {
            builder.add_function(function);
        }
        builder
    }

    fn add_function(&mut self, function: FunctionValue<'_>) {
        let first_block = self.map.blocks.len() as BlockId;
        let blocks = function.get_basic_blocks();
        let position = inspect::definition(function).map(|place| (self.file_id(&place), place.line));
        self.map.functions.push(Function {
            name: source_name(function),
            symbol: function.get_name().to_string_lossy().into_owned(),
            position,
            first_block,
            blocks: blocks.len() as u32,
        });
        let numbers: HashMap<BasicBlock<'_>, BlockId> =
            blocks.iter().zip(first_block..).map(|(&block, number)| (block, number)).collect();
        for &block in &blocks {
            let successors = block.get_terminator().map(inspect::successors).unwrap_or_default();
            let successors = successors.iter().map(|successor| numbers[successor]).collect();
            let lines = self.lines(block);
            let is_edge = block.get_instructions().count() == 1;
            self.map.blocks.push(Block {
                lines,
                successors,
                calls: Vec::new(),
                is_edge,
                reachable: false,
                fails: false,
            });
        }
        self.mark_reachable(first_block);
    }

    fn lines(&mut self, block: BasicBlock<'_>) -> Vec<(FileId, u32)> {
        let instructions = block.get_instructions().filter(|&instruction| {
            // The end of a variable's life is no statement.
            let callee = inspect::callee(instruction);
            !callee.is_some_and(|callee| callee.get_name().to_bytes().starts_with(b"llvm.lifetime."))
        });
        let places: Vec<Location> = instructions.filter_map(inspect::location).collect();
        let lines: BTreeSet<(FileId, u32)> = places.iter().map(|place| (self.file_id(place), place.line)).collect();
        lines.into_iter().collect()
    }

    fn mark_reachable(&mut self, entry: BlockId) {
        let mut pending = vec![entry];
        while let Some(block) = pending.pop() {
            let block = &mut self.map.blocks[block as usize];
            if !std::mem::replace(&mut block.reachable, true) {
                pending.extend(&block.successors);
            }
        }
    }

    fn file_id(&mut self, place: &Location) -> FileId {
        if let Some(&id) = self.file_ids.get(&place.file) {
            return id;
        }
        let id = self.map.files.len() as FileId;
        self.map.files.push(place.file.clone());
        self.file_ids.insert(place.file.clone(), id);
        id
    }

    /// Numbers the sites and counts the calls of functions without a body. Fails if the blocks are not those recorded.
    pub fn finish(mut self, module: &Module<'_>) -> Result<ProgramMap, String> {
        for function in module.get_functions().filter(|function| function.count_basic_blocks() == 0) {
            let name = function.get_name().to_string_lossy();
            if !name.starts_with("llvm.") {
                self.map.externals.insert(name.into_owned(), 0);
            }
        }
        let aliases = inspect::definitions(module).into_iter().filter(|name| !inspect::is_function_or_variable(*name));
        self.map.aliases = aliases.map(|alias| alias.get_name().to_string_lossy().into_owned()).collect();
        let functions: HashMap<FunctionValue<'_>, FunctionId> = inspect::defined_functions(module).zip(0..).collect();
        let mut next = 0;
        for (index, function) in inspect::defined_functions(module).enumerate() {
            let recorded = self.map.functions.get(index).map(|function| (function.first_block, function.blocks));
            if recorded != Some((next, function.count_basic_blocks())) {
                return Err(format!("the blocks of {} changed", function.get_name().to_string_lossy()));
            }
            for block in function.get_basic_block_iter() {
                self.add_sites(block, next);
                self.map.blocks[next as usize].calls = calls(block, &functions);
                self.map.blocks[next as usize].fails = fails(block);
                next += 1;
            }
        }
        self.mark_ways_to_failures();
        Ok(self.map)
    }

    /// Edges are blocks of their own, and one may lead to another.
    fn mark_ways_to_failures(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for number in 0..self.map.blocks.len() {
                let block = &self.map.blocks[number];
                let leads = matches!(block.successors[..], [next] if self.map.blocks[next as usize].fails);
                if block.is_edge && leads && !block.fails {
                    self.map.blocks[number].fails = true;
                    changed = true;
                }
            }
        }
    }

    fn add_sites(&mut self, block: BasicBlock<'_>, id: BlockId) {
        for instruction in block.get_instructions() {
            let Some(kind) = SiteKind::of(instruction) else { continue };
            if kind == SiteKind::Call {
                let callee =
                    inspect::callee(instruction).map(|callee| callee.get_name().to_string_lossy().into_owned());
                if let Some(calls) = callee.and_then(|name| self.map.externals.get_mut(&name)) {
                    *calls += 1;
                }
            }
            if let Some(cases) = inspect::cases(instruction) {
                self.map.cases.insert(self.map.sites.len() as SiteId, cases);
            }
            let place = inspect::location(instruction);
            let position = place.map(|place| (self.file_id(&place), place.line, place.column));
            self.map.sites.push(Site { kind, block: id, position });
        }
    }
}

/// The functions that a block calls by name.
fn calls(block: BasicBlock<'_>, functions: &HashMap<FunctionValue<'_>, FunctionId>) -> Vec<FunctionId> {
    let callees = block.get_instructions().filter_map(inspect::aliased_callee);
    let calls: BTreeSet<FunctionId> = callees.filter_map(|callee| functions.get(&callee).copied()).collect();
    calls.into_iter().collect()
}

/// The functions of the C library, and of LLVM, that end a program since it has failed.
const FAILING: [&[u8]; 8] = [
    b"abort",
    b"__assert_fail",
    b"__assert_perror_fail",
    b"__assert",
    b"llvm.trap",
    b"llvm.ubsantrap",
    b"__fortify_fail",
    b"__stack_chk_fail",
];

/// Whether a block calls such a function, and nothing comes behind it.
fn fails(block: BasicBlock<'_>) -> bool {
    let ends = block.get_terminator().is_some_and(|end| end.get_opcode() == InstructionOpcode::Unreachable);
    ends && block
        .get_instructions()
        .filter_map(inspect::callee)
        .any(|callee| callee.count_basic_blocks() == 0 && FAILING.contains(&callee.get_name().to_bytes()))
}

/// The name in the source: linking makes the names of internal functions unique with a number at the end.
pub(crate) fn source_name(function: FunctionValue<'_>) -> String {
    let symbol = function.get_name().to_string_lossy().into_owned();
    let internal = matches!(function.get_linkage(), Linkage::Internal | Linkage::Private);
    match symbol.rsplit_once('.') {
        Some((name, number)) if internal && number.bytes().all(|byte| byte.is_ascii_digit()) => name.to_owned(),
        _ => symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_llvm::Llvm;
    use byway_llvm::inkwell::memory_buffer::MemoryBuffer;

    const CODE: &str = "
        define void @first() { ret void }
        @other = alias void (), ptr @first
        define void @main(i8 %value, i128 %wide, ptr %pointer) {
            switch i8 %value, label %default [ i8 7, label %seven i8 -1, label %last i8 8, label %seven ]
        seven:
            call void @other()
            call void @first()
            call void %pointer()
            ret void
        last:
            switch i128 %wide, label %default [ i128 1, label %default ]
        default:
            ret void
        }";

    fn map() -> ProgramMap {
        map_of(CODE)
    }

    fn map_of(code: &str) -> ProgramMap {
        let llvm = Llvm::new();
        let text = MemoryBuffer::create_from_memory_range_copy(code.as_bytes(), "code");
        let module = llvm.context().create_module_from_ir(text).unwrap();
        MapBuilder::blocks(&module).finish(&module).unwrap()
    }

    #[test]
    fn the_cases_of_a_switch_are_in_the_order_of_its_successors() {
        let map = map();
        assert_eq!(map.cases, BTreeMap::from([(0, vec![7, 255, 8])]));
        let switch = &map.blocks[map.sites[0].block as usize];
        let (seven, last, default) = (2, 3, 4);
        assert_eq!(switch.successors, [default, seven, last, seven]);
    }

    #[test]
    fn blocks_that_abort_fail_and_so_do_the_edges_to_them() {
        let fails = |code: &str| -> Vec<bool> { map_of(code).blocks.into_iter().map(|block| block.fails).collect() };
        let code = "
            declare void @abort() noreturn
            declare void @exit(i32) noreturn
            define void @main(i1 %a, i1 %b) {
                br i1 %a, label %edge, label %more
            edge:
                br label %abort
            more:
                br i1 %b, label %other, label %done
            other:
                br label %abort
            abort:
                call void @abort()
                unreachable
            done:
                call void @exit(i32 1)
                unreachable
            }";
        assert_eq!(fails(code), [false, true, false, true, true, false]);
        let own = "
            define void @abort() { ret void }
            define void @main() {
                call void @abort()
                unreachable
            }";
        assert_eq!(fails(own), [false, false]);
    }

    #[test]
    fn a_block_knows_what_it_calls_by_any_name() {
        let calls: Vec<Vec<FunctionId>> = map().blocks.into_iter().map(|block| block.calls).collect();
        assert_eq!(calls, [vec![], vec![], vec![0], vec![], vec![]]);
    }
}
