//! What leaves `byway diff`: inputs on which two versions of a program behave differently.
//!
//! A [`Difference`] is an input with what both versions did on it, the changes that it executes and how it was come by. A
//! directory holds them:
//!
//! ```text
//! byway.out/
//!   differences/1f2e3d4c5b6a/  test.json, stdin, files/: the input; once.sh runs one version on it
//!     run.sh                   run.sh [OLD NEW]: runs both versions and compares
//!     old/, new/, golden/      what each did: stdout, stderr, ending, files/, report.txt
//!     behaviour.diff           both as a diff
//!     difference.json          the difference
//!   differences.json           all of them
//!   stats.json                 the changes, which were reached, what was tried
//!   report.sarif, junit.xml    for other programs
//! ```

mod difference;
mod observation;
mod stats;

pub use difference::{ChangedLine, Class, Difference, Found, Kind};
pub use observation::{Observation, ObservedFile};
pub use stats::{DiffStats, ProgramStats, ReachedChange, Tried};
