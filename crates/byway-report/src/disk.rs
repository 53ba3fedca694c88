//! Files that are there entirely or not at all.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::ReportError;

/// How the names of what is not finished yet begin. Whoever opens the directory removes them.
const TEMPORARY: &str = ".tmp-";

/// The name under which `path` is made before it is renamed.
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(TEMPORARY);
    name.push(path.file_name().unwrap_or_default());
    path.with_file_name(name)
}

/// Whether this is the name of something unfinished.
pub fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TEMPORARY))
}

/// Writes a file under a temporary name, then renames it.
pub fn write(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    let temporary = temporary(path);
    fs::write(&temporary, content).map_err(ReportError::io("write", path))?;
    fs::rename(&temporary, path).map_err(ReportError::io("write", path))
}

/// Makes a directory under a temporary name, then renames it, in place of what was there. If that fails nothing is left.
pub fn build(directory: &Path, fill: impl FnOnce(&Path) -> Result<(), ReportError>) -> Result<(), ReportError> {
    let temporary = temporary(directory);
    let built = fill(&temporary).and_then(|()| replace(&temporary, directory));
    // Now it is what was there before, if anything is left of it. If this went wrong, the disk may be full: what was wrong
    // first is what the user needs to know.
    let removed = remove(&temporary);
    built.and(removed)
}

/// Renames a directory in place of another, so that there is always one or the other.
pub(crate) fn replace(new: &Path, old: &Path) -> Result<(), ReportError> {
    if renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    // There is no other, or the file system cannot exchange them.
    remove(old)?;
    fs::rename(new, old).map_err(ReportError::io("write", old))
}

/// Writes a value for people and programs to read.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ReportError> {
    write(path, &to_json(value))
}

/// A value as lines of JSON.
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(value).expect("our types have names for keys and finite numbers");
    json.push(b'\n');
    json
}

/// Reads a value, if the file is there.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ReportError> {
    let content = match byway_file::read(path, byway_file::DESCRIPTION) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        content => content.map_err(ReportError::io("read", path))?,
    };
    let value = serde_json::from_slice(&content);
    value.map(Some).map_err(|source| ReportError::Damaged { path: path.to_owned(), source })
}

#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

/// Reads a value that carries a version, which is looked at before anything else.
pub fn read_versioned<T: DeserializeOwned>(path: &Path, expected: u32) -> Result<Option<T>, ReportError> {
    read_since(path, expected, expected)
}

/// The same, of any version from the oldest on that can be read.
pub fn read_since<T: DeserializeOwned>(path: &Path, oldest: u32, expected: u32) -> Result<Option<T>, ReportError> {
    let Some(Versioned { version: found }) = read_json(path)? else { return Ok(None) };
    if !(u64::from(oldest)..=u64::from(expected)).contains(&found) {
        return Err(ReportError::Version { path: path.to_owned(), found, expected });
    }
    read_json(path)
}

/// What is in a directory, by name, shorter ones first as of numbers; nothing if there is none.
pub fn list(directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let entries = match fs::read_dir(directory) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        entries => entries.map_err(ReportError::io("read", directory))?,
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(ReportError::io("read", directory))?;
    paths.sort_by_cached_key(|path| (path.as_os_str().len(), path.clone()));
    Ok(paths)
}

/// Removes what a killed byway left unfinished in a directory.
pub fn sweep(directory: &Path) -> Result<(), ReportError> {
    for path in list(directory)?.into_iter().filter(|path| is_temporary(path)) {
        remove(&path)?;
    }
    Ok(())
}

/// Removes a file or a directory with everything in it, if it is there.
pub fn remove(path: &Path) -> Result<(), ReportError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        _ => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(ReportError::io("remove", path)),
    }
}

/// Makes a directory, and those above it.
pub fn make(directory: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(directory).map_err(ReportError::io("make", directory))
}
