//! `report.sarif`: differences as results, at the changes that they execute.

use std::path::Path;

use serde_json::{Value, json};

use super::outline::short_diff;
use super::words::{headline, origin};
use super::{ChangedLine, Class, DiffStats, Difference, DifferenceKind};
use crate::check::sarif::{OUTPUT, SCHEMA, SOURCES, accepted, base, location, text};
use crate::check::source::SourceSpot;

/// The report, with names from `root` on, for an output directory.
pub fn report(differences: &[Difference], stats: &DiffStats, root: &Path, output: &Path) -> Value {
    let rules: Vec<Value> = DifferenceKind::ALL.into_iter().map(rule).collect();
    let results: Vec<Value> = differences.iter().map(|difference| result(difference, root)).collect();
    let run = json!({
        "tool": { "driver": {
            "name": "byway",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        } },
        "automationDetails": { "id": "byway/diff/" },
        "invocations": [{
            "executionSuccessful": true,
            "commandLine": format!("byway diff {} {}", stats.old, stats.new),
            "workingDirectory": { "uriBaseId": SOURCES, "uri": "" },
        }],
        "originalUriBaseIds": { SOURCES: base(root), OUTPUT: base(output) },
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
}

fn rule(kind: DifferenceKind) -> Value {
    let what = match kind {
        DifferenceKind::Crash => "One version crashes",
        DifferenceKind::Hang => "One version does not end",
        DifferenceKind::Memory => "The sanitizers say something else of the versions",
        DifferenceKind::Exit => "The versions end differently",
        DifferenceKind::Output => "The versions write something else to standard output",
        DifferenceKind::File => "The versions leave other files behind",
        DifferenceKind::Stderr => "The versions write something else to standard error",
    };
    json!({
        "id": name(kind),
        "shortDescription": { "text": what },
        "fullDescription": { "text": format!("{what}, on an input that executes a change.") },
        "help": { "text": HELP },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn name(kind: DifferenceKind) -> String {
    format!("difference-{kind}")
}

const HELP: &str =
    "run.sh in the directory of the difference runs both versions on the input and compares what they do.";

fn result(difference: &Difference, root: &Path) -> Value {
    let level = match difference.class {
        Class::Regression | Class::IncompleteFix => "error",
        Class::Unclassified => "warning",
        Class::Progression => "note",
    };
    let spots: Vec<Value> = difference.changes.iter().filter_map(spot).map(|spot| location(root, &spot)).collect();
    let lines: String = short_diff(difference).iter().map(|(mark, line)| format!("{mark} {line}\n")).collect();
    let (first, others) =
        spots.split_first().map_or((Vec::new(), Vec::new()), |(first, others)| (vec![first.clone()], others.to_vec()));
    let (class, headline, command) = (difference.class, headline(difference), &difference.command);
    let mut result = json!({
        "ruleId": name(difference.kind),
        "ruleIndex": DifferenceKind::ALL.iter().position(|kind| *kind == difference.kind),
        "kind": "fail",
        "level": level,
        "message": text(format!("{class}: {headline}. Shown by {command} ({}).\n{lines}", origin(difference))),
        "suppressions": accepted(difference.suppressed.as_deref()),
        "locations": first,
        "partialFingerprints": { "bywayDifference/v1": difference.id },
        "attachments": [attachment(difference, "run.sh", "Runs both versions on the input and compares"),
            attachment(difference, "behaviour.diff", "What both versions did")],
        "occurrenceCount": difference.count,
        "properties": {
            "id": difference.id, "class": difference.class, "kind": difference.kind, "program": difference.program,
            "seed": difference.seed, "changed": difference.changed, "confirmed": difference.confirmed,
        },
    });
    if !others.is_empty() {
        let numbered = others.into_iter().enumerate().map(|(index, mut location)| {
            location["id"] = json!(index + 1);
            location
        });
        result["relatedLocations"] = numbered.collect();
    }
    result
}

/// Where a change is in the new version; what was removed, where it was.
fn spot(change: &ChangedLine) -> Option<SourceSpot> {
    let line = Some(change.line).filter(|&line| line > 0)?;
    Some(SourceSpot { file: change.file.clone(), line, column: None, function: Some(change.name.clone()) })
}

fn attachment(difference: &Difference, name: &str, what: &str) -> Value {
    let uri = format!("{}/{name}", difference.input);
    json!({ "description": text(what.to_owned()), "artifactLocation": { "uri": uri, "uriBaseId": OUTPUT } })
}
