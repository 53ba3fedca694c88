//! Findings that are known already: a baseline, which an earlier check left.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::disk;
use crate::error::ReportError;
use crate::level::Level;

/// The version of a baseline.
const BASELINE_VERSION: u64 = 1;
/// Where a baseline says that it is one.
const FORMAT: &str = "byway.baseline";

/// The findings that are known, by fingerprint.
#[derive(Debug, Clone, Default)]
pub struct Baseline(BTreeMap<String, KnownFinding>);

/// What a baseline says of a finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownFinding {
    /// What names it wherever the sources are: its class, its function, what stands at its place.
    pub fingerprint: String,
    /// How bad it is.
    #[serde(default)]
    pub level: Level,
    /// In words: kind and place.
    pub what: String,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
struct BaselineFile {
    format: String,
    version: u64,
    findings: Vec<KnownFinding>,
}

impl Baseline {
    /// Reads a baseline, the `findings.json` of an earlier check, or its `report.sarif`.
    pub fn read(path: &Path) -> Result<Baseline, ReportError> {
        let value: Option<Value> = disk::read_json(path)?;
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        let value = value.ok_or_else(|| ReportError::io("read", path)(missing))?;
        let found = match &value {
            Value::Array(entries) => Some(entries.iter().map(of_entry).collect()),
            Value::Object(members) if members.get("runs").is_some_and(Value::is_array) => Some(of_sarif(&value)),
            Value::Object(members) if members.get("format").is_some_and(|format| format == FORMAT) => of_file(&value),
            _ => None,
        };
        let known: Vec<KnownFinding> = found.ok_or_else(|| ReportError::NoBaseline { path: path.to_owned() })?;
        let known = known.into_iter().filter(|known| !known.fingerprint.is_empty());
        Ok(Baseline(known.map(|known| (known.fingerprint.clone(), known)).collect()))
    }

    /// Writes it.
    pub fn write(&self, path: &Path) -> Result<(), ReportError> {
        let findings = self.0.values().cloned().collect();
        let file = BaselineFile { format: FORMAT.to_owned(), version: BASELINE_VERSION, findings };
        disk::write_json(path, &file)
    }

    /// Whether a finding is known.
    pub fn has(&self, fingerprint: &str) -> bool {
        self.0.contains_key(fingerprint)
    }

    /// Those that none of these is.
    pub fn missing<'a>(&'a self, found: &[&str]) -> Vec<&'a KnownFinding> {
        self.0.values().filter(|known| !found.contains(&known.fingerprint.as_str())).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn of_file(value: &Value) -> Option<Vec<KnownFinding>> {
    let file: BaselineFile = serde_json::from_value(value.clone()).ok()?;
    (file.version == BASELINE_VERSION).then_some(file.findings)
}

/// A finding of `findings.json`, also one that was written before there were fingerprints: then its id is all that is known.
fn of_entry(entry: &Value) -> KnownFinding {
    // What was not confirmed then may be a finding now.
    if entry["confirmed"] == false {
        return KnownFinding::default();
    }
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let fingerprint = Some(text("fingerprint")).filter(|print| !print.is_empty()).unwrap_or_else(|| text("id"));
    let place = match (entry["file"].as_str(), entry["line"].as_u64()) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        (Some(file), None) => format!(" at {file}"),
        _ => String::new(),
    };
    let level = serde_json::from_value(entry["level"].clone()).unwrap_or_default();
    KnownFinding { fingerprint, level, what: format!("{}{place}", text("kind")) }
}

/// The results of a report. A fingerprint there has a number behind it, for what several findings have in common.
fn of_sarif(report: &Value) -> Vec<KnownFinding> {
    let runs = report["runs"].as_array().into_iter().flatten();
    let results = runs.flat_map(|run| run["results"].as_array().into_iter().flatten());
    let known = results.map(|result| {
        let print = result["partialFingerprints"]["bywayFinding/v2"].as_str().unwrap_or_default();
        let location = &result["locations"][0]["physicalLocation"];
        let place = match (location["artifactLocation"]["uri"].as_str(), location["region"]["startLine"].as_u64()) {
            (Some(file), Some(line)) => format!(" at {file}:{line}"),
            _ => String::new(),
        };
        KnownFinding {
            fingerprint: print.split(':').next().unwrap_or_default().to_owned(),
            level: serde_json::from_value(result["level"].clone()).unwrap_or_default(),
            what: format!("{}{place}", result["ruleId"].as_str().unwrap_or_default()),
        }
    });
    known.collect()
}
