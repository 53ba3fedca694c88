//! The directory that variants are kept in.
//!
//! `ROOT/SUBJECT-ID/ENTRY/`, where an entry is complete or not there: it is filled under another name and then renamed. The
//! first use of an entry checks that it is what was written; one that is not is made again. `ROOT/objects` has what was compiled for the
//! sanitizers, by what it was compiled of: programs that link the same library share it. `ROOT/snapshots` has what
//! programs were built from: that cannot be made again once their trees have changed.

use std::collections::HashSet;
use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use byway_program::{Subject, SubjectError};
use byway_snapshot::SnapshotStore;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tempfile::TempDir;

use crate::error::VariantError;
use crate::objects::ObjectStore;
use crate::{sums, trust};

/// A directory of variants, named by the content they were made from.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    snapshots: SnapshotStore,
    objects: ObjectStore,
    checked: Arc<Mutex<Checked>>,
    work: Arc<Work>,
    is_trusting: bool,
}

/// How far building is, for who waits: modules that are compiled, and those that are to be.
#[derive(Debug, Default)]
pub struct Work {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Work {
    /// So many modules more are compiled.
    pub(crate) fn begin(&self, modules: usize) {
        self.total.fetch_add(modules, Ordering::Relaxed);
    }

    /// One of them is done.
    pub(crate) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// How many modules were compiled, and how many were to be so far.
    pub fn modules(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}

/// What this process knows of the entries.
#[derive(Debug, Default)]
struct Checked {
    /// Those that are what was written.
    whole: HashSet<PathBuf>,
    /// Those that were not, and were made again.
    damaged: Vec<PathBuf>,
    /// The programs whose sources could not be kept, and why.
    unkept: Vec<(PathBuf, io::Error)>,
}

impl Cache {
    /// The cache at `directory`, or else at `BYWAY_CACHE`, or else in the user's cache directory.
    pub fn open(directory: Option<PathBuf>) -> Result<Cache, VariantError> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = directory
            .or_else(|| variable("BYWAY_CACHE"))
            .or_else(|| variable("XDG_CACHE_HOME").map(|home| home.join("byway")))
            .or_else(|| variable("HOME").map(|home| home.join(".cache/byway")))
            .ok_or(VariantError::NoCacheDirectory)?;
        let root = without_links(&std::path::absolute(&root).unwrap_or(root));
        let snapshots = SnapshotStore::new(root.join("snapshots"));
        let objects = ObjectStore::new(root.join("objects"));
        Ok(Cache { root, snapshots, objects, checked: Arc::default(), work: Arc::default(), is_trusting: false })
    }

    /// Fails if nothing can be written to it. Who needs it later says so before that takes any time.
    pub fn probe(&self) -> Result<(), VariantError> {
        let cannot = |source| VariantError::Cache { path: self.root.clone(), source };
        fs::create_dir_all(&self.root).map_err(cannot)?;
        TempDir::with_prefix_in(".probe-", &self.root).map(drop).map_err(cannot)
    }

    /// How far building is.
    pub fn work(&self) -> &Arc<Work> {
        &self.work
    }

    /// Opens a program, and keeps what it was built from if that is not kept yet. What a program from elsewhere asks for, and
    /// would not get, is not kept either.
    pub fn subject(&self, path: &Path) -> Result<Subject, SubjectError> {
        let mut subject = Subject::open_kept(path, &self.snapshots)?;
        if !subject.is_all_kept() && (self.is_trusting || trust::check(&subject).is_ok()) {
            if let Err(error) = subject.keep(&self.snapshots) {
                self.checked().unkept.push((subject.path.clone(), error));
            }
        }
        Ok(subject)
    }

    /// The same, with whether programs may have been built with whatever their records say.
    pub fn trusting(self, is_trusting: bool) -> Cache {
        Cache { is_trusting, ..self }
    }

    /// Whether programs may have been built with whatever their records say.
    pub fn is_trusting(&self) -> bool {
        self.is_trusting
    }

    fn checked(&self) -> MutexGuard<'_, Checked> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entries that were not what had been written and were made again, since somebody last asked.
    pub fn take_damaged(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.checked().damaged)
    }

    /// The programs whose sources could not be kept, and why, since somebody last asked.
    pub fn take_unkept(&self) -> Vec<(PathBuf, io::Error)> {
        std::mem::take(&mut self.checked().unkept)
    }

