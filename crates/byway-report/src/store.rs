//! The output directory.
//!
//! Whatever is in it under its final name is whole: files and directories are made under temporary names and renamed. So
//! it can be read at any moment, whoever was killed; what is unfinished is removed by the next one who opens it. The tests
//! and the findings' own directories are what counts, the journal tells how it came to be.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use crate::disk;
use crate::error::ReportError;
use crate::finding::Finding;
use crate::journal::{self, Journal, Line};
use crate::stats::{STATS_VERSION, Stats};
use crate::test::{self, StoredTest, Test};
use crate::{VERSION, text::Text};

const MARKER: &str = "byway.json";
const TESTS: &str = "tests";
const FINDINGS: &str = "findings";
const FINDINGS_FILE: &str = "findings.json";
const FINDING_FILE: &str = "finding.json";
const REPORT: &str = "report.txt";
const STATS: &str = "stats.json";
const JOURNAL: &str = "journal.jsonl";

/// What `byway.json` says of a directory: that it is ours.
#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    format: String,
    version: u32,
}

/// What is at the place of an output directory.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Nothing,
    Empty,
    Ours,
}

/// A finding in `findings.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The defect's short name.
    pub id: String,
    /// What is wrong, and where.
    #[serde(flatten)]
    pub finding: Finding,
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
#[derive(Serialize, Deserialize)]
struct EntryFile {
    version: u32,
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

/// What was in a directory that is resumed.
#[derive(Debug, Default)]
pub struct Resumed {
    /// The tests, by number.
    pub tests: Vec<StoredTest>,
    /// The findings.
    pub findings: Vec<Entry>,
    /// The statistics, as last written.
    pub stats: Option<Stats>,
    /// What happened.
    pub journal: Vec<Line>,
}

/// An output directory that is written to.
#[derive(Debug)]
pub struct Store {
    directory: PathBuf,
    next: u32,
    findings: Vec<Entry>,
    /// Whether `findings.json` is behind.
    behind: bool,
    journal: Journal,
    /// Held as long as we write.
    _lock: File,
}

impl Store {
    /// Begins a new output directory. A previous one is kept beside it with `.old` behind its name, in place of an older.
    pub fn create(directory: &Path) -> Result<Store, ReportError> {
        if examine(directory)? == Place::Ours {
            drop(lock(directory)?);
            move_aside(directory)?;
        }
        Store::begin(directory)
    }

    /// Goes on with an output directory.
    pub fn resume(directory: &Path) -> Result<(Store, Resumed), ReportError> {
        match examine(directory)? {
            Place::Nothing => return Err(ReportError::NoTests { path: directory.to_owned() }),
            Place::Empty => return Ok((Store::begin(directory)?, Resumed::default())),
            Place::Ours => {}
        }
        let lock = lock(directory)?;
        disk::read_versioned::<Marker>(&directory.join(MARKER), VERSION)?;
        for part in [directory.to_owned(), directory.join(TESTS), directory.join(FINDINGS)] {
            disk::make(&part)?;
            disk::sweep(&part)?;
        }
        let resumed = read_all(directory)?;
        let next = resumed.tests.last().map_or(0, |test| test.number) + 1;
        let store = Store::open(directory, next, resumed.findings.clone(), lock)?;
        Ok((store, resumed))
    }

    fn begin(directory: &Path) -> Result<Store, ReportError> {
        disk::make(directory)?;
        disk::sweep(directory)?;
        disk::write_json(&directory.join(MARKER), &Marker { format: "byway.out".to_owned(), version: VERSION })?;
        disk::make(&directory.join(TESTS))?;
        disk::make(&directory.join(FINDINGS))?;
        Store::open(directory, 1, Vec::new(), lock(directory)?)
    }

