//! What a change is.

use std::path::PathBuf;

use byway_map::BlockId;
use serde::Serialize;

/// What differs between two versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// What does something else, by function and line.
    pub changes: Vec<Change>,
    /// What only says where it stands (`__LINE__`, `__FILE__`, build paths) or what the user wants to be left out.
    pub positions_only: Vec<Change>,
    /// Functions that have another name, old and new.
    pub renamed: Vec<(String, String)>,
}

/// What became of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// It does something else.
    Changed,
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Removed,
}

/// What it is that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangedEntity {
    /// A statement does something else.
    Statement,
    /// The same statement goes on elsewhere.
    Control,
    /// The types of a function's parameters or result.
    Signature,
    /// The value that a variable begins with.
    Variable,
}

/// A line that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What became of it.
    pub kind: ChangeKind,
    /// What it is.
    pub subject: ChangedEntity,
    /// The function it is in, by its name in the new version if it is there; or the variable.
    pub name: String,
    /// Where it is in the old version.
    pub old: Option<VersionLine>,
    /// Where it is in the new version. For what was removed: where the new version goes on without it.
    pub new: Option<VersionLine>,
}

impl Change {
    /// Where it is executed, if that is in the old version or in the new one: what was removed is executed in the old one.
    pub fn executed_at(&self, in_old: bool) -> Option<&VersionLine> {
        let is_old = self.kind == ChangeKind::Removed;
        let place = if is_old { self.old.as_ref() } else { self.new.as_ref() };
        place.filter(|_| is_old == in_old)
    }
}

/// A line of one version, and the blocks that are executed with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VersionLine {
    /// The file.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// The blocks in which it is executed. Empty for code that is never executed on its own.
    #[serde(skip)]
    pub blocks: Vec<BlockId>,
}
