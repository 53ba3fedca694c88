//! In which orders changes can be executed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The change sequence graph of a program (Böhme, Oliveira and Roychoudhury, 2013), as far as it is shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangeGraph {
    /// The nodes.
    pub nodes: Vec<ChangeGraphNode>,
}

/// A node of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeGraphNode {
    /// What it is.
    pub kind: ChangeNodeKind,
    /// The function that it is in.
    pub function: String,
    /// The file, of the new version.
    pub file: PathBuf,
    /// The line in it.
    pub line: u32,
    /// Where control can get to from there before it meets another node: numbers of nodes.
    pub next: Vec<usize>,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeNodeKind {
    /// The beginning of the program.
    Start,
    /// The program writes something, or ends.
    Output,
    /// A changed line.
    Change,
    /// What is not changed and depends on several changes.
    Interaction,
}
