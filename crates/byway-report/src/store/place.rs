//! Where an output directory goes: nothing of anybody else's is touched.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::disk;
use crate::error::ReportError;

const MARKER: &str = "byway.json";
const FORMAT: &str = "byway.out";

/// What `byway.json` says of a directory: that it is ours.
#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    format: String,
    version: u32,
}

/// What is at the place of an output directory.
#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing.
    Nothing,
    /// A directory, with nothing in it that counts.
    Empty,
    /// An output directory.
    Ours,
}

/// Marks a directory as ours.
pub fn mark(directory: &Path) -> Result<(), ReportError> {
    disk::write_json(&directory.join(MARKER), &Marker { format: FORMAT.to_owned(), version: VERSION })
}

/// Whether we can read what is in it.
pub fn check_version(directory: &Path) -> Result<(), ReportError> {
    disk::read_versioned::<Marker>(&directory.join(MARKER), VERSION).map(|_| ())
}

/// What is there; an error if it is not for us to touch.
pub fn examine(directory: &Path) -> Result<Place, ReportError> {
    match fs::metadata(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Place::Nothing),
        Err(source) => return Err(ReportError::Io { doing: "read", path: directory.to_owned(), source }),
        Ok(metadata) if !metadata.is_dir() => return Err(ReportError::NotDirectory { path: directory.to_owned() }),
        Ok(_) => {}
    }
    if is_ours(directory) {
        return Ok(Place::Ours);
    }
    // A byway that was killed early may have left half a marker.
    let marker = disk::temporary(&directory.join(MARKER));
    let is_empty = disk::list(directory)?.iter().all(|path| *path == marker);
    if is_empty { Ok(Place::Empty) } else { Err(ReportError::Foreign { path: directory.to_owned() }) }
}

/// Whether this is an output directory, of whatever version.
pub fn is_ours(directory: &Path) -> bool {
    let marker: Result<Option<serde_json::Value>, _> = disk::read_json(&directory.join(MARKER));
    matches!(marker, Ok(Some(marker)) if marker["format"] == FORMAT)
}

/// Keeps others from writing as long as the file is open.
pub fn lock(directory: &Path) -> Result<File, ReportError> {
    let marker = directory.join(MARKER);
    let file = File::open(&marker).map_err(ReportError::io("open", &marker))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => Err(ReportError::InUse { path: directory.to_owned() }),
        // Some file systems have no locks: there it is up to the user.
        _ => Ok(file),
    }
}

/// Where a previous output directory is kept.
pub fn aside(directory: &Path) -> PathBuf {
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(".old");
    directory.with_file_name(name)
}

/// Renames a previous output directory, and says where the new one goes. At no time is neither it nor the one before
/// there.
pub fn move_aside(directory: &Path) -> Result<PathBuf, ReportError> {
    let directory = &fs::canonicalize(directory).map_err(ReportError::io("find", directory))?;
    let old = aside(directory);
    let older = disk::temporary(&old);
    disk::remove(&older)?;
    if examine(&old)? != Place::Nothing {
        fs::rename(&old, &older).map_err(ReportError::io("rename", &old))?;
    }
    fs::rename(directory, &old).map_err(ReportError::io("rename", directory))?;
    disk::remove(&older)?;
    Ok(directory.to_owned())
}
