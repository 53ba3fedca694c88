//! A seed: one run of a program, as a test made it.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use byway_input::{ConcreteInput, Ending};

/// A program that ran, and carries bitcode.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Executable {
    /// Where it was when it ran, as an absolute path.
    pub path: PathBuf,
    /// A copy of it, for when it is no longer there or another one is.
    pub copy: PathBuf,
}

/// Something that a run read and that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Missing {
    /// What it is.
    pub path: PathBuf,
    /// Why it is not kept, in words.
    pub why: String,
}

/// One run of a program: its input, and where that came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// Its name among the seeds of a suite, such as `0012-sed`; its file is `0012-sed.seed.json`.
    pub name: String,
    /// The program.
    pub executable: Executable,
    /// All that it read, and what was around it: the name that the program was called by, the environment, the directory. Of the
    /// files none is the system's own.
    pub input: Arc<ConcreteInput>,
    /// What was read and is not kept.
    pub missing: Vec<Missing>,
    /// How it ended, if that could be seen.
    pub ending: Option<Ending>,
    /// The beginning of what it wrote to standard output.
    pub stdout: Vec<u8>,
    /// The beginning of what it wrote to standard error.
    pub stderr: Vec<u8>,
    /// How long it took.
    pub elapsed: Duration,
    /// How often the suite made this run.
    pub times: u32,
    /// The seed that this one was made of, by its name in the suite that it was in.
    pub origin: Option<String>,
}

impl Seed {
    /// How many bytes it was given: arguments, standard input and files.
    pub fn bytes(&self) -> u64 {
        self.input.bytes()
    }

    /// All arguments, the name that the program was called by first.
    pub fn command(&self) -> impl Iterator<Item = &[u8]> {
        let name = self.input.fixture.name.iter().map(|name| name.as_bytes());
        name.chain(self.input.arguments.iter().map(Vec::as_slice))
    }
}
