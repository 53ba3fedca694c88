//! Seeds as they are on disk: content has names there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use byway_input::{ConcreteInput, Ending, Fixture, InputFile};
use byway_report::Text;
use serde::{Deserialize, Serialize};

use crate::error::SuiteError;
use crate::seed::{Executable, Missing, Seed};

/// The version of everything in a directory of seeds.
pub const VERSION: u32 = 1;
/// The permissions of a file of which nothing else is known.
const MODE: u32 = 0o644;
/// Variables that differ between runs which are otherwise the same.
const VOLATILE: [&[u8]; 5] = [b"_", b"SHLVL", b"OLDPWD", b"COLUMNS", b"LINES"];

/// The name of some content: its hash, in hexadecimal digits.
pub type Hash = String;

/// The name of some content.
pub fn hash(content: &[u8]) -> Hash {
    blake3::hash(content).to_hex().to_string()
}

/// A seed as it is on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSeed {
    pub version: u32,
    pub name: String,
    pub program: StoredProgram,
    pub arguments: Vec<Text>,
    pub environment: Vec<(Text, Text)>,
    pub directory: Text,
    pub stdin: Option<Hash>,
    pub files: Vec<StoredFile>,
    pub directories: Vec<Text>,
    pub links: Vec<(Text, Text)>,
    pub absent: Vec<Text>,
    pub missing: Vec<StoredMissing>,
    pub ending: Option<Ending>,
    pub stdout: Text,
    pub stderr: Text,
    pub seconds: f64,
    pub times: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// A program: where it was, and its copy under `programs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredProgram {
    pub path: Text,
    pub hash: Hash,
    pub copy: Text,
}

/// A file and the name of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    pub path: Text,
    pub content: Hash,
    pub mode: u32,
}

/// Something that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredMissing {
    pub path: Text,
    pub why: String,
}

impl StoredSeed {
    /// A seed, once its program and its content are kept.
    pub fn of(
        seed: &Seed,
        program: StoredProgram,
        mut keep: impl FnMut(&[u8]) -> Result<Hash, SuiteError>,
    ) -> Result<StoredSeed, SuiteError> {
        let input = &seed.input;
        let fixture = &input.fixture;
        let stdin = input.stdin.as_ref().map(|bytes| keep(bytes)).transpose()?;
        let mut files = Vec::new();
        for (path, file) in input.files.iter() {
            let mode = file.mode.unwrap_or(MODE);
            files.push(StoredFile { path: path.as_path().into(), content: keep(&file.content)?, mode });
        }
        let paths = |paths: &[PathBuf]| paths.iter().map(|path| path.as_path().into()).collect();
        let missing =
            |missing: &Missing| StoredMissing { path: missing.path.as_path().into(), why: missing.why.clone() };
        Ok(StoredSeed {
            version: VERSION,
            name: seed.name.clone(),
            program,
            arguments: seed.command().map(Text::from).collect(),
            environment: fixture
                .environment
                .iter()
                .map(|(name, value)| (name.as_os_str().into(), value.as_os_str().into()))
                .collect(),
            directory: fixture.directory.as_deref().unwrap_or(Path::new("/")).into(),
            stdin,
            files,
            directories: paths(&fixture.directories),
            links: fixture
                .links
                .iter()
                .map(|(path, target)| (path.as_path().into(), target.as_path().into()))
                .collect(),
            absent: paths(&fixture.absent),
            missing: seed.missing.iter().map(missing).collect(),
            ending: seed.ending,
            stdout: Text(seed.stdout.clone()),
            stderr: Text(seed.stderr.clone()),
            seconds: seed.elapsed.as_secs_f64(),
            times: seed.times,
            origin: seed.origin.clone(),
        })
    }

