//! From the instructions of a program to constraints.

use std::collections::BTreeSet;

use byway_map::{FunctionInstructions, Instruction, Operand, Operation, ProgramInstructions};
use rustc_hash::{FxHashMap, FxHashSet};

use super::location::{Location, Origin};
use super::solver::{NodeId, Rule, Solver, UNKNOWN};
use super::{Bases, InstructionId, Target};
use crate::external::{Effect, RESULT, effects};

/// Blocks of up to so many bytes are moved word by word.
const MOST_WORDS: i64 = 512;
/// The size of a word.
const WORD: u32 = 8;

/// Makes constraints.
pub struct Generator<'a> {
    program: &'a ProgramInstructions,
    pub solver: Solver,
    pub bases: Vec<Bases>,
    pub constants: FxHashMap<Operand, NodeId>,
    pub targets: FxHashMap<InstructionId, BTreeSet<Target>>,
    pub callbacks: FxHashMap<InstructionId, BTreeSet<u32>>,
    pub unknown: BTreeSet<u32>,
    /// What is called through a pointer: the call, and whether a library function calls it, with what.
    through: Vec<(InstructionId, Through)>,
    handled: FxHashSet<(u32, u32)>,
    /// The functions that libraries know, and may call whenever they do what nobody knows.
    pub foreign_calls: BTreeSet<u32>,
}

/// How something is called through a pointer.
#[derive(Debug, Clone)]
enum Through {
    /// By the call itself.
    Call,
    /// By a library function, with these values.
    Callback(Vec<NodeId>),
}

