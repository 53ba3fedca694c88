//! Why a job could not be done.

use std::io;

use byway_canonical::CanonicalError;
use byway_instrument::InstrumentError;
use byway_llvm::LlvmError;
use byway_variant::{Fault, VariantError};
use thiserror::Error;

/// Why a job could not be done.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The canonical module could not be made.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    /// The canonical module could not be rewritten.
    #[error(transparent)]
    Instrument(#[from] InstrumentError),
    /// What is in the cache cannot be read.
    #[error(transparent)]
    Cache(#[from] VariantError),
    /// A carried module cannot be read.
    #[error("{source_file}: the bitcode cannot be decompressed: {source}")]
    Compressed {
        /// The translation unit's source.
        source_file: String,
        /// What is wrong with it.
        source: io::Error,
    },
}

impl ReadError {
    /// Whose fault it is.
    pub fn fault(&self) -> Fault {
        match self {
            ReadError::Canonical(CanonicalError::Module { source: LlvmError::Parse { .. }, .. }) => Fault::Foreign,
            ReadError::Canonical(CanonicalError::Compressed { .. }) | ReadError::Compressed { .. } => Fault::Damaged,
            ReadError::Canonical(CanonicalError::Internal(_)) | ReadError::Instrument(_) => Fault::Internal,
            ReadError::Canonical(_) => Fault::Build,
            ReadError::Cache(error) => error.fault(),
        }
    }
}
