//! A directory of seeds that is written to.
//!
//! Whatever is in it under its final name is whole, so it can be read whoever was killed, and whenever. Content is there
//! once, under its hash. A seed is one file, since directories are what file systems are slow to make.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_report::{Ending, ReportError, Rotated, Rotation, Text, Worth, aside, disk};
use serde::{Deserialize, Serialize};

use crate::error::SuiteError;
use crate::stored::{Hash, StoredProgram, StoredSeed, VERSION, hash};
use crate::suite::{NotCaptured, Suite};

pub const SUITE: &str = "suite.json";
/// The end of the name of a seed's file.
pub const SEED: &str = "seed.json";
const DATA: &str = "data";
const PROGRAMS: &str = "programs";
const FORMAT: &str = "byway.seeds";

/// What `suite.json` says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredSuite {
    pub format: String,
    pub version: u32,
    /// The test command, or nothing if seeds were imported.
    pub command: Vec<Text>,
    /// How it ended; `None` if it did not run, or byway was killed meanwhile.
    pub ending: Option<Ending>,
    pub seconds: f64,
    /// How many runs were captured, and how many of them differ.
    pub runs: u64,
    pub seeds: usize,
    pub not_captured: Vec<NotCaptured>,
}

/// A directory of seeds that is written to.
#[derive(Debug)]
pub struct SeedStore {
    directory: PathBuf,
    suite: StoredSuite,
    /// What is in `data`.
    content: HashSet<Hash>,
    /// The seeds by their keys.
    seeds: HashMap<blake3::Hash, StoredSeed>,
    /// The programs that were copied.
    programs: HashSet<Text>,
    /// The seeds that were there before.
    rotation: Rotation,
    /// Held as long as we write.
    _lock: File,
}

impl SeedStore {
    /// Begins a new directory of seeds. A previous one is kept beside it with `.old` behind its name; it is put back if
    /// there are no seeds in the end.
    pub fn create(directory: &Path, command: &[OsString]) -> Result<SeedStore, SuiteError> {
        let rotation = place(directory)?;
        let directory = &rotation.directory().to_owned();
        disk::make(directory)?;
        disk::sweep(directory)?;
        let lock = lock(directory)?;
        disk::make(&directory.join(DATA))?;
        disk::make(&directory.join(PROGRAMS))?;
        let suite = StoredSuite {
            format: FORMAT.to_owned(),
            version: VERSION,
            command: command.iter().map(|word| Text::from(word.as_os_str())).collect(),
            ending: None,
            seconds: 0.0,
            runs: 0,
            seeds: 0,
            not_captured: Vec::new(),
        };
        disk::write_json(&directory.join(SUITE), &suite)?;
        Ok(SeedStore {
            directory: directory.clone(),
            suite,
            content: HashSet::new(),
            seeds: HashMap::new(),
            programs: HashSet::new(),
            rotation,
            _lock: lock,
        })
    }

    /// Keeps content.
    pub fn keep(&mut self, content: &[u8]) -> Result<Hash, SuiteError> {
        let hash = hash(content);
        if !self.content.contains(&hash) {
            // No seed says that it is there before all of it is.
            let path = content_path(&self.directory, &hash);
            fs::write(&path, content).map_err(SuiteError::io("write", &path))?;
            self.content.insert(hash.clone());
        }
        Ok(hash)
    }

    /// Keeps a copy of a program, which can be run.
    pub fn keep_program(&mut self, path: &Path, content: &[u8]) -> Result<StoredProgram, SuiteError> {
        let hash = hash(content);
        let name = path.file_name().unwrap_or_default();
        let copy = Path::new(PROGRAMS).join(&hash).join(name);
        let program = StoredProgram { path: path.into(), hash, copy: copy.as_path().into() };
        if !self.programs.contains(&program.copy) {
            let copy = self.directory.join(&copy);
            let parent = copy.parent().unwrap_or(&self.directory);
            disk::make(parent)?;
            let temporary = disk::temporary(&copy);
            fs::write(&temporary, content).map_err(SuiteError::io("write", &copy))?;
            let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(&temporary, executable).map_err(SuiteError::io("write", &copy))?;
            fs::rename(&temporary, &copy).map_err(SuiteError::io("write", &copy))?;
            self.programs.insert(program.copy.clone());
        }
        Ok(program)
    }

