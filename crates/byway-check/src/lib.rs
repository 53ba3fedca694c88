//! Every path near the tests.

mod error;
mod given;
mod runner;

pub use error::CheckError;
pub use given::Given;
pub use runner::{Judged, Runner, Site};
