//! What leaves an exploration: tests, findings and statistics, on disk and back.
//!
//! [`findings`] reads what a sanitizer build wrote, with how it ended, as a list of [`Finding`]s; one defect has one
//! [`Finding::id`]. A [`TestStore`] is the output directory: each kept [`Test`] can be replayed by hand with its `run.sh`,
//! and whenever byway is killed the directory can be read, and resumed. [`replay`] reads tests and findings back, and
//! [`verdict`] says whether what they showed still holds.
//!
//! ```text
//! byway.out/
//!   byway.json              that the directory is ours, and its version
//!   tests/0001/             test.json, run.sh, stdin, files/ (relative paths), outside/N (all others), test.ktest
//!   findings/1f2e3d4c5b6a/  the same for the test that shows it, report.txt, finding.json
//!   findings.json           all findings, and how often each was seen
//!   index.html              the same as a page to look at
//!   stats.json              what was done, in numbers
//!   coverage.json           which lines were executed
//!   journal.jsonl           what happened, in order
//! ```
//!
//! A [`CheckStore`] is that of a check, in which every finding has a test of its own: one of a suite's, with a few bytes
//! changed.
//!
//! ```text
//! byway.out/
//!   seeds/                  the runs of the suite
//!   findings/1f2e3d4c5b6a/  test.json, run.sh, stdin, files/, report.txt, finding.json
//!   unconfirmed/            the same for what the sanitizers have not seen
//!   findings.json           all of them
//!   report.sarif, junit.xml for other programs
//!   stats.json              what was done, in numbers
//!   coverage.json           which lines were executed
//! ```

mod anchor;
mod baseline;
mod check;
mod demangle;
pub mod diff;
pub mod disk;
mod error;
mod executed;
mod finding;
mod fixture;
mod hang;
mod journal;
mod junit;
mod key;
mod level;
mod output;
pub mod page;
mod remaining;
mod replay;
mod report;
mod rotation;
mod script;
mod shell;
mod standing;
mod stats;
mod store;
mod suppression;
mod test;
mod text;

pub use anchor::Anchor;
pub use baseline::{Baseline, KnownFinding};
pub use byway_input::Ending;
pub use byway_snapshot::{SourceLines, SourceTexts};
pub use check::{
    CheckEntry, CheckStats, CheckStore, Checked, Checks, DiagnosticStyle, InputChange, JunitCase, Near, ProgramStats,
    SeedStats, SeedTime, Skipped, changes, diagnostic, summary_line,
};
pub use demangle::demangled;
pub use error::ReportError;
pub use executed::{ExecutedBy, LineCoverage};
pub use finding::{AccessedObject, Finding, Frame, ObjectUse};
pub use fixture::StoredFixture;
pub use hang::{HANG, Hang};
pub use journal::{Checkpoint, Journal, Line, read as read_journal};
pub use level::Level;
pub use output::Output;
pub use remaining::{Limit, Remainder, Remaining, thousands};
pub use replay::{Build, Expected, Placed, Replay, Verdict, replay, verdict};
pub use report::{findings, findings_in};
pub use rotation::{Rotated, Rotation, Worth, aside};
pub use shell::command as command_line;
pub use standing::{Policy, Standing, fingerprint};
pub use stats::{Answers, Concretization, CoveragePoint, Covered, ExploreStats, Flips, Layer, STATS_VERSION};
pub use store::{Discovery, Entry, Resumed, Seen, TestStore};
pub use suppression::Suppressions;
pub use test::{FindingRef, Kept, StoredTest, Test, read as read_test};
pub use text::Text;

/// The version of everything in an output directory. Since 2 findings are named by what stands at their place.
pub const VERSION: u32 = 2;
/// The oldest version of tests and findings that can be replayed.
const OLDEST: u32 = 1;
