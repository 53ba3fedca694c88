//! The command line as typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use byway_check::Checks;
use byway_exec::Symbolic;
use byway_explore::search::Search;
use byway_reduce::{Keep, NoSuchOrder, Order};
use byway_trace::{Limits, layout};
use byway_variant::{Cache, VariantError, VariantKind};
use clap::{Args, Parser, Subcommand, value_parser};

use crate::command::processors;

/// Takes a C project's regression tests off the beaten path.
#[derive(Debug, Parser)]
#[command(name = "byway", version, arg_required_else_help = true)]
pub struct Flags {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build a variant of a program and print its path
    Build(BuildFlags),
    /// Say what a program carries, whether its variants build, and what this machine offers
    Doctor(DoctorFlags),
    /// Run a program once and print which lines and branches ran
    Coverage(CoverageFlags),
    /// Run a program once and print what it computes from its input, and what of it byway can follow
    Trace(TraceFlags),
    /// Run a program down one path after the other; keep the inputs that cover something new or fail
    Explore(ExploreFlags),
    /// Run tests or findings of an exploration again, and say which still show what they showed
    Replay(ReplayFlags),
    /// Print .ktest files, as KLEE's ktest-tool does
    Ktest(KtestFlags),
    /// Run the test suite, and every path near it: find the inputs near the tests that break the program
    Check(CheckFlags),
    /// Run a test command as always, and keep every run of a program built with byway-cc as a seed
    Record(RecordFlags),
    /// Make seeds of a fuzzer's corpus, or of KLEE's tests
    Import(ImportFlags),
    /// Print how many tests to check for which chance to come near a bug
    Plan(PlanFlags),
    /// Make seeds smaller, without losing what they cover
    Reduce(ReduceFlags),
    /// Print seeds in an order: the ones to explore from first
    Rank(RankFlags),
    /// Print what changed between two versions of a program, and which tests execute it
    Changes(ChangesFlags),
    /// Measure what smaller seeds and their order bring: explore from each for the same time, with several strategies
    Eval(EvalFlags),
}

/// Where variants are kept.
#[derive(Debug, Args)]
pub struct CacheFlags {
    /// Keep variants in this directory [default: $BYWAY_CACHE, or byway in the user's cache directory]
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Build variants as the program's records say, whatever they say: it comes from somebody you trust
    #[arg(long)]
    pub trust: bool,
}

impl CacheFlags {
    /// The cache that they name.
    pub fn open(&self) -> Result<Cache, VariantError> {
        Ok(Cache::open(self.cache_dir.clone())?.trusting(self.trust))
    }
}

/// `byway build`
#[derive(Debug, Args)]
pub struct BuildFlags {
    /// A program or shared library built with byway-cc
    pub program: PathBuf,
    /// native (as it is), cov (counts what runs), asan (AddressSanitizer and UndefinedBehaviorSanitizer) or sym (symbolic
    /// execution)
    #[arg(long, value_name = "VARIANT")]
    pub variant: VariantKind,
    #[command(flatten)]
    pub cache: CacheFlags,
}

/// `byway doctor`
#[derive(Debug, Args)]
pub struct DoctorFlags {
    /// A program or shared library built with byway-cc; without it, only this machine is looked at
    pub program: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub cache: CacheFlags,
}

