//! A finding in an output directory.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::disk;
use crate::error::ReportError;
use crate::finding::Finding;
use crate::standing::Standing;
use crate::test::Test;
use crate::{OLDEST, VERSION};

use super::{TESTS, test_name};

/// In the directory of a finding.
pub const FINDING_FILE: &str = "finding.json";

/// A finding in `findings.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The defect's short name.
    pub id: String,
    /// What is wrong, and where.
    #[serde(flatten)]
    pub finding: Finding,
    /// What it means for whoever waits for the result.
    #[serde(flatten)]
    pub standing: Standing,
    /// The directory of the test that shows it, from the output directory.
    pub input: String,
    /// How often it was seen.
    pub count: u64,
    /// Whether the sanitizers said so.
    pub confirmed: bool,
    /// What differs from the seed.
    pub changed: Vec<String>,
    /// When it was first seen, in seconds since the exploration began.
    pub first_seen: f64,
}

/// `finding.json`.
#[derive(Deserialize)]
struct EntryFile {
    #[serde(flatten)]
    entry: Entry,
}

/// Something that a test showed.
#[derive(Debug, Clone, Copy)]
pub struct Discovery<'a> {
    /// What.
    pub finding: &'a Finding,
    /// What the program wrote to standard error.
    pub report: &'a [u8],
    /// The test's number.
    pub number: u32,
    /// The test.
    pub test: &'a Test,
    /// Whether the sanitizers said so.
    pub confirmed: bool,
    /// What differs from the seed.
    pub changed: &'a [String],
}

/// Whether a finding was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// It was not.
    First,
    /// It was.
    Again,
}

impl Entry {
    /// A discovery, seen for the first time.
    pub(super) fn new(discovery: Discovery<'_>, standing: Standing) -> Entry {
        Entry {
            id: discovery.finding.id(),
            finding: discovery.finding.clone(),
            standing,
            input: format!("{TESTS}/{}", test_name(discovery.number)),
            count: 1,
            confirmed: discovery.confirmed,
            changed: discovery.changed.to_vec(),
            first_seen: discovery.test.seconds,
        }
    }

    /// Reads it from the directory of a finding, if it is one.
    pub(crate) fn read(directory: &Path) -> Result<Option<Entry>, ReportError> {
        let file: Option<EntryFile> = disk::read_since(&directory.join(FINDING_FILE), OLDEST, VERSION)?;
        Ok(file.map(|file| file.entry))
    }
}
