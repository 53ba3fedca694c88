//! `junit.xml`: the seeds as tests, for whatever shows the results of tests.

use std::collections::BTreeMap;
use std::path::Path;

use crate::junit::{self, Case, TestOutcome};
use crate::shell;
use crate::standing::{Policy, Standing};

use super::source::SourceSpot;
use super::{CheckEntry, JunitCase};

/// The file, in a directory `output`, with names from `root`. Only what fails a check fails a test. `report_of` is what the sanitizers wrote of a finding.
pub fn report(
    cases: &[JunitCase],
    findings: &[CheckEntry],
    (root, output): (&Path, &Path),
    policy: &Policy,
    report_of: impl Fn(&CheckEntry) -> String,
) -> String {
    let mut suites: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in cases {
        let program = case.program.strip_prefix(root).unwrap_or(&case.program);
        let shows = |entry: &&CheckEntry| entry.seed == case.seed;
        let (failing, others): (Vec<&CheckEntry>, Vec<&CheckEntry>) =
            findings.iter().filter(shows).partition(|entry| policy.fails(&entry.standing));
        let outcome = match (failing.as_slice(), &case.skipped) {
            ([], None) => TestOutcome::Passed,
            ([], Some(why)) => TestOutcome::Skipped(why.clone()),
            (findings, _) => failure(findings, (root, output), &report_of),
        };
        let suite = suites.entry(shell::printable(program.as_os_str().as_encoded_bytes())).or_default();
        let output = others.iter().map(|entry| aside(entry, root) + "\n").collect();
        suite.push(Case { name: case.seed.clone(), seconds: case.seconds, outcome, output });
    }
    junit::report("byway check", &suites)
}

/// What does not fail a test: below the level that does, accepted, or known.
fn aside(entry: &CheckEntry, root: &Path) -> String {
    let why = match &entry.standing {
        Standing { suppressed: Some(reason), .. } => format!("suppressed ({reason}): "),
        Standing { known: true, .. } => "in the baseline: ".to_owned(),
        _ => String::new(),
    };
    format!("{why}{}", line(entry, root))
}

/// A finding in a line.
fn line(entry: &CheckEntry, root: &Path) -> String {
    let changed = if entry.changed.is_empty() { "as it is".to_owned() } else { entry.changed.join("; ") };
    let (finding, level) = (&entry.finding, entry.standing.level);
    let place =
        SourceSpot::of_finding(finding).map(|spot| format!(" at {}", spot.described_from(root))).unwrap_or_default();
    format!("{level}: {}{place}: {} ({changed})", finding.kind, entry.headline())
}

/// One element for all findings of a seed: some readers take no more.
fn failure(
    findings: &[&CheckEntry],
    (root, output): (&Path, &Path),
    report_of: impl Fn(&CheckEntry) -> String,
) -> TestOutcome {
    let line = |entry: &&CheckEntry| line(entry, root);
    let kinds: Vec<&str> = findings.iter().map(|entry| entry.finding.kind.as_str()).collect();
    let lines: Vec<String> = findings.iter().map(line).collect();
    let body = |entry: &&CheckEntry| {
        format!("{}\nreproduce: {}\n{}", line(entry), entry.reproduction(output, root), report_of(entry))
    };
    let bodies: Vec<String> = findings.iter().map(body).collect();
    TestOutcome::Failed { message: lines.join("; "), kind: kinds.join(" "), body: bodies.join("\n") }
}
