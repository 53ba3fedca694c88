//! Runs `sym` and `asan` variants.
//!
//! A `sym` variant that finds a socket in its environment is a fork server: it sets itself up once and then waits. The
//! [`Server`] here is its other side. Each [`Run`] hands it arguments, files and a memory; what comes back is an
//! [`Outcome`]: how the run ended, and its trace. An `asan` variant is one too, for a [`PlainServer`]: a [`PlainRun`] has no
//! memory, and what the sanitizers say is on its standard error.

mod connection;
mod error;
mod message;
mod plain;
mod run;
mod server;
mod sink;

pub use error::RunError;
pub use plain::{PlainOutcome, PlainRun, PlainServer};
pub use run::{Argument, Extras, NamedFile, Object, Outcome, Run, Symbolic};
pub use server::Server;
pub use sink::Sink;
