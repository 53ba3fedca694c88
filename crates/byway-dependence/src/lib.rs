//! What points where in a program, and which of its statements depend on which.
//!
//! [`PointsTo`] says what each value may be the address of. A [`DependenceGraph`] is made with it: which statements depend on which others,
//! through control, registers and memory, in the whole program. Both need the instructions of a program as plain data
//! ([`byway_map::ProgramInstructions`]), and no LLVM.

mod access;
mod external;
mod graph;
mod points_to;
mod statement;

pub use external::is_output;
pub use graph::{CallId, DependenceGraph, Edge, NodeId, Slices};
pub use points_to::{CellId, InstructionId, Location, LocationId, ObjectId, Origin, PointsTo, Size, Target};
pub use statement::{Statement, StatementId};
