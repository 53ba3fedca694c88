//! The paths of programs: from the runs so far to the edge worth trying next, and an input for it.
//!
//! A [`PathSpace`] holds the paths of one program in trees ([`tree::PathTree`]); every side of a branch there that no run has taken yet
//! is a pending. Queries about edges are solved in a [`byway_solve::ExpressionContext`], which several spaces can share. Searchers choose
//! among pendings ([`search::Searcher`], one small type per strategy); a [`search::Frontier`] owns a tree and the searchers in turn.
//! An [`Explorer`] puts all of this together: runs go in, inputs for edges come out. A [`Driver`] has the workers that a [`Scheduler`] gives
//! jobs to.

mod builder;
mod checks;
mod cursor;
mod driver;
mod explorer;
mod flip;
pub mod goals;
mod memory;
mod mistake;
mod operations;
mod original;
mod precision;
mod program;
pub mod search;
mod space;
pub mod tree;
mod values;

pub use builder::{EventSteps, OperationStep, PathBuilder};
pub use checks::{Check, Checks};
pub use driver::{Driver, DriverLimits, Ended, Scheduler, Stop};
pub use explorer::{Added, ChangedBytes, Dependences, Explorer, Flip, RunValues};
pub use flip::{ExpectedPath, FlipOutcome, Losses, Miss};
pub use memory::resident_memory;
pub use mistake::{Mistake, contain, is_contained, rehearse};
pub use operations::{OperationFailure, Operations};
pub use original::{InputLayout, Original};
pub use precision::{Sight, layers, limit_of};
pub use program::{Program, Switch};
pub use space::{EdgeOptions, PathSpace, ShardId, TreeEdge};
