//! The output directory of a check.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use byway_input::ConcreteInput;
use byway_snapshot::SourceTexts;

use crate::disk;
use crate::error::ReportError;
use crate::executed::{CoveredTexts, LineCoverage};
use crate::finding::Finding;
use crate::fixture::StoredFixture;
use crate::output::Output;
use crate::page::CheckPage;
use crate::standing::Policy;
use crate::store::{
    COVERAGE, FINDINGS, FINDINGS_FILE, REPORT, SEEDS, STATS, Seen, UNCONFIRMED, write_finding, write_finding_file,
};
use crate::test::{FindingRef, Kept, Test};

use super::{CheckEntry, CheckStats, Checked, Near};
use super::{junit, sarif};

const SARIF: &str = "report.sarif";
const JUNIT: &str = "junit.xml";
/// So much of what the sanitizers wrote goes into `junit.xml`.
const MAX_REPORT: usize = 1 << 16;

/// A seed in `junit.xml`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JunitCase {
    /// The program.
    pub program: PathBuf,
    /// The name of the seed.
    pub seed: String,
    /// How long it was looked at.
    pub seconds: f64,
    /// Why it was not checked, or not all of it.
    pub skipped: Option<String>,
}

/// An output directory of a check that is written to. Like [`crate::TestStore`], it can be read at any moment.
#[derive(Debug)]
pub struct CheckStore {
    output: Output,
    /// Where the sources are.
    root: PathBuf,
    /// The user's environment.
    environment: Vec<(OsString, OsString)>,
    findings: Vec<CheckEntry>,
    /// What the user has said about findings.
    policy: Policy,
    /// The ids of findings that nobody was told of: new ones, and those that are worse than was said.
    fresh: Vec<String>,
    /// The page.
    page: CheckPage,
    /// Which lines were executed, and the text of these files.
    coverage: (LineCoverage, CoveredTexts),
    /// Whether `findings.json` is behind.
    behind: bool,
    /// The ids of findings whose own files are.
    stale: BTreeSet<String>,
    /// The seeds, at the end.
    cases: Option<Vec<JunitCase>>,
}

impl CheckStore {
    /// Begins a new output directory. A previous one is kept beside it with `.old` behind its name, in place of an older.
    /// Sources below `root` are named from there.
    pub fn create(directory: &Path, root: &Path) -> Result<CheckStore, ReportError> {
        CheckStore::create_in(Output::create(directory)?, root)
    }

    fn create_in(output: Output, root: &Path) -> Result<CheckStore, ReportError> {
        disk::make(&output.directory.join(FINDINGS))?;
        let mut store = CheckStore {
            output,
            root: root.to_owned(),
            environment: std::env::vars_os().collect(),
            findings: Vec::new(),
            policy: Policy { root: root.to_owned(), ..Policy::default() },
            fresh: Vec::new(),
            page: CheckPage::default(),
            coverage: Default::default(),
            behind: true,
            stale: BTreeSet::new(),
            cases: None,
        };
        store.write_findings()?;
        Ok(store)
    }

    /// The same, but the seeds of the previous one stay where they are, to be checked again.
    pub fn create_again(directory: &Path, root: &Path) -> Result<CheckStore, ReportError> {
        CheckStore::create_in(Output::create_with(directory, Some(SEEDS))?, root)
    }

    /// Ends it. True if nothing came of it, and what was there before is back in its place.
    pub fn end(mut self) -> Result<bool, ReportError> {
        self.output.end()
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.output.directory
    }

    /// Where the seeds go.
    pub fn seeds(&self) -> PathBuf {
        self.output.directory.join(SEEDS)
    }

    /// The same with what the user has said about findings.
    pub fn with_policy(self, policy: Policy) -> CheckStore {
        CheckStore { policy, ..self }
    }

    /// What the user has said about findings.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What was found so far: the worst first, then the nearest to a test, each in the order of discovery.
    pub fn findings(&self) -> &[CheckEntry] {
        &self.findings
    }

