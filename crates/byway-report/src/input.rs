//! The input of a run.

use std::path::PathBuf;

/// Everything that a run reads and that can be changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Input {
    /// The arguments without the program's name, each without zero bytes.
    pub arguments: Vec<Vec<u8>>,
    /// Standard input; `None`: there is nothing to read.
    pub stdin: Option<Vec<u8>>,
    /// Files, by the path under which the program finds them: relative to its working directory, or absolute.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The objects that the program makes symbolic itself (`klee_make_symbolic`), by name.
    pub objects: Vec<(String, Vec<u8>)>,
}
