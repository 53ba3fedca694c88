//! A directory of seeds that is read.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use byway_report::{Ending, Text, disk};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::error::SuiteError;
use crate::seed::Seed;
use crate::store::{SEED, SUITE, StoredSuite, content_path};
use crate::stored::{self, StoredProgram, StoredSeed, VERSION};

/// Where an output directory has its seeds.
const SEEDS: &str = "seeds";

/// Something that ran and became no seed, or not a whole one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NotCaptured {
    /// What it is: a program.
    pub what: PathBuf,
    /// Why, in words.
    pub why: String,
    /// How often.
    pub times: u32,
}

/// Seeds, with where they come from.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The directory they are in.
    pub directory: PathBuf,
    /// The command that was recorded; empty if they were imported.
    pub command: Vec<OsString>,
    /// How it ended; `None` if they were imported, or if byway was killed meanwhile.
    pub ending: Option<Ending>,
    /// How long it took.
    pub elapsed: Duration,
    /// How many runs there were, each seed as often as it was seen.
    pub runs: u64,
    /// The seeds, in the order of their numbers.
    pub seeds: Vec<Seed>,
    /// What ran and is not among them, and why.
    pub not_captured: Vec<NotCaptured>,
}

impl Suite {
    /// Reads a directory of seeds, or those in an output directory. What is the same in several is in memory once.
    pub fn open(directory: &Path) -> Result<Suite, SuiteError> {
        let nothing = || match directory.exists() {
            true => SuiteError::NoSeeds { path: directory.to_owned() },
            false => SuiteError::NoDirectory { path: directory.to_owned() },
        };
        let within = directory.join(SEEDS);
        let is_within = !directory.join(SUITE).exists() && within.join(SUITE).exists();
        let directory = if is_within { &within } else { directory };
        let suite: Option<StoredSuite> = disk::read_versioned(&directory.join(SUITE), VERSION)?;
        let suite = suite.ok_or_else(nothing)?;
        let mut known: HashMap<String, Arc<Vec<u8>>> = HashMap::new();
        let mut content = |hash: &str| -> Result<Arc<Vec<u8>>, SuiteError> {
            if let Some(content) = known.get(hash) {
                return Ok(content.clone());
            }
            let path = content_path(directory, hash);
            let content: Arc<Vec<u8>> = match byway_file::read(&path, byway_file::INPUT) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    return Err(SuiteError::Incomplete { path });
                }
                content => content.map_err(SuiteError::io("read", &path))?.into(),
            };
            if stored::hash(&content) != hash {
                return Err(SuiteError::Damaged { path });
            }
            known.insert(hash.to_owned(), content.clone());
            Ok(content)
        };
        let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        let (mut seeds, mut programs) = (Vec::new(), HashSet::new());
        let is_seed = |path: &PathBuf| path.to_string_lossy().ends_with(SEED) && !disk::is_temporary(path);
        for path in disk::list(directory)?.into_iter().filter(is_seed) {
            if let Some(seed) = disk::read_versioned::<StoredSeed>(&path, VERSION)? {
                if programs.insert(seed.program.copy.clone()) {
                    check_program(directory, &seed.program)?;
                }
                seeds.push(seed.load(&absolute, &mut content)?);
            }
        }
        seeds.sort_by_key(|seed| number(&seed.name));
        Ok(Suite {
            directory: absolute,
            command: suite.command.iter().map(Text::to_os_string).collect(),
            ending: suite.ending,
            elapsed: Duration::try_from_secs_f64(suite.seconds).unwrap_or_default(),
            // If byway was killed, nobody has counted.
            runs: suite.runs.max(seeds.iter().map(|seed| u64::from(seed.times)).sum()),
            seeds,
            not_captured: suite.not_captured,
        })
    }

    /// Leaves a random part of the seeds, at least one: the same part for the same `seed`.
    pub fn sample(&mut self, fraction: f64, seed: u64) -> Result<(), SuiteError> {
        if !(fraction > 0.0 && fraction <= 1.0) {
            return Err(SuiteError::Fraction(fraction));
        }
        let count = (self.seeds.len() as f64 * fraction).ceil() as usize;
        self.seeds = choose(&self.seeds, count, seed);
        Ok(())
    }
}

/// At most so many of some, chosen at random and in the order they were in: the same for the same `seed`.
pub fn choose<T: Clone>(all: &[T], most: usize, seed: u64) -> Vec<T> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen = index::sample(&mut random, all.len(), most.min(all.len())).into_vec();
    chosen.sort_unstable();
    chosen.into_iter().map(|index| all[index].clone()).collect()
}

/// Fails if the copy of a program is not what it was. One that is gone is missed by who runs it.
fn check_program(directory: &Path, program: &StoredProgram) -> Result<(), SuiteError> {
    let path = directory.join(program.copy.to_path());
    match byway_file::read(&path, byway_file::PROGRAM) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(SuiteError::io("read", &path)(source)),
        Ok(content) if stored::hash(&content) != program.hash => Err(SuiteError::Damaged { path }),
        Ok(_) => Ok(()),
    }
}

fn number(name: &str) -> u64 {
    name.split('-').next().and_then(|number| number.parse().ok()).unwrap_or(u64::MAX)
}
