//! What leaves `byway check`: findings near the tests of a suite.
//!
//! A [`Checked`] is a finding with the way to it: from which seed, at which distance, with which bytes changed. A
//! [`CheckStore`] is the output directory, for people ([`diagnostic`], `run.sh`) and for programs (`findings.json`,
//! `report.sarif`, `junit.xml`). A finding is stored as a test is, so whatever replays those replays it too.

mod change;
mod diagnostic;
mod entry;
pub(crate) mod environment;
mod junit;
pub(crate) mod sarif;
pub(crate) mod source;
mod stats;
mod store;

pub use change::{InputChange, changes};
pub use diagnostic::{DiagnosticStyle, diagnostic};
pub use entry::{CheckEntry, Checked, Near};
pub use stats::{CheckStats, Checks, ProgramStats, SeedStats, SeedTime, Skipped};
pub use store::{CheckStore, JunitCase};