impl<'a> Generator<'a> {
    /// The constraints of a program, solved.
    pub fn solved(program: &'a ProgramInstructions) -> Generator<'a> {
        let mut generator = Generator {
            program,
            solver: Solver::default(),
            bases: Vec::new(),
            constants: FxHashMap::default(),
            targets: FxHashMap::default(),
            callbacks: FxHashMap::default(),
            unknown: BTreeSet::new(),
            through: Vec::new(),
            handled: FxHashSet::default(),
            foreign_calls: BTreeSet::new(),
        };
        generator.nodes();
        generator.variables();
        for (number, function) in (0..).zip(&program.functions) {
            generator.function(number, function);
        }
        loop {
            generator.solver.solve();
            if !generator.follow_calls() && !generator.solver.fill_gaps() {
                return generator;
            }
        }
    }

    fn nodes(&mut self) {
        let solver = &mut self.solver;
        for function in &self.program.functions {
            let mut several = |count: usize| {
                let first = solver.node();
                for _ in 1..count {
                    solver.node();
                }
                first
            };
            let registers = several(function.instructions.len());
            let parameters = several(function.parameters as usize);
            self.bases.push(Bases { registers, parameters, result: several(1) });
        }
        // What libraries keep points to itself; all that they are given is added to that.
        solver.foreign = solver.node();
        let object = solver.object(Origin::Foreign, UNKNOWN);
        let foreign = solver.foreign;
        solver.rule(foreign, Rule::Escape);
        let anywhere = solver.location(Location::anywhere(object, UNKNOWN));
        solver.add(foreign, &[anywhere]);
        let through = self.through.len() as u32;
        self.through.push(((u32::MAX, 0), Through::Callback(vec![foreign])));
        self.solver.rule(foreign, Rule::Call(through));
    }

    fn variables(&mut self) {
        for (number, variable) in (0..).zip(&self.program.variables) {
            let object = self.solver.object(Origin::Global(number), clamp(variable.size));
            if variable.is_external {
                let start = self.solver.location(Location::start(object));
                let foreign = self.solver.foreign;
                self.solver.add(foreign, &[start]);
            }
            for (offset, pointer) in &variable.pointers {
                let Some(value) = self.constant(pointer) else { continue };
                let place = Location::start(object).behind(*offset as i64, UNKNOWN);
                if let Some(sandbox) = place.and_then(|place| self.solver.sandbox(place, WORD)) {
                    self.solver.edge(value, sandbox);
                }
            }
        }
        for (number, function) in (0..).zip(&self.program.functions) {
            if function.symbol == "main" {
                let (foreign, parameters) = (self.solver.foreign, self.bases[number as usize].parameters);
                (0..function.parameters).for_each(|parameter| self.solver.edge(foreign, parameters + parameter));
            }
        }
    }

    /// The node of an address that is constant.
    fn constant(&mut self, operand: &Operand) -> Option<NodeId> {
        if let Some(&known) = self.constants.get(operand) {
            return Some(known);
        }
        let object = match operand {
            Operand::OneOf(all) => {
                let all: Vec<NodeId> = all.iter().filter_map(|operand| self.constant(operand)).collect();
                let node = self.solver.node();
                self.constants.insert(operand.clone(), node);
                all.into_iter().for_each(|one| self.solver.edge(one, node));
                return Some(node);
            }
            Operand::Function(number) => self.solver.object(Origin::Function(*number), 1),
            Operand::External(number) => self.solver.object(Origin::External(*number), 1),
            Operand::Variable(number, _) => {
                self.solver.object(Origin::Global(*number), clamp(self.program.variables[*number as usize].size))
            }
            _ => return None,
        };
        let node = self.solver.node();
        self.constants.insert(operand.clone(), node);
        let size = self.solver.objects[object as usize].size;
        let location = match operand {
            Operand::Variable(_, Some(offset)) => Location::start(object).behind(*offset, size),
            Operand::Variable(_, None) => Some(Location::anywhere(object, size)),
            _ => Some(Location::start(object)),
        };
        if let Some(location) = location {
            let location = self.solver.location(location);
            self.solver.add(node, &[location]);
        }
        Some(node)
    }

    fn value(&mut self, function: u32, operand: &Operand) -> Option<NodeId> {
        let bases = self.bases[function as usize];
        match operand {
            Operand::Register(number) => Some(bases.registers + number),
            Operand::Parameter(number) => Some(bases.parameters + number),
            constant => self.constant(constant),
        }
    }

    fn function(&mut self, number: u32, function: &FunctionInstructions) {
        for (index, instruction) in (0..).zip(&function.instructions) {
            self.instruction((number, index), instruction);
        }
    }

    fn instruction(&mut self, id: InstructionId, instruction: &Instruction) {
        let (function, index) = id;
        let result = self.bases[function as usize].registers + index;
        let operands: Vec<Option<NodeId>> =
            instruction.operands.iter().map(|operand| self.value(function, operand)).collect();
        let solver = &mut self.solver;
        match &instruction.operation {
            Operation::Allocate(size) => {
                let object = solver.object(Origin::Local(function, index), size.map_or(UNKNOWN, clamp));
                let start = solver.location(Location::start(object));
                solver.add(result, &[start]);
            }
            Operation::Load(size) => {
                let rule = Rule::Load { size: clamp(*size), to: result };
                operands[0].into_iter().for_each(|address| solver.rule(address, rule.clone()));
            }
            Operation::Store(size) => {
                // A number that is stored divides memory too.
                let from = operands[0].unwrap_or_else(|| solver.node());
                let rule = Rule::Store { size: clamp(*size), from };
                operands[1].into_iter().for_each(|address| solver.rule(address, rule.clone()));
            }
            Operation::Update(size) => {
                let size = clamp(*size);
                let Some(address) = operands[0] else { return };
                solver.rule(address, Rule::Load { size, to: result });
                for from in operands[1..].iter().flatten() {
                    solver.rule(address, Rule::Store { size, from: *from });
                }
            }
            Operation::Offset(bytes, steps) => {
                let steps = steps.iter().map(|step| (step.stride, step.count)).collect();
                let rule = Rule::Offset { bytes: *bytes, steps, to: result };
                operands[0].into_iter().for_each(|base| solver.rule(base, rule.clone()));
            }
            Operation::Copy | Operation::Merge(_) => {
                operands.iter().flatten().for_each(|&operand| solver.edge(operand, result));
            }
            Operation::Combine => {
                operands.iter().flatten().for_each(|&operand| solver.rule(operand, Rule::Somewhere { to: result }));
            }
            Operation::Return => {
                let returned = self.bases[function as usize].result;
                operands.iter().flatten().for_each(|&operand| solver.edge(operand, returned));
            }
            Operation::Call => self.call(id, &instruction.operands[0], operands[0]),
            Operation::Compute | Operation::Branch | Operation::Jump | Operation::Stop => {}
        }
    }

    fn call(&mut self, id: InstructionId, callee: &Operand, pointer: Option<NodeId>) {
        match callee {
            Operand::Function(number) => self.bind(id, *number),
            Operand::External(number) => self.external(id, *number),
            _ => match pointer {
                Some(pointer) => {
                    let through = self.through.len() as u32;
                    self.through.push((id, Through::Call));
                    self.solver.rule(pointer, Rule::Call(through));
                }
                None => self.foreign(id),
            },
        }
    }

    /// The calls whose targets became known. Whether there were any.
    fn follow_calls(&mut self) -> bool {
        let called = std::mem::take(&mut self.solver.called);
        let mut is_new = false;
        for (through, location) in called {
            let object = self.solver.locations.get(location).object;
            if !self.handled.insert((through, object)) {
                continue;
            }
            is_new = true;
            let (id, way) = self.through[through as usize].clone();
            match (self.solver.objects[object as usize].origin, way) {
                (Origin::Function(function), Through::Call) => self.bind(id, function),
                (Origin::Function(function), Through::Callback(values)) => self.call_back(id, function, &values),
                (Origin::External(external), Through::Call) => self.external(id, external),
                (Origin::Foreign, Through::Call) => self.foreign(id),
                _ => {}
            }
        }
        is_new
    }

    fn instruction_of(&self, (function, index): InstructionId) -> &'a Instruction {
        &self.program.functions[function as usize].instructions[index as usize]
    }

