//! Making the map of a program from its canonical module.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use byway_llvm::inkwell::basic_block::BasicBlock;
use byway_llvm::inkwell::module::{Linkage, Module};
use byway_llvm::inkwell::values::{FunctionValue, InstructionOpcode};
use byway_llvm::inspect::{self, Location};
use byway_map::{Block, BlockId, External, FileId, Function, FunctionId, ProgramMap, Site, SiteId};

use crate::calls::Callees;
use crate::site::site_kind;

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
        let first_block = self.map.blocks.len() as u32;
        let blocks = function.get_basic_blocks();
        let position = inspect::definition(function).map(|place| (self.file_id(&place), place.line));
        self.map.functions.push(Function {
            name: source_name(function),
            symbol: function.get_name().to_string_lossy().into_owned(),
            position,
            first_block: BlockId::new(first_block),
            block_count: blocks.len() as u32,
        });
        let numbers: HashMap<BasicBlock<'_>, BlockId> =
            blocks.iter().zip(first_block..).map(|(&block, number)| (block, BlockId::new(number))).collect();
        for &block in &blocks {
            let successors = block.get_terminator().map(inspect::successors).unwrap_or_default();
            let successors = successors.iter().map(|successor| numbers[successor]).collect();
            let lines = self.lines(block);
            let is_edge = block.get_instructions().count() == 1;
            self.map.blocks.push(Block { lines, successors, is_edge, ..Block::default() });
        }
        self.map.mark_reachable(FunctionId::new(self.map.functions.len() as u32 - 1));
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

    fn file_id(&mut self, place: &Location) -> FileId {
        if let Some(&id) = self.file_ids.get(&place.file) {
            return id;
        }
        let id = FileId::new(self.map.files.len() as u32);
        self.map.files.push(place.file.clone());
        self.file_ids.insert(place.file.clone(), id);
        id
    }

    /// Numbers the sites and finds out what calls call. Fails if the blocks are not those recorded.
    pub fn finish(mut self, module: &Module<'_>) -> Result<ProgramMap, String> {
        let names = inspect::functions(module).filter(|function| function.count_basic_blocks() == 0);
        let names = names.map(|function| function.get_name().to_string_lossy().into_owned());
        let names: BTreeSet<String> = names.filter(|name| !name.starts_with("llvm.")).collect();
        self.map.externals = names.into_iter().map(|name| External { name }).collect();
        let aliases = inspect::definitions(module).into_iter().filter(|name| !inspect::is_function_or_variable(*name));
        self.map.aliases = aliases.map(|alias| alias.get_name().to_string_lossy().into_owned()).collect();
        let mut callees = Callees::new(module, &self.map);
        let mut next = 0;
        for (index, function) in inspect::defined_functions(module).enumerate() {
            let recorded = self.map.functions.get(index).map(|function| (function.first_block, function.block_count));
            if recorded != Some((BlockId::new(next), function.count_basic_blocks())) {
                return Err(format!("the blocks of {} changed", function.get_name().to_string_lossy()));
            }
            for block in function.get_basic_block_iter() {
                self.add_sites(block, BlockId::new(next), &mut callees);
                self.map.blocks[next as usize].fails = fails(block);
                next += 1;
            }
        }
        self.map.signatures = callees.signatures();
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
                let leads = matches!(block.successors[..], [next] if self.map[next].fails);
                if block.is_edge && leads && !block.fails {
                    self.map.blocks[number].fails = true;
                    changed = true;
                }
            }
        }
    }

    fn add_sites<'ctx>(&mut self, block: BasicBlock<'ctx>, id: BlockId, callees: &mut Callees<'ctx>) {
        for instruction in block.get_instructions() {
            let Some(kind) = site_kind(instruction) else { continue };
            let site = SiteId::new(self.map.sites.len() as u32);
            self.map.blocks[id.index()].calls.extend(callees.call(site, kind, instruction));
            if let Some(cases) = inspect::cases(instruction) {
                self.map.cases.insert(site, cases);
            }
            let place = inspect::location(instruction);
            let position = place.map(|place| (self.file_id(&place), place.line, place.column));
            self.map.sites.push(Site { kind, block: id, position });
        }
    }
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
mod tests;
