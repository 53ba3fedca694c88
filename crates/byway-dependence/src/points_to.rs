//! What may point where: which objects each value of a program may be the address of, and which functions each call may call.
//!
//! [`PointsTo`] is computed from [`ProgramInstructions`] alone. It holds for every run, in whatever order its statements are executed.
//! Objects are variables, what a call allocates, functions, and all that libraries keep to themselves; members of structures are told apart
//! by where they are. An index within an array of known length is taken to stay in it.

mod generate;
mod location;
mod set;
mod solver;

use std::collections::BTreeSet;

use byway_map::{Operand, ProgramInstructions};
use rustc_hash::FxHashMap;

pub use location::{Location, LocationId, ObjectId, Origin};
use solver::{NodeId, Solver};

use generate::Generator;

/// What a call may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A function with a body.
    Function(u32),
    /// One without.
    External(u32),
    /// A function that nobody knows.
    Unknown,
}

/// A part of the memory of an object, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// An instruction: its function, and its number there.
pub type InstructionId = (u32, u32);

/// What may point where in a program.
#[derive(Debug)]
pub struct PointsTo {
    solver: Solver,
    /// The node of the first register, the first parameter and the result of each function.
    bases: Vec<Bases>,
    /// The addresses of constants.
    constants: FxHashMap<Operand, NodeId>,
    targets: FxHashMap<InstructionId, BTreeSet<Target>>,
    /// The functions that libraries may call, and that a call of a library function is given, by call.
    callbacks: FxHashMap<InstructionId, BTreeSet<u32>>,
    unknown: BTreeSet<u32>,
    /// The number of the first sandbox of each object.
    first_cells: Vec<u32>,
    foreign_cells: Vec<CellId>,
}

/// Where the nodes of a function begin.
#[derive(Debug, Clone, Copy)]
struct Bases {
    registers: NodeId,
    parameters: NodeId,
    result: NodeId,
}

/// How large the solution is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// Objects.
    pub objects: usize,
    /// Cells.
    pub sandboxes: usize,
    /// Addresses that memory is read or written at.
    pub addresses: usize,
    /// The mean number of objects that such an address may point to.
    pub mean: f64,
}

impl PointsTo {
    /// Solves the constraints of a program.
    pub fn new(program: &ProgramInstructions) -> PointsTo {
        let Generator { solver, bases, constants, targets, mut callbacks, unknown, foreign_calls, .. } =
            Generator::solved(program);
        for (call, targets) in &targets {
            let is_unknown = |target: &Target| match target {
                Target::Unknown => true,
                Target::External(external) => unknown.contains(external),
                Target::Function(_) => false,
            };
            if targets.iter().any(is_unknown) {
                callbacks.entry(*call).or_default().extend(&foreign_calls);
            }
        }
        let mut first_cells = Vec::with_capacity(solver.objects.len());
        let mut next = 0;
        for object in &solver.objects {
            first_cells.push(next);
            next += object.sandboxes.len() as u32;
        }
        let mut points_to =
            PointsTo { solver, bases, constants, targets, callbacks, unknown, first_cells, foreign_cells: Vec::new() };
        let foreign = points_to.objects().filter(|(_, object)| object.is_foreign);
        points_to.foreign_cells = foreign.flat_map(|(id, _)| points_to.cells_of(id)).collect();
        points_to
    }

    fn objects(&self) -> impl Iterator<Item = (ObjectId, &solver::Object)> {
        (0..).zip(&self.solver.objects)
    }

