//! What is to be recorded, and how much of it.

use std::env;
use std::path::PathBuf;

/// How much is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureLimits {
    /// Of a file, or of standard input, in bytes.
    pub file: u64,
    /// Of all files of a run together.
    pub seed: u64,
    /// Of what a run writes to standard output, and to standard error.
    pub output: usize,
    /// How many entries of a directory that is read.
    pub entries: usize,
    /// Of a file that is in such a directory, and not read itself.
    pub entry: u64,
}

impl Default for CaptureLimits {
    fn default() -> CaptureLimits {
        CaptureLimits { file: 16 << 20, seed: 64 << 20, output: 64 << 10, entries: 256, entry: 64 << 10 }
    }
}

/// What is to be recorded.
#[derive(Debug, Clone)]
pub struct RecordSettings {
    /// Where the seeds go.
    pub directory: PathBuf,
    /// The project's own directory: programs in it are expected to carry bitcode, and files in it are never the
    /// machine's.
    pub tree: PathBuf,
    /// Directories whose files are not the tests'.
    pub skipped: Vec<PathBuf>,
    /// How much is kept.
    pub limits: CaptureLimits,
}

impl RecordSettings {
    /// For the tests of the project in the current directory.
    pub fn new(directory: PathBuf) -> RecordSettings {
        let tree = env::current_dir().unwrap_or_default();
        let skipped = std::path::absolute(&directory).into_iter().collect();
        RecordSettings { directory, tree, skipped, limits: CaptureLimits::default() }
    }
}
