//! The map of a program, as plain data.
//!
//! A [`ProgramMap`] says what there is in a program's canonical module: functions, blocks and their successors, calls, and the
//! numbered sites that every variant, analysis and report speaks of, each with its place in the source. `byway-program` makes it,
//! with LLVM; whoever only needs to look things up needs no LLVM.
//!
//! Two graphs over the blocks of the whole program are computed from a map: [`BlockGraph::control_flow`] and
//! [`BlockGraph::control_dependence`]. Both answer how far each block is from a set of targets, under weights by kind of edge.
//! [`Cfg`] is the control flow of one function, with its post-dominators.

mod cfg;
mod code;
mod dataflow;
mod dependence;
mod flow;
mod graph;
mod id;
mod instruction;
mod map;
mod site;
pub mod sketch;
mod validate;

pub use cfg::{Cfg, CfgEdge, PostDominators};
pub use code::{BlockCode, FunctionCode, Local, Position, ProgramCode, Statement, Token, TokenId, VariableCode};
pub use dataflow::DataFlow;
pub use dependence::{Dependence, DependenceEdge, control_dependence};
pub use flow::FlowEdge;
pub use graph::{BlockGraph, CallKind, Distances, GraphNode};
pub use id::{BlockId, ExternalId, FileId, FunctionId, SignatureId, SiteId, SubjectId};
pub use instruction::{
    FunctionInstructions, GlobalVariable, Instruction, Operand, Operation, ProgramInstructions, Step,
};
pub use map::{Block, Call, Callee, External, Function, ProgramMap, Signature};
pub use site::{Site, SiteKind};
pub use validate::MapError;