    /// The locations that an operand may be.
    pub fn of(&self, function: u32, operand: &Operand) -> impl Iterator<Item = Location> + '_ {
        let bases = self.bases[function as usize];
        let node = match operand {
            Operand::Register(number) => Some(bases.registers + number),
            Operand::Parameter(number) => Some(bases.parameters + number),
            constant => self.constants.get(constant).copied(),
        };
        let ids = node.map_or(&[][..], |node| self.solver.locations_of(node));
        ids.iter().map(|&id| self.solver.locations.get(id))
    }

    /// What an object is.
    pub fn origin(&self, object: ObjectId) -> Origin {
        self.solver.objects[object as usize].origin
    }

    /// Whether libraries know an object.
    pub fn is_foreign(&self, object: ObjectId) -> bool {
        self.solver.objects[object as usize].is_foreign
    }

    /// What a call may call.
    pub fn targets(&self, call: InstructionId) -> impl Iterator<Item = Target> + '_ {
        self.targets.get(&call).into_iter().flatten().copied()
    }

    /// The functions that a library function may call while it is called here.
    pub fn callbacks(&self, call: InstructionId) -> impl Iterator<Item = u32> + '_ {
        self.callbacks.get(&call).into_iter().flatten().copied()
    }

    /// The functions with a body that are executed in a call, also if a library function calls them; each once.
    pub fn callees(&self, call: InstructionId) -> impl Iterator<Item = u32> {
        let called = self.targets(call).filter_map(|target| match target {
            Target::Function(function) => Some(function),
            _ => None,
        });
        called.chain(self.callbacks(call)).collect::<BTreeSet<u32>>().into_iter()
    }

    /// The object of some origin, if there is one.
    pub fn object_with(&self, origin: Origin) -> Option<ObjectId> {
        self.solver.known_object(origin)
    }

    /// The functions without a body that are called, and of which nobody knows what they do.
    pub fn unknown(&self) -> impl Iterator<Item = u32> + '_ {
        self.unknown.iter().copied()
    }

    /// How many sandboxes there are.
    pub fn cell_count(&self) -> usize {
        self.solver.objects.iter().map(|object| object.sandboxes.len()).sum()
    }

    /// The object that a sandbox is a part of.
    pub fn object_of(&self, sandbox: CellId) -> ObjectId {
        (self.first_cells.partition_point(|&first| first <= sandbox.0) - 1) as ObjectId
    }

    /// Whether a sandbox is always accessed as a whole, at one place.
    pub fn is_single(&self, sandbox: CellId) -> bool {
        let object = self.object_of(sandbox);
        let sandboxes = &self.solver.objects[object as usize].sandboxes;
        let accesses = &sandboxes[(sandbox.0 - self.first_cells[object as usize]) as usize].accesses;
        matches!(accesses[..], [(location, _)] if location.stride == 0)
    }

    /// The sandboxes of an object.
    pub fn cells_of(&self, object: ObjectId) -> impl Iterator<Item = CellId> + use<> {
        let first = self.first_cells[object as usize];
        (first..first + self.solver.objects[object as usize].sandboxes.len() as u32).map(CellId)
    }

    /// The sandboxes that so many bytes at a location have a part of.
    pub fn sandboxes(&self, location: Location, size: u32) -> impl Iterator<Item = CellId> + '_ {
        let sandboxes = &self.solver.objects[location.object as usize].sandboxes;
        let first = self.first_cells[location.object as usize];
        let touched = (first..).zip(sandboxes).filter(move |(_, sandbox)| sandbox.overlaps(location, size));
        touched.map(|(id, _)| CellId(id))
    }

    /// The sandboxes that libraries know.
    pub fn foreign_cells(&self) -> &[CellId] {
        &self.foreign_cells
    }

    /// How large it is, for the program that it is of.
    pub fn size(&self, program: &ProgramInstructions) -> Size {
        use byway_map::Operation::{Load, Store};
        let (mut addresses, mut sum) = (0, 0);
        for (function, number) in program.functions.iter().zip(0..) {
            for instruction in &function.instructions {
                let address = match instruction.operation {
                    Load(_) => &instruction.operands[0],
                    Store(_) => &instruction.operands[1],
                    _ => continue,
                };
                let objects: BTreeSet<ObjectId> = self.of(number, address).map(|location| location.object).collect();
                addresses += 1;
                sum += objects.len();
            }
        }
        let mean = sum as f64 / addresses.max(1) as f64;
        Size { objects: self.solver.objects.len(), sandboxes: self.cell_count(), addresses, mean }
    }
}
