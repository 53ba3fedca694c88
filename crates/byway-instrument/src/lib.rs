//! Rewrites a canonical module into the module of a variant.
//!
//! The blocks of the [`byway_map::ProgramMap`] stay; `sym` splits them, and knows each by its end. Each
//! variant has its module: [`cov`] counts blocks, [`sym`] computes with labels.

pub mod cov;
pub mod sym;

use byway_llvm::LlvmError;
use byway_llvm::inkwell::builder::BuilderError;
use thiserror::Error;

/// Why a module could not be rewritten.
#[derive(Debug, Error)]
pub enum InstrumentError {
    /// The program's `main` is not among what carries bitcode.
    #[error("main is not in the program's bitcode: it was compiled by another compiler, or this is a library")]
    NoMain,
    /// LLVM refused the result.
    #[error(transparent)]
    Llvm(#[from] LlvmError),
    /// An instruction could not be built.
    #[error("internal error: {0}")]
    Build(#[from] BuilderError),
}
