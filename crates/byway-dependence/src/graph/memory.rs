//! Which writes of memory a read may see.
//!
//! For each sandbox a function is in static single assignment form, made where it is asked for (Braun and others, 2013): a read is
//! followed backwards to the last write, or to where several ways meet. A call writes what its callees may write.

use byway_map::{BlockId, FunctionInstructions, Operation, ProgramInstructions, ProgramMap};
use rustc_hash::FxHashMap;

use super::build::Builder;
use super::{Edge, NodeId};
use crate::points_to::CellId;

/// The memory of one function.
pub struct Memory<'b, 'a> {
    builder: &'b mut Builder<'a>,
    map: &'a ProgramMap,
    function: u32,
    described: &'a FunctionInstructions,
    /// The blocks that control comes from, by block of the function.
    before: Vec<Vec<BlockId>>,
    /// For a block and a sandbox the writes in it, in order.
    writes: FxHashMap<(BlockId, CellId), Vec<(u32, NodeId)>>,
    /// What a sandbox holds where a block begins.
    starts: FxHashMap<(BlockId, CellId), Option<NodeId>>,
    /// Where ways meet that are not followed yet.
    meetings: Vec<(NodeId, BlockId, CellId)>,
}

/// A read that is to be followed.
struct Read {
    sandbox: CellId,
    block: BlockId,
    index: u32,
    reader: NodeId,
    edge: Edge,
}

impl<'b, 'a> Memory<'b, 'a> {
    /// Nothing was followed yet.
    pub fn new(
        builder: &'b mut Builder<'a>,
        program: &'a ProgramInstructions,
        map: &'a ProgramMap,
        function: u32,
    ) -> Memory<'b, 'a> {
        let described = &program.functions[function as usize];
        let first = described.first_block.index();
        let mut before = vec![Vec::new(); described.blocks.len()];
        for offset in 0..described.blocks.len() {
            let block = BlockId::new((first + offset) as u32);
            let mut successors = map[block].successors.clone();
            successors.sort_unstable();
            successors.dedup();
            successors.iter().for_each(|successor| before[successor.index() - first].push(block));
        }
        let (writes, starts, meetings) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        Memory { builder, map, function, described, before, writes, starts, meetings }
    }

    /// Adds what reads depend on.
    pub fn add(mut self) {
        let mut reads = Vec::new();
        for (offset, &(start, end)) in (0..).zip(&self.described.blocks) {
            let block = BlockId::new(self.described.first_block.number() + offset);
            if !self.map[block].reachable {
                continue;
            }
            for index in start..end {
                match self.described.instructions[index as usize].operation {
                    Operation::Load(_) | Operation::Store(_) | Operation::Update(_) => {
                        self.access(block, index, &mut reads);
                    }
                    Operation::Call => {
                        self.access(block, index, &mut reads);
                        self.call(block, index, &mut reads);
                    }
                    Operation::Return => self.leave(block, index, &mut reads),
                    _ => {}
                }
            }
        }
        for read in reads {
            if let Some(seen) = self.at(read.sandbox, read.block, read.index) {
                self.builder.edge(seen, read.reader, read.edge);
            }
            self.follow_meetings();
        }
    }

    /// What an instruction itself reads and writes.
    fn access(&mut self, block: BlockId, index: u32, reads: &mut Vec<Read>) {
        let id = (self.function, index);
        let access = self.builder.accesses.of(id);
        let call = self.builder.calls.get(&id).copied();
        let node = call.map_or(self.builder.instruction(id), |call| call.given);
        for sandbox in access.reads.into_iter().filter(|&sandbox| self.builder.accesses.is_relevant(sandbox)) {
            reads.push(Read { sandbox, block, index, reader: node, edge: Edge::Local });
        }
        for sandbox in access.writes {
            if !self.builder.accesses.is_relevant(sandbox) {
                continue;
            }
            if access.overwrites {
                self.write(sandbox, block, index, node);
                continue;
            }
            // Part of what was there may stay.
            let state = self.builder.place(self.function);
            self.builder.edge(node, state, Edge::Local);
            reads.push(Read { sandbox, block, index, reader: state, edge: Edge::Local });
            self.write(sandbox, block, index, state);
        }
    }

