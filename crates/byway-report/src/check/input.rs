//! All that a run of a suite's program reads.

use std::ffi::OsString;
use std::path::PathBuf;

/// All that a run reads: that of a seed, or one near it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckInput {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// All arguments, the name that the program is called by first.
    pub arguments: Vec<Vec<u8>>,
    /// The environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory.
    pub directory: PathBuf,
    /// Standard input; `None`: there is nothing to read.
    pub stdin: Option<Vec<u8>>,
    /// Files, by absolute path.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Directories that are there, whatever is in them.
    pub directories: Vec<PathBuf>,
    /// Symbolic links, and where they lead.
    pub links: Vec<(PathBuf, PathBuf)>,
}