    fn open(directory: &Path, next: u32, findings: Vec<Entry>, lock: File) -> Result<Store, ReportError> {
        let mut journal = Journal::open(&directory.join(JOURNAL))?;
        journal.add(&Line::Begin { version: VERSION, next })?;
        let directory = directory.to_owned();
        let mut store = Store { directory, next, findings, behind: true, journal, _lock: lock };
        store.write_findings()?;
        Ok(store)
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What was found so far.
    pub fn findings(&self) -> &[Entry] {
        &self.findings
    }

    /// Keeps a test; says its number.
    pub fn keep(&mut self, test: &Test) -> Result<u32, ReportError> {
        let number = self.next;
        let target = self.directory.join(TESTS).join(test_name(number));
        let temporary = disk::temporary(&target);
        test::write(&temporary, number, test)?;
        fs::rename(&temporary, &target).map_err(ReportError::io("write", &target))?;
        self.next += 1;
        let Test { seconds, kept, new_blocks, .. } = *test;
        self.journal.add(&Line::Test { number, seconds, kept, new_blocks })?;
        Ok(number)
    }

    /// Notes what a kept test showed. A finding that was unconfirmed becomes what confirms it.
    pub fn found(&mut self, discovery: Discovery<'_>) -> Result<Seen, ReportError> {
        let id = discovery.finding.id();
        let known = self.findings.iter().position(|entry| entry.id == id);
        self.behind = true;
        let Some(index) = known else {
            self.add(entry(id, discovery, 1), discovery)?;
            return Ok(Seen::First);
        };
        let (count, was_confirmed) = (self.findings[index].count + 1, self.findings[index].confirmed);
        self.findings[index].count = count;
        if discovery.confirmed && !was_confirmed {
            let first_seen = self.findings[index].first_seen;
            self.findings[index] = Entry { first_seen, ..entry(id, discovery, count) };
            self.write_finding(&self.findings[index], discovery)?;
            self.write_findings()?;
        }
        Ok(Seen::Again)
    }

    fn add(&mut self, entry: Entry, discovery: Discovery<'_>) -> Result<(), ReportError> {
        self.write_finding(&entry, discovery)?;
        let line = Line::Finding {
            id: entry.id.clone(),
            kind: entry.finding.kind.clone(),
            test: discovery.number,
            seconds: entry.first_seen,
        };
        self.findings.push(entry);
        self.write_findings()?;
        self.journal.add(&line)
    }

    /// `findings/ID`: a copy of the test, the report, and the finding.
    fn write_finding(&self, entry: &Entry, discovery: Discovery<'_>) -> Result<(), ReportError> {
        let target = self.directory.join(FINDINGS).join(&entry.id);
        let temporary = disk::temporary(&target);
        test::write(&temporary, discovery.number, discovery.test)?;
        let report = temporary.join(REPORT);
        fs::write(&report, discovery.report).map_err(ReportError::io("write", &report))?;
        disk::write_json(&temporary.join(FINDING_FILE), &EntryFile { version: VERSION, entry: entry.clone() })?;
        disk::remove(&target)?;
        fs::rename(&temporary, &target).map_err(ReportError::io("write", &target))
    }

    fn write_findings(&mut self) -> Result<(), ReportError> {
        if self.behind {
            disk::write_json(&self.directory.join(FINDINGS_FILE), &self.findings)?;
            self.behind = false;
        }
        Ok(())
    }

    /// Writes the statistics, and how often findings were seen. To be called now and then, and at the end.
    pub fn checkpoint(&mut self, stats: &Stats) -> Result<(), ReportError> {
        disk::write_json(&self.directory.join(STATS), stats)?;
        self.write_findings()?;
        self.journal.add(&Line::Stats(stats.into()))
    }
}

/// The name of a test's directory.
fn test_name(number: u32) -> String {
    format!("{number:04}")
}

fn entry(id: String, discovery: Discovery<'_>, count: u64) -> Entry {
    Entry {
        id,
        finding: discovery.finding.clone(),
        input: format!("{TESTS}/{}", test_name(discovery.number)),
        count,
        confirmed: discovery.confirmed,
        changed: discovery.changed.to_vec(),
        first_seen: discovery.test.seconds,
    }
}

fn examine(directory: &Path) -> Result<Place, ReportError> {
    match fs::metadata(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Place::Nothing),
        Err(source) => return Err(ReportError::Io { doing: "read", path: directory.to_owned(), source }),
        Ok(metadata) if !metadata.is_dir() => return Err(ReportError::Foreign { path: directory.to_owned() }),
        Ok(_) => {}
    }
    if is_ours(directory) {
        return Ok(Place::Ours);
    }
    let is_empty = disk::list(directory)?.iter().all(|path| disk::is_temporary(path));
    if is_empty { Ok(Place::Empty) } else { Err(ReportError::Foreign { path: directory.to_owned() }) }
}

/// Whether this is an output directory, of whatever version.
pub fn is_ours(directory: &Path) -> bool {
    let marker: Result<Option<serde_json::Value>, _> = disk::read_json(&directory.join(MARKER));
    matches!(marker, Ok(Some(marker)) if marker["format"] == "byway.out")
}

fn lock(directory: &Path) -> Result<File, ReportError> {
    let marker = directory.join(MARKER);
    let file = File::open(&marker).map_err(ReportError::io("open", &marker))?;
    let locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
    locked.map_err(|_| ReportError::InUse { path: directory.to_owned() })?;
    Ok(file)
}

/// Renames a previous output directory; at no time is neither it nor the one before there.
fn move_aside(directory: &Path) -> Result<(), ReportError> {
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(".old");
    let old = directory.with_file_name(name);
    let older = disk::temporary(&old);
    disk::remove(&older)?;
    if examine(&old)? != Place::Nothing {
        fs::rename(&old, &older).map_err(ReportError::io("rename", &old))?;
    }
    fs::rename(directory, &old).map_err(ReportError::io("rename", directory))?;
    disk::remove(&older)
}

fn read_all(directory: &Path) -> Result<Resumed, ReportError> {
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
        let file: Option<EntryFile> = disk::read_versioned(&path.join(FINDING_FILE), VERSION)?;
        let unknown = file.filter(|file| entries.iter().all(|entry| entry.id != file.entry.id));
        entries.extend(unknown.map(|file| file.entry));
    }
    Ok(entries)
}

/// The directories of the tests, and of findings whose tests are not there, of an output directory.
pub fn test_directories(directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let mut tests = disk::list(&directory.join(TESTS))?;
    let names: Vec<Text> = tests.iter().filter_map(|path| path.file_name().map(Text::from)).collect();
    for path in disk::list(&directory.join(FINDINGS))? {
        let record = test::read_record(&path)?;
        let is_missing = |number: u32| !names.contains(&Text(test_name(number).into_bytes()));
        tests.extend(record.filter(|record| is_missing(record.number)).map(|_| path));
    }
    Ok(tests)
}

/// The finding that a directory under `findings/` is about.
pub fn finding_of(directory: &Path) -> Result<Option<Entry>, ReportError> {
    let file: Option<EntryFile> = disk::read_versioned(&directory.join(FINDING_FILE), VERSION)?;
    Ok(file.map(|file| file.entry))
}
