//! Exploration: from the runs so far to the branch worth trying next.
//!
//! The [`tree::PathTree`] holds the symbolic branches of all runs; every side of a branch that no run has taken yet is a
//! pending. Searchers choose among the pendings ([`search::Searcher`], one small type per strategy, named with a
//! [`search::Search`]). A [`search::Frontier`] owns the tree and the searchers in turn: runs go in, pendings come out.
//! [`goals`] says how far a block is from the nearest one that no run has covered.

mod checks;
mod engine;
mod error;
mod flip;
pub mod goals;
pub mod input;
mod mistake;
mod operations;
mod original;
mod paths;
mod program;
mod record;
mod recorder;
pub mod search;
mod state;
mod steps;
mod tally;
mod texts;
pub mod tree;
mod values;
mod way;

pub use checks::{Check, Checks};
pub use engine::{Budget, Settings, Stop, explore, resident_memory};
pub use error::ExploreError;
pub use input::Start;
pub use mistake::{Mistake, contain, is_contained, rehearse};
pub use operations::{Asked, Operations};
pub use original::{InputLayout, Original};
pub use paths::{Added, Flip, Paths};
pub use program::{Program, Switch};
pub use steps::{Operation, Said, Steps};
pub use tally::{Sight, layers, limit_of};
pub use way::{Maker, Way};
