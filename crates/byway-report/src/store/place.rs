//! Where an output directory goes: nothing of anybody else's is touched.

use std::fs::{self, File};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::disk;
use crate::error::ReportError;
use crate::rotation::Worth;

use super::{DIFFERENCES, FINDINGS, SEEDS, STATS, TESTS, UNCONFIRMED};

const MARKER: &str = "byway.json";
const FORMAT: &str = "byway.out";
/// The directories of results.
const PARTS: [&str; 4] = [TESTS, FINDINGS, UNCONFIRMED, DIFFERENCES];
/// The journal of measurements.
const MEASURED: &str = "eval.jsonl";
/// The end of the name of a seed's file.
const SEED: &str = "seed.json";

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
    if byway_file::lock(&file) { Ok(file) } else { Err(ReportError::InUse { path: directory.to_owned() }) }
}

/// What an output directory has in it: tests, findings and what was measured are results, seeds are not.
pub fn worth(directory: &Path) -> Worth {
    let has = |part: &str| {
        let paths = disk::list(&directory.join(part)).unwrap_or_default();
        paths.iter().any(|path| !disk::is_temporary(path))
    };
    let is_checked = || {
        let stats: Option<serde_json::Value> = disk::read_json(&directory.join(STATS)).ok().flatten();
        let is_compared = |stats: &serde_json::Value| stats["programs"].as_array().is_some_and(|all| !all.is_empty());
        stats.is_some_and(|stats| stats["seeds"]["checked"].as_u64() > Some(0) || is_compared(&stats))
    };
    match () {
        () if PARTS.iter().any(|part| has(part)) || is_measured(directory) || is_checked() => Worth::Results,
        () if disk::list(&directory.join(SEEDS)).is_ok_and(|paths| paths.iter().any(|path| is_seed(path))) => {
            Worth::Inputs
        }
        () => Worth::Nothing,
    }
}

fn is_seed(path: &Path) -> bool {
    path.to_string_lossy().ends_with(SEED) && !disk::is_temporary(path)
}

/// Whether a journal of measurements has more than the conditions it begins with.
fn is_measured(directory: &Path) -> bool {
    let journal = byway_file::read(&directory.join(MEASURED), byway_file::DESCRIPTION).unwrap_or_default();
    journal.iter().filter(|&&byte| byte == b'\n').nth(1).is_some()
}
