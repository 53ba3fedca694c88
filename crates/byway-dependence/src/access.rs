//! Which memory each instruction reads and writes, and which each function does.

use byway_map::{Operand, Operation, ProgramInstructions};
use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::external::{Effect, RESULT, effects};
use crate::points_to::{CellId, InstructionId, Location, Origin, PointsTo, Target};

/// What an instruction itself does to memory. What a call of a function with a body does is not in it.
#[derive(Debug, Default)]
pub struct Access {
    /// The sandboxes it reads.
    pub reads: Vec<CellId>,
    /// The sandboxes it may write.
    pub writes: Vec<CellId>,
    /// Whether it writes the only one of these for sure, and all of it.
    pub overwrites: bool,
}

/// More than any object has.
const ALL: u32 = u32::MAX / 2;

/// What the functions of a program do to memory.
pub struct Accesses<'a> {
    program: &'a ProgramInstructions,
    points_to: &'a PointsTo,
    /// For each function those with a body that it may call, by call.
    pub calls: Vec<Vec<(u32, u32)>>,
    /// Whether a function may call itself, directly or through others.
    is_recursive: Vec<bool>,
    /// For each function the sandboxes that it may read, with those that it calls.
    reads: Vec<FixedBitSet>,
    /// For each function the sandboxes that it may write, with those that it calls.
    writes: Vec<FixedBitSet>,
    /// The sandboxes that something reads and something writes.
    relevant: FixedBitSet,
}

