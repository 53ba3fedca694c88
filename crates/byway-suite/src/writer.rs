//! A directory of seeds that were made of others.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::error::SuiteError;
use crate::seed::Seed;
use crate::store::SeedStore;
use crate::stored::{StoredProgram, StoredSeed};
use crate::suite::Suite;

/// Writes seeds that were made of those of a suite.
#[derive(Debug)]
pub struct Writer<'a> {
    suite: &'a Suite,
    store: SeedStore,
    programs: HashMap<PathBuf, StoredProgram>,
}

impl<'a> Writer<'a> {
    /// Begins a new directory of seeds. A previous one is kept beside it with `.old` behind its name.
    pub fn create(directory: &Path, suite: &'a Suite) -> Result<Writer<'a>, SuiteError> {
        let store = SeedStore::create(directory, &suite.command)?;
        Ok(Writer { suite, store, programs: HashMap::new() })
    }

    /// Adds a seed. It gets a new name; one that is there already is counted.
    pub fn add(&mut self, seed: &Seed) -> Result<(), SuiteError> {
        let copy = &seed.executable.copy;
        let program = match self.programs.get(copy) {
            Some(program) => program.clone(),
            None => {
                let content = byway_file::read(copy, byway_file::PROGRAM).map_err(SuiteError::io("read", copy))?;
                let program = self.store.keep_program(&seed.executable.path, &content)?;
                self.programs.entry(copy.clone()).or_insert(program).clone()
            }
        };
        let stored = StoredSeed::of(seed, program, |content| self.store.keep(content))?;
        self.store.add(stored)
    }

    /// The suite that it is now.
    pub fn finish(self) -> Result<Suite, SuiteError> {
        let Suite { ending, elapsed, not_captured, .. } = self.suite;
        Ok(self.store.finish(*ending, *elapsed, not_captured.clone())?.0)
    }
}
