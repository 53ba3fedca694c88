//! An output directory that nobody else writes to.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::ReportError;
use crate::store::place::{self, Place};

/// An output directory, ours as long as this is there.
#[derive(Debug)]
pub struct Output {
    /// Where it is.
    pub directory: PathBuf,
    _lock: File,
}

impl Output {
    /// Begins a new one. A previous one is kept beside it with `.old` behind its name, in place of an older.
    pub fn create(directory: &Path) -> Result<Output, ReportError> {
        let directory = match place::examine(directory)? {
            Place::Ours => {
                drop(place::lock(directory)?);
                place::move_aside(directory)?
            }
            _ => directory.to_owned(),
        };
        disk::make(&directory)?;
        disk::sweep(&directory)?;
        place::mark(&directory)?;
        Output::locked(directory)
    }

    /// Goes on with one.
    pub fn open(directory: &Path) -> Result<Output, ReportError> {
        if !place::is_ours(directory) {
            return Err(ReportError::Foreign { path: directory.to_owned() });
        }
        place::check_version(directory)?;
        let output = Output::locked(directory.to_owned())?;
        disk::sweep(&output.directory)?;
        Ok(output)
    }

    fn locked(directory: PathBuf) -> Result<Output, ReportError> {
        let lock = place::lock(&directory)?;
        Ok(Output { directory, _lock: lock })
    }
}