impl<'a> Accesses<'a> {
    /// Of a program.
    pub fn new(program: &'a ProgramInstructions, points_to: &'a PointsTo) -> Accesses<'a> {
        let calls: Vec<Vec<(u32, u32)>> =
            (0..program.functions.len() as u32).map(|function| calls(program, points_to, function)).collect();
        let mut graph: DiGraph<(), (), u32> = DiGraph::new();
        program.functions.iter().for_each(|_| {
            graph.add_node(());
        });
        for (caller, calls) in (0u32..).zip(&calls) {
            for &(_, callee) in calls {
                graph.update_edge(caller.into(), callee.into(), ());
            }
        }
        // Those that are called come before their callers.
        let order = kosaraju_scc(&graph);
        let mut is_recursive = vec![false; program.functions.len()];
        for component in &order {
            let is_loop = component.len() > 1 || graph.contains_edge(component[0], component[0]);
            component.iter().for_each(|function| is_recursive[function.index()] = is_loop);
        }
        let nothing = FixedBitSet::with_capacity(points_to.cell_count());
        let sets = vec![nothing.clone(); program.functions.len()];
        let mut accesses =
            Accesses { program, points_to, calls, is_recursive, reads: sets.clone(), writes: sets, relevant: nothing };
        let (mut read, mut written) = (accesses.relevant.clone(), accesses.relevant.clone());
        for function in 0..program.functions.len() as u32 {
            accesses.add_own(function, &mut read, &mut written);
        }
        read.intersect_with(&written);
        accesses.relevant = read;
        for component in &order {
            accesses.add_callees(&component.iter().map(|function| function.index() as u32).collect::<Vec<_>>());
        }
        accesses
    }

    fn add_own(&mut self, function: u32, read: &mut FixedBitSet, written: &mut FixedBitSet) {
        for index in 0..self.program.functions[function as usize].instructions.len() as u32 {
            let access = self.of((function, index));
            for sandbox in access.reads {
                self.reads[function as usize].insert(sandbox.0 as usize);
                read.insert(sandbox.0 as usize);
            }
            for sandbox in access.writes {
                self.writes[function as usize].insert(sandbox.0 as usize);
                written.insert(sandbox.0 as usize);
            }
        }
        if self.program.functions[function as usize].is_variadic {
            // Who calls it writes its arguments.
            written.extend(self.arguments(function).map(|sandbox| sandbox.0 as usize));
        }
    }

    fn add_callees(&mut self, component: &[u32]) {
        let mut changed = true;
        while changed {
            changed = false;
            for &function in component {
                let before =
                    (self.reads[function as usize].count_ones(..), self.writes[function as usize].count_ones(..));
                for index in 0..self.calls[function as usize].len() {
                    let callee = self.calls[function as usize][index].1;
                    if callee == function {
                        continue;
                    }
                    let (reads, writes) = (self.outside(&self.reads, callee), self.outside(&self.writes, callee));
                    self.reads[function as usize].union_with(&reads);
                    self.writes[function as usize].union_with(&writes);
                }
                let after =
                    (self.reads[function as usize].count_ones(..), self.writes[function as usize].count_ones(..));
                changed |= before != after && component.len() > 1;
            }
        }
        for &function in component {
            self.reads[function as usize].intersect_with(&self.relevant);
            self.writes[function as usize].intersect_with(&self.relevant);
        }
    }

    /// The sandboxes that a function may read and that its callers may see.
    pub fn reads_from_outside(&self, function: u32) -> impl Iterator<Item = CellId> + '_ {
        self.seen_outside(&self.reads, function)
    }

    /// The sandboxes that a function may write and that its callers may see.
    pub fn writes_to_outside(&self, function: u32) -> impl Iterator<Item = CellId> + '_ {
        self.seen_outside(&self.writes, function)
    }

    fn seen_outside<'s>(&'s self, sets: &'s [FixedBitSet], function: u32) -> impl Iterator<Item = CellId> + 's {
        let sandboxes = sets[function as usize].ones().map(|sandbox| CellId(sandbox as u32));
        sandboxes.filter(move |&sandbox| !self.is_own(function, sandbox))
    }

    /// What of a function's accesses its callers may see.
    fn outside(&self, sets: &[FixedBitSet], function: u32) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.points_to.cell_count());
        set.extend(self.seen_outside(sets, function).map(|sandbox| sandbox.0 as usize));
        set
    }

    /// Whether a sandbox is of a local variable of this function, which is there once while it is executed.
    pub fn is_own(&self, function: u32, sandbox: CellId) -> bool {
        let origin = self.points_to.origin(self.points_to.object_of(sandbox));
        matches!(origin, Origin::Local(owner, _) if owner == function) && !self.is_recursive[function as usize]
    }

    /// The memory in which a function finds its variable arguments.
    pub fn arguments(&self, function: u32) -> impl Iterator<Item = CellId> + '_ {
        self.points_to.object_with(Origin::Arguments(function)).into_iter().flat_map(|id| self.points_to.cells_of(id))
    }

    /// Whether something reads a sandbox and something writes it.
    pub fn is_relevant(&self, sandbox: CellId) -> bool {
        self.relevant.contains(sandbox.0 as usize)
    }

    /// What an instruction itself does.
    pub fn of(&self, (function, index): InstructionId) -> Access {
        let instruction = &self.program.functions[function as usize].instructions[index as usize];
        let mut access = Access::default();
        let operands = &instruction.operands;
        match instruction.operation {
            Operation::Load(size) => self.behind(function, &operands[0], size as u32, &mut access.reads),
            Operation::Store(size) => {
                self.behind(function, &operands[1], size as u32, &mut access.writes);
                access.overwrites = self.is_certain(function, &operands[1], &access.writes);
            }
            Operation::Update(size) => {
                self.behind(function, &operands[0], size as u32, &mut access.reads);
                access.writes = access.reads.clone();
            }
            Operation::Call => self.call((function, index), operands, &mut access),
            _ => {}
        }
        for sandboxes in [&mut access.reads, &mut access.writes] {
            sandboxes.sort_unstable();
            sandboxes.dedup();
        }
        access
    }

    fn behind(&self, function: u32, address: &Operand, size: u32, sandboxes: &mut Vec<CellId>) {
        for location in self.points_to.of(function, address) {
            sandboxes.extend(self.points_to.sandboxes(location, size));
        }
    }

    /// Whether an address is one place of one object, which has one sandbox there.
    fn is_certain(&self, function: u32, address: &Operand, sandboxes: &[CellId]) -> bool {
        let locations: Vec<Location> = self.points_to.of(function, address).take(2).collect();
        let ([location], [sandbox]) = (&locations[..], sandboxes) else { return false };
        let is_once = match self.points_to.origin(location.object) {
            Origin::Global(_) => true,
            Origin::Local(owner, _) => !self.is_recursive[owner as usize],
            _ => false,
        };
        is_once && location.stride == 0 && self.points_to.is_single(*sandbox)
    }

    fn call(&self, id: InstructionId, operands: &[Operand], access: &mut Access) {
        for target in self.points_to.targets(id) {
            let effects = match target {
                Target::Function(_) => continue,
                Target::External(external) => effects(&self.program.externals[external as usize]),
                Target::Unknown => None,
            };
            match effects {
                Some(effects) => effects.iter().for_each(|effect| self.effect(id, *effect, &operands[1..], access)),
                None => {
                    access.reads.extend(self.points_to.foreign_cells());
                    access.writes.extend(self.points_to.foreign_cells());
                }
            }
        }
    }

    fn effect(&self, id: InstructionId, effect: Effect, arguments: &[Operand], access: &mut Access) {
        let result = Operand::Register(id.1);
        let argument = |number: usize| if number == RESULT { Some(&result) } else { arguments.get(number) };
        let length = |number: usize| match arguments.get(number) {
            Some(Operand::Integer(length)) => u32::try_from(*length).unwrap_or(ALL).min(ALL),
            _ => ALL,
        };
        let touch = |number: usize, size: u32, sandboxes: &mut Vec<CellId>| {
            argument(number).into_iter().for_each(|operand| self.behind(id.0, operand, size, sandboxes));
        };
        match effect {
            Effect::Reads => (0..arguments.len()).for_each(|number| touch(number, ALL, &mut access.reads)),
            Effect::Writes(to) => touch(to, ALL, &mut access.writes),
            Effect::Fills(to, size) => touch(to, length(size), &mut access.writes),
            Effect::WritesFrom(first) => {
                (first..arguments.len()).for_each(|number| touch(number, ALL, &mut access.writes));
            }
            Effect::StoresWithin(to, _) => touch(to, 8, &mut access.writes),
            Effect::StoresNew(to) => {
                touch(to, 8, &mut access.writes);
                let new = self.points_to.object_with(Origin::Heap(id.0, id.1));
                access.writes.extend(new.into_iter().flat_map(|new| self.points_to.cells_of(new)));
            }
            Effect::Follows(number) => {
                touch(number, 8, &mut access.reads);
                touch(number, 8, &mut access.writes);
                touch(RESULT, ALL, &mut access.reads);
                touch(RESULT, ALL, &mut access.writes);
            }
            Effect::BeginsArguments(list) => touch(list, 24, &mut access.writes),
            Effect::Copies(to, from, size) => {
                let size = size.map_or(ALL, length);
                touch(to, size, &mut access.writes);
                touch(from, size, &mut access.reads);
            }
            Effect::Returns(_)
            | Effect::ReturnsWithin(_)
            | Effect::ReturnsForeign
            | Effect::Keeps(_)
            | Effect::Allocates(_)
            | Effect::Calls(..)
            | Effect::Output => {}
        }
    }
}

/// The calls of a function, with the functions with a body that they may call.
fn calls(program: &ProgramInstructions, points_to: &PointsTo, function: u32) -> Vec<(u32, u32)> {
    let mut calls = Vec::new();
    for (instruction, index) in program.functions[function as usize].instructions.iter().zip(0..) {
        if instruction.operation == Operation::Call {
            calls.extend(points_to.callees((function, index)).map(|callee| (index, callee)));
        }
    }
    calls
}
