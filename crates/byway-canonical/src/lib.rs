//! The canonical form of a program under test.
//!
//! [`Canonical`] is all modules of a [`byway_program::Subject`] linked into one, in which every branch of the source is still a
//! branch, with the [`byway_map::ProgramMap`] that describes it. [`program_code`] is what the modules say before local variables
//! become registers.

mod assembly;
mod calls;
mod canonical;
mod describe;
mod instructions;
mod kept;
mod last_writers;
mod map;
mod site;

pub use canonical::{Canonical, CanonicalError, program_code, program_instructions};
pub use last_writers::last_writers;
pub use site::site_kind;
