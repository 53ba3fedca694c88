//! The executor: a [`ConcreteInput`](byway_input::ConcreteInput) goes in, a [`Behaviour`](byway_input::Behaviour) or a trace
//! comes out.
//!
//! An [`Executor`] owns one sandbox. Programs are added to it by their [`Variants`]; each run names its program, its input and
//! its options:
//!
//! | | runs | gives |
//! |---|---|---|
//! | [`Executor::trace`] | the `sym` variant | a [`TracedRun`]: the trace, and how the run ended |
//! | [`Executor::judge`] | the `asan` variant | an [`Observed`] behaviour with what the sanitizers reported |
//! | [`Executor::count`] | the `cov` variant | [`Counted`]: how often each block ran |
//! | [`Executor::native`] | the program as it was built | an [`Observed`] behaviour, if wanted with the files that it changed |
//!
//! Before each run the files of its input are laid out at their own paths, and what other runs wrote is undone. So two versions
//! of a program that are run on one input find the same directory, under the same name (`argv[0]` is the input's):
//!
//! ```no_run
//! # use byway_exec::*;
//! # use byway_input::ConcreteInput;
//! # fn compare(old: Variants, new: Variants, input: &ConcreteInput) -> Result<(), ExecError> {
//! let mut executor = Executor::new(&SandboxOptions::default(), [input])?;
//! let (old, new) = (executor.program(old), executor.program(new));
//! let options = RunOptions { observe_files: true, ..RunOptions::default() };
//! let before = executor.native(old, input, &options)?.behaviour;
//! let after = executor.native(new, input, &options)?.behaviour;
//! assert_eq!(before, after);
//! # Ok(()) }
//! ```
//!
//! A variant that finds a socket in its environment is a fork server: it sets itself up once and then waits. The executor
//! starts one for each program and variant when it is first needed, and another if a run broke it. [`Server`] and
//! [`PlainServer`] are the other sides of these; they also run outside a sandbox.
//!
//! A [`Runner`] is an executor with one program, for those who need no other.

mod connection;
mod error;
mod executor;
mod files;
mod judge;
mod message;
mod options;
mod places;
mod plain;
mod run;
mod runner;
mod sandbox;
mod server;
mod sink;
mod symbolizer;
mod variants;

pub use error::{ExecError, RunError};
pub use executor::Executor;
pub use judge::Judge;
pub use options::{Counted, JudgeOptions, Observed, RunOptions, SandboxOptions, TraceOptions};
pub use plain::{PlainOutcome, PlainRun, PlainServer};
pub use run::{Argument, Extras, NamedFile, NamedObject, Run, Symbolic, TracedRun};
pub use runner::{Runner, RunnerConfig};
pub use server::Server;
pub use sink::Sink;
pub use symbolizer::Symbolizer;
pub use variants::{Cov, ProgramId, Variants};