    /// What is confirmed and was not told before, in the order of discovery.
    pub fn take_fresh(&mut self) -> Vec<CheckEntry> {
        let fresh = std::mem::take(&mut self.fresh);
        fresh.iter().filter_map(|id| self.findings.iter().find(|entry| entry.id == *id)).cloned().collect()
    }

    /// Notes a finding, the input that shows it, and what the sanitizers wrote. Of several inputs that show the same defect
    /// the one is kept that is confirmed, then the one nearest to its seed.
    pub fn found(&mut self, checked: &Checked, input: &ConcreteInput, report: &[u8]) -> Result<Seen, ReportError> {
        let part = if checked.confirmed { FINDINGS } else { UNCONFIRMED };
        let standing = self.policy.standing(&checked.finding, checked.confirmed, checked.ending);
        let new = CheckEntry::new(checked, input, part, standing);
        self.behind = true;
        if self.findings.iter().any(|entry| entry.id != new.id && new.is_suspicion_of(entry)) {
            return Ok(Seen::Again);
        }
        self.drop_suspicions_of(&new)?;
        let Some(known) = self.findings.iter().position(|entry| entry.id == new.id) else {
            self.write_finding(&new, checked, input, report)?;
            self.note_fresh(&new, None);
            self.add(new)?;
            return Ok(Seen::First);
        };
        self.findings[known].count += 1;
        if new.is_better_than(&self.findings[known]) {
            let known = self.findings[known].clone();
            let mut new = CheckEntry { count: known.count, first_seen: known.first_seen, ..new };
            // What was only suspected says nothing of tests and places.
            if known.confirmed {
                new.finding.add_places_of(&known.finding);
                known.tests.iter().for_each(|near| new.note_test(near.clone()));
            }
            self.write_finding(&new, checked, input, report)?;
            self.note_fresh(&new, Some(&known));
            self.findings.retain(|entry| entry.id != new.id);
            let left = Some(known.input).filter(|input| *input != new.input);
            self.add(new)?;
            left.map_or(Ok(()), |input| disk::remove(&self.output.directory.join(input)))?;
        } else if checked.confirmed || !self.findings[known].confirmed {
            self.note_at(known, &checked.finding, Near::from(checked));
        }
        Ok(Seen::Again)
    }

    /// Notes that a test shows a finding that is known, maybe at another place.
    pub fn note(&mut self, finding: &Finding, near: Near) {
        let id = finding.id();
        if let Some(known) = self.findings.iter().position(|entry| entry.id == id) {
            self.note_at(known, finding, near);
        }
    }

    fn note_at(&mut self, known: usize, finding: &Finding, near: Near) {
        let entry = &mut self.findings[known];
        entry.finding.add_places_of(finding);
        entry.note_test(near);
        self.stale.insert(entry.id.clone());
        self.behind = true;
    }

    /// What the sanitizers show need not be suspected any more.
    fn drop_suspicions_of(&mut self, shown: &CheckEntry) -> Result<(), ReportError> {
        let is_dropped = |entry: &CheckEntry| entry.id != shown.id && entry.is_suspicion_of(shown);
        for entry in self.findings.iter().filter(|entry| is_dropped(entry)) {
            disk::remove(&self.output.directory.join(&entry.input))?;
        }
        self.findings.retain(|entry| !is_dropped(entry));
        Ok(())
    }

    /// People are told of what is confirmed and open, and again if it is worse than what is known.
    fn note_fresh(&mut self, new: &CheckEntry, known: Option<&CheckEntry>) {
        let is_told = known.is_some_and(|known| known.confirmed && known.standing.level <= new.standing.level);
        if new.confirmed && new.standing.is_open() && !is_told && !self.fresh.contains(&new.id) {
            self.fresh.push(new.id.clone());
        }
    }

    fn add(&mut self, entry: CheckEntry) -> Result<(), ReportError> {
        let end = self.findings.iter().position(|other| entry.rank() < other.rank());
        self.findings.insert(end.unwrap_or(self.findings.len()), entry);
        self.write_findings()
    }

