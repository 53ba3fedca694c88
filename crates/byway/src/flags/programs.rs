//! The command lines of `byway build`, `doctor`, `coverage`, `trace` and `changes`: one program, or two.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_exec::Symbolic;
use byway_trace::{TraceLimits, layout};
use byway_variant::VariantKind;
use clap::{Args, value_parser};

use super::{CacheFlags, RunFlags, seconds, symbolic};

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
    #[arg(long, conflicts_with = "arguments")]
    pub json: bool,
    #[command(flatten)]
    pub cache: CacheFlags,
    /// Also follow a run with these arguments and our standard input: how much slower it is, what it loses and where
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
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
    /// Compare every written byte that depends on the input with the value of its expression; outputs are shown when the program has ended
    #[arg(long)]
    pub outputs: bool,
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

impl TraceFlags {
    /// As usual, for a run of a program.
    pub fn of_run(program: &Path, cache: &CacheFlags, arguments: &[OsString]) -> TraceFlags {
        let limits = TraceLimits::default();
        TraceFlags {
            program: program.to_owned(),
            symbolic: Symbolic { arguments: true, stdin: true, files: true, ..Symbolic::default() },
            json: false,
            events: false,
            smt2: None,
            assert_input: false,
            outputs: false,
            output: None,
            timeout: None,
            no_native: false,
            limits: LimitFlags {
                max_nodes: limits.nodes,
                max_events: limits.events,
                max_depth: limits.depth,
                max_object: limits.object,
            },
            cache: cache.clone(),
            arguments: arguments.to_vec(),
        }
    }
}

/// How much a trace may hold.
#[derive(Debug, Args)]
pub struct LimitFlags {
    /// How many expressions there may be
    #[arg(long, value_name = "N", default_value_t = TraceLimits::default().nodes,
        value_parser = value_parser!(u32).range(1..=i64::from(layout::MAX_NODES)))]
    pub max_nodes: u32,
    /// How many events there may be
    #[arg(long, value_name = "N", default_value_t = TraceLimits::default().events)]
    pub max_events: u32,
    /// How deep an expression may be
    #[arg(long, value_name = "N", default_value_t = TraceLimits::default().depth,
        value_parser = value_parser!(u32).range(1..=65535))]
    pub max_depth: u32,
    /// How large an object may be to be read through a symbolic address
    #[arg(long, value_name = "BYTES", default_value_t = TraceLimits::default().object)]
    pub max_object: u32,
}

impl LimitFlags {
    /// The limits of a run.
    pub fn limits(&self) -> TraceLimits {
        TraceLimits {
            nodes: self.max_nodes,
            events: self.max_events,
            depth: self.max_depth,
            object: self.max_object,
            ..TraceLimits::default()
        }
    }
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
    /// Print in which orders the changes of the new version can be executed, and where several of them come together: as text, for
    /// Graphviz (dot) or as JSON
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["from", "lcov", "json"])]
    pub graph: Option<GraphFormat>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub runs: RunFlags,
    /// Let runs do what they like, as byway check --unconfined does
    #[arg(long)]
    pub unconfined: bool,
}

/// How a graph is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum GraphFormat {
    /// A line for each node.
    Text,
    /// For Graphviz.
    Dot,
    /// As JSON.
    Json,
}