/// `byway coverage`
#[derive(Debug, Args)]
pub struct CoverageFlags {
    /// A program built with byway-cc
    pub program: PathBuf,
    /// Also write a tracefile of lcov, for genhtml and others
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the report to FILE; standard output is then the program's alone
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep the counters in FILE and add to what it holds already
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Do not run the program; report what the counters of --data hold
    #[arg(long, requires = "data", conflicts_with = "arguments")]
    pub no_run: bool,
    #[command(flatten)]
    pub cache: CacheFlags,
    /// The program's arguments; its standard input is passed through
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// `byway trace`
#[derive(Debug, Args)]
pub struct TraceFlags {
    /// A program built with byway-cc
    pub program: PathBuf,
    /// Which input is symbolic: args, stdin, files (or files=GLOB) and env, separated by commas; or none
    #[arg(long, value_name = "INPUTS", default_value = "args,stdin,files", value_parser = symbolic)]
    pub symbolic: Symbolic,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// List every event, in order
    #[arg(long)]
    pub events: bool,
    /// Also write what an input must satisfy to take the same path, in SMT-LIB
    #[arg(long, value_name = "FILE")]
    pub smt2: Option<PathBuf>,
    /// In what --smt2 writes, also assert that the input is that of this run: a check for any solver
    #[arg(long, requires = "smt2")]
    pub assert_input: bool,
    /// Write the report to FILE; standard output is then the program's alone
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Kill the program after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Do not run the program again without instrumentation, for its time
    #[arg(long)]
    pub no_native: bool,
    #[command(flatten)]
    pub limits: LimitFlags,
    #[command(flatten)]
    pub cache: CacheFlags,
    /// The program's arguments; its standard input is passed through
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// How much a trace may hold.
#[derive(Debug, Args)]
pub struct LimitFlags {
    /// How many expressions there may be
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes,
        value_parser = value_parser!(u32).range(1..=i64::from(layout::MAX_NODES)))]
    pub max_nodes: u32,
    /// How many events there may be
    #[arg(long, value_name = "N", default_value_t = Limits::default().events)]
    pub max_events: u32,
    /// How deep an expression may be
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth,
        value_parser = value_parser!(u32).range(1..=65535))]
    pub max_depth: u32,
    /// How large an object may be to be read through a symbolic address
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().object)]
    pub max_object: u32,
}

impl LimitFlags {
    /// The limits of a run.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.max_nodes,
            events: self.max_events,
            depth: self.max_depth,
            object: self.max_object,
            ..Limits::default()
        }
    }
}

/// `byway explore`
#[derive(Debug, Args)]
pub struct ExploreFlags {
    /// A program built with byway-cc
    pub program: PathBuf,
    /// From MIN to MAX symbolic arguments of up to LEN bytes each
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], value_parser = value_parser!(u32).range(..=65535),
        help_heading = "Symbolic input")]
    pub sym_args: Vec<u32>,
    /// A symbolic argument of up to LEN bytes; can be given several times
    #[arg(long, value_name = "LEN", value_parser = value_parser!(u32).range(..=65535), help_heading = "Symbolic input")]
    pub sym_arg: Vec<u32>,
    /// Symbolic standard input of up to LEN bytes
    #[arg(long, value_name = "LEN", value_parser = value_parser!(u32).range(..=1 << 20),
        help_heading = "Symbolic input")]
    pub sym_stdin: Option<u32>,
    /// N symbolic files, called A, B and so on, of up to LEN bytes each
    #[arg(long, num_args = 2, value_names = ["N", "LEN"], value_parser = value_parser!(u32).range(..=1 << 20),
        help_heading = "Symbolic input")]
    pub sym_files: Vec<u32>,
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

impl ExploreFlags {
    /// Whether inputs are asked for as KLEE's users do, not given by a run.
    pub fn is_from_nothing(&self) -> bool {
        !self.sym_args.is_empty() || !self.sym_arg.is_empty() || self.sym_stdin.is_some() || !self.sym_files.is_empty()
    }
}

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

