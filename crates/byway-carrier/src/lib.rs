//! The ELF section that carries bitcode through a build.
//!
//! `byway-cc` appends a `.byway` section to every object it makes. The section is not loaded at run time and linkers
//! concatenate it like any other unknown section, so an executable ends up with the records of exactly those objects
//! that were linked into it. A section is therefore nothing but a sequence of self-delimiting [`Record`]s:
//!
//! - a [`Module`] holds one translation unit: its bitcode as the front end makes it, and how to compile it
//!   again;
//! - an [`Absent`] says which translation unit has no bitcode, and why;
//! - a [`Link`] says how the file was linked, so that a variant can be linked again.
//!
//! [`elf`] puts records into files and finds them there; [`archive`] looks through static libraries.

pub mod archive;
pub mod elf;
mod frame;
mod record;

pub use frame::{FrameError, decode, encode};
pub use record::{Absent, Dependency, Link, LinkItem, LinkOutput, Module, Record, compress};

/// Name of the section.
pub const SECTION: &str = ".byway";

/// Version of the record format; a reader accepts exactly this one.
pub const VERSION: u16 = 1;
