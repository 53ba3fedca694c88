//! An output directory that nobody else writes to.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::ReportError;
use crate::rotation::{Rotated, Rotation, aside};
use crate::store::place::{self, Place};

/// An output directory, ours as long as this is there.
#[derive(Debug)]
pub struct Output {
    /// Where it is.
    pub directory: PathBuf,
    rotation: Rotation,
    _lock: File,
}

impl Output {
    /// Begins a new one. A previous one is kept beside it with `.old` behind its name, in place of an older; both are put
    /// back if nothing comes of the new one.
    pub fn create(directory: &Path) -> Result<Output, ReportError> {
        Output::create_with(directory, None)
    }

    /// The same; a directory `inherited` of the previous one goes to the new one.
    pub(crate) fn create_with(directory: &Path, inherited: Option<&'static str>) -> Result<Output, ReportError> {
        let kind = Rotated { worth: place::worth, inherited };
        let rotation = match place::examine(directory)? {
            Place::Ours => {
                drop(place::lock(directory)?);
                // Whatever else is at the place of the previous one stays there.
                place::examine(&aside(&canonical(directory)?))?;
                Rotation::begin(directory, kind)?
            }
            _ => Rotation::nothing(directory, kind),
        };
        let directory = rotation.directory().to_owned();
        disk::make(&directory)?;
        disk::sweep(&directory)?;
        if let Some(name) = inherited {
            let before = aside(&directory).join(name);
            if before.is_dir() {
                std::fs::rename(&before, directory.join(name)).map_err(ReportError::io("rename", &before))?;
            }
        }
        place::mark(&directory)?;
        Output::locked(directory, rotation)
    }

    /// To be called when there may be a first result: from then on it is this directory that stays.
    pub fn settle(&mut self) -> Result<(), ReportError> {
        self.rotation.settle()
    }

    /// Ends it. True if nothing came of it, and the previous one is back in its place.
    pub fn end(&mut self) -> Result<bool, ReportError> {
        self.rotation.end()
    }

    /// Goes on with one.
    pub fn open(directory: &Path) -> Result<Output, ReportError> {
        if !place::is_ours(directory) {
            return Err(ReportError::Foreign { path: directory.to_owned() });
        }
        place::check_version(directory)?;
        let kind = Rotated { worth: place::worth, inherited: None };
        let output = Output::locked(directory.to_owned(), Rotation::nothing(directory, kind))?;
        disk::sweep(&output.directory)?;
        Ok(output)
    }

    fn locked(directory: PathBuf, rotation: Rotation) -> Result<Output, ReportError> {
        let lock = place::lock(&directory)?;
        Ok(Output { directory, rotation, _lock: lock })
    }
}

fn canonical(directory: &Path) -> Result<PathBuf, ReportError> {
    std::fs::canonicalize(directory).map_err(ReportError::io("find", directory))
}
