//! The command lines that make, choose and measure seeds: `byway record`, `import`, `plan`, `reduce`, `rank` and `eval`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use byway_engine::search::Search;
use byway_reduce::{Keep, Order};
use clap::{Args, value_parser};

use super::{RunFlags, SEEDS, SolvingFlags, fraction, positive, seconds, share};

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
    #[command(flatten)]
    pub solving: SolvingFlags,
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
