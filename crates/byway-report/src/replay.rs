//! Tests and findings, read back to be run again.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diff::{self, Difference};
use crate::disk;
use crate::error::ReportError;
use crate::finding::Finding;
use crate::fixture::{self, StoredFixture, Tree};
use crate::hang::HANG;
use crate::report;
use crate::store::{self, Entry};
use crate::test::{self, FindingRef, ObjectRecord, Record};
use byway_input::{ConcreteInput, Ending, Environment, Fixture, InputFile};
use byway_snapshot::SourceTexts;

/// A test, with what is needed to run it.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// Its directory.
    pub directory: PathBuf,
    /// The program that it is for.
    pub program: PathBuf,
    /// The arguments, without the program's name.
    pub arguments: Vec<OsString>,
    /// What surrounds it, if it comes from a test suite.
    pub fixture: Option<StoredFixture>,
    /// The file with its standard input; `None`: nothing to read.
    pub stdin: Option<PathBuf>,
    /// The files that it reads.
    pub files: Vec<Placed>,
    /// The objects that the program makes symbolic itself.
    pub objects: Vec<(String, Vec<u8>)>,
    /// What came of it.
    pub expected: Expected,
    /// What two versions did on it, if it was kept since they differ.
    pub difference: Option<Box<Difference>>,
}

/// A file that a test reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Where the program finds it: relative to its working directory, or absolute.
    pub path: PathBuf,
    /// Where it is.
    pub stored: PathBuf,
}

impl Replay {
    fn tree(&self) -> Option<(&StoredFixture, Tree)> {
        let fixture = self.fixture.as_ref()?;
        Some((fixture, Tree::new(fixture, self.files.iter().map(|file| file.path.as_path()))))
    }

    /// The directory that everything around it was below, if it comes from a test suite.
    pub fn base(&self) -> Option<PathBuf> {
        self.tree().map(|(_, tree)| tree.base().to_owned())
    }

    /// What it reads. All that was below [`base`](Replay::base) is below `root`, and the environment is `own` where the test says
    /// nothing of it.
    pub fn input(&self, root: &Path, own: &Environment) -> Result<ConcreteInput, ReportError> {
        let read = |path: &PathBuf| byway_file::read(path, byway_file::INPUT).map_err(ReportError::io("read", path));
        let tree = self.tree();
        let text = |text: &OsStr| match &tree {
            Some((_, tree)) => tree.moved(text.as_bytes(), root),
            None => text.as_bytes().to_vec(),
        };
        let mut files = BTreeMap::new();
        for file in &self.files {
            let path = match &tree {
                Some((_, tree)) => tree.below(&file.path).map(|path| root.join(path)),
                None => Some(file.path.clone()),
            };
            if let Some(path) = path {
                files.insert(path, InputFile::from(read(&file.stored)?));
            }
        }
        let fixture = match &tree {
            Some((fixture, tree)) => fixture_of(fixture, tree, root, own),
            None => Fixture { environment: own.clone(), ..Fixture::default() },
        };
        Ok(ConcreteInput {
            fixture: Arc::new(Fixture { label: self.directory.display().to_string(), ..fixture }),
            arguments: self.arguments.iter().map(|argument| text(argument)).collect(),
            stdin: self.stdin.as_ref().map(read).transpose()?,
            files: files.into(),
            objects: self.objects.clone(),
        })
    }
}

/// What surrounds a test, with `root` for the directory that all of it was below.
fn fixture_of(fixture: &StoredFixture, tree: &Tree, root: &Path, own: &Environment) -> Fixture {
    let text = |text: &OsStr| OsString::from_vec(tree.moved(text.as_bytes(), root));
    let place = |path: &Path| tree.below(path).map(|path| root.join(path));
    let mut environment = if fixture.is_all { Environment::new() } else { own.clone() };
    for (name, value) in &fixture.variables {
        environment.retain(|(other, _)| other != name);
        let moved = |value: &OsString| if fixture::is_search(name) { value.clone() } else { text(value) };
        environment.extend(value.as_ref().map(|value| (name.clone(), moved(value))));
    }
    let link = |(path, target): &(PathBuf, PathBuf)| {
        Some((root.join(tree.below_link(path)?), text(target.as_os_str()).into()))
    };
    Fixture {
        name: Some(OsString::from_vec(fixture.name.clone())),
        environment,
        directory: place(&fixture.directory),
        directories: fixture.directories.iter().filter_map(|path| place(path)).collect(),
        links: fixture.links.iter().filter_map(link).collect(),
        ..Fixture::default()
    }
}

/// What came of a test when it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// How the program ended, without sanitizers.
    pub ending: Ending,
    /// What was found; any of it confirms the test.
    pub findings: Vec<FindingRef>,
}

