//! What a version did, in words.

use std::collections::BTreeMap;
use std::path::Path;

use byway_input::{Behaviour, Content, FileChange};
use serde::{Deserialize, Serialize};

use crate::Finding;
use crate::text::Text;

/// So much of an output goes into `differences.json`.
const SHOWN: usize = 1 << 14;

/// What a version did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// How it ended.
    pub ending: String,
    /// What it wrote to standard output: the beginning, if it is long.
    pub stdout: Text,
    /// How many bytes that are.
    pub stdout_size: u64,
    /// What it wrote to standard error.
    pub stderr: Text,
    /// How many bytes that are.
    pub stderr_size: u64,
    /// What became of files, by path.
    pub files: BTreeMap<String, ObservedFile>,
    /// What the sanitizers found.
    pub findings: Vec<Finding>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum ObservedFile {
    /// It was written.
    Written {
        /// The beginning of what is in it.
        content: Text,
        /// How many bytes it has.
        size: u64,
        /// Its permissions.
        mode: u32,
    },
    /// A directory was made.
    Directory,
    /// A symbolic link was made.
    Link {
        /// Where it leads.
        target: Text,
    },
    /// Something else was made: a pipe, a socket.
    Special,
    /// It is gone.
    Removed,
}

impl Observation {
    /// A behaviour, and what the sanitizers found.
    pub fn new(behaviour: &Behaviour, findings: Vec<Finding>) -> Observation {
        let files = behaviour.files.iter().flatten();
        Observation {
            ending: behaviour.ending.to_string(),
            stdout: beginning(&behaviour.stdout),
            stdout_size: behaviour.stdout.size(),
            stderr: beginning(&behaviour.stderr),
            stderr_size: behaviour.stderr.size(),
            files: files.map(|(path, change)| (named(path), ObservedFile::from(change))).collect(),
            findings,
        }
    }
}

fn named(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn beginning(content: &Content) -> Text {
    let bytes = content.beginning();
    Text(bytes[..bytes.len().min(SHOWN)].to_vec())
}

impl From<&FileChange> for ObservedFile {
    fn from(change: &FileChange) -> ObservedFile {
        match change {
            FileChange::Written { content, mode } => {
                ObservedFile::Written { content: beginning(content), size: content.size(), mode: *mode }
            }
            FileChange::Directory => ObservedFile::Directory,
            FileChange::Link(target) => ObservedFile::Link { target: Text::from(target.as_os_str()) },
            FileChange::Special => ObservedFile::Special,
            FileChange::Removed => ObservedFile::Removed,
        }
    }
}
