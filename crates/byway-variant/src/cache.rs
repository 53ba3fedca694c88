//! The directory that variants are kept in.
//!
//! `ROOT/SUBJECT-ID/ENTRY/`, where an entry is complete or not there: it is filled under another name and then renamed. The
//! first use of an entry checks that it is what was written; one that is not is made again.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use byway_program::Subject;
use tempfile::TempDir;

use crate::error::VariantError;
use crate::sums;

/// A directory of variants, named by the content they were made from.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    checked: Arc<Mutex<Checked>>,
    is_trusting: bool,
}

/// What this process knows of the entries.
#[derive(Debug, Default)]
struct Checked {
    /// Those that are what was written.
    whole: HashSet<PathBuf>,
    /// Those that were not, and were made again.
    damaged: Vec<PathBuf>,
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
        let root = std::path::absolute(&root).unwrap_or(root);
        Ok(Cache { root, checked: Arc::default(), is_trusting: false })
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
        let parent = self.root.join(subject.id.to_string());
        let entry = parent.join(name);
        if self.is_whole(&entry, file) {
            return Ok(entry);
        }
        let _ = fs::remove_dir_all(&entry);
        let cannot = |path: &Path| {
            let path = path.to_owned();
            move |source| VariantError::Cache { path, source }
        };
        fs::create_dir_all(&parent).map_err(cannot(&parent))?;
        remove_leftovers(&parent);
        let scratch = TempDir::with_prefix_in(format!(".{name}-"), &parent).map_err(cannot(&parent))?;
        fill(scratch.path())?;
        debug_assert!(scratch.path().join(file).is_file());
        sums::write(scratch.path()).map_err(cannot(scratch.path()))?;
        let filled = scratch.keep();
        if let Err(error) = fs::rename(&filled, &entry) {
            let _ = fs::remove_dir_all(&filled);
            // Somebody else may have made the same entry meanwhile: it has the same content.
            if !entry.is_dir() {
                return Err(cannot(&entry)(error));
            }
        }
        self.checked().whole.insert(entry.clone());
        Ok(entry)
    }
}

/// Removes what interrupted runs left behind, unless it is so new that somebody may be at work on it.
fn remove_leftovers(parent: &Path) {
    const OLD: Duration = Duration::from_secs(6 * 3600);
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let age = entry.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        if entry.file_name().as_encoded_bytes().starts_with(b".") && age.is_some_and(|age| age > OLD) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Writes a file of an entry.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), VariantError> {
    fs::write(path, content).map_err(|source| VariantError::Cache { path: path.to_owned(), source })
}
