//! Makes the graph, function by function.

use byway_map::{BlockId, FunctionId, Operand, Operation, ProgramInstructions, ProgramMap, control_dependence};
use rustc_hash::FxHashMap;

use super::memory::Memory;
use super::{CallId, CallNodes, Edge, Node, NodeId};
use crate::access::Accesses;
use crate::points_to::{CellId, InstructionId, PointsTo, Target};
use crate::statement::{Statement, StatementId};

/// A graph under construction.
pub struct Builder<'a> {
    program: &'a ProgramInstructions,
    map: &'a ProgramMap,
    points_to: &'a PointsTo,
    pub accesses: &'a Accesses<'a>,
    pub nodes: Vec<Node>,
    pub first: Vec<NodeId>,
    pub calls: FxHashMap<InstructionId, CallNodes>,
    pub edges: Vec<(NodeId, NodeId, Edge)>,
    /// What a sandbox holds when a function is called.
    pub entries: FxHashMap<(u32, CellId), NodeId>,
    /// What a sandbox holds when a function returns.
    pub exits: FxHashMap<(u32, CellId), NodeId>,
    frames: Vec<Frame>,
    call_ids: FxHashMap<InstructionId, CallId>,
}

/// The nodes of a function besides those of its instructions.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// That it is called.
    control: NodeId,
    /// What it returns.
    result: NodeId,
    /// Its first parameter.
    parameters: NodeId,
    /// Its first block.
    blocks: NodeId,
}