    /// Two runs with the same key are the same test. Where they ran does not matter: many harnesses give each test a
    /// directory of its own.
    pub fn key(&self) -> blake3::Hash {
        let mut key = Key { hasher: blake3::Hasher::new(), directory: &self.directory.0 };
        key.add([self.program.hash.as_bytes(), self.stdin.as_deref().unwrap_or("none").as_bytes()]);
        key.add(self.arguments.iter().map(|argument| argument.0.as_slice()));
        let steady = self.environment.iter().filter(|(name, _)| !VOLATILE.contains(&name.0.as_slice()));
        key.add(steady.flat_map(|(name, value)| [name.0.as_slice(), value.0.as_slice()]));
        for file in &self.files {
            let mode = file.mode.to_ne_bytes();
            key.add([file.path.0.as_slice(), file.content.as_bytes(), mode.as_slice()]);
        }
        key.add(self.directories.iter().map(|path| path.0.as_slice()));
        key.add(self.links.iter().flat_map(|(path, target)| [path.0.as_slice(), target.0.as_slice()]));
        key.add(self.absent.iter().map(|path| path.0.as_slice()));
        key.add(self.missing.iter().map(|missing| missing.path.0.as_slice()));
        key.hasher.finalize()
    }

    /// The seed, with its content.
    pub fn load(
        self,
        suite: &Path,
        mut content: impl FnMut(&str) -> Result<Arc<Vec<u8>>, SuiteError>,
    ) -> Result<Seed, SuiteError> {
        let stdin = self.stdin.as_ref().map(|hash| content(hash)).transpose()?;
        let mut files = BTreeMap::new();
        for file in &self.files {
            let read = InputFile { content: content(&file.content)?, mode: Some(file.mode) };
            files.insert(file.path.to_path(), read);
        }
        let copy = suite.join(self.program.copy.to_path());
        let texts = |texts: &[Text]| texts.iter().map(Text::to_path).collect();
        let fixture = Fixture {
            label: self.name.clone(),
            name: self.arguments.first().map(Text::to_os_string),
            environment: self
                .environment
                .iter()
                .map(|(name, value)| (name.to_os_string(), value.to_os_string()))
                .collect(),
            directory: Some(self.directory.to_path()),
            directories: texts(&self.directories),
            links: self.links.iter().map(|(path, target)| (path.to_path(), target.to_path())).collect(),
            absent: texts(&self.absent),
        };
        let input = ConcreteInput {
            fixture: Arc::new(fixture),
            arguments: self.arguments.into_iter().skip(1).map(|argument| argument.0).collect(),
            stdin: stdin.map(|bytes| bytes.to_vec()),
            files: files.into(),
            objects: Vec::new(),
        };
        Ok(Seed {
            executable: Executable { path: self.program.path.to_path(), copy },
            input: Arc::new(input),
            missing: self
                .missing
                .into_iter()
                .map(|missing| Missing { path: missing.path.to_path(), why: missing.why })
                .collect(),
            ending: self.ending,
            stdout: self.stdout.0,
            stderr: self.stderr.0,
            elapsed: Duration::try_from_secs_f64(self.seconds).unwrap_or_default(),
            times: self.times,
            origin: self.origin,
            name: self.name,
        })
    }
}

/// A key in the making.
struct Key<'a> {
    hasher: blake3::Hasher,
    directory: &'a [u8],
}

impl Key<'_> {
    /// Adds a list of texts, each with the working directory replaced.
    fn add<'t>(&mut self, texts: impl IntoIterator<Item = &'t [u8]>) {
        let mut count = 0u64;
        for text in texts {
            let text = self.without_directory(text);
            self.hasher.update(&(text.len() as u64).to_ne_bytes());
            self.hasher.update(&text);
            count += 1;
        }
        self.hasher.update(&count.to_ne_bytes());
    }

    fn without_directory(&self, text: &[u8]) -> Vec<u8> {
        let (directory, mut rest) = (self.directory, text);
        if directory.len() < 2 || text.len() < directory.len() {
            return text.to_vec();
        }
        let mut replaced = Vec::with_capacity(text.len());
        while let Some((&first, others)) = rest.split_first() {
            match rest.strip_prefix(directory) {
                Some(behind) => {
                    replaced.extend_from_slice(b"\0.");
                    rest = behind;
                }
                None => {
                    replaced.push(first);
                    rest = others;
                }
            }
        }
        replaced
    }
}
