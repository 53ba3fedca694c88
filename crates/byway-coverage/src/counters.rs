//! The file that a `cov` variant counts into.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use byway_program::{ProgramMap, SubjectId};
use byway_runtime::layout::{MAGIC, PAGE, counter_bytes};
use thiserror::Error;

/// A file of counters for one program. Runs of the program's `cov` variant add to it.
#[derive(Debug)]
pub struct CounterFile {
    path: PathBuf,
    header: Vec<u8>,
    blocks: usize,
}

/// Why there are no counters.
#[derive(Debug, Error)]
pub enum CounterError {
    /// The file cannot be read or written.
    #[error("cannot use the counter file {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is something else, or was made for another program.
    #[error("{path} does not hold counters of this program; remove it, or name another file")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
}

impl CounterFile {
    /// The counters at `path`, all zero if there is no such file yet.
    pub fn open(path: &Path, id: SubjectId, map: &ProgramMap) -> Result<Self, CounterError> {
        let blocks = map.blocks.len();
        let header = [&MAGIC[..], &id.bytes(), &(blocks as u64).to_le_bytes()].concat();
        let path = std::path::absolute(path).map_err(|source| CounterError::Io { path: path.to_owned(), source })?;
        let file = CounterFile { path, header, blocks };
        if file.path.exists() {
            file.read()?;
        } else {
            file.create()?;
        }
        Ok(file)
    }

    /// Makes the file in one step: somebody else may be making the same, and a program may be counting into it.
    fn create(&self) -> Result<(), CounterError> {
        let mut content = self.header.clone();
        content.resize(PAGE + counter_bytes(self.blocks as u64), 0);
        let directory = self.path.parent().unwrap_or(Path::new("/"));
        let mut file = tempfile::NamedTempFile::new_in(directory).map_err(|source| self.io(source))?;
        file.write_all(&content).map_err(|source| self.io(source))?;
        match file.persist_noclobber(&self.path) {
            Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(self.io(error.error)),
            _ => self.read().map(|_| ()),
        }
    }

    /// Where the file is, absolute.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How often each block ran, by block number.
    pub fn read(&self) -> Result<Vec<u64>, CounterError> {
        let content = fs::read(&self.path).map_err(|source| self.io(source))?;
        let length = PAGE + counter_bytes(self.blocks as u64);
        if content.len() != length || !content.starts_with(&self.header) {
            return Err(CounterError::Foreign { path: self.path.clone() });
        }
        let counters = content[PAGE..].chunks_exact(8).take(self.blocks);
        Ok(counters.map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))).collect())
    }

    fn io(&self, source: io::Error) -> CounterError {
        CounterError::Io { path: self.path.clone(), source }
    }
}
