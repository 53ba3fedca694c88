//! Seeds: runs of a test suite, with everything that they read.
//!
//! [`record`] runs a test command and captures every run of a program that carries bitcode. [`import`] makes seeds of a
//! fuzzer's corpus, or of KLEE's tests. A [`Writer`] takes seeds that were made of others. All of them write a directory,
//! which [`Suite::open`] reads:
//!
//! ```text
//! byway.seeds/
//!   suite.json              that the directory is ours, its version, the command, what was not captured and why
//!   0001-sed.seed.json      a seed: what was run, how, with which files, and what came of it
//!   data/HASH               content, each once
//!   programs/HASH/sed       the programs as they were
//! ```
//!
//! [`plan`] says how many of the seeds to look at, if there is no time for all.

mod error;
mod import;
pub mod plan;
mod record;
mod seed;
mod store;
mod stored;
mod suite;
mod writer;

pub use byway_input::is_of_machine;
pub use error::SuiteError;
pub use import::import;
pub use record::{CaptureLimits, RecordSettings, Recorded, find, record, serve_if_asked};
pub use seed::{Executable, Missing, Seed};
pub use suite::{NotCaptured, Suite, choose};
pub use writer::Writer;
