//! A program under test.
//!
//! A [`Subject`] is an executable or a shared library that `byway-cc` built, with the modules it carries, as records: what they mean
//! is for LLVM to say, which is not needed here.

mod clock;
mod dynamic;
mod restore;
mod subject;
mod symbols;
mod tool;

pub use clock::may_see_clock;
pub use dynamic::shared_name;
pub use subject::{Kept, Subject, SubjectError};
pub use symbols::{exported, linked_names, uncarried_functions};
pub use tool::{reader, tool_fingerprint};
