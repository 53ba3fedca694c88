//! Intermediate files.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::VariantError;

/// A directory inside a cache entry that is being filled; it goes before the entry is complete.
pub struct Scratch {
    directory: TempDir,
}

impl Scratch {
    /// A new directory in `entry`.
    pub fn new(entry: &Path) -> Result<Self, VariantError> {
        let cannot = |source| VariantError::Cache { path: entry.to_owned(), source };
        Ok(Scratch { directory: tempfile::tempdir_in(entry).map_err(cannot)? })
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// A file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory().join(name)
    }

    /// A new directory in it.
    pub fn subdirectory(&self) -> Result<PathBuf, VariantError> {
        let cannot = |source| VariantError::Cache { path: self.directory().to_owned(), source };
        tempfile::tempdir_in(self.directory()).map(TempDir::keep).map_err(cannot)
    }
}
