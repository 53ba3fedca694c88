//! The command lines of `byway explore`, `replay` and `ktest`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use byway_engine::Checks;
use byway_engine::search::Search;
use byway_exec::Symbolic;
use clap::Args;

use super::{CacheFlags, ResultFlags, SymbolicFlags, TraceLimitFlags, megabytes, positive, seconds, symbolic_given};

/// `byway explore`
#[derive(Debug, Args)]
pub struct ExploreFlags {
    /// A program built with byway-cc
    pub program: PathBuf,
    #[command(flatten)]
    pub symbolic: SymbolicFlags,
    /// Which input of the run is changed: args, stdin and files, separated by commas, or none
    #[arg(long = "symbolic", value_name = "INPUTS", value_parser = symbolic_given, help_heading = "Symbolic input",
        conflicts_with_all = ["sym_args", "sym_arg", "sym_stdin", "sym_files"])]
    pub changed: Option<Symbolic>,
    /// Which failures to look for: all, or some of bounds, division, overflow, shift, alignment, allocation, abort; -NAME disables
    /// one
    #[arg(long, value_name = "LIST", default_value_t = Checks::ALL, allow_hyphen_values = true)]
    pub checks: Checks,
    /// Which branch to try next: dfs, bfs, random-state, random-path, nurs:covnew, nurs:md2u, nurs:depth, nurs:icnt, nurs:qc,
    /// subpath:N, branches:N, generational, uncovered, rare; several, separated by commas, take turns
    #[arg(long, value_name = "STRATEGY", default_value = DEFAULT_SEARCH, help_heading = "Search")]
    pub search: Search,
    /// What random choices are made of: the same seed, the same choices
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    pub seed: u64,
    /// Stop after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Budgets")]
    pub time: Option<Duration>,
    /// Stop after so many runs
    #[arg(long, value_name = "N", help_heading = "Budgets")]
    pub max_runs: Option<u64>,
    /// Try only the first N branches of a path that depend on the input
    #[arg(long = "max-depth", value_name = "N", help_heading = "Budgets")]
    pub max_branches: Option<u32>,
    /// Kill a run after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "2", help_heading = "Budgets")]
    pub run_timeout: Duration,
    /// Kill a run that takes so many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "2048", help_heading = "Budgets")]
    pub run_memory: u64,
    /// Give up on a query after so much processor time; the external solver then has as much again
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1", help_heading = "Budgets")]
    pub query_timeout: Duration,
    /// Stop when byway itself has taken so many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "4096", help_heading = "Budgets")]
    pub memory: u64,
    /// Run so many inputs at the same time [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = positive, help_heading = "Budgets")]
    pub jobs: Option<usize>,
    /// Ask this solver, which reads SMT-LIB from standard input, what our own gives up on [default: z3 -in, if it is there]
    #[arg(long, value_name = "COMMAND", help_heading = "Solving")]
    pub solver: Option<String>,
    /// Ask the other solver everything, and stop where it says something else
    #[arg(long, help_heading = "Solving")]
    pub cross_check: bool,
    /// Write queries to this directory as SMT-LIB, each with the whole path; not more than 2000, evenly spread over all
    #[arg(long, value_name = "DIR", help_heading = "Solving")]
    pub record: Option<PathBuf>,
    /// Where tests and findings go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "byway.out", help_heading = "Output")]
    pub output: PathBuf,
    /// Go on with what is in the output directory
    #[arg(long, help_heading = "Output")]
    pub resume: bool,
    /// Keep a test for every path, not only for those that cover something new or fail
    #[arg(long, help_heading = "Output")]
    pub all_paths: bool,
    /// Write tests in KLEE's format too
    #[arg(long, help_heading = "Output")]
    pub ktest: bool,
    /// Do not report a klee_assume that cannot hold on a path: the path just ends there
    #[arg(long, help_heading = "Output")]
    pub silent_klee_assume: bool,
    /// Do not run tests in the build with sanitizers
    #[arg(long, help_heading = "Output")]
    pub no_judge: bool,
    /// Let runs do what they like: no namespaces, no read-only files, no limits. Only for programs that harm nothing
    #[arg(long)]
    pub unconfined: bool,
    #[command(flatten)]
    pub results: ResultFlags,
    #[command(flatten)]
    pub limits: TraceLimitFlags,
    #[command(flatten)]
    pub cache: CacheFlags,
    /// The program's arguments. Without --sym-*, they, standard input and files are where the exploration begins; with, they stay
    /// as they are, before the symbolic ones
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// The strategies that did best on average over coreutils; `bench/explore-coverage` measures.
const DEFAULT_SEARCH: &str = "branches:1,2,4,8,rare,uncovered";

/// `byway replay`
#[derive(Debug, Args)]
pub struct ReplayFlags {
    /// An output directory of byway explore, or a test or finding in it
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Run another build of the program instead of the one that was explored
    #[arg(long, value_name = "PROG")]
    pub with: Option<PathBuf>,
    /// Run all tests in the build with sanitizers, not only those that showed something there
    #[arg(long)]
    pub sanitize: bool,
    /// Kill a run after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub timeout: Duration,
    /// Kill a run that takes so many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "2048")]
    pub memory: u64,
    /// Run so many tests at the same time [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = positive)]
    pub jobs: Option<usize>,
    /// Print JSON: all tests, not only those that differ
    #[arg(long)]
    pub json: bool,
    /// Let runs do what they like, as byway explore --unconfined does
    #[arg(long)]
    pub unconfined: bool,
    #[command(flatten)]
    pub cache: CacheFlags,
}

/// `byway ktest`
#[derive(Debug, Args)]
pub struct KtestFlags {
    /// The files to print
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}
