//! A test: an input that is worth keeping, in a directory of its own.
//!
//! `test.json` says what it is, `run.sh` replays it, `stdin` and `files/` are its input as it is. What cannot be placed below
//! the working directory (absolute paths, `..`, names that collide) lies under `outside/`, by number. Of a test with a
//! [`StoredFixture`], `files/` is the directory that all of its files are below.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::disk;
use crate::error::ReportError;
use crate::finding::Finding;
use crate::fixture::{FixtureRecord, StoredFixture, Tree};
use crate::script;
use crate::text::Text;
use crate::{OLDEST, VERSION};
use byway_input::{ConcreteInput, Ending, InputFile};

/// What a test is kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// It is what the exploration began with.
    Seed,
    /// It covers something new.
    Coverage,
    /// It fails.
    Failure,
    /// It takes a path of its own, and all paths are kept.
    Path,
}

/// A finding that a test shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingRef {
    /// The finding's id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its function.
    pub function: Option<String>,
    /// Whether the sanitizers said so; otherwise it is how the program ended without them.
    #[serde(default = "yes")]
    pub confirmed: bool,
    /// Whether AddressSanitizer has to go on behind other reports to show it.
    #[serde(default, skip_serializing_if = "is_not")]
    pub behind: bool,
}

fn is_not(value: &bool) -> bool {
    !value
}

fn yes() -> bool {
    true
}

impl From<&Finding> for FindingRef {
    fn from(finding: &Finding) -> FindingRef {
        let (kind, function) = (finding.kind.clone(), finding.function.clone());
        FindingRef { id: finding.id(), kind, function, confirmed: true, behind: !finding.behind.is_empty() }
    }
}

/// An input that is worth keeping, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// The user's program.
    pub program: PathBuf,
    /// What it reads.
    pub input: ConcreteInput,
    /// What surrounds it, if it comes from a test suite; if not, it runs in a directory of its own.
    pub fixture: Option<StoredFixture>,
    /// How the program ended on it, without sanitizers.
    pub ending: Ending,
    /// What it is kept for.
    pub kept: Kept,
    /// What the sanitizers found.
    pub findings: Vec<FindingRef>,
    /// How many blocks no test before it has covered.
    pub new_blocks: u32,
    /// When it was found, in seconds since the exploration began.
    pub seconds: f64,
    /// The number of the test that it was made from.
    pub parent: Option<u32>,
    /// The search strategy that chose it.
    pub search: Option<String>,
    /// The branch that was flipped to make it: `file.c:12:3`.
    pub flipped: Option<String>,
    /// The same input in KLEE's format.
    pub ktest: Option<Vec<u8>>,
}

/// A test that is on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTest {
    /// Its number.
    pub number: u32,
    /// Where it is.
    pub directory: PathBuf,
    /// What it is.
    pub test: Test,
}

/// `test.json`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    version: u32,
    /// The number of the test.
    pub number: u32,
    /// The user's program.
    pub program: Text,
    /// The arguments.
    pub arguments: Vec<Text>,
    /// Where standard input is.
    pub stdin: Option<Text>,
    /// The files.
    pub files: Vec<FileRecord>,
    /// Objects that the program makes symbolic.
    pub objects: Vec<ObjectRecord>,
    /// What surrounds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "scene")]
    pub fixture: Option<FixtureRecord>,
    /// The same in KLEE's format.
    pub ktest: Option<Text>,
    /// How the program ended.
    pub status: Ending,
    kept: Kept,
    /// What the sanitizers found.
    pub findings: Vec<FindingRef>,
    new_blocks: u32,
    seconds: f64,
    parent: Option<u32>,
    search: Option<String>,
    flipped: Option<String>,
}

/// A file in `test.json`.
#[derive(Debug, Serialize, Deserialize)]
pub struct FileRecord {
    /// Where the program finds it.
    pub path: Text,
    /// Where it is in the directory of the test.
    pub stored: Text,
}

/// An object in `test.json`.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObjectRecord {
    name: String,
    content: Text,
}

/// Where things are in the directory of a test.
pub const RECORD: &str = "test.json";
const SCRIPT: &str = "run.sh";
const STDIN: &str = "stdin";
const KTEST: &str = "test.ktest";
const FILES: &str = "files";
const OUTSIDE: &str = "outside";

/// Writes a test to a directory that is not there yet.
pub fn write(directory: &Path, number: u32, test: &Test) -> Result<(), ReportError> {
    write_with(directory, number, test, SCRIPT)
}

/// The same with another name for its script.
pub fn write_with(directory: &Path, number: u32, test: &Test, script: &str) -> Result<(), ReportError> {
    fs::create_dir(directory).map_err(ReportError::io("make", directory))?;
    let save = |name: &str, content: &[u8]| {
        let path = directory.join(name);
        fs::write(&path, content).map_err(ReportError::io("write", &path))
    };
    let files = write_files(directory, test)?;
    if let Some(stdin) = &test.input.stdin {
        save(STDIN, stdin)?;
    }
    if let Some(ktest) = &test.ktest {
        save(KTEST, ktest)?;
    }
    let record = record(number, test, files);
    save(RECORD, &disk::to_json(&record))?;
    write_script(&directory.join(script), &script::script(&record))
}

