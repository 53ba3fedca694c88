//! Where two versions of a program behave differently.
//!
//! A [`DiffRequest`] names programs in two versions, with what changed between them and inputs to begin with. [`diff`] runs
//! the inputs in both versions: first those that execute a change, then random changes of them that stay near changed code
//! (`steer`), then other paths of both versions, with queries about both of them (`joint`), or the paths of one after the
//! other (`paths`). What behaves differently is run again and made small, and one input is kept for each cause (`settle`).
//!
//! A difference is one between two programs as they were built. What already differs between runs of the same version is not
//! compared (`mask`), nor where a version lies (`standing`).

mod align;
mod cause;
mod classify;
mod compare;
mod confirm;
mod edits;
mod error;
mod gather;
mod joint;
mod lab;
mod lines;
mod mask;
mod moved;
mod outcome;
mod paths;
mod reach;
mod request;
mod run;
mod sequences;
mod settle;
mod standing;
mod steer;
mod workers;

use std::path::Path;

use byway_input::Behaviour;
use compare::{Comparison, Runs};
use standing::Standing;

pub use error::DiffError;
pub use gather::are_same;
pub use request::{DiffRequest, DiffSearch, Directions, Ignore, Options, ProgramPair, Version};
pub use run::{DiffProgress, as_seed, diff};
pub use sequences::{is_noted, shown};

/// The parts in which several runs of two versions differ, by the programs' paths: what varies between runs of the same version is
/// not compared.
pub fn differing(old: (&Path, &[Behaviour]), new: (&Path, &[Behaviour])) -> Vec<String> {
    let (before, after) = (Standing::new(old.0, new.0, &[]), Standing::default());
    let old = Runs { runs: old.1, standing: &before, moved: None };
    let comparison = Comparison::new(old, Runs { runs: new.1, standing: &after, moved: None }, Ignore::default());
    comparison.parts.iter().map(ToString::to_string).collect()
}
