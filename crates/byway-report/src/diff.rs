//! What leaves `byway diff`: inputs on which two versions of a program behave differently.
//!
//! A [`Difference`] is an input with what both versions did on it, the changes that it executes and how it was come by. A
//! [`DiffStore`] is the output directory; [`in_words`] is for the terminal, [`markdown`] for a pull request.
//!
//! ```text
//! byway.out/
//!   differences/1f2e3d4c5b6a/  test.json, stdin, files/: the input
//!     once.sh                  once.sh PROGRAM: runs one version on it
//!     run.sh                   run.sh [OLD NEW]: runs both versions and compares
//!     old/, new/, golden/      what each did: ending, stdout, stderr, files/, sanitizers
//!     behaviour.diff           both as a diff
//!     difference.json          the difference
//!   differences.json           all of them
//!   stats.json                 the changes, which were reached, what was tried
//!   coverage.json              which lines of the new version were executed
//!   index.html                 all of it as a page
//!   report.sarif, junit.xml    for other programs
//! ```

mod difference;
mod graph;
mod junit;
mod markdown;
mod observation;
mod outline;
mod sarif;
mod script;
mod stats;
mod store;
mod words;

pub use difference::{ChangedLine, Class, Difference, DifferenceKind, Found, id};
pub use graph::{ChangeGraph, ChangeGraphNode, ChangeNodeKind};
pub use markdown::markdown;
pub use observation::{Observation, ObservedFile};
pub(crate) use outline::diff as behaviour;
pub use stats::{DiffStats, ExecutedSequence, InteractionError, ProgramStats, ReachedChange, SequenceStats, Tried};
pub use store::DiffStore;
pub(crate) use store::read as read_difference;
pub(crate) use store::read_all;
pub use words::{GIVEN, in_words};
pub(crate) use words::{headline as differences_headline, origin as differences_origin};
