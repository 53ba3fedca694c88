//! Rewrites a canonical module into the module of a variant.
//!
//! Every rewriting only inserts straight-line code; the blocks stay those of the [`byway_program::ProgramMap`]. Each
//! variant has its module: [`cov`] counts blocks.

pub mod cov;

use byway_llvm::LlvmError;
use byway_llvm::inkwell::builder::BuilderError;
use thiserror::Error;

/// Why a module could not be rewritten; always a mistake of ours.
#[derive(Debug, Error)]
pub enum InstrumentError {
    /// LLVM refused the result.
    #[error(transparent)]
    Llvm(#[from] LlvmError),
    /// An instruction could not be built.
    #[error("internal error: {0}")]
    Build(#[from] BuilderError),
}
