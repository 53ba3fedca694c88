//! Where two versions of a program behave differently.

mod request;

pub use request::{DiffRequest, Ignore, Options, ProgramPair, Version};