impl Expected {
    /// Whether it takes a build with sanitizers to see it again.
    pub fn needs_sanitizers(&self) -> bool {
        self.findings.iter().any(|finding| finding.confirmed)
    }

    /// Whether AddressSanitizer has to go on behind its first report to show it.
    pub fn goes_on(&self) -> bool {
        self.findings.iter().any(|finding| finding.behind)
    }

    /// Whether it is that the program does not end: then it does not natively either.
    pub fn is_hang(&self) -> bool {
        self.findings.iter().any(|finding| finding.kind == HANG)
    }
}

/// How the program that a test is replayed with was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// As usual: what only a sanitizer sees is not expected of it.
    Plain,
    /// With `-fsanitize=address,undefined`, and run in the environment of `byway_exec::Judge`.
    Sanitized,
}

/// Whether what a test showed is still so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is.
    Holds,
    /// It is not; why.
    Differs(String),
}

/// Reads a test, a finding, a directory of such, or an output directory.
pub fn replay(path: &Path) -> Result<Vec<Replay>, ReportError> {
    let directories = if path.join(test::RECORD).exists() {
        vec![path.to_owned()]
    } else if store::is_ours(path) {
        store::test_directories(path)?
    } else {
        disk::list(path)?
    };
    let mut replays = Vec::new();
    for directory in directories.iter().filter(|directory| !disk::is_temporary(directory)) {
        replays.extend(read(directory)?);
    }
    if replays.is_empty() { Err(ReportError::NoTests { path: path.to_owned() }) } else { Ok(replays) }
}

fn read(directory: &Path) -> Result<Option<Replay>, ReportError> {
    let Some(record) = test::read_record(directory)? else { return Ok(None) };
    let finding = Entry::read(directory)?;
    let of_entry = |entry: Entry| FindingRef { confirmed: entry.confirmed, ..FindingRef::from(&entry.finding) };
    let findings = finding.map_or(record.findings.clone(), |entry| vec![of_entry(entry)]);
    let difference = diff::read_difference(directory)?.map(Box::new);
    Ok(Some(Replay { difference, ..with_paths(directory, record, findings) }))
}

fn with_paths(directory: &Path, record: Record, findings: Vec<FindingRef>) -> Replay {
    let place =
        |file: &test::FileRecord| Placed { path: file.path.to_path(), stored: directory.join(file.stored.to_path()) };
    Replay {
        directory: directory.to_owned(),
        program: record.program.to_path(),
        arguments: record.arguments.iter().map(|argument| argument.to_os_string()).collect(),
        fixture: record.fixture.as_ref().map(StoredFixture::from),
        stdin: record.stdin.map(|name| directory.join(name.to_path())),
        files: record.files.iter().map(place).collect(),
        objects: record.objects.into_iter().map(ObjectRecord::into_object).collect(),
        expected: Expected { ending: record.status, findings },
        difference: None,
    }
}

/// Whether a test still shows what it showed, when `program` now ends like this and writes this to standard error.
pub fn verdict(
    expected: &Expected,
    (build, texts): (Build, &SourceTexts),
    program: &str,
    stderr: &[u8],
    ending: Ending,
) -> Verdict {
    let seen = report::findings_in(texts, program, stderr, ending);
    let shows = |finding: &Finding| expected.findings.iter().any(|known| is_same(known, finding));
    match build {
        _ if seen.iter().any(shows) => Verdict::Holds,
        Build::Sanitized if expected.findings.is_empty() => new(&seen, expected.ending, ending),
        Build::Sanitized => Verdict::Differs(gone(expected, &seen, ending)),
        Build::Plain => same_ending(expected.ending, ending),
    }
}

fn is_same(known: &FindingRef, finding: &Finding) -> bool {
    known.id == finding.id() || (known.kind == finding.kind && known.function == finding.function)
}

/// Of a test that shows nothing, a sanitizer that sees something is news.
fn new(seen: &[Finding], expected: Ending, ending: Ending) -> Verdict {
    match seen.first() {
        Some(finding) => Verdict::Differs(format!("new: {finding}")),
        None => same_ending(expected, ending),
    }
}

fn gone(expected: &Expected, seen: &[Finding], ending: Ending) -> String {
    let kinds: Vec<&str> = expected.findings.iter().map(|finding| finding.kind.as_str()).collect();
    let now = seen.first().map_or(ending.to_string(), Finding::to_string);
    format!("no {} any more: {now}", kinds.join(", "))
}

fn same_ending(expected: Ending, ending: Ending) -> Verdict {
    if expected == ending {
        return Verdict::Holds;
    }
    Verdict::Differs(format!("{ending} instead of {expected}"))
}
