//! The command line as typed.

use std::ffi::OsString;
use std::path::PathBuf;

use byway_variant::VariantKind;
use clap::{Args, Parser, Subcommand};

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
}

/// Where variants are kept.
#[derive(Debug, Args)]
pub struct CacheFlags {
    /// Keep variants in this directory [default: $BYWAY_CACHE, or byway in the user's cache directory]
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
}

/// `byway build`
#[derive(Debug, Args)]
pub struct BuildFlags {
    /// A program or shared library built with byway-cc
    pub program: PathBuf,
    /// native (as it is), cov (counts what runs) or asan (AddressSanitizer and UndefinedBehaviorSanitizer)
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