    /// The input as a test, the report, and the finding.
    fn write_finding(
        &self,
        entry: &CheckEntry,
        checked: &Checked,
        input: &ConcreteInput,
        report: &[u8],
    ) -> Result<(), ReportError> {
        let directory = self.output.directory.join(&entry.input);
        disk::make(directory.parent().unwrap_or(&self.output.directory))?;
        let number = self.findings.len() as u32 + 1;
        write_finding(&directory, (number, &self.test(checked, input)), report, entry)
    }

    fn write_findings(&mut self) -> Result<(), ReportError> {
        if self.behind {
            disk::write_json(&self.output.directory.join(FINDINGS_FILE), &self.findings)?;
            self.behind = false;
        }
        Ok(())
    }

    /// The findings' own files say what `findings.json` says.
    fn write_stale(&mut self) -> Result<(), ReportError> {
        for id in std::mem::take(&mut self.stale) {
            if let Some(entry) = self.findings.iter().find(|entry| entry.id == id) {
                write_finding_file(&self.output.directory.join(&entry.input), entry)?;
            }
        }
        Ok(())
    }

    /// Notes which lines of these sources were executed. The page has it with the next [`CheckStore::checkpoint`].
    pub fn note_coverage(&mut self, mut lines: LineCoverage, sources: &[SourceTexts]) -> Result<(), ReportError> {
        let (known, texts) = &mut self.coverage;
        texts.read(&mut lines, sources);
        if *known != lines {
            disk::write_json(&self.output.directory.join(COVERAGE), &lines)?;
            *known = lines;
        }
        Ok(())
    }

    /// Writes the statistics, and how often findings were seen. To be called now and then, and again when more is known.
    pub fn checkpoint(&mut self, stats: &CheckStats) -> Result<(), ReportError> {
        disk::write_json(&self.output.directory.join(STATS), stats)?;
        self.write_findings()?;
        self.write_stale()?;
        self.output.settle()?;
        let (directory, root) = (self.output.directory.clone(), self.root.clone());
        let coverage = (&self.coverage.0, &self.coverage.1);
        self.page.write((&directory, &root), &self.findings, stats, coverage, self.cases.is_some())?;
        self.cases.as_ref().map_or(Ok(()), |cases| self.write_reports(stats, cases))
    }

    /// The end: writes everything that is for other programs too.
    pub fn finish(&mut self, stats: &CheckStats, cases: &[JunitCase]) -> Result<(), ReportError> {
        self.cases = Some(cases.to_vec());
        self.checkpoint(stats)
    }

    /// Seeds that never came to be checked belong to the reports too. They are written with the next [`CheckStore::checkpoint`].
    pub fn add_cases(&mut self, cases: impl IntoIterator<Item = JunitCase>) {
        self.cases.get_or_insert_default().extend(cases);
    }

    fn write_reports(&self, stats: &CheckStats, cases: &[JunitCase]) -> Result<(), ReportError> {
        let Self { findings, root, output, .. } = self;
        let directory = &output.directory;
        let subject = sarif::Subject { findings, stats, root, output: directory, policy: &self.policy };
        disk::write_json(&directory.join(SARIF), &sarif::report(&subject))?;
        let report_of = |entry: &CheckEntry| {
            let report =
                byway_file::read(&directory.join(&entry.input).join(REPORT), byway_file::INPUT).unwrap_or_default();
            String::from_utf8_lossy(&report[..report.len().min(MAX_REPORT)]).into_owned()
        };
        disk::write(
            &directory.join(JUNIT),
            junit::report(cases, findings, (root, directory), &self.policy, report_of).as_bytes(),
        )
    }

    /// A finding is kept as tests are.
    fn test(&self, checked: &Checked, input: &ConcreteInput) -> Test {
        let known = FindingRef { confirmed: checked.confirmed, ..FindingRef::from(&checked.finding) };
        Test {
            program: checked.program.clone(),
            input: input.clone(),
            fixture: Some(StoredFixture::around(&input.fixture, &self.environment)),
            ending: checked.ending,
            kept: Kept::Failure,
            findings: vec![known],
            new_blocks: 0,
            seconds: checked.seconds,
            parent: None,
            search: None,
            flipped: None,
            ktest: None,
        }
    }
}
