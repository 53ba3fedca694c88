//! What one program was built from.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_carrier::Dependency;
use serde::{Deserialize, Serialize};

use crate::content::ContentHash;
use crate::store::{BuildFiles, LinkedFile, SnapshotStore};

/// A list of files with their contents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// What the compiler read: by path and by the hash that records have.
    pub sources: BTreeMap<PathBuf, BTreeMap<u64, ContentHash>>,
    /// What was linked: by path, with the name of the file itself.
    pub linked: BTreeMap<PathBuf, (String, ContentHash)>,
}

impl Manifest {
    /// Reads a list; `None` if there is none, or it is not what was written.
    pub fn read(path: &Path) -> Option<Manifest> {
        let text = byway_file::read(path, byway_file::DESCRIPTION).ok()?;
        let (sum, list) = text.split_at_checked(64)?;
        let is_whole = ContentHash::of(list).to_string().as_bytes() == sum;
        is_whole.then(|| serde_json::from_slice(list).ok()).flatten()
    }

    /// The hash of the list, and the list.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let list = serde_json::to_vec(self)?;
        Ok([ContentHash::of(&list).to_string().into_bytes(), list].concat())
    }

    pub fn source(&self, dependency: &Dependency) -> Option<ContentHash> {
        self.sources.get(&dependency.0)?.get(&dependency.1).copied()
    }
}

/// What a program was built from.
#[derive(Debug, Clone)]
pub struct ProgramSnapshot {
    store: SnapshotStore,
    manifest: Arc<Manifest>,
}

impl ProgramSnapshot {
    pub(crate) fn new(store: SnapshotStore, manifest: Manifest) -> ProgramSnapshot {
        ProgramSnapshot { store, manifest: Arc::new(manifest) }
    }

    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(crate) fn store(&self) -> &SnapshotStore {
        &self.store
    }

    /// Whether all of this is kept.
    pub fn has(&self, files: &BuildFiles<'_>) -> bool {
        let has_source = |dependency: &&Dependency| {
            let content = self.manifest.source(dependency);
            content.is_some_and(|content| self.store.source_path(content).is_file())
        };
        let has_linked = |LinkedFile { path, name, content }: &LinkedFile| {
            let known = self.manifest.linked.get(path).is_some_and(|known| known.0 == *name && known.1 == *content);
            known && self.store.linked_path(name, *content).is_file()
        };
        files.sources.iter().all(has_source) && files.linked.iter().all(has_linked)
    }

    /// Where what the compiler read is kept; `None` if it is not, or if it is damaged.
    pub fn source(&self, dependency: &Dependency) -> Option<PathBuf> {
        let content = self.manifest.source(dependency)?;
        let path = self.store.source_path(content);
        self.store.holds(&path, content).then_some(path)
    }

    /// Where what was linked from this path is kept; `None` if it is not, or if it is damaged.
    pub fn linked(&self, path: &Path) -> Option<PathBuf> {
        let (name, content) = self.manifest.linked.get(path)?;
        let kept = self.store.linked_path(name, *content);
        self.store.holds(&kept, *content).then_some(kept)
    }
}
