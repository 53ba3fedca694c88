//! Coverage of source lines and branches.
//!
//! A [`CoverageModel`] says what the lines and branches of a program are, and which blocks cover them: all commands count by it.
//! A `cov` variant counts how often each block ran, into a [`CounterFile`]. With the program's map these counts become
//! [`Coverage`]: lines, branches and functions of every source file, which [`lcov`] writes for other tools.

mod counters;
mod coverage;
pub mod lcov;
mod model;

pub use counters::{CounterError, CounterFile, CounterMemory};
pub use coverage::{Branch, Coverage, FileCoverage, FunctionCoverage, Ratio};
pub use model::{CoverageModel, Covered, ModelBranch};

/// The variable that tells a `cov` variant where its [`CounterFile`] is.
pub fn variable() -> &'static str {
    byway_runtime::layout::VARIABLE.to_str().expect("a plain name")
}
