//! Seeds: runs of a test suite, with everything that they read.

mod seed;

pub use seed::{Executable, Missing, Seed, SeedFile, Stdin};
