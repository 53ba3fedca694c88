//! What is in an output directory.

use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::ReportError;
use crate::journal::{self, Line};
use crate::stats::{ExploreStats, STATS_VERSION};
use crate::test::{self, StoredTest};

use super::entry::Entry;
use super::{DIFFERENCES, FINDINGS, FINDINGS_FILE, JOURNAL, STATS, TESTS, test_name};

/// What was in a directory that is resumed.
#[derive(Debug, Default)]
pub struct Resumed {
    /// The tests, by number.
    pub tests: Vec<StoredTest>,
    /// The findings.
    pub findings: Vec<Entry>,
    /// The statistics, as last written.
    pub stats: Option<ExploreStats>,
    /// What happened.
    pub journal: Vec<Line>,
}

/// Everything.
pub fn read_all(directory: &Path) -> Result<Resumed, ReportError> {
    let mut tests = Vec::new();
    for path in disk::list(&directory.join(TESTS))? {
        tests.extend(test::read(&path)?);
    }
    tests.sort_by_key(|test| test.number);
    Ok(Resumed {
        tests,
        findings: read_findings(directory)?,
        stats: disk::read_versioned(&directory.join(STATS), STATS_VERSION)?,
        journal: journal::read(&directory.join(JOURNAL))?,
    })
}

/// The list, and what was found after it was last written.
fn read_findings(directory: &Path) -> Result<Vec<Entry>, ReportError> {
    let mut entries: Vec<Entry> = disk::read_json(&directory.join(FINDINGS_FILE))?.unwrap_or_default();
    for path in disk::list(&directory.join(FINDINGS))? {
        let is_unknown = |found: &Entry| entries.iter().all(|entry| entry.id != found.id);
        let unknown = Entry::read(&path)?.filter(is_unknown);
        entries.extend(unknown);
    }
    Ok(entries)
}

/// The directories of the tests, of findings whose tests are not there, and of differences, of an output directory.
pub fn test_directories(directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let mut directories = disk::list(&directory.join(TESTS))?;
    for path in disk::list(&directory.join(FINDINGS))? {
        let Some(record) = test::read_record(&path)? else { continue };
        if !directory.join(TESTS).join(test_name(record.number)).exists() {
            directories.push(path);
        }
    }
    directories.extend(disk::list(&directory.join(DIFFERENCES))?);
    Ok(directories)
}
