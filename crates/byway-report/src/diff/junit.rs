//! `junit.xml`: the given inputs as tests, and each difference of another input as one more.

use std::collections::BTreeMap;
use std::path::Path;

use super::outline::diff;
use super::words::{headline, origin};
use super::{DiffStats, Difference};
use crate::junit::{self, Case, TestOutcome};

/// The report, with names from `root` on.
pub fn report(differences: &[Difference], stats: &DiffStats, root: &Path) -> String {
    let mut suites: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    let (differences, suppressed): (Vec<&Difference>, Vec<&Difference>) =
        differences.iter().partition(|difference| difference.suppressed.is_none());
    for program in &stats.programs {
        let cases = suites.entry(program.program.clone()).or_default();
        let own = |difference: &&&Difference| difference.program == program.program;
        for (seed, seconds) in &program.seeds {
            let shows =
                |difference: &&&Difference| difference.seed.as_ref() == Some(seed) && difference.changed.is_empty();
            let shown: Vec<&Difference> = differences.iter().filter(own).filter(shows).copied().collect();
            let outcome = if shown.is_empty() { TestOutcome::Passed } else { failed(&shown, root) };
            let output: String = suppressed.iter().filter(own).filter(shows).map(aside).collect();
            cases.push(Case { name: seed.clone(), seconds: *seconds, outcome, output });
        }
        let skipped = program.skipped.iter();
        cases.extend(skipped.map(|(seed, why)| Case {
            name: seed.clone(),
            seconds: 0.0,
            outcome: TestOutcome::Skipped(why.clone()),
            output: String::new(),
        }));
        let made = differences.iter().filter(own).filter(|difference| !difference.changed.is_empty());
        cases.extend(made.map(|difference| Case {
            name: format!("{} {}", difference.seed.as_deref().unwrap_or("nothing"), difference.id),
            seconds: 0.0,
            outcome: failed(&[*difference], root),
            output: String::new(),
        }));
    }
    junit::report("byway diff", &suites)
}

/// What does not fail a test.
fn aside(difference: &&Difference) -> String {
    let reason = difference.suppressed.as_deref().unwrap_or_default();
    format!("suppressed ({reason}): {}\n", headline(difference))
}

fn failed(differences: &[&Difference], root: &Path) -> TestOutcome {
    let message = |difference: &&Difference| format!("{}: {}", difference.class, headline(difference));
    let messages: Vec<String> = differences.iter().map(message).collect();
    let kinds: Vec<&str> = differences.iter().map(|difference| difference.class.name()).collect();
    let body = |difference: &&Difference| {
        let places: Vec<String> = difference.changes.iter().map(|change| change.place_from(root)).collect();
        let lines: String = diff(difference).iter().map(|(mark, line)| format!("{mark} {line}\n")).collect();
        let (command, origin) = (&difference.command, origin(difference));
        format!("{}\n{command} ({origin})\nchanges: {}\n{lines}", message(difference), places.join(", "))
    };
    let bodies: Vec<String> = differences.iter().map(body).collect();
    TestOutcome::Failed { message: messages.join("; "), kind: kinds.join(" "), body: bodies.join("\n") }
}
