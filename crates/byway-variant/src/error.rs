//! Why a variant could not be built.

use std::io;
use std::path::PathBuf;

use byway_confine::ConfineError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a variant could not be built.
#[derive(Debug, Error)]
pub enum VariantError {
    /// The cache directory cannot be used.
    #[error("cannot write to the cache {path}: {source}; choose another directory with --cache-dir or BYWAY_CACHE")]
    Cache {
        /// The file or directory.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Something in the cache cannot be read.
    #[error("cannot read {path}: {source}; remove the cache, it is made again")]
    CacheEntry {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// No home for a cache.
    #[error("there is no directory for the cache: set BYWAY_CACHE, XDG_CACHE_HOME or HOME")]
    NoCacheDirectory,
    /// The program was built by `byway-cc`, but none of its translation units has bitcode.
    #[error("none of the program's translation units has bitcode; byway doctor says why")]
    NoModules,
    /// A compiler or linker cannot be run.
    #[error("cannot run {tool}: {source}; install it (Debian: apt-get install clang-19 libclang-rt-19-dev)")]
    NoTool {
        /// The program.
        tool: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// A compiler or linker failed.
    #[error("{what} failed:\n{output}")]
    Tool {
        /// What it was to do.
        what: String,
        /// What it printed.
        output: String,
    },
    /// A compiler or linker was killed.
    #[error(
        "{what}: {tool} died ({how}): what the program carries is damaged, or {tool} has a defect; build the program again\n{output}"
    )]
    ToolDied {
        /// What it was to do.
        what: String,
        /// The program.
        tool: String,
        /// How it ended.
        how: String,
        /// What it printed.
        output: String,
    },
    /// The directory that a program was built in is gone.
    #[error("{what}: {path}: {source}; build the program again, where it can be found")]
    NoDirectory {
        /// The directory.
        path: PathBuf,
        /// What was to be done there.
        what: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// Compilers and linkers cannot be confined here.
    #[error("cannot confine the compiler: {0}\n(--trust has it run unconfined)")]
    Confine(ConfineError),
    /// A file that was linked into the program, and carries no bitcode, is not there any more.
    #[error("{path} was linked into the program and is gone; build the program again")]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// A static library that was linked into the program cannot be read.
    #[error("cannot take {path} apart: {source}; build the program again")]
    Unreadable {
        /// The library.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// The records of a program ask for what we do only for programs that are trusted.
    #[error(
        "{path} was built with {word:?}: {why}; build it again here, or give --trust if you know where it comes from"
    )]
    Refused {
        /// The program.
        path: PathBuf,
        /// What the records say.
        word: String,
        /// What is wrong with that.
        why: &'static str,
    },
    /// No process could be started to read bitcode.
    #[error("cannot start a process that reads bitcode: {source}")]
    NoReader {
        /// What the operating system said.
        source: io::Error,
    },
    /// LLVM died of the bitcode.
    #[error(
        "{name}: LLVM died of the bitcode ({how}): it is damaged, or LLVM has a defect; build the program again\n{said}"
    )]
    Crashed {
        /// The program.
        name: String,
        /// How the process ended.
        how: String,
        /// What it said.
        said: String,
    },
    /// The bitcode could not be read or rewritten.
    #[error("{message}")]
    Reader {
        /// Whose fault it is.
        fault: Fault,
        /// What is wrong.
        message: String,
    },
}

/// Whose fault it is that bitcode could not be read or rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// The bitcode is of another LLVM.
    Foreign,
    /// What the program carries is damaged.
    Damaged,
    /// Its modules do not fit together.
    Build,
    /// Ours.
    Internal,
    /// The cache cannot be used.
    Cache,
}

impl VariantError {
    /// Whose fault it is, of what happens where bitcode is read.
    pub fn fault(&self) -> Fault {
        match self {
            VariantError::Reader { fault, .. } => *fault,
            VariantError::Cache { .. } | VariantError::CacheEntry { .. } => Fault::Cache,
            VariantError::Crashed { .. } => Fault::Damaged,
            _ => Fault::Build,
        }
    }
}
