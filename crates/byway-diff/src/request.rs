//! What is asked for.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use byway_change::{Changes, SequenceGraph};
use byway_engine::Program;
use byway_exec::{SandboxOptions, Variants};
use byway_explore::Start;
use byway_input::InputModel;
use byway_map::{DataFlow, ProgramCode};
use byway_report::diff::ChangeGraph;
use byway_report::{SourceLines, SourceTexts};
use byway_solve::Solver;
use byway_suite::Seed;
use byway_trace::TraceLimits;

/// Programs in two versions, and how they are compared.
pub struct DiffRequest<'a> {
    /// The programs.
    pub pairs: Vec<ProgramPair>,
    /// What the old and the new version are called.
    pub names: (String, String),
    /// How.
    pub options: Options,
    /// Makes a solver.
    pub solver: &'a (dyn Fn() -> Solver + Sync),
}

/// A program in two versions, and the inputs to begin with.
pub struct ProgramPair {
    /// What both versions are called.
    pub name: String,
    /// The old version.
    pub old: Version,
    /// The new version.
    pub new: Version,
    /// A version that is right.
    pub golden: Option<Variants>,
    /// What changed.
    pub changes: Changes,
    /// In which orders that can be executed in the new version, whose `sym` variant notes when it comes by a node. Without it, each
    /// change is looked for alone.
    pub sequences: Option<Arc<SequenceGraph>>,
    /// The same to be shown, if it was worth its time.
    pub graph: Option<ChangeGraph>,
    /// The inputs that are given.
    pub seeds: Vec<Arc<Seed>>,
    /// What is explored from nothing, if there are no inputs.
    pub start: Option<Start>,
}

/// A version of a program.
#[derive(Clone)]
pub struct Version {
    /// As it was built, and its variants. Without `cov` nothing is known of which changes an input executes, without `asan`
    /// nothing of what the sanitizers say, without `sym` nothing is explored.
    pub variants: Variants,
    /// What is known of it.
    pub program: Arc<Program>,
    /// What its statements say.
    pub code: Arc<ProgramCode>,
    /// What they define and use.
    pub flow: Arc<DataFlow>,
    /// Its sources, as it was built from them.
    pub sources: SourceTexts,
}

impl Version {
    /// The lines of its sources.
    pub fn lines(&self) -> SourceLines {
        SourceLines::of(self.sources.clone())
    }
}

/// How versions are compared.
#[derive(Debug, Clone)]
pub struct Options {
    /// Parts of behaviours that are not compared.
    pub ignore: Ignore,
    /// It ends after this time.
    pub time: Duration,
    /// Which input may be other than what is given.
    pub model: Arc<InputModel>,
    /// Whether inputs are changed at random and explored from.
    pub goes_on: bool,
    /// How other paths are searched for.
    pub search: DiffSearch,
    /// Whether it ends with the first difference that is confirmed.
    pub first: bool,
    /// Which means a search for changes has.
    pub directions: Directions,
    /// So many inputs run at the same time.
    pub jobs: usize,
    /// After this time a run is killed.
    pub run_timeout: Duration,
    /// Where runs are confined.
    pub sandbox: SandboxOptions,
    /// How much a trace may hold.
    pub limits: TraceLimits,
    /// When byway has taken so many bytes of memory, explorations end.
    pub memory: u64,
    /// What random choices are made of.
    pub seed: u64,
}

/// How other paths are searched for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DiffSearch {
    /// Not at all: inputs are changed at random only.
    None,
    /// One version after the other, whatever changed.
    Undirected,
    /// Both versions at once, towards each change and from there to where it shows.
    Changes,
    /// The same, and towards sequences of changes that no input executed.
    #[default]
    Interactions,
}

impl FromStr for DiffSearch {
    type Err = String;

    fn from_str(text: &str) -> Result<DiffSearch, String> {
        match text {
            "none" => Ok(DiffSearch::None),
            "undirected" => Ok(DiffSearch::Undirected),
            "changes" => Ok(DiffSearch::Changes),
            "interactions" => Ok(DiffSearch::Interactions),
            _ => Err(format!("there is no search '{text}'; there are interactions, changes, undirected, none")),
        }
    }
}

/// Which means a search for changes has. To leave one out shows what it is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directions {
    /// Paths that lead to a change come first.
    pub reach: bool,
    /// Where a branch on the way to a change does not depend on the input, paths that lead to a definition of what it tests come first.
    pub definitions: bool,
    /// Paths that lead to a use of what a change computes come first when the change is executed.
    pub uses: bool,
    /// Decisions that a branch does not depend on may be made otherwise to take it.
    pub dropping: bool,
    /// Queries are about the paths of both versions.
    pub joint: bool,
    /// Some of these queries are about what both versions write.
    pub outputs: bool,
}

impl Default for Directions {
    fn default() -> Self {
        Directions { reach: true, definitions: true, uses: true, dropping: true, joint: true, outputs: true }
    }
}

/// Parts of behaviours that are not compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ignore {
    /// Standard output.
    pub stdout: bool,
    /// Standard error.
    pub stderr: bool,
    /// Exit codes. Faults and endless runs count all the same.
    pub exit: bool,
    /// Files that are written or removed.
    pub files: bool,
    /// What the sanitizers say.
    pub sanitizers: bool,
}

impl FromStr for Ignore {
    type Err = String;

    fn from_str(text: &str) -> Result<Ignore, String> {
        let mut ignore = Ignore::default();
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let part = match word {
                "stdout" => &mut ignore.stdout,
                "stderr" => &mut ignore.stderr,
                "exit" => &mut ignore.exit,
                "files" => &mut ignore.files,
                "sanitizers" => &mut ignore.sanitizers,
                _ => {
                    return Err(format!(
                        "there is no part '{word}'; the parts are stdout, stderr, exit, files, sanitizers"
                    ));
                }
            };
            *part = true;
        }
        Ok(ignore)
    }
}

impl fmt::Display for Ignore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ignore { stdout, stderr, exit, files, sanitizers } = *self;
        let all =
            [(stdout, "stdout"), (stderr, "stderr"), (exit, "exit"), (files, "files"), (sanitizers, "sanitizers")];
        let named: Vec<&str> = all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        formatter.write_str(&named.join(","))
    }
}
