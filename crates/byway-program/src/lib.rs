//! A program under test.
//!
//! A [`Subject`] is an executable or a shared library that `byway-cc` built, with the modules it carries. Its
//! [`Canonical`] form is all of them linked into one module, in which every branch of the source is still a branch, with
//! the [`byway_map::ProgramMap`] that describes it.

mod assembly;
mod calls;
mod canonical;
mod describe;
mod dynamic;
mod instructions;
mod kept;
mod last_writers;
mod map;
mod restore;
mod site;
mod subject;
mod symbols;

pub use canonical::{Canonical, CanonicalError, program_code, program_instructions};
pub use dynamic::shared_name;
pub use last_writers::last_writers;
pub use site::site_kind;
pub use subject::{Kept, Subject, SubjectError, tool_fingerprint};
pub use symbols::{linked_names, uncarried_functions};
