//! Builds the variants of a subject and keeps them in a cache.
//!
//! A [`Variant`] is the subject's program made again from the bitcode it carries: as it is (`native`), with counters
//! (`cov`), or under the sanitizers (`asan`). All but the last are made from the canonical module, whole. `asan` is
//! compiled module by module from the sources, and linked as the user's program was: its verdict is the one a user gets
//! from a sanitizer build.
//!
//! [`Cache`] owns the directory; what is in it is named by content and can be thrown away at any time.

mod build;
mod cache;
mod error;
pub mod job;
mod kind;
mod objects;
mod overlay;
mod reader;
mod relink;
mod sanitize;
mod scratch;
mod sums;
mod toolchain;
mod trust;

pub use build::{Variant, build, build_noting, program_code, program_instructions, program_map, read_map};
pub use cache::{Cache, Work};
pub use error::{Fault, VariantError};
pub use kind::VariantKind;
pub use reader::llvm_version;
pub use sanitize::partly_checked;
pub use toolchain::CLANG;