    /// Keeps a seed, or counts it if it is there already.
    pub fn add(&mut self, mut seed: StoredSeed) -> Result<(), SuiteError> {
        self.suite.runs += u64::from(seed.times);
        let key = seed.key();
        if let Some(known) = self.seeds.get_mut(&key) {
            known.times = known.times.saturating_add(seed.times);
            return Ok(());
        }
        seed.name = name(self.seeds.len() + 1, &seed.arguments, &seed.program.path);
        self.write(&seed)?;
        self.seeds.insert(key, seed);
        self.rotation.settle()?;
        Ok(())
    }

    fn write(&self, seed: &StoredSeed) -> Result<(), SuiteError> {
        Ok(disk::write_json(&seed_path(&self.directory, &seed.name), seed)?)
    }

    /// Writes how it all ended, and how often each seed was seen. The suite that it is now, and whether it has no seeds and
    /// those that were there before are back in their place.
    pub fn finish(
        mut self,
        ending: Option<Ending>,
        elapsed: Duration,
        not_captured: Vec<NotCaptured>,
    ) -> Result<(Suite, bool), SuiteError> {
        for seed in self.seeds.values().filter(|seed| seed.times > 1) {
            self.write(seed)?;
        }
        self.suite.ending = ending;
        self.suite.seconds = elapsed.as_secs_f64();
        self.suite.seeds = self.seeds.len();
        self.suite.not_captured = not_captured;
        disk::write_json(&self.directory.join(SUITE), &self.suite)?;
        let suite = Suite::open(&self.directory)?;
        Ok((suite, self.rotation.end()?))
    }
}

/// Where a seed is.
pub fn seed_path(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.{SEED}"))
}

/// Where content is.
pub fn content_path(directory: &Path, hash: &str) -> PathBuf {
    directory.join(DATA).join(hash)
}

/// The name of a seed: a number, and what it runs.
fn name(number: usize, arguments: &[Text], program: &Text) -> String {
    let path = arguments.first().filter(|name| !name.0.is_empty()).unwrap_or(program).to_path();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let tame = |letter: char| if letter.is_ascii_alphanumeric() || "+-_.".contains(letter) { letter } else { '_' };
    let name: String = name.chars().take(40).map(tame).collect();
    format!("{number:04}-{name}")
}

/// Whether this is a directory of seeds, of whatever version.
fn is_ours(directory: &Path) -> bool {
    let suite: Result<Option<serde_json::Value>, _> = disk::read_json(&directory.join(SUITE));
    matches!(suite, Ok(Some(suite)) if suite["format"] == FORMAT)
}

/// Makes room for the seeds: nothing of anybody else's is touched.
fn place(directory: &Path) -> Result<Rotation, SuiteError> {
    let kind = Rotated { worth, inherited: None };
    if !is_taken(directory)? {
        let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        return Ok(Rotation::nothing(&directory, kind));
    }
    drop(lock(directory)?);
    let directory = fs::canonicalize(directory).map_err(SuiteError::io("find", directory))?;
    is_taken(&aside(&directory))?;
    Ok(Rotation::begin(&directory, kind)?)
}

/// Seeds are what a directory of seeds is worth.
fn worth(directory: &Path) -> Worth {
    let is_seed = |path: &PathBuf| path.to_string_lossy().ends_with(SEED) && !disk::is_temporary(path);
    let has_seeds = disk::list(directory).is_ok_and(|paths| paths.iter().any(is_seed));
    if has_seeds { Worth::Results } else { Worth::Nothing }
}

/// Whether seeds are there; an error if something else is.
fn is_taken(directory: &Path) -> Result<bool, SuiteError> {
    match fs::metadata(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(source) => return Err(SuiteError::io("read", directory)(source)),
        Ok(metadata) if !metadata.is_dir() => {
            return Err(ReportError::NotDirectory { path: directory.to_owned() }.into());
        }
        Ok(_) if is_ours(directory) => return Ok(true),
        Ok(_) => {}
    }
    // A byway that was killed early may have left what it began with.
    let known = |path: &PathBuf| disk::is_temporary(path) || path.ends_with(DATA) || path.ends_with(PROGRAMS);
    match disk::list(directory)?.iter().all(known) {
        true => Ok(false),
        false => Err(SuiteError::Foreign { path: directory.to_owned() }),
    }
}

/// Keeps others from writing as long as the file is open.
fn lock(directory: &Path) -> Result<File, SuiteError> {
    let file = File::open(directory).map_err(SuiteError::io("open", directory))?;
    if byway_file::lock(&file) { Ok(file) } else { Err(ReportError::InUse { path: directory.to_owned() }.into()) }
}
