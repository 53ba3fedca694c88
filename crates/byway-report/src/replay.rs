//! Tests and findings, read back to be run again.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::ReportError;
use crate::finding::Finding;
use crate::hang::HANG;
use crate::report;
use crate::scene::{self, Scene, Tree};
use crate::store::{self, Entry};
use crate::test::{self, FindingRef, Record};
use byway_input::Ending;

/// A test, with what is needed to run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Its directory.
    pub directory: PathBuf,
    /// The program that it is for.
    pub program: PathBuf,
    /// The arguments, without the program's name.
    pub arguments: Vec<OsString>,
    /// What surrounds it, if it comes from a test suite.
    pub scene: Option<Scene>,
    /// The file with its standard input; `None`: nothing to read.
    pub stdin: Option<PathBuf>,
    /// The files that it reads.
    pub files: Vec<Placed>,
    /// The file that `KTEST_FILE` names.
    pub ktest: Option<PathBuf>,
    /// What came of it.
    pub expected: Expected,
}

/// A file that a test reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Where the program finds it: relative to its working directory, or absolute.
    pub path: PathBuf,
    /// Where it is.
    pub stored: PathBuf,
}

/// What surrounds a test from a test suite, with everything below one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// The arguments, the name that the program is called by first.
    pub arguments: Vec<OsString>,
    /// The working directory.
    pub directory: PathBuf,
    /// Variables of the environment, and those that must not be there.
    pub variables: Vec<(OsString, Option<OsString>)>,
    /// Whether these are all there are.
    pub is_all: bool,
    /// The files.
    pub files: Vec<Placed>,
    /// The directories.
    pub directories: Vec<PathBuf>,
    /// The symbolic links, and where they lead.
    pub links: Vec<(PathBuf, PathBuf)>,
}

impl Replay {
    fn tree(&self) -> Option<(&Scene, Tree)> {
        let scene = self.scene.as_ref()?;
        Some((scene, Tree::new(scene, self.files.iter().map(|file| file.path.as_path()))))
    }

    /// The directory that everything around it was below, if it comes from a test suite.
    pub fn base(&self) -> Option<PathBuf> {
        self.tree().map(|(_, tree)| tree.base().to_owned())
    }

    /// What surrounds it, with `root` for [`base`](Replay::base).
    pub fn staged(&self, root: &Path) -> Option<Staged> {
        let (scene, tree) = self.tree()?;
        let text = |text: &OsStr| OsString::from_vec(tree.moved(text.as_bytes(), root));
        let place = |path: &Path| tree.below(path).map(|path| root.join(path));
        let value = |(name, value): &(OsString, Option<OsString>)| {
            let moved =
                value.as_deref().map(|value| if scene::is_search(name) { value.to_owned() } else { text(value) });
            (name.clone(), moved)
        };
        let file = |file: &Placed| Some(Placed { path: place(&file.path)?, stored: file.stored.clone() });
        let link = |(path, target): &(PathBuf, PathBuf)| {
            Some((root.join(tree.below_link(path)?), text(target.as_os_str()).into()))
        };
        let name = OsString::from_vec(scene.name.clone());
        Some(Staged {
            arguments: std::iter::once(name).chain(self.arguments.iter().map(|argument| text(argument))).collect(),
            directory: place(&scene.directory)?,
            variables: scene.variables.iter().map(value).collect(),
            is_all: scene.is_all,
            files: self.files.iter().filter_map(file).collect(),
            directories: scene.directories.iter().filter_map(|path| place(path)).collect(),
            links: scene.links.iter().filter_map(link).collect(),
        })
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
    Ok(Some(with_paths(directory, record, findings)))
}

fn with_paths(directory: &Path, record: Record, findings: Vec<FindingRef>) -> Replay {
    let place =
        |file: &test::FileRecord| Placed { path: file.path.to_path(), stored: directory.join(file.stored.to_path()) };
    Replay {
        directory: directory.to_owned(),
        program: record.program.to_path(),
        arguments: record.arguments.iter().map(|argument| argument.to_os_string()).collect(),
        scene: record.scene.as_ref().map(Scene::from),
        stdin: record.stdin.map(|name| directory.join(name.to_path())),
        files: record.files.iter().map(place).collect(),
        ktest: record.ktest.map(|name| directory.join(name.to_path())),
        expected: Expected { ending: record.status, findings },
    }
}

/// Whether a test still shows what it showed, when `program` now ends like this and writes this to standard error.
pub fn verdict(expected: &Expected, build: Build, program: &str, stderr: &[u8], ending: Ending) -> Verdict {
    let seen = report::findings(program, stderr, ending);
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