    /// Whether an entry is there and is what was written. Looks at each once.
    fn is_whole(&self, entry: &Path, file: &str) -> bool {
        if !entry.is_dir() {
            return false;
        }
        if self.checked().whole.contains(entry) {
            return entry.join(file).is_file();
        }
        let is_whole = entry.join(file).is_file() && sums::hold(entry);
        match is_whole {
            true => drop(self.checked().whole.insert(entry.to_owned())),
            false => self.checked().damaged.push(entry.to_owned()),
        }
        is_whole
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether there is an entry `name` of a subject.
    pub fn contains(&self, subject: &Subject, name: &str) -> bool {
        self.root.join(subject.id.to_string()).join(name).is_dir()
    }

    /// The entry `name` of a subject, filled by `fill` if it is not there yet, or if it is not what was written.
    pub fn entry(
        &self,
        subject: &Subject,
        name: &str,
        file: &str,
        fill: impl FnOnce(&Path) -> Result<(), VariantError>,
    ) -> Result<PathBuf, VariantError> {
        let parent = &self.root.join(subject.id.to_string());
        let entry = parent.join(name);
        if self.is_whole(&entry, file) {
            return Ok(entry);
        }
        let cannot = |path: &Path| {
            let path = path.to_owned();
            move |source| VariantError::Cache { path, source }
        };
        fs::create_dir_all(parent).map_err(cannot(parent))?;
        let (scratch, _at_work) = begin(parent, name).map_err(cannot(parent))?;
        fill(scratch.path())?;
        debug_assert!(scratch.path().join(file).is_file());
        sums::write(scratch.path()).map_err(cannot(scratch.path()))?;
        put(scratch, &entry, |entry| entry.join(file).is_file() && sums::hold(entry)).map_err(cannot(&entry))?;
        self.checked().whole.insert(entry.clone());
        Ok(entry)
    }

    /// The objects that programs share.
    pub(crate) fn objects(&self) -> &ObjectStore {
        &self.objects
    }
}

/// A path, without symbolic links in as much of it as is there. Sandboxes lay directories over others by the paths that these really have.
fn without_links(path: &Path) -> PathBuf {
    let real = |ancestor: &Path| Some(ancestor.canonicalize().ok()?.join(path.strip_prefix(ancestor).ok()?));
    path.ancestors().find_map(real).unwrap_or_else(|| path.to_owned())
}

/// A directory to fill an entry in, and what says that somebody does. What others began and do not work on any more, since
/// they were killed, goes.
pub(crate) fn begin(parent: &Path, name: &str) -> io::Result<(TempDir, File)> {
    // As long as it is locked nobody takes a directory that was just made for one that was left.
    let _turn = turn(parent)?;
    let entries = fs::read_dir(parent)?.flatten();
    entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b".")).for_each(|entry| {
        if is_left(&entry) {
            let _ = fs::remove_dir_all(entry.path());
        }
    });
    let scratch = TempDir::with_prefix_in(format!(".{name}-"), parent)?;
    let at_work = File::open(scratch.path())?;
    let _ = flock(&at_work, FlockOperation::LockExclusive);
    Ok((scratch, at_work))
}

/// As long as it is there, nobody else changes which entries a directory has but by adding whole ones. Where there are no locks, others may.
pub(crate) fn turn(parent: &Path) -> io::Result<File> {
    let turn = File::open(parent)?;
    let _ = flock(&turn, FlockOperation::LockExclusive);
    Ok(turn)
}

/// Gives an entry that was filled its name. If somebody else has made the same entry meanwhile, theirs stays, since it has the same
/// content and may be in use already; but not if it is damaged.
pub(crate) fn put(filled: TempDir, entry: &Path, is_whole: impl Fn(&Path) -> bool) -> io::Result<()> {
    if fs::rename(filled.path(), entry).is_err() {
        let _turn = turn(entry.parent().unwrap_or(Path::new("/")))?;
        if is_whole(entry) {
            return Ok(());
        }
        if entry.exists() {
            remove_whole(entry)?;
        }
        fs::rename(filled.path(), entry)?;
    }
    // It is not ours to remove any more.
    let _ = filled.keep();
    Ok(())
}

/// Removes an entry. It gets another name first: others see it whole or not at all.
pub(crate) fn remove_whole(entry: &Path) -> io::Result<()> {
    let aside = TempDir::with_prefix_in(".removed-", entry.parent().unwrap_or(Path::new("/")))?;
    fs::rename(entry, aside.path())
}

/// Whether nobody works on a directory. Where the file system has no locks, it is only old enough for that.
fn is_left(entry: &DirEntry) -> bool {
    const OLD: Duration = Duration::from_secs(6 * 3600);
    let locked = File::open(entry.path()).map(|file| flock(&file, FlockOperation::NonBlockingLockExclusive));
    match locked {
        Ok(Ok(())) => true,
        Ok(Err(Errno::WOULDBLOCK)) => false,
        _ => {
            let age = entry.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
            age.is_some_and(|age| age > OLD)
        }
    }
}

/// Writes a file of an entry.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), VariantError> {
    fs::write(path, content).map_err(|source| VariantError::Cache { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_goes_and_what_somebody_works_on_stays() {
        let parent = tempfile::tempdir().unwrap();
        let (theirs, at_work) = begin(parent.path(), "asan").unwrap();
        let left = begin(parent.path(), "sym").unwrap().0.keep();
        fs::write(left.join("file"), "").unwrap();
        let (ours, _at_work) = begin(parent.path(), "asan").unwrap();
        assert!(theirs.path().exists() && ours.path().exists() && !left.exists());
        drop(at_work);
        drop(begin(parent.path(), "asan").unwrap());
        assert!(!theirs.path().exists() && ours.path().exists());
    }
}
