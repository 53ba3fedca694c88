//! `byway replay`: run tests and findings again, and say which still show what they showed.

mod builds;
mod runs;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use byway_report::{Build, Replay, Verdict, replay};
use serde::Serialize;

use crate::command::{processors, shown};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::ReplayFlags;

use builds::{Builds, Chosen};
use runs::Runs;

/// Runs the command.
pub fn run(flags: ReplayFlags) -> Result<ExitCode, Error> {
    let tests = replay(&flags.directory)?;
    let chosen = Builds::new(&flags)?.choose_for(&tests)?;
    let report = Report::new(&tests, &chosen, &verdicts(&flags, &tests, &chosen)?);
    if flags.json {
        console::print(&(serde_json::to_string_pretty(&report).expect("a report is plain data") + "\n"));
    } else {
        console::print(&report.in_words());
    }
    Ok(if report.differ == 0 { ExitCode::Success } else { ExitCode::Differs })
}

/// Runs all tests, several at the same time, each of them in a sandbox for itself.
fn verdicts(flags: &ReplayFlags, tests: &[Replay], chosen: &[Chosen]) -> Result<Vec<Verdict>, Error> {
    let (next, verdicts) = (Arc::new(AtomicUsize::new(0)), Mutex::new(Vec::new()));
    let (begun, all) = (Arc::clone(&next), tests.len());
    let _activity = Activity::with(move || format!("running test {} of {all}", begun.load(Ordering::Relaxed).min(all)));
    let work = || -> Result<(), Error> {
        let mut runs = Runs::new(flags, tests)?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = tests.get(index) else { return Ok(()) };
            let verdict = runs.verdict(test, &chosen[index])?;
            verdicts.lock().expect("nobody panics").push((index, verdict));
        }
    };
    let jobs = flags.jobs.unwrap_or_else(processors).min(tests.len());
    let ended: Vec<Result<(), Error>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("nobody panics")).collect()
    });
    ended.into_iter().collect::<Result<(), Error>>()?;
    let mut verdicts = verdicts.into_inner().expect("nobody panics");
    verdicts.sort_by_key(|(index, _)| *index);
    Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
}

#[derive(Debug, Serialize)]
struct Report {
    tests: Vec<Line>,
    hold: usize,
    differ: usize,
}

#[derive(Debug, Serialize)]
struct Line {
    test: PathBuf,
    program: PathBuf,
    sanitizers: bool,
    holds: bool,
    /// Why it does not hold.
    differs: Option<String>,
}

impl Report {
    fn new(tests: &[Replay], chosen: &[Chosen], verdicts: &[Verdict]) -> Report {
        let of = |((test, chosen), verdict): ((&Replay, &Chosen), &Verdict)| Line {
            test: test.directory.clone(),
            program: chosen.program.clone(),
            sanitizers: chosen.build == Build::Sanitized,
            holds: *verdict == Verdict::Holds,
            differs: match verdict {
                Verdict::Holds => None,
                Verdict::Differs(why) => Some(why.clone()),
            },
        };
        let tests: Vec<Line> = tests.iter().zip(chosen).zip(verdicts).map(of).collect();
        let hold = tests.iter().filter(|line| line.holds).count();
        Report { differ: tests.len() - hold, hold, tests }
    }

    fn in_words(&self) -> String {
        let mut text = String::new();
        for line in &self.tests {
            if let Some(why) = &line.differs {
                let _ = writeln!(text, "{} differs: {why}", shown(&line.test));
            }
        }
        let tests = if self.tests.len() == 1 { "test" } else { "tests" };
        let _ = match (self.hold, self.differ) {
            (_, 0) => writeln!(text, "{} {tests}: all hold", self.tests.len()),
            (hold, differ) => writeln!(text, "{} {tests}: {hold} hold, {differ} differ", self.tests.len()),
        };
        text
    }
}