/// `byway check`
#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).args(["from", "command"])),
    override_usage = "byway check [OPTIONS] -- COMMAND...\n       byway check [OPTIONS] --from DIR"
)]
pub struct CheckFlags {
    /// Check what byway record, import or check has kept in this directory, instead of running a test command
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Where seeds and findings go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "byway.out")]
    pub output: PathBuf,
    /// Stop after this time; the test command and building are not counted
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "600", help_heading = "Budgets")]
    pub time: Option<Duration>,
    /// Leave paths of tests at most so many branches before an operation that can fail; 0: stay on the paths
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(..=1000),
        help_heading = "Budgets")]
    pub max_distance: u32,
    /// From where a path is left, explore so many times the distance, in branches
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(1..=100),
        help_heading = "Budgets")]
    pub depth_factor: u32,
    /// Which failures to look for: all, or some of bounds, division, overflow, shift, alignment, allocation, abort; -NAME takes one away
    #[arg(long, value_name = "LIST", default_value_t = Checks::ALL, allow_hyphen_values = true)]
    pub checks: Checks,
    /// Check only this part of the seeds, chosen at random
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    pub sample: Option<f64>,
    /// Check the seeds in this order: as byway rank has it (random, bt, ba, fpf, sp), or captured [default: as
    /// captured with large ones last, then what is near them by fpf]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<CheckOrder>,
    /// First change seeds at random, without symbolic execution, until that covers nothing new, for at most this time; what covered
    /// something new is checked too
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub warm_up: Option<Duration>,
    /// Before what is near a seed is explored, make it smaller as byway reduce does, for at most this share of its time; a seed whose
    /// path that makes shorter is explored in its place. 0 explores seeds as they are
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0.2")]
    pub reduce: f64,
    /// What random choices are made of: the same seed, the same choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub runs: RunFlags,
    /// Give up on a question after so much processor time; the external solver then has as much again
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1", help_heading = "Budgets")]
    pub query_timeout: Duration,
    /// When byway itself has taken so many megabytes of memory, forget the paths of a program and begin anew
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "4096", help_heading = "Budgets")]
    pub memory: u64,
    /// On one path, try at most so many inputs that should make the same operation fail before the rest is put off
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Budgets")]
    pub operation_tries: u32,
    /// On one path, let at most so many queries about the same operation go unanswered before the rest is put off
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Budgets")]
    pub operation_unknown: u32,
    /// Ask about the same operation no longer than this on one path, in processor time; the rest is asked when nothing cheaper is left
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5", help_heading = "Budgets")]
    pub operation_time: Duration,
    /// Around one branch, run at most so many inputs; the rest comes when nothing cheaper is left
    #[arg(long, value_name = "N", default_value_t = 256, help_heading = "Budgets")]
    pub branch_runs: u64,
    /// Around one branch, explore no longer than this, in processor time; the rest comes when nothing cheaper is left
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10", help_heading = "Budgets")]
    pub branch_time: Duration,
    /// Let runs do what they like: no namespaces, no read-only files, no limits. Only for programs that harm nothing. They run
    /// in copies of their directories; files that they open by absolute paths are read where they are, and not varied
    #[arg(long)]
    pub unconfined: bool,
    #[command(flatten)]
    pub limits: TraceLimitFlags,
    /// The test command, such as make check
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "from")]
    pub command: Vec<OsString>,
}

/// An order of seeds; none is as they were captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckOrder(pub Option<Order>);

impl FromStr for CheckOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<CheckOrder, String> {
        match text {
            "captured" => Ok(CheckOrder(None)),
            _ => text
                .parse()
                .map(|order| CheckOrder(Some(order)))
                .map_err(|error: NoSuchOrder| format!("{error}, captured")),
        }
    }
}