    /// The values of the arguments of a call.
    fn arguments(&mut self, id: InstructionId) -> Vec<Option<NodeId>> {
        let operands = &self.instruction_of(id).operands[1..];
        operands.iter().map(|operand| self.value(id.0, operand)).collect()
    }

    fn result(&self, (function, index): InstructionId) -> NodeId {
        self.bases[function as usize].registers + index
    }

    /// A call calls a function with a body.
    fn bind(&mut self, id: InstructionId, callee: u32) {
        self.targets.entry(id).or_default().insert(Target::Function(callee));
        let arguments = self.arguments(id);
        self.pass(callee, &arguments);
        let (returned, result) = (self.bases[callee as usize].result, self.result(id));
        self.solver.edge(returned, result);
    }

    fn pass(&mut self, callee: u32, arguments: &[Option<NodeId>]) {
        let function = &self.program.functions[callee as usize];
        let parameters = self.bases[callee as usize].parameters;
        for (number, argument) in (0..).zip(arguments) {
            let Some(argument) = *argument else { continue };
            if number < function.parameters {
                self.solver.edge(argument, parameters + number);
            } else if function.is_variadic {
                let object = self.solver.object(Origin::Arguments(callee), UNKNOWN);
                let anywhere = Location::anywhere(object, UNKNOWN);
                let sandbox = self.solver.sandbox(anywhere, WORD).expect("arguments are in memory");
                self.solver.edge(argument, sandbox);
            }
        }
    }

    /// A library function calls back, with any of some values as any argument.
    fn call_back(&mut self, id: InstructionId, callee: u32, values: &[NodeId]) {
        if id.0 == u32::MAX {
            self.foreign_calls.insert(callee);
        } else {
            self.callbacks.entry(id).or_default().insert(callee);
        }
        let Bases { parameters, result, .. } = self.bases[callee as usize];
        for parameter in 0..self.program.functions[callee as usize].parameters {
            values.iter().for_each(|&value| self.solver.edge(value, parameters + parameter));
        }
        let foreign = self.solver.foreign;
        if values.contains(&foreign) {
            self.solver.edge(result, foreign);
        }
    }

    /// A call of something that may do whatever it can reach.
    fn foreign(&mut self, id: InstructionId) {
        self.targets.entry(id).or_default().insert(Target::Unknown);
        let (foreign, result) = (self.solver.foreign, self.result(id));
        for argument in self.arguments(id).into_iter().flatten() {
            self.solver.edge(argument, foreign);
        }
        self.solver.edge(foreign, result);
    }

    /// A call calls a function without a body.
    fn external(&mut self, id: InstructionId, external: u32) {
        let Some(effects) = effects(&self.program.externals[external as usize]) else {
            self.unknown.insert(external);
            self.foreign(id);
            let targets = self.targets.entry(id).or_default();
            targets.remove(&Target::Unknown);
            targets.insert(Target::External(external));
            return;
        };
        self.targets.entry(id).or_default().insert(Target::External(external));
        let arguments = self.arguments(id);
        for &effect in effects {
            self.effect(id, effect, &arguments);
        }
    }

