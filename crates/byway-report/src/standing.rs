//! What a finding means for whoever waits for the result: its level, and whether it is accepted or known.

use std::path::{Path, PathBuf};

use byway_input::Ending;
use serde::{Deserialize, Serialize};

use crate::baseline::{Baseline, KnownFinding};
use crate::finding::Finding;
use crate::level::Level;
use crate::suppression::Suppressions;

/// What a finding means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// How bad it is.
    #[serde(default)]
    pub level: Level,
    /// What names it wherever the sources are, and when lines move.
    #[serde(default)]
    pub fingerprint: String,
    /// Why it is accepted, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<String>,
    /// Whether the baseline has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
}

impl Standing {
    /// Whether it is neither accepted nor known.
    pub fn is_open(&self) -> bool {
        self.suppressed.is_none() && !self.known
    }
}

/// What the user has said about findings.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// From which level on findings fail a check.
    pub fail_on: Level,
    /// What is accepted.
    pub suppressions: Suppressions,
    /// What is known.
    pub baseline: Option<Baseline>,
    /// Where the sources are.
    pub root: PathBuf,
}

impl Policy {
    /// What a finding means.
    pub fn standing(&mut self, finding: &Finding, is_confirmed: bool, native: Ending) -> Standing {
        let fingerprint = fingerprint(finding, &self.root);
        let file = finding.file.as_deref().map(Path::new);
        let file = file.map(|file| file.strip_prefix(&self.root).unwrap_or(file));
        let id = finding.id();
        let known = self.baseline.as_ref().is_some_and(|baseline| baseline.has(&fingerprint) || baseline.has(&id));
        Standing {
            level: Level::of(finding, is_confirmed, native),
            suppressed: self.suppressions.reason(finding, file, &fingerprint, &id),
            known,
            fingerprint,
        }
    }

    /// Whether a finding fails the check.
    pub fn fails(&self, standing: &Standing) -> bool {
        standing.is_open() && standing.level <= self.fail_on
    }

    /// What the baseline has and these have not.
    pub fn missing<'a>(&'a self, found: impl Iterator<Item = (&'a Standing, &'a str)>) -> Vec<&'a KnownFinding> {
        let names: Vec<&str> = found.flat_map(|(standing, id)| [standing.fingerprint.as_str(), id]).collect();
        self.baseline.as_ref().map(|baseline| baseline.missing(&names)).unwrap_or_default()
    }
}

/// What names a finding wherever the sources are: its class, its function, and what stands at its place.
pub fn fingerprint(finding: &Finding, root: &Path) -> String {
    let key = match finding.file.is_some() && finding.line.is_some_and(|line| line > 0) {
        true => finding.key_from(root),
        false => finding.id(),
    };
    blake3::hash(key.as_bytes()).to_hex()[..16].to_owned()
}
