//! The output directory.
//!
//! Whatever is in it under its final name is whole: files and directories are made under temporary names and renamed. So
//! it can be read at any moment, whoever was killed; what is unfinished is removed by the next one who opens it. The tests
//! and the findings' own directories are what counts, the journal tells how it came to be.

mod entry;
pub(crate) mod place;
mod read;

use std::fs;
use std::path::Path;

use byway_input::Ending;
use byway_snapshot::SourceTexts;
use serde::Serialize;

use crate::VERSION;
use crate::disk;
use crate::error::ReportError;
use crate::executed::{CoveredTexts, LineCoverage};
use crate::journal::{Journal, Line};
use crate::output::Output;
use crate::page::{self, PageThrottle};
use crate::standing::Policy;
use crate::stats::ExploreStats;
use crate::test::{self, Test};

pub use entry::{Discovery, Entry, FINDING_FILE, Seen};
pub use place::is_ours;
pub use read::{Resumed, test_directories};

use place::Place;

const TESTS: &str = "tests";
pub(crate) const FINDINGS: &str = "findings";
pub(crate) const UNCONFIRMED: &str = "unconfirmed";
pub(crate) const DIFFERENCES: &str = "differences";
pub(crate) const SEEDS: &str = "seeds";
pub(crate) const FINDINGS_FILE: &str = "findings.json";
pub(crate) const REPORT: &str = "report.txt";
pub(crate) const STATS: &str = "stats.json";
pub(crate) const COVERAGE: &str = "coverage.json";
const JOURNAL: &str = "journal.jsonl";

/// An output directory that is written to.
#[derive(Debug)]
pub struct TestStore {
    output: Output,
    next: u32,
    findings: Vec<Entry>,
    /// What the user has said about findings.
    policy: Policy,
    /// The ids of findings that nobody was told of.
    fresh: Vec<String>,
    /// Whether `findings.json` is behind.
    behind: bool,
    journal: Journal,
    /// Which lines were executed, and the text of these files.
    coverage: (LineCoverage, CoveredTexts),
    throttle: PageThrottle,
}

impl TestStore {
    /// Begins a new output directory. A previous one is kept beside it with `.old` behind its name, in place of an older.
    pub fn create(directory: &Path) -> Result<TestStore, ReportError> {
        let output = Output::create(directory)?;
        disk::make(&output.directory.join(TESTS))?;
        disk::make(&output.directory.join(FINDINGS))?;
        TestStore::open(output, 1, Vec::new())
    }

    /// Goes on with an output directory.
    pub fn resume(directory: &Path) -> Result<(TestStore, Resumed), ReportError> {
        match place::examine(directory)? {
            Place::Nothing => return Err(ReportError::NoTests { path: directory.to_owned() }),
            Place::Empty => return Ok((TestStore::create(directory)?, Resumed::default())),
            Place::Ours => {}
        }
        let output = Output::open(directory)?;
        for part in [TESTS, FINDINGS].map(|name| directory.join(name)) {
            disk::make(&part)?;
            disk::sweep(&part)?;
        }
        let resumed = read::read_all(directory)?;
        let last = resumed.tests.last().map_or(0, |test| test.number);
        let next = last.checked_add(1).ok_or_else(|| ReportError::NoNumber { path: directory.to_owned() })?;
        let store = TestStore::open(output, next, resumed.findings.clone())?;
        Ok((store, resumed))
    }

    fn open(output: Output, next: u32, findings: Vec<Entry>) -> Result<TestStore, ReportError> {
        let mut journal = Journal::open(&output.directory.join(JOURNAL))?;
        journal.add(&Line::Begin { version: VERSION, next })?;
        let mut store = TestStore {
            output,
            next,
            findings,
            policy: Policy::default(),
            fresh: Vec::new(),
            behind: true,
            journal,
            coverage: Default::default(),
            throttle: PageThrottle::default(),
        };
        store.write_findings()?;
        Ok(store)
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.output.directory
    }

    /// The same with what the user has said about findings.
    pub fn with_policy(mut self, mut policy: Policy) -> TestStore {
        for entry in &mut self.findings {
            let before = std::mem::take(&mut entry.standing);
            entry.standing = policy.standing(&entry.finding, entry.confirmed, Ending::Exited(0));
            // Before there were levels, nothing was said of how a finding ends.
            if !before.fingerprint.is_empty() {
                entry.standing.level = before.level;
            }
        }
        self.policy = policy;
        self
    }

    /// What the user has said about findings.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What was not told before, in the order of discovery.
    pub fn take_fresh(&mut self) -> Vec<Entry> {
        let fresh = std::mem::take(&mut self.fresh);
        fresh.iter().filter_map(|id| self.findings.iter().find(|entry| entry.id == *id)).cloned().collect()
    }

    /// How many tests were kept.
    pub fn kept(&self) -> u32 {
        self.next - 1
    }

    /// What was found so far.
    pub fn findings(&self) -> &[Entry] {
        &self.findings
    }

