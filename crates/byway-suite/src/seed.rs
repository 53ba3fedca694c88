//! A seed: one run of a program, as a test made it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use byway_report::Ending;

/// A program that ran, and carries bitcode.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Executable {
    /// Where it was when it ran, as an absolute path.
    pub path: PathBuf,
    /// A copy of it, for when it is no longer there or another one is.
    pub copy: PathBuf,
}

/// What a program found as its standard input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Stdin {
    /// Nothing: it was closed, `/dev/null`, or never read.
    Nothing,
    /// These bytes.
    Bytes(Arc<[u8]>),
}

/// A file that a run read, as it was when it was opened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SeedFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// What was in it.
    pub content: Arc<[u8]>,
    /// Its permissions.
    pub mode: u32,
}

/// Something that a run read and that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Missing {
    /// What it is.
    pub path: PathBuf,
    /// Why it is not kept, in words.
    pub why: String,
}

/// One run of a program, with all that it read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// Its name among the seeds of a suite, such as `0012-sed`; its file is `0012-sed.seed.json`.
    pub name: String,
    /// The program.
    pub executable: Executable,
    /// All arguments, the name that the program was called by first.
    pub arguments: Vec<OsString>,
    /// The environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory.
    pub directory: PathBuf,
    /// Standard input.
    pub stdin: Stdin,
    /// Files that were read, or named by an argument; none of the system's own.
    pub files: Vec<SeedFile>,
    /// Directories that were read, or that files are in, without what is in them.
    pub directories: Vec<PathBuf>,
    /// Symbolic links on the way to what was read, and where they lead.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// What was looked for and was not there.
    pub absent: Vec<PathBuf>,
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
        let arguments = self.arguments.iter().skip(1).map(|argument| argument.len());
        let stdin = match &self.stdin {
            Stdin::Nothing => 0,
            Stdin::Bytes(bytes) => bytes.len(),
        };
        let files = self.files.iter().map(|file| file.content.len());
        arguments.chain(files).chain([stdin]).map(|length| length as u64).sum()
    }
}
