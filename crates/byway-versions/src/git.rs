//! Runs git. The only module that does.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::error::VersionsError;

/// Variables by which git is told where a repository is. They would lead from one repository to another.
const PLACES: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
];

/// git in a directory.
#[derive(Debug, Clone)]
pub struct Git {
    directory: PathBuf,
    variables: Vec<(&'static str, PathBuf)>,
}

impl Git {
    /// git in the repository that a directory is in. It takes no lock that it can do without.
    pub fn at(directory: &Path) -> Git {
        Git { directory: directory.to_owned(), variables: Vec::new() }
    }

    /// The same with a variable.
    pub fn with(mut self, name: &'static str, value: &Path) -> Git {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// What it prints, without the last line's end.
    pub fn text(&self, arguments: &[&str]) -> Result<String, VersionsError> {
        self.with_input(arguments, None)
    }

    /// What it prints, given an input.
    pub fn with_input(&self, arguments: &[&str], input: Option<&str>) -> Result<String, VersionsError> {
        let output = self.output(arguments, input)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
        if !output.status.success() {
            return Err(VersionsError::Git { command: arguments.join(" "), message: text(&output.stderr) });
        }
        Ok(text(&output.stdout))
    }

    /// What it prints, or nothing if it fails.
    pub fn try_text(&self, arguments: &[&str]) -> Result<Option<String>, VersionsError> {
        match self.text(arguments) {
            Ok(text) => Ok(Some(text)),
            Err(VersionsError::Git { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn output(&self, arguments: &[&str], input: Option<&str>) -> Result<Output, VersionsError> {
        let mut command = Command::new("git");
        for name in PLACES {
            command.env_remove(name);
        }
        command.current_dir(&self.directory).env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        command.env("GIT_TERMINAL_PROMPT", "0").envs(self.variables.iter().map(|(name, value)| (name, value)));
        // Neither hooks nor a daemon that watches files may begin in a repository because byway looks at it.
        command.args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "advice.detachedHead=false",
        ]);
        command.args(arguments.iter().map(OsStr::new));
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(VersionsError::NoGit)?;
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
            // git reads all of it before it prints; if it ends before, its status says so.
            let _ = stdin.write_all(input.as_bytes());
        }
        child.wait_with_output().map_err(VersionsError::NoGit)
    }
}