    /// What the callees of a call read and write.
    fn call(&mut self, block: BlockId, index: u32, reads: &mut Vec<Read>) {
        let accesses = self.builder.accesses;
        let calls = &accesses.calls[self.function as usize];
        let first = calls.partition_point(|&(call, _)| call < index);
        let callees = calls[first..].iter().take_while(|&&(call, _)| call == index).map(|&(_, callee)| callee);
        let site = self.builder.call_id((self.function, index));
        let mut states: FxHashMap<CellId, NodeId> = FxHashMap::default();
        for callee in callees {
            for sandbox in accesses.reads_from_outside(callee) {
                let entry = self.builder.entry(callee, sandbox);
                reads.push(Read { sandbox, block, index, reader: entry, edge: Edge::Into(site) });
            }
            for sandbox in accesses.writes_to_outside(callee) {
                let exit = self.builder.exit(callee, sandbox);
                let state = *states.entry(sandbox).or_insert_with(|| self.builder.place(self.function));
                self.builder.edge(exit, state, Edge::OutOf(site));
            }
        }
        for (sandbox, state) in states {
            reads.push(Read { sandbox, block, index, reader: state, edge: Edge::Local });
            self.write(sandbox, block, index, state);
        }
    }

    /// What callers see of what the function wrote.
    fn leave(&mut self, block: BlockId, index: u32, reads: &mut Vec<Read>) {
        let accesses = self.builder.accesses;
        for sandbox in accesses.writes_to_outside(self.function) {
            let exit = self.builder.exit(self.function, sandbox);
            reads.push(Read { sandbox, block, index, reader: exit, edge: Edge::Local });
        }
    }

    fn write(&mut self, sandbox: CellId, block: BlockId, index: u32, node: NodeId) {
        self.writes.entry((block, sandbox)).or_default().push((index, node));
    }

    /// What a sandbox holds before an instruction.
    fn at(&mut self, sandbox: CellId, block: BlockId, index: u32) -> Option<NodeId> {
        let writes = self.writes.get(&(block, sandbox)).map_or(&[][..], Vec::as_slice);
        match writes[..writes.partition_point(|&(at, _)| at < index)].last() {
            Some(&(_, node)) => Some(node),
            None => self.at_start(sandbox, block),
        }
    }

    /// What a sandbox holds where a block begins.
    fn at_start(&mut self, sandbox: CellId, mut block: BlockId) -> Option<NodeId> {
        let first = self.described.first_block;
        let mut passed = Vec::new();
        let found = loop {
            if let Some(&known) = self.starts.get(&(block, sandbox)) {
                break known;
            }
            passed.push(block);
            match self.before[block.index() - first.index()][..] {
                _ if block == first => {
                    let is_own = self.builder.accesses.is_own(self.function, sandbox);
                    break (!is_own).then(|| self.builder.entry(self.function, sandbox));
                }
                [] => break None,
                [only] => {
                    block = only;
                    if let Some(&(_, last)) = self.writes.get(&(block, sandbox)).and_then(|writes| writes.last()) {
                        break Some(last);
                    }
                }
                _ => {
                    let meeting = self.builder.place(self.function);
                    self.meetings.push((meeting, block, sandbox));
                    break Some(meeting);
                }
            }
        };
        for block in passed {
            self.starts.insert((block, sandbox), found);
        }
        found
    }

    fn follow_meetings(&mut self) {
        while let Some((meeting, block, sandbox)) = self.meetings.pop() {
            let first = self.described.first_block.index();
            for before in self.before[block.index() - first].clone() {
                if let Some(held) = self.at(sandbox, before, u32::MAX).filter(|&held| held != meeting) {
                    self.builder.edge(held, meeting, Edge::Local);
                }
            }
        }
    }
}
