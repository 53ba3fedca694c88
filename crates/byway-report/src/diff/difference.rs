//! An input on which two versions behave differently.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Observation;
use crate::check::InputChange;
use crate::demangle::demangled;

/// In what two versions differ; of several, the first here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// One ends by a signal that is a fault.
    Crash,
    /// One does not end.
    Hang,
    /// The sanitizers report something in one, or one takes too much memory.
    Memory,
    /// They end otherwise.
    Exit,
    /// Standard output.
    Output,
    /// A file that is written or removed.
    File,
    /// Standard error.
    Stderr,
}

impl DifferenceKind {
    /// All kinds.
    pub const ALL: [DifferenceKind; 7] = [
        DifferenceKind::Crash,
        DifferenceKind::Hang,
        DifferenceKind::Memory,
        DifferenceKind::Exit,
        DifferenceKind::Output,
        DifferenceKind::File,
        DifferenceKind::Stderr,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::Crash => "crash",
            DifferenceKind::Hang => "hang",
            DifferenceKind::Memory => "memory",
            DifferenceKind::Exit => "exit",
            DifferenceKind::Output => "output",
            DifferenceKind::File => "file",
            DifferenceKind::Stderr => "stderr",
        }
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a difference means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The old version is right, the new one is not.
    Regression,
    /// Neither is right.
    IncompleteFix,
    /// The new version is right, the old one is not.
    Progression,
    /// Nobody has said what is right.
    Unclassified,
}

impl Class {
    const ALL: [Class; 4] = [Class::Regression, Class::IncompleteFix, Class::Progression, Class::Unclassified];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Class::Regression => "regression",
            Class::IncompleteFix => "incomplete-fix",
            Class::Progression => "progression",
            Class::Unclassified => "unclassified",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Class, String> {
        let names = Class::ALL.map(Class::name).join(", ");
        let found = Class::ALL.into_iter().find(|class| class.name() == text);
        found.ok_or_else(|| format!("there is no class '{text}'; the classes are {names}"))
    }
}

/// How an input was come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// It was given.
    Given,
    /// By changing one at random.
    RandomChange,
    /// By exploring the new version.
    NewExplored,
    /// By exploring the old version.
    OldExplored,
    /// By a query about both versions.
    Joint,
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Found::Given => "given",
            Found::RandomChange => "found by random changes",
            Found::NewExplored => "found by exploring the new version",
            Found::OldExplored => "found by exploring the old version",
            Found::Joint => "found by a query about both versions",
        })
    }
}

/// A line that changed, with its source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ChangedLine {
    /// `changed`, `added` or `removed`.
    pub what: String,
    /// The function or variable.
    pub name: String,
    /// The file; for what was removed, that of the old version.
    pub file: PathBuf,
    /// The line in it.
    pub line: u32,
    /// Where it is in the old version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<(PathBuf, u32)>,
    /// Where it is in the new version; of what was removed, where that goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<(PathBuf, u32)>,
    /// Its text in the old version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_source: Option<String>,
    /// Its text in the new version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_source: Option<String>,
}

/// An input on which two versions behave differently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// What it is known by: the same for the same cause.
    pub id: String,
    /// In what they differ.
    pub kind: DifferenceKind,
    /// What that means.
    pub class: Class,
    /// The program, as both versions are called.
    pub program: String,
    /// The old version.
    pub old_program: PathBuf,
    /// The new version.
    pub new_program: PathBuf,
    /// The changes that the input executes.
    pub changes: Vec<ChangedLine>,
    /// Where the two versions go different ways for the first time: `file.c:12 in function`.
    pub parts_at: Option<String>,
    /// The changed lines and interaction locations that the input comes by in the new version, in order, without repetitions:
    /// `file.c:12 in function`. Empty if nobody looked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<String>,
    /// The name of the seed that the input was made of.
    pub seed: Option<String>,
    /// The bytes that are not the seed's, in words.
    pub changed: Vec<String>,
    /// The same for programs.
    pub changed_bytes: Vec<InputChange>,
    /// The directory of the input, in the output directory.
    pub input: String,
    /// The command line.
    pub command: String,
    /// How the input was come by.
    pub found: Found,
    /// How many inputs showed it.
    pub count: u64,
    /// All parts that differ: `stdout`, `exit`, `file out/x`, ...
    pub parts: Vec<String>,
    /// What differs between runs of the same version, and was not compared.
    pub masked: Vec<String>,
    /// What the old version did.
    pub old: Observation,
    /// What the new version did.
    pub new: Observation,
    /// What the golden version did, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub golden: Option<Observation>,
    /// Whether it showed again when both versions were run again.
    pub confirmed: bool,
    /// Why it is accepted, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<String>,
    /// When it was found, in seconds.
    #[serde(default)]
    pub first_seen: f64,
}

/// What a difference is known by: what it is, where the versions part, and the texts of the changes that it executes, wherever their
/// lines are.
pub fn id(program: &str, kind: DifferenceKind, changes: &[ChangedLine], parting: Option<&str>) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(text.trim().as_bytes());
        hasher.update(&[0]);
    };
    add(program);
    add(kind.name());
    add(parting.unwrap_or_default());
    for change in changes {
        add(&change.name);
        add(&change.what);
        add(change.old_source.as_deref().unwrap_or_default());
        add(change.new_source.as_deref().unwrap_or_default());
    }
    hasher.finalize().to_hex()[..12].to_owned()
}

impl ChangedLine {
    /// `file.c:12 in function`, from a directory on.
    pub fn place_from(&self, root: &std::path::Path) -> String {
        let file = self.file.strip_prefix(root).unwrap_or(&self.file);
        format!("{}:{} in {}", file.display(), self.line, demangled(&self.name))
    }

    /// The change as lines of a diff.
    pub fn hunk(&self) -> Vec<(char, String)> {
        let (old, new) = (self.old_source.as_deref().map(str::trim), self.new_source.as_deref().map(str::trim));
        match (old, new) {
            (Some(old), Some(new)) if old == new => vec![(' ', new.to_owned())],
            (old, new) => {
                let lines = [('-', old), ('+', new)];
                lines.into_iter().filter_map(|(mark, line)| Some((mark, line?.to_owned()))).collect()
            }
        }
    }
}
