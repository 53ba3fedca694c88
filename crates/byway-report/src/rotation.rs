//! Making room for a new directory of results.
//!
//! The previous directory becomes `NAME.old`, in place of an older one. But a command that has no results takes nothing
//! from the user: until there is a first result the older one waits under a temporary name, and if there is none in the
//! end, all is put back where it was. A byway that was killed before that is followed by one that does so.

use std::fs;
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::ReportError;

/// What a directory of results has in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worth {
    /// Nothing, or no directory at all.
    Nothing,
    /// Only what something could be done with.
    Inputs,
    /// What came of it.
    Results,
}

/// The kind of directory that is rotated.
#[derive(Debug, Clone, Copy)]
pub struct Rotated {
    /// What is in one.
    pub worth: fn(&Path) -> Worth,
    /// A directory in it that the new one gets from the previous one: it is none of the new one's results.
    pub inherited: Option<&'static str>,
}

/// A previous directory while a new one takes its place. When this is dropped, one of them is there for good.
#[derive(Debug)]
pub struct Rotation {
    directory: PathBuf,
    kind: Rotated,
    /// Whether the new one stays, since it has results or since no other was renamed for it.
    is_settled: bool,
}

impl Rotation {
    /// Nothing was there.
    pub fn nothing(directory: &Path, kind: Rotated) -> Rotation {
        Rotation { directory: directory.to_owned(), kind, is_settled: true }
    }

    /// Makes room. At no time is neither the previous directory nor the one before there.
    pub fn begin(directory: &Path, kind: Rotated) -> Result<Rotation, ReportError> {
        let directory = fs::canonicalize(directory).map_err(ReportError::io("find", directory))?;
        let mut rotation = Rotation { directory, kind, is_settled: true };
        rotation.recover()?;
        let (directory, old) = (&rotation.directory, aside(&rotation.directory));
        if (kind.worth)(directory) < (kind.worth)(&old) {
            if let Some(name) = kind.inherited {
                move_into(&directory.join(name), &old.join(name))?;
            }
            disk::remove(directory)?;
            return Ok(rotation);
        }
        if old.exists() {
            rename(&old, &rotation.older())?;
        }
        rename(directory, &old)?;
        rotation.is_settled = false;
        Ok(rotation)
    }

    /// Where the new directory goes.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where the directory before the previous one is until the new one has results. Its name begins as that of the new one does: who has
    /// git ignore `byway.out*` sees nothing of it if byway is killed meanwhile.
    fn older(&self) -> PathBuf {
        aside(&aside(&self.directory))
    }

    /// Ends what a killed byway began.
    fn recover(&self) -> Result<(), ReportError> {
        let old = aside(&self.directory);
        match () {
            () if !self.older().exists() => Ok(()),
            () if !old.exists() => rename(&self.older(), &old),
            () if (self.kind.worth)(&self.directory) == Worth::Nothing => self.put_back(),
            () => disk::remove(&self.older()),
        }
    }

    /// The new directory has results and stays, if it has.
    pub fn settle(&mut self) -> Result<(), ReportError> {
        if self.is_settled || self.is_in_vain() {
            return Ok(());
        }
        self.is_settled = true;
        disk::remove(&self.older())
    }

    /// Whether nothing came of it so far.
    fn is_in_vain(&self) -> bool {
        let worth = (self.kind.worth)(&self.directory);
        worth < if self.kind.inherited.is_some() { Worth::Results } else { Worth::Inputs }
    }

    /// Ends it: the new directory stays if it has anything in it, or if there was no other. True if the previous one is back.
    pub fn end(&mut self) -> Result<bool, ReportError> {
        self.settle()?;
        if self.is_settled {
            return Ok(false);
        }
        self.is_settled = true;
        if let Some(name) = self.kind.inherited {
            move_into(&self.directory.join(name), &aside(&self.directory).join(name))?;
        }
        self.put_back()?;
        Ok(true)
    }

    fn put_back(&self) -> Result<(), ReportError> {
        let old = aside(&self.directory);
        if old.exists() {
            disk::replace(&old, &self.directory)?;
            // It is the new one by now, unless it is gone.
            disk::remove(&old)?;
        }
        if self.older().exists() { rename(&self.older(), &old) } else { Ok(()) }
    }
}

impl Drop for Rotation {
    fn drop(&mut self) {
        // What cannot be renamed now stays where it is: under another name, but there.
        let _ = self.end();
    }
}

/// Where a previous directory is kept.
pub fn aside(directory: &Path) -> PathBuf {
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(".old");
    directory.with_file_name(name)
}

fn rename(from: &Path, to: &Path) -> Result<(), ReportError> {
    fs::rename(from, to).map_err(ReportError::io("rename", from))
}

/// Moves a directory in place of another, if it is there.
fn move_into(from: &Path, to: &Path) -> Result<(), ReportError> {
    if !from.is_dir() {
        return Ok(());
    }
    disk::remove(to)?;
    rename(from, to)
}
