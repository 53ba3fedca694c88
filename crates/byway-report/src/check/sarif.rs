//! `report.sarif`: the findings in the Static Analysis Results Interchange Format, version 2.1.0.
//!
//! It says what GitHub's code scanning and other viewers show: a rule for each kind of finding, the place, where the object
//! came from, the calls that led there. A fingerprint says which findings of two checks are the same, though lines have moved.

mod rule;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::finding::{Finding, Frame};
use crate::level::Level;
use crate::shell;
use crate::standing::{Policy, fingerprint};

use super::source::SourceSpot;
use super::{CheckEntry, CheckStats};

pub(crate) const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name of the directory from which sources are named, and that of the output directory.
pub(crate) const SOURCES: &str = "SRCROOT";
pub(crate) const OUTPUT: &str = "OUTPUT";
/// So many notes there are at most, of seeds that were not checked.
const NOTES: usize = 100;

/// What a report is about.
pub struct Subject<'a> {
    /// The findings.
    pub findings: &'a [CheckEntry],
    /// What was done.
    pub stats: &'a CheckStats,
    /// Where the sources are.
    pub root: &'a Path,
    /// The output directory.
    pub output: &'a Path,
    /// What the user has said about findings.
    pub policy: &'a Policy,
}

/// The report.
pub fn report(subject: &Subject<'_>) -> Value {
    let mut kinds: Vec<&str> = subject.findings.iter().map(|entry| entry.finding.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let fingerprints = fingerprints(subject);
    let results = subject.findings.iter().zip(fingerprints).map(|(entry, fingerprint)| {
        let index = kinds.iter().position(|kind| *kind == entry.finding.kind);
        result(subject, entry, index, fingerprint)
    });
    let run = json!({
        "tool": { "driver": {
            "name": "byway",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": kinds.iter().map(|kind| rule::rule(kind, worst(subject, kind))).collect::<Vec<Value>>(),
        } },
        "automationDetails": { "id": "byway/check/" },
        "invocations": [invocation(subject.stats)],
        "originalUriBaseIds": { SOURCES: base(subject.root), OUTPUT: base(subject.output) },
        "columnKind": "unicodeCodePoints",
        "results": results.collect::<Vec<Value>>(),
    });
    json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
}

/// The worst level of the findings of a kind.
fn worst(subject: &Subject<'_>, kind: &str) -> Level {
    let of_kind = subject.findings.iter().filter(|entry| entry.finding.kind == kind);
    of_kind.map(|entry| entry.standing.level).min().unwrap_or_default()
}

pub(crate) fn base(directory: &Path) -> Value {
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let uri = uri(&directory);
    json!({ "uri": format!("file://{}/", uri.trim_end_matches('/')) })
}

fn invocation(stats: &CheckStats) -> Value {
    let note = |level: &'static str| move |seed: &super::Skipped| json!({ "level": level, "message": text(format!("{}: {}", seed.seed, seed.why)) });
    let skipped = stats.seeds.skipped.iter().map(note("warning"));
    let troubles = stats.seeds.troubles.iter().map(note("warning"));
    let changed = stats.seeds.changed.iter().map(note("note"));
    let notes: Vec<Value> = skipped.chain(troubles).chain(changed).take(NOTES).collect();
    json!({
        "executionSuccessful": true,
        "commandLine": format!("byway check -- {}", shell::command(stats.command.iter().map(|word| word.as_bytes()))).trim_end_matches(" -- "),
        "workingDirectory": { "uriBaseId": SOURCES, "uri": "" },
        "toolExecutionNotifications": notes,
    })
}

fn result(subject: &Subject<'_>, entry: &CheckEntry, rule: Option<usize>, fingerprint: String) -> Value {
    let finding = &entry.finding;
    let location = SourceSpot::of_finding(finding).map(|spot| location(subject.root, &spot));
    let flow = flow(subject, finding);
    without_nothing(json!({
        "ruleId": finding.kind,
        "ruleIndex": rule,
        "kind": "fail",
        "level": entry.standing.level,
        "baselineState": baseline_state(subject, entry),
        "suppressions": accepted(entry.standing.suppressed.as_deref()),
        "message": text(message(subject, entry)),
        "locations": location.into_iter().collect::<Vec<Value>>(),
        "relatedLocations": related(subject, finding),
        "stacks": stack(subject, finding),
        "codeFlows": flow,
        "partialFingerprints": { "bywayFinding/v2": fingerprint },
        "attachments": [attachment(entry, "report.txt", "What the sanitizers wrote"),
            attachment(entry, "run.sh", "Runs the program on the input again")],
        "occurrenceCount": entry.count,
        "properties": properties(entry),
    }))
}

/// Whether the baseline has it, if there is one.
fn baseline_state(subject: &Subject<'_>, entry: &CheckEntry) -> Option<&'static str> {
    subject.policy.baseline.as_ref().map(|_| if entry.standing.known { "unchanged" } else { "new" })
}

/// Why a result is accepted, if it is.
pub fn accepted(reason: Option<&str>) -> Vec<Value> {
    let reason = reason.into_iter();
    reason.map(|reason| json!({ "kind": "external", "status": "accepted", "justification": reason })).collect()
}

fn properties(entry: &CheckEntry) -> Value {
    json!({
        "id": entry.id, "confirmed": entry.confirmed, "why": entry.why, "program": entry.program, "seed": entry.seed,
        "command": entry.command, "distance": entry.distance, "depth": entry.depth, "changed": entry.changed,
        "check": entry.check, "input": entry.input, "tests": entry.tests, "then": entry.finding.then,
        "behind": entry.finding.behind,
    })
}

/// What a reader of a list of alerts wants to know first.
fn message(subject: &Subject<'_>, entry: &CheckEntry) -> String {
    let finding = &entry.finding;
    let function = finding.function.as_deref().map(|name| format!(" in {name}")).unwrap_or_default();
    let changed = match entry.changed.as_slice() {
        [] => "as it is".to_owned(),
        changed => format!("with {}", changed.join("; ")),
    };
    let unconfirmed = match (&entry.why, entry.confirmed) {
        (_, true) => String::new(),
        (Some(why), false) => format!(" Unconfirmed: {why}."),
        (None, false) => " Unconfirmed: the sanitizers did not see it.".to_owned(),
    };
    let Finding { kind, message, .. } = finding;
    let own = if entry.is_of_test() { "Your test already shows this: " } else { "" };
    let (test, command) = (entry.test(), &entry.seed_command);
    let reproduction = entry.reproduction(subject.output, subject.root);
    format!(
        "{own}{kind}{function}: {message}.{unconfirmed} Shown by {test} ({command}) {changed}. To reproduce, run {reproduction}"
    )
}

fn related(subject: &Subject<'_>, finding: &Finding) -> Vec<Value> {
    let object = finding.object.iter();
    let stacks = object.flat_map(|object| [("allocated here", &object.allocated), ("freed here", &object.freed)]);
    let spots = stacks.filter_map(|(what, stack)| Some((what, SourceSpot::of_stack(stack)?)));
    let uses = finding.also.iter().filter_map(|place| Some(("used here too", SourceSpot::of_use(place)?)));
    let spots = spots.chain(uses);
    let numbered = spots.enumerate().map(|(index, (what, spot))| {
        let mut location = location(subject.root, &spot);
        location["id"] = json!(index + 1);
        location["message"] = text(what.to_owned());
        location
    });
    numbered.collect()
}

fn stack(subject: &Subject<'_>, finding: &Finding) -> Vec<Value> {
    let frame = |frame: &Frame| {
        let location = match SourceSpot::of_frame(frame).filter(|_| frame.is_own()) {
            Some(spot) => location(subject.root, &spot),
            None => json!({ "logicalLocations": [function(frame.function.as_deref().unwrap_or("?"))] }),
        };
        without_nothing(json!({ "location": location, "module": frame.module }))
    };
    match finding.stack.as_slice() {
        [] => Vec::new(),
        frames => vec![json!({ "frames": frames.iter().map(frame).collect::<Vec<Value>>() })],
    }
}

/// The calls that led there, outermost first.
fn flow(subject: &Subject<'_>, finding: &Finding) -> Vec<Value> {
    let own = finding.stack.iter().rev().filter(|frame| frame.is_own());
    let spots: Vec<SourceSpot> = own.filter_map(SourceSpot::of_frame).collect();
    let step = |spot: &SourceSpot| {
        let mut location = location(subject.root, spot);
        location["message"] = text(format!("in {}", spot.function.as_deref().unwrap_or("?")));
        json!({ "location": location })
    };
    match spots.as_slice() {
        [] | [_] => Vec::new(),
        spots => vec![json!({ "threadFlows": [{ "locations": spots.iter().map(step).collect::<Vec<Value>>() }] })],
    }
}

pub(crate) fn location(root: &Path, spot: &SourceSpot) -> Value {
    let file = spot.named_from(root);
    let artifact = match file.is_absolute() {
        true => json!({ "uri": format!("file://{}", uri(file)) }),
        false => json!({ "uri": uri(file), "uriBaseId": SOURCES }),
    };
    let source = spot.text(root);
    let column = spot.column_in(source.as_deref());
    let snippet = source.map(|line| json!({ "text": line }));
    let region = json!({ "startLine": spot.line, "startColumn": column, "snippet": snippet });
    let logical = spot.function.as_deref().map(|name| json!([function(name)]));
    without_nothing(json!({
        "physicalLocation": { "artifactLocation": artifact, "region": without_nothing(region) },
        "logicalLocations": logical,
    }))
}

fn function(name: &str) -> Value {
    json!({ "name": name, "kind": "function" })
}

fn attachment(entry: &CheckEntry, name: &str, what: &str) -> Value {
    let uri = format!("{}/{name}", entry.input);
    json!({ "description": text(what.to_owned()), "artifactLocation": { "uri": uri, "uriBaseId": OUTPUT } })
}

/// A message. Braces would be places for arguments, and brackets before a parenthesis a link.
pub(crate) fn text(text: String) -> Value {
    let text = text.replace('{', "{{").replace('}', "}}").replace("](", "] (");
    json!({ "text": text })
}

/// Members without a value are left out.
fn without_nothing(value: Value) -> Value {
    let Value::Object(members) = value else { return value };
    let is_something = |value: &Value| !value.is_null() && value.as_array().is_none_or(|array| !array.is_empty());
    Value::Object(members.into_iter().filter(|(_, value)| is_something(value)).collect::<Map<String, Value>>())
}

/// What stays the same when lines move, and wherever the sources are: the class of the defect, its function, and what stands at
/// its place. Of several findings that have all of this in common, the order.
fn fingerprints(subject: &Subject<'_>) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut print = |entry: &CheckEntry| {
        let hash = fingerprint(&entry.finding, subject.root);
        let count = seen.entry(hash.clone()).or_default();
        *count += 1;
        format!("{hash}:{count}")
    };
    subject.findings.iter().map(&mut print).collect()
}

/// A path as part of a URI.
fn uri(path: &Path) -> String {
    let mut uri = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            byte if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_only_text() {
        assert_eq!(text("grep '[a](b){2}'".to_owned())["text"], "grep '[a] (b){{2}}'");
    }

    #[test]
    fn any_path_is_a_uri() {
        assert_eq!(uri(Path::new("/a b/c#1.c")), "/a%20b/c%231.c");
        assert_eq!(uri(Path::new("c:d/ä.c")), "c%3Ad/%C3%A4.c");
    }
}
