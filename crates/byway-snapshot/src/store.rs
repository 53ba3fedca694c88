//! The directory of snapshots.
//!
//! `ROOT/content/AB/HASH` is the content of a source, `ROOT/linked/HASH/NAME` that of a file that was linked, under the name
//! that linkers know it by, and `ROOT/programs/HASH` the list of what the program with this content was built from.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use byway_carrier::Dependency;
use rustix::fs::{FlockOperation, flock};
use tempfile::NamedTempFile;

use crate::content::ContentHash;
use crate::evict;
use crate::snapshot::{Manifest, ProgramSnapshot};

/// The bytes of all contents together, before snapshots go.
const LIMIT: u64 = 2 << 30;

/// Snapshots, below one directory.
#[derive(Debug, Clone)]
pub struct SnapshotStore {
    root: PathBuf,
    limit: u64,
    /// The files that are what they were, as this process has seen.
    checked: Arc<Mutex<HashSet<PathBuf>>>,
}

/// What a program was built from, as far as its records and its tree say.
#[derive(Debug, Default)]
pub struct BuildFiles<'a> {
    /// What the compiler read. Each is kept if it still is what was read.
    pub sources: Vec<&'a Dependency>,
    /// What was linked, and its content now.
    pub linked: Vec<LinkedFile>,
}

/// A file that a program was linked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedFile {
    /// Where the link says that it is.
    pub path: PathBuf,
    /// The name of the file itself: what the link says may be a symbolic link.
    pub name: String,
    /// What is in it.
    pub content: ContentHash,
}

impl SnapshotStore {
    /// The snapshots below this directory, which need not be there yet.
    pub fn new(root: PathBuf) -> SnapshotStore {
        SnapshotStore { root, limit: LIMIT, checked: Arc::default() }
    }

    /// The same, with another number of bytes that it may have.
    pub fn with_limit(self, limit: u64) -> SnapshotStore {
        SnapshotStore { limit, ..self }
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    pub(crate) fn sources(&self) -> PathBuf {
        self.root.join("content")
    }

    pub(crate) fn linked(&self) -> PathBuf {
        self.root.join("linked")
    }

    pub(crate) fn programs(&self) -> PathBuf {
        self.root.join("programs")
    }

    pub(crate) fn source_path(&self, content: ContentHash) -> PathBuf {
        let name = content.to_string();
        self.sources().join(&name[..2]).join(name)
    }

    pub(crate) fn linked_path(&self, name: &str, content: ContentHash) -> PathBuf {
        self.linked().join(content.to_string()).join(name)
    }

    /// The snapshot of the program with this content, if there is one.
    pub fn snapshot(&self, program: ContentHash) -> Option<ProgramSnapshot> {
        let path = self.programs().join(program.to_string());
        let manifest = Manifest::read(&path)?;
        // Used now: others go before it. If that cannot be noted, it only goes sooner.
        let _ = File::options().write(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(ProgramSnapshot::new(self.clone(), manifest))
    }

    /// Keeps what a program was built from, besides what is kept of it already.
    pub fn keep(&self, program: ContentHash, files: &BuildFiles<'_>) -> io::Result<ProgramSnapshot> {
        let known = self.snapshot(program);
        if let Some(known) = known.as_ref().filter(|known| known.has(files)) {
            return Ok(known.clone());
        }
        fs::create_dir_all(self.programs())?;
        let turn = File::open(&self.root)?;
        // Where there are no locks, two at once only do the same twice.
        let _ = flock(&turn, FlockOperation::LockExclusive);
        let mut manifest = known.map(|known| known.manifest().clone()).unwrap_or_default();
        self.keep_sources(&mut manifest, &files.sources)?;
        self.keep_linked(&mut manifest, &files.linked)?;
        write(&self.programs().join(program.to_string()), &manifest.to_bytes()?)?;
        evict::make_room(self)?;
        Ok(ProgramSnapshot::new(self.clone(), manifest))
    }

    /// A source that is what its record says is no secret of this machine: whoever built the program has read it.
    fn keep_sources(&self, manifest: &mut Manifest, sources: &[&Dependency]) -> io::Result<()> {
        // One program does not push out all others.
        let mut room = self.limit / 4;
        for dependency in sources {
            let known = manifest.source(dependency);
            if known.is_some_and(|content| self.source_path(content).is_file()) {
                continue;
            }
            let Ok(content) = byway_file::read(&dependency.0, room) else { continue };
            if !dependency.is(&content) {
                continue;
            }
            room -= content.len() as u64;
            let hash = ContentHash::of(&content);
            self.put(self.source_path(hash), hash, &content)?;
            manifest.sources.entry(dependency.0.clone()).or_default().insert(dependency.1, hash);
        }
        Ok(())
    }

    fn keep_linked(&self, manifest: &mut Manifest, linked: &[LinkedFile]) -> io::Result<()> {
        let mut room = self.limit / 4;
        for LinkedFile { path, name, content: hash } in linked {
            let kept = self.linked_path(name, *hash);
            if !kept.is_file() {
                let Ok(content) = byway_file::read(path, room) else { continue };
                if ContentHash::of(&content) != *hash {
                    continue;
                }
                room -= content.len() as u64;
                self.put(kept, *hash, &content)?;
            }
            manifest.linked.insert(path.clone(), (name.clone(), *hash));
        }
        Ok(())
    }

    fn put(&self, path: PathBuf, hash: ContentHash, content: &[u8]) -> io::Result<()> {
        if self.holds(&path, hash) {
            return Ok(());
        }
        fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
        write(&path, content)?;
        self.checked().insert(path);
        Ok(())
    }

    /// Whether a file of the store is what it was. Looks at each once.
    pub(crate) fn holds(&self, path: &Path, hash: ContentHash) -> bool {
        if self.checked().contains(path) {
            return path.is_file();
        }
        let Ok(content) = byway_file::read(path, byway_file::PROGRAM) else { return false };
        let holds = ContentHash::of(&content) == hash;
        match holds {
            true => drop(self.checked().insert(path.to_owned())),
            // Then it is kept again as soon as the program is seen with its tree.
            false => drop(fs::remove_file(path)),
        }
        holds
    }

    fn checked(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a file that is complete or not there.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(path.parent().unwrap_or(Path::new("/")))?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}