/// `byway record`
#[derive(Debug, Args)]
pub struct RecordFlags {
    /// Where the seeds go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = SEEDS)]
    pub output: PathBuf,
    /// Do not say what was captured
    #[arg(short, long)]
    pub quiet: bool,
    /// The test command, such as make check
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// `byway import`
#[derive(Debug, Args)]
pub struct ImportFlags {
    /// Where the seeds go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = SEEDS)]
    pub output: PathBuf,
    /// Directories with inputs as AFL and libFuzzer keep them, or single files; those called *.ktest are KLEE's
    #[arg(value_name = "CORPUS", required = true)]
    pub corpora: Vec<PathBuf>,
    /// A program built with byway-cc, and its arguments: @@ stands for the name of the input, without it the input is
    /// standard input
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// `byway plan`
#[derive(Debug, Args)]
pub struct PlanFlags {
    /// A directory of seeds, for their number
    #[arg(value_name = "DIR")]
    pub seeds: Option<PathBuf>,
    /// How many tests there are
    #[arg(long, value_name = "N", conflicts_with = "seeds", value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    pub tests: Option<u64>,
    /// How many of them come near the bug
    #[arg(long, value_name = "M", conflicts_with = "share", value_parser = value_parser!(u64).range(1..))]
    pub exposing: Option<u64>,
    /// Which share of them comes near the bug, such as 0.02 [default: a single test]
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    pub share: Option<f64>,
    /// How many tests are run; several numbers with commas
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub run: Vec<u64>,
    /// Which chance is wanted, such as 0.95; several with commas
    #[arg(long, value_name = "FRACTION", value_delimiter = ',', value_parser = fraction)]
    pub chance: Vec<f64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How seeds are run.
#[derive(Debug, Args)]
pub struct RunFlags {
    /// Run so many inputs at the same time [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = positive, help_heading = "Budgets")]
    pub jobs: Option<usize>,
    /// Kill a run after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "2", help_heading = "Budgets")]
    pub run_timeout: Duration,
    /// Kill a run that takes so many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "2048", help_heading = "Budgets")]
    pub run_memory: u64,
    #[command(flatten)]
    pub cache: CacheFlags,
}

impl RunFlags {
    /// How many inputs run at the same time.
    pub fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(processors)
    }
}

/// How seeds are run to see what they cover.
#[derive(Debug, Args)]
pub struct MeasureFlags {
    /// Use only this part of the seeds, chosen at random
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    pub sample: Option<f64>,
    /// What random choices are made of: the same seed, the same choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub runs: RunFlags,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Let runs do what they like, as byway check --unconfined does
    #[arg(long)]
    pub unconfined: bool,
}

/// `byway changes`
#[derive(Debug, Args)]
pub struct ChangesFlags {
    /// The old version: a program built with byway-cc, or a directory with such programs
    pub old: PathBuf,
    /// The new version; programs of two directories are paired by path
    pub new: PathBuf,
    /// Run these seeds (of byway record, import or check) and say which of them execute which change
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Parts of string constants that match this regular expression do not count; may be given several times
    #[arg(long, value_name = "REGEX")]
    pub ignore_text: Vec<regex::bytes::Regex>,
    /// Write which changed lines the seeds execute as a tracefile of lcov
    #[arg(long, value_name = "FILE", requires = "from")]
    pub lcov: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub runs: RunFlags,
    /// Let runs do what they like, as byway check --unconfined does
    #[arg(long)]
    pub unconfined: bool,
}

/// `byway reduce`
#[derive(Debug, Args)]
pub struct ReduceFlags {
    /// A directory of seeds, of byway record, import or check
    #[arg(value_name = "DIR")]
    pub seeds: PathBuf,
    /// Where the smaller seeds go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "byway.reduced")]
    pub output: PathBuf,
    /// What a smaller seed still covers: every statement, or every branch
    #[arg(long, value_name = "statement|branch", default_value = "statement")]
    pub keep: Keep,
    /// Take at most this time for one seed, and then the smallest that was found
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10", help_heading = "Budgets")]
    pub time: Duration,
    #[command(flatten)]
    pub measure: MeasureFlags,
}

/// `byway rank`
#[derive(Debug, Args)]
pub struct RankFlags {
    /// A directory of seeds, of byway record, import, reduce or check
    #[arg(value_name = "DIR")]
    pub seeds: PathBuf,
    /// random, bt (most branches first), ba (most additional branches first), fpf (furthest point first), sp (shortest path
    /// first)
    #[arg(long, value_name = "ORDER", default_value_t = Order::BranchAdditional)]
    pub order: Order,
    #[command(flatten)]
    pub measure: MeasureFlags,
}

/// `byway eval`
#[derive(Debug, Args)]
pub struct EvalFlags {
    /// A directory of seeds, of byway record, import or check
    #[arg(value_name = "DIR")]
    pub seeds: PathBuf,
    /// Where results go: a page, tables, and what they are made of; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "byway.eval")]
    pub output: PathBuf,
    /// Go on with what is in the output directory
    #[arg(long)]
    pub resume: bool,
    /// Explore with this strategy, as byway explore knows them; give it several times for several [default: dfs, random-path,
    /// random-state, nurs:md2u, subpath:2]
    #[arg(long, value_name = "STRATEGY")]
    pub search: Vec<Search>,
    /// Compare this order, as byway rank knows them, with a random one; give it several times for several [default: all]
    #[arg(long, value_name = "ORDER")]
    pub order: Vec<Order>,
    /// Of each program, use at most so many seeds, chosen at random
    #[arg(long, value_name = "N", value_parser = positive)]
    pub at_most: Option<usize>,
    /// Explore from each seed for this time, with each strategy
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "5", help_heading = "Budgets")]
    pub time: Duration,
    /// Which share of it making a seed smaller may take; what it takes is missing when it is explored from
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0.2", help_heading = "Budgets")]
    pub reduce: f64,
    /// What a smaller seed still covers: every statement, or every branch
    #[arg(long, value_name = "statement|branch", default_value = "statement")]
    pub keep: Keep,
    /// Compare over so many random suites
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = positive)]
    pub suites: usize,
    /// How many seeds a suite has [default: half of those that were measured, at most 100]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub suite_size: Option<usize>,
    /// Give up on a query after so much processor time; the external solver then has as much again
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1", help_heading = "Budgets")]
    pub query_timeout: Duration,
    /// Stop exploring from a seed when byway itself has taken so many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "4096", help_heading = "Budgets")]
    pub memory: u64,
    #[command(flatten)]
    pub limits: TraceLimitFlags,
    #[command(flatten)]
    pub measure: MeasureFlags,
}

