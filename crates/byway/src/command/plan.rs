//! `byway plan`: how many tests to check, if there is no time for all.

use byway_suite::plan::{chance, smallest_run};
use serde::Serialize;

use crate::command::open_suite;
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::PlanFlags;

/// The chances that are aimed at, if none is asked for.
const WANTED: [f64; 4] = [0.5, 0.9, 0.95, 0.99];
/// The shares of the tests that are run, if no numbers are asked for.
const SHARES: [f64; 6] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75];

#[derive(Debug, Serialize)]
struct Plan {
    tests: u64,
    exposing: u64,
    runs: Vec<Run>,
    wanted: Vec<Wanted>,
}

/// With so many tests, this chance.
#[derive(Debug, Serialize)]
struct Run {
    tests: u64,
    chance: f64,
}

/// For this chance, so many tests; `None` if there is no number.
#[derive(Debug, Serialize)]
struct Wanted {
    chance: f64,
    tests: Option<u64>,
}

/// Runs the command.
pub fn run(flags: PlanFlags) -> Result<ExitCode, Error> {
    let plan = Plan::new(&flags, tests(&flags)?)?;
    match flags.json {
        true => console::print(&(serde_json::to_string_pretty(&plan).expect("a plan is plain data") + "\n")),
        false => console::print(&plan.in_words()),
    }
    Ok(ExitCode::Success)
}

/// How many tests there are: as said, or as many as there are seeds.
fn tests(flags: &PlanFlags) -> Result<u64, Error> {
    match (flags.tests, &flags.seeds) {
        (Some(tests), _) => Ok(tests),
        (None, Some(directory)) => Ok(open_suite(directory)?.seeds.len() as u64),
        (None, None) => Err(Error::Ask("give a directory of seeds, or the number of tests with --tests".to_owned())),
    }
}

impl Plan {
    fn new(flags: &PlanFlags, tests: u64) -> Result<Plan, Error> {
        let exposing = match (flags.exposing, flags.share) {
            (Some(exposing), _) => exposing,
            (None, Some(share)) => (tests as f64 * share).round().max(1.0) as u64,
            (None, None) => 1,
        };
        if tests == 0 || exposing > tests {
            return Err(Error::Ask(format!("of {tests} tests {exposing} cannot come near a bug")));
        }
        let mut runs = flags.run.clone();
        if runs.is_empty() {
            runs = SHARES.iter().map(|share| (tests as f64 * share).ceil() as u64).chain([tests]).collect();
            runs.dedup();
        }
        if let Some(run) = runs.iter().find(|run| **run > tests) {
            return Err(Error::Ask(format!("{run} tests cannot be chosen of {tests}")));
        }
        let wanted = if flags.chance.is_empty() { WANTED.to_vec() } else { flags.chance.clone() };
        Ok(Plan {
            tests,
            exposing,
            runs: runs.into_iter().map(|run| Run { tests: run, chance: chance(tests, exposing, run) }).collect(),
            wanted: wanted
                .into_iter()
                .map(|wanted| Wanted { chance: wanted, tests: smallest_run(tests, exposing, wanted) })
                .collect(),
        })
    }

    fn in_words(&self) -> String {
        let percent = |share: f64| format!("{:.2} %", 100.0 * share);
        let mut rows = vec![vec!["tests that are run".to_owned(), "of all".to_owned(), "chance".to_owned()]];
        let row = |tests: u64, chance: f64| {
            vec![tests.to_string(), percent(tests as f64 / self.tests as f64), percent(chance)]
        };
        rows.extend(self.runs.iter().map(|run| row(run.tests, run.chance)));
        let mut text = format!(
            "{} of {} tests come near the bug ({})\n\n",
            self.exposing,
            self.tests,
            percent(self.exposing as f64 / self.tests as f64)
        );
        text += &console::table(&rows);
        text.push('\n');
        for wanted in self.wanted.iter() {
            text += &match wanted.tests {
                Some(tests) => format!("{tests} tests find it with a chance of at least {}\n", percent(wanted.chance)),
                None => format!("no number of tests finds it with a chance of {}\n", percent(wanted.chance)),
            };
        }
        text
    }
}
