//! The file that a `cov` variant counts into.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use byway_map::{ProgramMap, SubjectId};
use byway_runtime::layout::{MAGIC, PAGE, counter_bytes};
use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags, fallocate, fcntl_add_seals, memfd_create};
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

/// Counters in memory, for a `cov` variant that waits for runs.
#[derive(Debug)]
pub struct CounterMemory {
    file: File,
    length: u64,
}

impl CounterMemory {
    /// Counters for a program of so many blocks, all zero.
    pub fn new(id: SubjectId, blocks: usize) -> io::Result<CounterMemory> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let mut file = File::from(memfd_create("byway-counters", flags)?);
        file.write_all(&header(id, blocks))?;
        let length = (PAGE + counter_bytes(blocks as u64)) as u64;
        file.set_len(length)?;
        // A run that cuts the file short would keep us from reading it.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW)?;
        Ok(CounterMemory { file, length })
    }

    /// What a run counts into.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// All zero again.
    pub fn clear(&self) -> io::Result<()> {
        let counters = self.length - PAGE as u64;
        if counters > 0 {
            let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            fallocate(&self.file, hole, PAGE as u64, counters)?;
        }
        Ok(())
    }

    /// How often each block ran, by block number, and zeros up to the end of a page.
    pub fn read(&self) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; self.length as usize - PAGE];
        self.file.read_exact_at(&mut bytes, PAGE as u64)?;
        Ok(numbers(&bytes).collect())
    }
}

fn header(id: SubjectId, blocks: usize) -> Vec<u8> {
    [&MAGIC[..], &id.bytes(), &(blocks as u64).to_le_bytes()].concat()
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
}

impl CounterFile {
    /// The counters at `path`, all zero if there is no such file yet.
    pub fn open(path: &Path, id: SubjectId, map: &ProgramMap) -> Result<Self, CounterError> {
        let blocks = map.blocks.len();
        let header = header(id, blocks);
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
        let content = byway_file::read(&self.path, byway_file::DESCRIPTION).map_err(|source| self.io(source))?;
        let length = PAGE + counter_bytes(self.blocks as u64);
        if content.len() != length || !content.starts_with(&self.header) {
            return Err(CounterError::Foreign { path: self.path.clone() });
        }
        Ok(numbers(&content[PAGE..]).take(self.blocks).collect())
    }

    fn io(&self, source: io::Error) -> CounterError {
        CounterError::Io { path: self.path.clone(), source }
    }
}
