//! What surrounds a run.

use std::ffi::OsString;
use std::path::PathBuf;

/// The variables of an environment, in their order.
pub type Environment = Vec<(OsString, OsString)>;

/// What surrounds a run besides the bytes that it reads. All inputs near one test share it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Fixture {
    /// What messages call a run with it: the name of a seed, say.
    pub label: String,
    /// The name that the program is called by: its `argv[0]`. Without one it is the path of the program that is run.
    pub name: Option<OsString>,
    /// The environment.
    pub environment: Environment,
    /// The working directory, as an absolute path; `None`: that of the sandbox.
    pub directory: Option<PathBuf>,
    /// Directories that are there, whatever is in them.
    pub directories: Vec<PathBuf>,
    /// Symbolic links, and where they lead.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// Paths where nothing is, whatever the machine has there.
    pub absent: Vec<PathBuf>,
}