    /// Keeps a test; says its number.
    pub fn keep(&mut self, test: &Test) -> Result<u32, ReportError> {
        let number = self.next;
        let directory = self.output.directory.join(TESTS).join(test_name(number));
        disk::build(&directory, |directory| test::write(directory, number, test))?;
        self.next += 1;
        self.output.settle()?;
        let Test { seconds, kept, new_blocks, .. } = *test;
        self.journal.add(&Line::Test { number, seconds, kept, new_blocks })?;
        Ok(number)
    }

    /// Notes what a kept test showed. A finding that was unconfirmed becomes what confirms it.
    pub fn found(&mut self, discovery: Discovery<'_>) -> Result<Seen, ReportError> {
        let standing = self.policy.standing(discovery.finding, discovery.confirmed, discovery.test.ending);
        let new = Entry::new(discovery, standing);
        self.behind = true;
        let Some(known) = self.findings.iter_mut().find(|entry| entry.id == new.id) else {
            self.add(new, discovery)?;
            return Ok(Seen::First);
        };
        known.count += 1;
        if discovery.confirmed && !known.confirmed {
            *known = Entry { count: known.count, first_seen: known.first_seen, ..new };
            let known = known.clone();
            self.note_fresh(&known);
            self.write_finding(&known, discovery)?;
            self.write_findings()?;
        }
        Ok(Seen::Again)
    }

    fn add(&mut self, entry: Entry, discovery: Discovery<'_>) -> Result<(), ReportError> {
        self.write_finding(&entry, discovery)?;
        let (id, kind) = (entry.id.clone(), entry.finding.kind.clone());
        let line = Line::Finding { id, kind, test: discovery.number, seconds: entry.first_seen };
        self.note_fresh(&entry);
        self.findings.push(entry);
        self.findings.sort_by_key(|entry| entry.standing.level);
        self.write_findings()?;
        self.journal.add(&line)
    }

    /// People are told of what is confirmed and open.
    fn note_fresh(&mut self, entry: &Entry) {
        if entry.confirmed && entry.standing.is_open() {
            self.fresh.push(entry.id.clone());
        }
    }

    /// `findings/ID`: a copy of the test, the report, and the finding.
    fn write_finding(&self, entry: &Entry, discovery: Discovery<'_>) -> Result<(), ReportError> {
        let directory = self.output.directory.join(FINDINGS).join(&entry.id);
        write_finding(&directory, (discovery.number, discovery.test), discovery.report, entry)
    }

    fn write_findings(&mut self) -> Result<(), ReportError> {
        if self.behind {
            disk::write_json(&self.output.directory.join(FINDINGS_FILE), &self.findings)?;
            self.behind = false;
        }
        Ok(())
    }

    /// Notes which lines of these sources were executed. The page has it with the next [`TestStore::checkpoint`].
    pub fn note_coverage(&mut self, mut lines: LineCoverage, sources: &SourceTexts) -> Result<(), ReportError> {
        let (known, texts) = &mut self.coverage;
        texts.read(&mut lines, std::slice::from_ref(sources));
        if *known != lines {
            disk::write_json(&self.output.directory.join(COVERAGE), &lines)?;
            *known = lines;
        }
        Ok(())
    }

    /// Writes the statistics, and how often findings were seen. To be called now and then.
    pub fn checkpoint(&mut self, stats: &ExploreStats) -> Result<(), ReportError> {
        self.write_numbers(stats, false)
    }

    /// The end: the page has everything.
    pub fn finish(&mut self, stats: &ExploreStats) -> Result<(), ReportError> {
        self.write_numbers(stats, true)
    }

    fn write_numbers(&mut self, stats: &ExploreStats, is_end: bool) -> Result<(), ReportError> {
        disk::write_json(&self.output.directory.join(STATS), stats)?;
        self.write_findings()?;
        let (directory, (lines, texts)) = (&self.output.directory, &self.coverage);
        self.throttle.write(is_end, || {
            let page = page::explore_page(&self.findings, stats, (lines, texts), directory, &self.policy.root);
            page::save_page(directory, &page)
        })?;
        self.journal.add(&Line::Stats(stats.into()))
    }
}

/// `finding.json`.
#[derive(Serialize)]
struct FindingFile<'a, E> {
    version: u32,
    #[serde(flatten)]
    entry: &'a E,
}

/// Writes the directory of a finding: the test that shows it, under its number, the report, and what is known of it.
pub(crate) fn write_finding(
    directory: &Path,
    (number, test): (u32, &Test),
    report: &[u8],
    entry: &impl Serialize,
) -> Result<(), ReportError> {
    disk::build(directory, |directory| {
        test::write(directory, number, test)?;
        let path = directory.join(REPORT);
        fs::write(&path, report).map_err(ReportError::io("write", &path))?;
        write_finding_file(directory, entry)
    })
}

/// Writes `finding.json`.
pub(crate) fn write_finding_file(directory: &Path, entry: &impl Serialize) -> Result<(), ReportError> {
    disk::write_json(&directory.join(FINDING_FILE), &FindingFile { version: VERSION, entry })
}

/// The name of a test's directory.
fn test_name(number: u32) -> String {
    format!("{number:04}")
}