/// The strategies that are compared if nobody says anything else.
const COMPARED: [&str; 5] = ["dfs", "random-path", "random-state", "nurs:md2u", "subpath:2"];

impl EvalFlags {
    /// The strategies that are compared.
    pub fn strategies(&self) -> Vec<Search> {
        let chosen: Vec<Search> = match self.search.as_slice() {
            [] => COMPARED.iter().map(|name| name.parse().expect("a strategy")).collect(),
            chosen => chosen.to_vec(),
        };
        let mut strategies = Vec::new();
        for strategy in chosen {
            if !strategies.contains(&strategy) {
                strategies.push(strategy);
            }
        }
        strategies
    }

    /// The orders that are compared. The random one is what others are compared with.
    pub fn orders(&self) -> Vec<Order> {
        let is_wanted = |order: &Order| self.order.is_empty() || *order == Order::Random || self.order.contains(order);
        Order::ALL.into_iter().filter(is_wanted).collect()
    }
}

/// Where seeds are, if nobody says anything else.
const SEEDS: &str = "byway.seeds";

/// How much a trace may hold, where `--max-depth` means something else.
#[derive(Debug, Args)]
pub struct TraceLimitFlags {
    /// How many expressions a run may make
    #[arg(long, value_name = "N", default_value_t = 1 << 22,
        value_parser = value_parser!(u32).range(1..=i64::from(layout::MAX_NODES)), help_heading = "Budgets")]
    pub max_nodes: u32,
    /// How many events a run may have
    #[arg(long, value_name = "N", default_value_t = 1 << 20, help_heading = "Budgets")]
    pub max_events: u32,
}

impl TraceLimitFlags {
    /// The limits of a run.
    pub fn limits(&self) -> Limits {
        Limits { nodes: self.max_nodes, events: self.max_events, ..Limits::default() }
    }
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "not a number above 0".to_owned())
}

/// As bytes.
fn megabytes(text: &str) -> Result<u64, String> {
    let bytes = text.parse().ok().filter(|&number: &u64| number > 0).and_then(|number| number.checked_mul(1 << 20));
    bytes.ok_or_else(|| "not a number of megabytes above 0".to_owned())
}

fn fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|fraction| *fraction > 0.0 && *fraction <= 1.0);
    fraction.ok_or_else(|| "not a number above 0 and not above 1".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "not a number from 0 to less than 1".to_owned())
}

fn symbolic(text: &str) -> Result<Symbolic, String> {
    let mut symbolic = Symbolic::default();
    if text == "none" {
        return Ok(symbolic);
    }
    for word in text.split(',') {
        match word.split_once('=').map_or((word, None), |(word, pattern)| (word, Some(pattern))) {
            ("args", None) => symbolic.arguments = true,
            ("stdin", None) => symbolic.stdin = true,
            ("env", None) => symbolic.environment = true,
            ("files", pattern) => {
                symbolic.files = true;
                symbolic.patterns = pattern.filter(|pattern| !pattern.is_empty()).map(Into::into).into_iter().collect();
            }
            _ => {
                return Err(format!(
                    "there is no input '{word}'; the inputs are args, stdin, files, files=GLOB, env, or none"
                ));
            }
        }
    }
    Ok(symbolic)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| "not a time that a program can take".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_named_in_a_list() {
        let all =
            Symbolic { arguments: true, stdin: true, files: true, environment: true, patterns: vec!["*.c".into()] };
        assert_eq!(symbolic("args,stdin,files=*.c,env"), Ok(all));
        assert_eq!(symbolic("none"), Ok(Symbolic::default()));
        assert_eq!(symbolic("stdin"), Ok(Symbolic { stdin: true, ..Symbolic::default() }));
        for wrong in ["", "arg", "stdin=x", "args,none", "args,"] {
            assert!(symbolic(wrong).unwrap_err().contains("the inputs are"), "{wrong}");
        }
    }

    #[test]
    fn times_may_have_fractions_but_not_be_nothing() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(["0", "-1", "nan", "inf", "x"].iter().all(|wrong| seconds(wrong).is_err()));
    }
}
