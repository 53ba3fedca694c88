//! KLEE's `.ktest` files: the inputs of one run, as named objects.
//!
//! [`KTest`] is the content of such a file. It is read from bytes and written to them; its [`Display`](std::fmt::Display) is
//! what KLEE's `ktest-tool` prints. [`Posix`] is the input of a program that KLEE runs with its model of the system, and knows
//! which objects that makes.

mod display;
mod error;
mod ktest;
mod posix;
mod reader;

pub use error::KTestError;
pub use ktest::{KTest, Object, VERSION};
pub use posix::{File, Posix, SymbolicArguments};
