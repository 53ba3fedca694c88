//! Seeds: runs of a test suite, with everything that they read.

mod error;
mod record;
mod seed;
mod store;
mod stored;
mod suite;

pub use error::SuiteError;
pub use record::{Limits, Recorded, Settings, record, serve_if_asked};
pub use seed::{Executable, Missing, Seed, SeedFile, Stdin};
pub use suite::{NotCaptured, Suite};
