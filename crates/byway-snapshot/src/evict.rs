//! Keeping the store within its limit.

use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::snapshot::Manifest;
use crate::store::SnapshotStore;

/// If there is too much, removes the snapshots that were not used for the longest time, and all contents that no other
/// snapshot has. The one that was used last stays.
pub(crate) fn make_room(store: &SnapshotStore) -> io::Result<()> {
    let files: Vec<DirEntry> = [store.sources(), store.linked()].iter().flat_map(|place| below(place)).collect();
    if files.iter().map(size).sum::<u64>() <= store.limit() {
        return Ok(());
    }
    let mut programs: Vec<(SystemTime, PathBuf)> = entries(&store.programs())
        .map(|entry| {
            (entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH), entry.path())
        })
        .collect();
    programs.sort_by(|first, second| second.cmp(first));
    let mut needed: HashSet<PathBuf> = HashSet::new();
    let mut bytes = 0;
    for (index, (_, program)) in programs.iter().enumerate() {
        let more: Vec<PathBuf> =
            contents(store, program).into_iter().filter(|content| !needed.contains(content)).collect();
        let sizes = more.iter().map(|content| fs::metadata(content).map_or(0, |data| data.len()));
        bytes += sizes.sum::<u64>();
        // Down to three quarters, so that this is not done each time.
        match index > 0 && bytes > store.limit() / 4 * 3 {
            true => fs::remove_file(program)?,
            false => needed.extend(more),
        }
    }
    for file in files.iter().map(DirEntry::path).filter(|path| !needed.contains(path)) {
        fs::remove_file(&file)?;
        // Those with other names stay.
        let _ = file.parent().map(fs::remove_dir);
    }
    Ok(())
}

fn contents(store: &SnapshotStore, program: &Path) -> HashSet<PathBuf> {
    let Some(manifest) = Manifest::read(program) else { return HashSet::new() };
    let sources = manifest.sources.values().flat_map(|of| of.values()).map(|content| store.source_path(*content));
    sources.chain(manifest.linked.values().map(|(name, content)| store.linked_path(name, *content))).collect()
}

fn entries(directory: &Path) -> impl Iterator<Item = DirEntry> {
    fs::read_dir(directory).into_iter().flatten().flatten()
}

/// The files in the directories of a directory.
fn below(directory: &Path) -> Vec<DirEntry> {
    entries(directory).flat_map(|entry| entries(&entry.path()).collect::<Vec<_>>()).collect()
}

fn size(entry: &DirEntry) -> u64 {
    entry.metadata().map_or(0, |data| data.len())
}
