//! The command line of `byway check`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use byway_engine::Checks;
use byway_exec::Symbolic;
use byway_reduce::{NoSuchOrder, Order};
use clap::{Args, value_parser};

use super::{ResultFlags, RunFlags, SolvingFlags, fraction, seconds, share, symbolic_given};

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
    /// Which failures to look for: all, or some of bounds, division, overflow, shift, alignment, allocation, abort; -NAME disables one
    #[arg(long, value_name = "LIST", default_value_t = Checks::ALL, allow_hyphen_values = true)]
    pub checks: Checks,
    /// Check only this program, by its name or path; can be given several times
    #[arg(long, value_name = "PROG")]
    pub only: Vec<PathBuf>,
    /// Do not check this program
    #[arg(long, value_name = "PROG")]
    pub skip: Vec<PathBuf>,
    /// Which input is changed: args, stdin and files, separated by commas, or none
    #[arg(long, value_name = "INPUTS", default_value = "args,stdin,files", value_parser = symbolic_given)]
    pub symbolic: Symbolic,
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
    pub results: ResultFlags,
    #[command(flatten)]
    pub runs: RunFlags,
    #[command(flatten)]
    pub solving: SolvingFlags,
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
    /// The test command, such as make check
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "from")]
    pub command: Vec<OsString>,
}

/// `byway baseline`
#[derive(Debug, Args)]
pub struct BaselineFlags {
    /// An output directory of byway check or explore, its findings.json, or a report.sarif
    #[arg(value_name = "DIR", default_value = "byway.out")]
    pub from: PathBuf,
    /// The baseline
    #[arg(short, long, value_name = "FILE", default_value = "byway.baseline.json")]
    pub output: PathBuf,
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
