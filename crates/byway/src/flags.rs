//! The command line as typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use byway_run::Symbolic;
use byway_trace::{Limits, layout};
use byway_variant::VariantKind;
use clap::{Args, Parser, Subcommand, value_parser};

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
                symbolic.pattern = pattern.unwrap_or_default().into();
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
        let all = Symbolic { arguments: true, stdin: true, files: true, environment: true, pattern: "*.c".into() };
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