/// Writes something that can be run.
pub fn write_script(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o777).open(path);
    file.and_then(|mut file| file.write_all(content)).map_err(ReportError::io("write", path))
}

fn record(number: u32, test: &Test, files: Vec<FileRecord>) -> Record {
    let input = &test.input;
    let object =
        |(name, content): &(String, Vec<u8>)| ObjectRecord { name: name.clone(), content: Text(content.clone()) };
    Record {
        version: VERSION,
        number,
        program: Text::from(test.program.as_path()),
        arguments: input.texts().map(Text::from).collect(),
        stdin: input.stdin.as_ref().map(|_| Text::from(STDIN.as_bytes())),
        files,
        objects: input.objects.iter().map(object).collect(),
        fixture: test.fixture.as_ref().map(FixtureRecord::from),
        ktest: test.ktest.as_ref().map(|_| Text::from(KTEST.as_bytes())),
        status: test.ending,
        kept: test.kept,
        findings: test.findings.clone(),
        new_blocks: test.new_blocks,
        seconds: test.seconds,
        parent: test.parent,
        search: test.search.clone(),
        flipped: test.flipped.clone(),
    }
}

fn write_files(directory: &Path, test: &Test) -> Result<Vec<FileRecord>, ReportError> {
    let files = &test.input.files;
    let tree = test.fixture.as_ref().map(|fixture| Tree::new(fixture, files.iter().map(|(path, _)| path.as_path())));
    let mut records = Vec::new();
    for (index, (path, file)) in files.iter().enumerate() {
        let inside = match &tree {
            Some(tree) => tree.below(path).as_deref().and_then(inside),
            None => inside(path),
        };
        let inside = inside.filter(|stored| write_new(&directory.join(stored), &file.content).is_ok());
        let stored = match inside {
            Some(stored) => stored,
            None => {
                let stored = Path::new(OUTSIDE).join(index.to_string());
                let target = directory.join(&stored);
                write_new(&target, &file.content).map_err(ReportError::io("write", &target))?;
                stored
            }
        };
        records.push(FileRecord { path: Text::from(path.as_path()), stored: Text::from(stored.as_path()) });
    }
    Ok(records)
}

/// Where a file is stored that lies below the working directory.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut stored = PathBuf::from(FILES);
    for component in path.components() {
        match component {
            Component::Normal(name) => stored.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(stored).filter(|stored| stored.components().count() > 1)
}

fn write_new(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content)
}

impl Record {
    /// What surrounds it, and the tree of its files.
    pub fn fixture(&self) -> Option<(StoredFixture, Tree)> {
        let fixture = StoredFixture::from(self.fixture.as_ref()?);
        let paths: Vec<PathBuf> = self.files.iter().map(|file| file.path.to_path()).collect();
        let tree = Tree::new(&fixture, paths.iter().map(PathBuf::as_path));
        Some((fixture, tree))
    }
}

impl ObjectRecord {
    /// The name of the object, and what is in it.
    pub fn into_object(self) -> (String, Vec<u8>) {
        (self.name, self.content.0)
    }
}

impl FileRecord {
    /// Whether it is placed below the working directory.
    pub fn is_inside(&self) -> bool {
        self.stored.to_path().starts_with(FILES)
    }
}

/// Reads `test.json`, if there is one.
pub fn read_record(directory: &Path) -> Result<Option<Record>, ReportError> {
    disk::read_since(&directory.join(RECORD), OLDEST, VERSION)
}

/// Reads a test with its input, if there is one.
pub fn read(directory: &Path) -> Result<Option<StoredTest>, ReportError> {
    let Some(record) = read_record(directory)? else { return Ok(None) };
    let load = |name: &Text| {
        let path = directory.join(name.to_path());
        byway_file::read(&path, byway_file::INPUT).map_err(ReportError::io("read", &path))
    };
    let files = record.files.iter().map(|file| Ok((file.path.to_path(), InputFile::from(load(&file.stored)?))));
    let input = ConcreteInput {
        files: files.collect::<Result<_, ReportError>>()?,
        stdin: record.stdin.as_ref().map(load).transpose()?,
        arguments: record.arguments.into_iter().map(|argument| argument.0).collect(),
        objects: record.objects.into_iter().map(ObjectRecord::into_object).collect(),
        ..ConcreteInput::default()
    };
    let test = Test {
        program: record.program.to_path(),
        input,
        fixture: record.fixture.as_ref().map(StoredFixture::from),
        ending: record.status,
        kept: record.kept,
        findings: record.findings,
        new_blocks: record.new_blocks,
        seconds: record.seconds,
        parent: record.parent,
        search: record.search,
        flipped: record.flipped,
        ktest: record.ktest.as_ref().map(load).transpose()?,
    };
    Ok(Some(StoredTest { number: record.number, directory: directory.to_owned(), test }))
}
