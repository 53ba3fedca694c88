//! The command line of `byway diff`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use byway_diff::{DiffSearch, Directions, Ignore};
use byway_exec::Symbolic;
use byway_report::diff::Class;
use clap::Args;

use super::{RunFlags, SolvingFlags, SymbolicFlags, seconds, symbolic_given};

/// `byway diff`
#[derive(Debug, Args)]
#[command(
    override_usage = "byway diff [OPTIONS] OLD NEW --from DIR\n       byway diff [OPTIONS] OLD NEW [--sym-...] -- ARGS...\n       \
                      byway diff [OPTIONS] REVISION..REVISION --build CMD --test CMD [-- PATHS...]"
)]
pub struct DiffFlags {
    /// The old and the new version: two programs built with byway-cc, or two directories whose programs are paired by path; with
    /// --build, revisions as git diff takes them: A..B, A...B, A B, or A alone, which is compared with the working tree
    #[arg(value_name = "VERSION", required = true, num_args = 1..=2)]
    pub versions: Vec<OsString>,
    /// Run these seeds (of byway record, import or check) in both versions, and what is near them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sym_args", "sym_arg", "sym_stdin", "sym_files"])]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub commits: CommitFlags,
    #[command(flatten)]
    pub symbolic: SymbolicFlags,
    #[command(flatten)]
    pub compare: CompareFlags,
    /// The arguments of a run, which gets our standard input and the files of the current directory; with --sym-*, they stay as
    /// they are, before the symbolic ones. With --build: only changes in these files and directories are looked at
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// How commits become programs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Commits")]
pub struct CommitFlags {
    /// Check both revisions out, away from this checkout, and build them with this command; CC is byway-cc and CXX byway-c++. Each
    /// commit is built once
    #[arg(long, value_name = "CMD")]
    pub build: Option<String>,
    /// The command that runs the tests of the old version: what they run is run in both
    #[arg(long, value_name = "CMD", requires = "build", conflicts_with_all = ["from", "sym_args", "sym_arg", "sym_stdin", "sym_files"])]
    pub test: Option<String>,
}

/// How versions are compared, wherever they come from.
#[derive(Debug, Args)]
pub struct CompareFlags {
    /// A version that is right: differences are classified by which of the two agrees with it. A program, or a directory as
    /// for OLD and NEW
    #[arg(long, value_name = "PROG")]
    pub golden: Option<PathBuf>,
    /// Leave out parts of the behaviour: stdout, stderr, exit, files, sanitizers, separated by commas
    #[arg(long, value_name = "PARTS", default_value = "", hide_default_value = true)]
    pub ignore: Ignore,
    /// Parts of string constants that match this regular expression are no change; may be given several times
    #[arg(long, value_name = "REGEX")]
    pub ignore_text: Vec<regex::bytes::Regex>,
    /// Which input may be changed: args, stdin and files, separated by commas, or none
    #[arg(long = "symbolic", value_name = "INPUTS", default_value = "args,stdin,files", value_parser = symbolic_given,
        conflicts_with_all = ["sym_args", "sym_arg", "sym_stdin", "sym_files"])]
    pub changed: Symbolic,
    /// Do not count differences that this file accepts: by kind, file, function or fingerprint (the ID), each with a reason
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub suppressions: Vec<PathBuf>,
    /// Stop after this time; building is not counted
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60", help_heading = "Budgets")]
    pub time: Duration,
    /// Only run the inputs that are given: no random changes of them, no exploration
    #[arg(long, help_heading = "Budgets")]
    pub only_given: bool,
    /// Stop at the first difference
    #[arg(long, help_heading = "Budgets")]
    pub first: bool,
    #[command(flatten)]
    pub search: DiffSearchFlags,
    /// What random choices are made of: the same seed, the same choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Exit with 2 only for differences of this class: regression, incomplete-fix, progression, unclassified, or any; several
    /// with commas
    #[arg(long, value_name = "CLASS", default_value = "any", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Where differences go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "byway.out", help_heading = "Output")]
    pub output: PathBuf,
    /// Also write the differences as Markdown, for a comment on a pull request
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub markdown: Option<PathBuf>,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    #[command(flatten)]
    pub runs: RunFlags,
    #[command(flatten)]
    pub solving: SolvingFlags,
    /// Let runs do what they like, as byway check --unconfined does
    #[arg(long)]
    pub unconfined: bool,
}

/// How other paths are searched for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct DiffSearchFlags {
    /// How inputs are searched for: interactions (towards each change and from there to where it shows, and towards sequences of changes
    /// that no input executed yet), changes (each change alone), undirected (the paths of one version after the other), or none
    /// (random changes only)
    #[arg(long, value_name = "HOW", default_value = "interactions")]
    pub search: DiffSearch,
    /// Do not prefer paths that lead to a change
    #[arg(long)]
    pub no_reach: bool,
    /// Where a branch on the way to a change does not depend on the input, do not look for definitions of what it tests
    #[arg(long)]
    pub no_definitions: bool,
    /// When a change is executed, do not prefer paths that lead to uses of what it computes
    #[arg(long)]
    pub no_uses: bool,
    /// Do not make decisions otherwise that keep a branch from being taken and that it does not depend on
    #[arg(long)]
    pub no_dropping: bool,
    /// Ask no queries about the paths of both versions
    #[arg(long)]
    pub no_joint: bool,
    /// Ask no queries about what both versions write
    #[arg(long)]
    pub no_outputs: bool,
}

impl DiffSearchFlags {
    /// The means that the search has.
    pub fn directions(&self) -> Directions {
        Directions {
            reach: !self.no_reach,
            definitions: !self.no_definitions,
            uses: !self.no_uses,
            dropping: !self.no_dropping,
            joint: !self.no_joint,
            outputs: !self.no_outputs,
        }
    }
}

/// Which differences make the command exit with 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// All.
    Any,
    /// Those of a class.
    Class(Class),
}

impl std::str::FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<FailOn, String> {
        match text {
            "any" => Ok(FailOn::Any),
            _ => text.parse().map(FailOn::Class).map_err(|error: String| format!("{error}, any")),
        }
    }
}

impl FailOn {
    /// Whether a difference of a class is one of these.
    pub fn is(self, class: Class) -> bool {
        self == FailOn::Any || self == FailOn::Class(class)
    }
}