    fn effect(&mut self, id: InstructionId, effect: Effect, arguments: &[Option<NodeId>]) {
        let result = self.result(id);
        let foreign = self.solver.foreign;
        let value =
            |number: usize| if number == RESULT { Some(result) } else { arguments.get(number).copied().flatten() };
        match effect {
            Effect::Returns(number) => value(number).into_iter().for_each(|value| self.solver.edge(value, result)),
            Effect::ReturnsWithin(number) => {
                value(number).into_iter().for_each(|value| self.solver.rule(value, Rule::Somewhere { to: result }));
            }
            Effect::ReturnsForeign => self.solver.edge(foreign, result),
            Effect::Allocates(sizes) => {
                let object = self.solver.object(Origin::Heap(id.0, id.1), self.allocated(id, sizes));
                let start = self.solver.location(Location::start(object));
                self.solver.add(result, &[start]);
            }
            Effect::Copies(to, from, length) => {
                if let (Some(to), Some(from)) = (value(to), value(from)) {
                    let length = length.and_then(|length| self.integer(id, length));
                    self.copy(to, from, length);
                }
            }
            Effect::StoresWithin(to, of) => {
                if let (Some(to), Some(of)) = (value(to), value(of)) {
                    let within = self.solver.node();
                    self.solver.rule(of, Rule::Somewhere { to: within });
                    self.solver.rule(to, Rule::Store { size: WORD, from: within });
                }
            }
            Effect::StoresNew(to) => value(to).into_iter().for_each(|to| self.store_new(id, to)),
            Effect::Follows(number) => value(number).into_iter().for_each(|place| self.follow(place, result)),
            Effect::Keeps(number) => value(number).into_iter().for_each(|kept| self.solver.edge(kept, foreign)),
            Effect::Calls(number, with) => {
                let Some(pointer) = value(number) else { return };
                let passed = with.iter().filter_map(|&number| value(number)).collect();
                let through = self.through.len() as u32;
                self.through.push((id, Through::Callback(passed)));
                self.solver.rule(pointer, Rule::Call(through));
            }
            Effect::BeginsArguments(number) => {
                let Some(list) = value(number) else { return };
                let object = self.solver.object(Origin::Arguments(id.0), UNKNOWN);
                let (anywhere, pointer) = (Location::anywhere(object, UNKNOWN), self.solver.node());
                let anywhere = self.solver.location(anywhere);
                self.solver.add(pointer, &[anywhere]);
                // The places of both pointers in the list: those to registers that were saved, and to the stack.
                for bytes in [8, 16] {
                    let place = self.solver.node();
                    self.solver.rule(list, Rule::Offset { bytes, steps: Vec::new(), to: place });
                    self.solver.rule(place, Rule::Store { size: WORD, from: pointer });
                }
            }
            Effect::Writes(_) | Effect::Fills(..) | Effect::WritesFrom(_) | Effect::Reads | Effect::Output => {}
        }
    }

    /// The address of a new object gets to where a value points.
    fn store_new(&mut self, id: InstructionId, to: NodeId) {
        let object = self.solver.object(Origin::Heap(id.0, id.1), UNKNOWN);
        let (start, new) = (self.solver.location(Location::start(object)), self.solver.node());
        self.solver.add(new, &[start]);
        self.solver.rule(to, Rule::Store { size: WORD, from: new });
    }

    /// The address that is where a value points is moved within its object, there and as a result.
    fn follow(&mut self, place: NodeId, result: NodeId) {
        let (there, within) = (self.solver.node(), self.solver.node());
        self.solver.rule(place, Rule::Load { size: WORD, to: there });
        self.solver.rule(there, Rule::Somewhere { to: within });
        self.solver.rule(place, Rule::Store { size: WORD, from: within });
        self.solver.edge(within, result);
    }

    fn integer(&self, id: InstructionId, argument: usize) -> Option<i64> {
        match self.instruction_of(id).operands.get(argument + 1) {
            Some(Operand::Integer(value)) => Some(*value),
            _ => None,
        }
    }

    fn allocated(&self, id: InstructionId, sizes: &[usize]) -> u32 {
        let mut sizes = sizes.iter().map(|&argument| self.integer(id, argument));
        if sizes.len() == 0 {
            return UNKNOWN;
        }
        let product = sizes.try_fold(1u64, |product, size| product.checked_mul(u64::try_from(size?).ok()?));
        product.map_or(UNKNOWN, clamp)
    }

    /// Memory is copied. What is in a word of a small block gets to the same word.
    fn copy(&mut self, to: NodeId, from: NodeId, length: Option<i64>) {
        let parts: Vec<(u32, u32)> = match length {
            Some(length) if (0..=MOST_WORDS).contains(&length) => {
                let words = (0..length as u32).step_by(WORD as usize);
                words.map(|offset| (offset, WORD.min(length as u32 - offset))).collect()
            }
            _ => vec![(0, UNKNOWN)],
        };
        for (offset, size) in parts {
            let part = self.solver.node();
            self.solver.rule(from, Rule::Take { offset, size, to: part });
            self.solver.rule(to, Rule::Give { offset, size, from: part });
        }
    }
}

/// A size that fits.
fn clamp(size: u64) -> u32 {
    u32::try_from(size).map_or(UNKNOWN, |size| size.min(UNKNOWN))
}
