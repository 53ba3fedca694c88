//! The command line as typed.

mod check;
mod diff;
mod explore;
mod programs;
mod suite;

use std::path::PathBuf;
use std::time::Duration;

use byway_exec::Symbolic;
use byway_report::Level;
use byway_trace::{TraceLimits, layout};
use byway_variant::{Cache, VariantError};
use clap::{Args, Parser, Subcommand, value_parser};

use crate::command::processors;

pub use check::{BaselineFlags, CheckFlags};
pub use diff::{CompareFlags, DiffFlags};
pub use explore::{ExploreFlags, KtestFlags, ReplayFlags};
pub use programs::{BuildFlags, ChangesFlags, CoverageFlags, DoctorFlags, GraphFormat, TraceFlags};
pub use suite::{EvalFlags, ImportFlags, MeasureFlags, PlanFlags, RankFlags, RecordFlags, ReduceFlags};

/// Takes a C project's regression tests off the beaten path.
#[derive(Debug, Parser)]
#[command(name = "byway", version, arg_required_else_help = true)]
pub struct Flags {
    /// Where there is no terminal, say every so many seconds what is being done; 0: never
    #[arg(long, global = true, value_name = "SECONDS", value_parser = interval, default_value = "10", hide_default_value = true,
        help_heading = "Output")]
    pub progress: Duration,
    /// Read options from this file [default: byway.toml in this directory or one above it]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Output")]
    pub config: Option<PathBuf>,
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
    /// Write the findings of a check as a baseline: what a later check finds again does not count
    Baseline(BaselineFlags),
    /// Make index.html of an output directory again: what was found, as a page to look at
    Report(ReportFlags),
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
    /// Run inputs in two versions of a program, and report where they behave differently
    Diff(DiffFlags),
    /// Write a byway.toml for this project: how its tests are run, and options to choose from
    Init(InitFlags),
    /// Print completions for a shell
    Completions(CompletionFlags),
    /// Write the manual pages
    #[command(hide = true)]
    Manual(ManualFlags),
    /// Measure what smaller seeds and their order bring: explore from each for the same time, with several strategies
    Eval(EvalFlags),
}

/// `byway report`
#[derive(Debug, Args)]
pub struct ReportFlags {
    /// An output directory of byway check, explore or diff
    #[arg(value_name = "DIR", default_value = "byway.out")]
    pub directory: PathBuf,
}

/// `byway init`
#[derive(Debug, Args)]
pub struct InitFlags {
    /// Write a new one in place of the one that is there
    #[arg(long)]
    pub force: bool,
}

/// `byway completions`
#[derive(Debug, Args)]
pub struct CompletionFlags {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `byway manual`
#[derive(Debug, Args)]
pub struct ManualFlags {
    /// Where the pages go
    pub directory: PathBuf,
}

/// Where variants are kept.
#[derive(Debug, Clone, Args)]
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

/// Which findings count.
#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub struct ResultFlags {
    /// Exit with 2 for findings of at least this level: error, warning (undefined behaviour that only the sanitizers see), or note
    /// (not confirmed)
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Error)]
    pub fail_on: Level,
    /// Do not count findings that this file accepts: by kind, file, function or fingerprint, each with a reason
    #[arg(long, value_name = "FILE")]
    pub suppressions: Vec<PathBuf>,
    /// Count only findings that this file does not have: what byway baseline wrote, an earlier findings.json or report.sarif
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
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

/// What is symbolic if inputs are asked for as KLEE's users do.
#[derive(Debug, Clone, Default, Args)]
pub struct SymbolicFlags {
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
}

impl SymbolicFlags {
    /// Whether inputs are asked for as KLEE's users do, not given by a run.
    pub fn is_from_nothing(&self) -> bool {
        !self.sym_args.is_empty() || !self.sym_arg.is_empty() || self.sym_stdin.is_some() || !self.sym_files.is_empty()
    }
}

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
    pub fn limits(&self) -> TraceLimits {
        TraceLimits { nodes: self.max_nodes, events: self.max_events, ..TraceLimits::default() }
    }
}

/// How much symbolic execution may take.
#[derive(Debug, Args)]
pub struct SolvingFlags {
    /// Give up on a query after so much processor time; the external solver then has as much again
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1", help_heading = "Budgets")]
    pub query_timeout: Duration,
    /// When byway itself has taken so many megabytes of memory, stop exploring; byway check forgets the paths of a program instead,
    /// and begins anew
    #[arg(long, value_name = "MB", value_parser = megabytes, default_value = "4096", help_heading = "Budgets")]
    pub memory: u64,
    #[command(flatten)]
    pub limits: TraceLimitFlags,
}

/// Where seeds are, if nobody says anything else.
const SEEDS: &str = "byway.seeds";

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

/// The same where inputs are made anew: only what a run is given can be other, and all files or none.
fn symbolic_given(text: &str) -> Result<Symbolic, String> {
    let symbolic = symbolic(text)?;
    match symbolic.environment || !symbolic.patterns.is_empty() {
        true => Err("only args, stdin and files (all of them) can be changed here, or none".to_owned()),
        false => Ok(symbolic),
    }
}

/// A time that may be nothing.
fn interval(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "not a number of seconds".to_owned())
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
