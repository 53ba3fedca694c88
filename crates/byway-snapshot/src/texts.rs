//! The text of sources, as a program was built from it.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::ContentHash;
use crate::snapshot::ProgramSnapshot;
use crate::store::SnapshotStore;

/// The sources of a program: as they were if they are kept, and as they are now otherwise.
#[derive(Debug, Clone, Default)]
pub struct SourceTexts {
    kept: Arc<HashMap<PathBuf, (SnapshotStore, ContentHash)>>,
}

impl SourceTexts {
    /// The sources of these.
    pub fn of<'a>(snapshots: impl IntoIterator<Item = &'a ProgramSnapshot>) -> SourceTexts {
        let mut kept = HashMap::new();
        for snapshot in snapshots {
            for (path, contents) in &snapshot.manifest().sources {
                if let Some(content) = contents.values().next() {
                    kept.entry(plain(path)).or_insert_with(|| (snapshot.store().clone(), *content));
                }
            }
        }
        SourceTexts { kept: Arc::new(kept) }
    }

    /// The text of a file. Names that are not absolute depend on where byway runs, so nobody looks there.
    pub fn read(&self, path: &Path) -> Option<String> {
        if !path.is_absolute() {
            return None;
        }
        let kept = self.kept.get(&plain(path)).and_then(|(store, content)| {
            let read = byway_file::read(&store.source_path(*content), byway_file::INPUT).ok()?;
            (ContentHash::of(&read) == *content).then_some(read)
        });
        let text = kept.or_else(|| byway_file::read(path, byway_file::INPUT).ok())?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Lines of the sources of a program. Each file is read once.
#[derive(Debug, Clone, Default)]
pub struct SourceLines {
    texts: SourceTexts,
    files: HashMap<PathBuf, Vec<String>>,
}

impl SourceLines {
    /// Of these sources.
    pub fn of(texts: SourceTexts) -> SourceLines {
        SourceLines { texts, files: HashMap::new() }
    }

    /// A line, without the blanks behind it, if the file is there and has so many.
    pub fn line(&mut self, file: &Path, line: u32) -> Option<&str> {
        if !self.files.contains_key(file) {
            let text = self.texts.read(file).unwrap_or_default();
            self.files.insert(file.to_owned(), text.lines().map(|line| line.trim_end().to_owned()).collect());
        }
        self.files[file].get(line.checked_sub(1)? as usize).map(String::as_str)
    }
}

/// A path without steps that lead nowhere: compilers, and who reads what they wrote, differ in these.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
