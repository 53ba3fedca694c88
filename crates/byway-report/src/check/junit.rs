//! `junit.xml`: the seeds as tests, for whatever shows the results of tests.

use std::collections::BTreeMap;
use std::path::Path;

use crate::junit::{self, Case, TestOutcome};
use crate::shell;

use super::source::SourceSpot;
use super::{CheckEntry, JunitCase};

/// The file, in a directory `output`, with names from `root`. `report_of` is what the sanitizers wrote of a finding.
pub fn report(
    cases: &[JunitCase],
    findings: &[CheckEntry],
    root: &Path,
    output: &Path,
    report_of: impl Fn(&CheckEntry) -> String,
) -> String {
    let mut suites: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in cases {
        let program = case.program.strip_prefix(root).unwrap_or(&case.program);
        let shows = |entry: &&CheckEntry| entry.confirmed && entry.seed == case.seed;
        let findings: Vec<&CheckEntry> = findings.iter().filter(shows).collect();
        let outcome = match (findings.as_slice(), &case.skipped) {
            ([], None) => TestOutcome::Passed,
            ([], Some(why)) => TestOutcome::Skipped(why.clone()),
            (findings, _) => failure(findings, (root, output), &report_of),
        };
        let suite = suites.entry(shell::printable(program.as_os_str().as_encoded_bytes())).or_default();
        suite.push(Case { name: case.seed.clone(), seconds: case.seconds, outcome });
    }
    junit::report("byway check", &suites)
}

/// One element for all findings of a seed: some readers take no more.
fn failure(
    findings: &[&CheckEntry],
    (root, output): (&Path, &Path),
    report_of: impl Fn(&CheckEntry) -> String,
) -> TestOutcome {
    let line = |entry: &&CheckEntry| {
        let changed = if entry.changed.is_empty() { "as it is".to_owned() } else { entry.changed.join("; ") };
        let finding = &entry.finding;
        let place = SourceSpot::of_finding(finding)
            .map(|spot| format!(" at {}", spot.described_from(root)))
            .unwrap_or_default();
        format!("{}{place}: {} ({changed})", finding.kind, finding.message)
    };
    let kinds: Vec<&str> = findings.iter().map(|entry| entry.finding.kind.as_str()).collect();
    let lines: Vec<String> = findings.iter().map(line).collect();
    let body = |entry: &&CheckEntry| {
        format!("{}\nreproduce: {}\n{}", line(entry), entry.reproduction(output, root), report_of(entry))
    };
    let bodies: Vec<String> = findings.iter().map(body).collect();
    TestOutcome::Failed { message: lines.join("; "), kind: kinds.join(" "), body: bodies.join("\n") }
}