impl<'a> Builder<'a> {
    /// The graph of a program.
    pub fn built(
        (program, map): (&'a ProgramInstructions, &'a ProgramMap),
        points_to: &'a PointsTo,
        accesses: &'a Accesses<'a>,
        statements: &[Statement],
    ) -> Builder<'a> {
        let mut builder = Builder {
            program,
            map,
            points_to,
            accesses,
            nodes: Vec::new(),
            first: Vec::new(),
            calls: FxHashMap::default(),
            edges: Vec::new(),
            entries: FxHashMap::default(),
            exits: FxHashMap::default(),
            frames: Vec::new(),
            call_ids: FxHashMap::default(),
        };
        builder.make_nodes(statements);
        for function in 0..program.functions.len() as u32 {
            builder.control(function);
            builder.registers(function);
            Memory::new(&mut builder, program, map, function).add();
        }
        builder
    }

    fn make_nodes(&mut self, statements: &[Statement]) {
        let mut statement = 0;
        for (number, function) in (0..).zip(&self.program.functions) {
            self.first.push(self.nodes.len() as NodeId);
            for index in 0..function.instructions.len() as u32 {
                while statements.get(statement).is_some_and(|of| (of.function, of.last()) < (number, index)) {
                    statement += 1;
                }
                let is_in = |of: &&Statement| of.function == number && of.instructions.0 <= index;
                // What a call returns is of the statement that uses it.
                let is_call = function.instructions[index as usize].operation == Operation::Call;
                let is_part = !is_call && statements.get(statement).filter(is_in).is_some();
                self.nodes.push(Node { function: number, statement: is_part.then_some(StatementId(statement as u32)) });
            }
        }
        for (number, function) in (0..).zip(&self.program.functions) {
            for (index, instruction) in (0..).zip(&function.instructions) {
                if instruction.operation == Operation::Call {
                    let before = |of: &Statement| (of.function, of.last()) < (number, index);
                    let statement = Some(StatementId(statements.partition_point(before) as u32));
                    let [control, given] = [(); 2].map(|()| self.add(Node { function: number, statement }));
                    self.calls.insert((number, index), CallNodes { control, given });
                    self.call_ids.insert((number, index), self.call_ids.len() as CallId);
                }
            }
            let control = self.place(number);
            let result = self.place(number);
            let parameters = self.places(number, function.parameters as usize);
            let blocks = self.places(number, function.blocks.len());
            self.frames.push(Frame { control, result, parameters, blocks });
        }
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    /// A node that is no part of a statement.
    pub fn place(&mut self, function: u32) -> NodeId {
        self.add(Node { function, statement: None })
    }

    fn places(&mut self, function: u32, count: usize) -> NodeId {
        let first = self.nodes.len() as NodeId;
        for _ in 0..count {
            self.place(function);
        }
        first
    }

    /// `to` depends on `from`.
    pub fn edge(&mut self, from: NodeId, to: NodeId, edge: Edge) {
        self.edges.push((from, to, edge));
    }

    /// The node of an instruction.
    pub fn instruction(&self, (function, index): InstructionId) -> NodeId {
        self.first[function as usize] + index
    }

    /// The number of a call.
    pub fn call_id(&self, call: InstructionId) -> CallId {
        self.call_ids[&call]
    }

    /// The node of an operand, if it is computed.
    fn operand(&self, function: u32, operand: &Operand) -> Option<NodeId> {
        match operand {
            Operand::Register(number) => Some(self.instruction((function, *number))),
            Operand::Parameter(number) => Some(self.frames[function as usize].parameters + number),
            _ => None,
        }
    }

    fn block(&self, function: u32, block: BlockId) -> NodeId {
        let first = self.program.functions[function as usize].first_block;
        self.frames[function as usize].blocks + (block.number() - first.number())
    }

    /// What decides that blocks are executed.
    fn control(&mut self, function: u32) {
        let (always, dependences) = control_dependence(self.map, FunctionId::new(function));
        for block in always {
            self.edge(self.frames[function as usize].control, self.block(function, block), Edge::Local);
        }
        let described = &self.program.functions[function as usize];
        for dependence in dependences {
            let (_, end) = described.blocks[dependence.branch.index() - described.first_block.index()];
            if let Some(last) = end.checked_sub(1) {
                self.edge(self.instruction((function, last)), self.block(function, dependence.block), Edge::Local);
            }
        }
    }

    /// What instructions use.
    fn registers(&mut self, function: u32) {
        let described = &self.program.functions[function as usize];
        for (offset, &(start, end)) in (0..).zip(&described.blocks) {
            let block = self.frames[function as usize].blocks + offset;
            for index in start..end {
                let instruction = &described.instructions[index as usize];
                let node = self.instruction((function, index));
                if instruction.operation == Operation::Call {
                    self.edge(block, self.calls[&(function, index)].control, Edge::Local);
                    self.call((function, index), &instruction.operands);
                    continue;
                }
                if instruction.operation.ends_statement() {
                    self.edge(block, node, Edge::Local);
                }
                if let Operation::Merge(blocks) = &instruction.operation {
                    blocks.iter().for_each(|&from| self.edge(self.block(function, from), node, Edge::Local));
                }
                for operand in &instruction.operands {
                    self.operand(function, operand).into_iter().for_each(|used| self.edge(used, node, Edge::Local));
                }
                if instruction.operation == Operation::Return {
                    self.edge(node, self.frames[function as usize].result, Edge::Local);
                }
            }
        }
    }

    fn call(&mut self, id: InstructionId, operands: &[Operand]) {
        let CallNodes { control, given } = self.calls[&id];
        let result = self.instruction(id);
        self.edge(control, given, Edge::Local);
        self.edge(control, result, Edge::Local);
        self.operand(id.0, &operands[0]).into_iter().for_each(|callee| self.edge(callee, control, Edge::Local));
        let arguments: Vec<Option<NodeId>> =
            operands[1..].iter().map(|argument| self.operand(id.0, argument)).collect();
        arguments.iter().flatten().for_each(|&argument| self.edge(argument, given, Edge::Local));
        for target in self.points_to.targets(id) {
            match target {
                Target::Function(callee) => self.bind(id, callee, &arguments, result),
                Target::External(_) | Target::Unknown => self.edge(given, result, Edge::Local),
            }
        }
        for callee in self.points_to.callbacks(id) {
            let parameters = self.program.functions[callee as usize].parameters;
            // What it returns decides what the library function does.
            self.bind(id, callee, &vec![Some(given); parameters as usize], given);
        }
    }

    /// A call calls a function with these values.
    fn bind(&mut self, id: InstructionId, callee: u32, arguments: &[Option<NodeId>], result: NodeId) {
        let (site, control) = (self.call_id(id), self.calls[&id].control);
        let frame = self.frames[callee as usize];
        self.edge(control, frame.control, Edge::Into(site));
        self.edge(frame.result, result, Edge::OutOf(site));
        let parameters = self.program.functions[callee as usize].parameters;
        for (number, argument) in (0..).zip(arguments) {
            let Some(argument) = *argument else { continue };
            if number < parameters {
                self.edge(argument, frame.parameters + number, Edge::Into(site));
                continue;
            }
            for sandbox in self.accesses.arguments(callee) {
                let entry = self.entry(callee, sandbox);
                self.edge(argument, entry, Edge::Into(site));
            }
        }
    }

    /// What a sandbox holds when a function is called.
    pub fn entry(&mut self, function: u32, sandbox: CellId) -> NodeId {
        if let Some(&known) = self.entries.get(&(function, sandbox)) {
            return known;
        }
        let node = self.place(function);
        self.entries.insert((function, sandbox), node);
        node
    }

    /// What a sandbox holds when a function returns.
    pub fn exit(&mut self, function: u32, sandbox: CellId) -> NodeId {
        if let Some(&known) = self.exits.get(&(function, sandbox)) {
            return known;
        }
        let node = self.place(function);
        self.exits.insert((function, sandbox), node);
        node
    }
}
