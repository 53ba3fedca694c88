//! What programs changed in a writable directory, before a reset undoes it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use rustix::fs::{FileType, Stat, readlinkat};

use super::{Content, WritableDirectory, children};
use crate::entry;

/// What a program made of a path.
#[derive(Debug)]
pub enum PathChange {
    /// A file that is new, or has another content or other permissions.
    File {
        /// Opened for reading.
        file: File,
        /// Its permissions.
        mode: u32,
    },
    /// A directory that is new.
    Directory,
    /// A symbolic link that is new, or leads elsewhere.
    Link(OsString),
    /// Something else that is new.
    Special,
    /// It is gone. Of a directory from below, only the directory itself is listed.
    Removed,
}

/// What was at a path before.
enum Before {
    Nothing,
    Directory,
    Link(OsString),
    File { content: Vec<u8>, mode: Option<u32> },
    Other,
}

type See<'a> = dyn FnMut(&Path, PathChange) -> io::Result<()> + 'a;

impl WritableDirectory {
    /// Shows all that programs changed since the last reset, by paths from the writable directory's directory on.
    pub fn each_change(&self, see: &mut See<'_>) -> io::Result<()> {
        if self.known.iter().all(|(path, known)| self.is_as_it_was(path, known)) {
            return Ok(());
        }
        self.changes_in(Path::new(""), see)?;
        for (path, known) in &self.known {
            let is_gone = known.content != Content::Hidden && entry::look(self.directory(), path)?.is_none();
            if is_gone {
                see(path, PathChange::Removed)?;
            }
        }
        Ok(())
    }

    fn changes_in(&self, directory: &Path, see: &mut See<'_>) -> io::Result<()> {
        let listed = self.children(directory).or_else(|_| {
            // A program made it unreadable, even for its owner. The reset gives it its permissions back.
            entry::open_up(self.directory(), directory)?;
            self.children(directory)
        });
        for (path, stat) in listed? {
            let kind = entry::kind(&stat);
            let is_known = self.known.contains_key(&path);
            if is_known && kind != FileType::Directory && self.is_as_it_was(&path, &self.known[&path]) {
                continue;
            }
            match kind {
                // A whiteout: what is known is looked at by `each_change`.
                FileType::CharacterDevice if stat.st_rdev == 0 => {
                    if !is_known {
                        see(&path, PathChange::Removed)?;
                    }
                }
                FileType::Directory => self.changed_directory(&path, see)?,
                FileType::RegularFile => self.changed_file(&path, &stat, see)?,
                FileType::Symlink => {
                    let target = OsString::from_vec(readlinkat(self.scratch(), &path, Vec::new())?.into_bytes());
                    if !matches!(self.before(&path)?, Before::Link(before) if before == target) {
                        see(&path, PathChange::Link(target))?;
                    }
                }
                _ => see(&path, PathChange::Special)?,
            }
        }
        Ok(())
    }

    fn changed_directory(&self, path: &Path, see: &mut See<'_>) -> io::Result<()> {
        if !matches!(self.before(path)?, Before::Directory) {
            see(path, PathChange::Directory)?;
        }
        let is_own = self.known.get(path).is_some_and(|known| known.own);
        let is_new = self.upper.is_some() && !is_own && self.is_opaque(path);
        if let (true, Some(lower)) = (is_new && self.is_below(path)?, &self.lower) {
            // It was removed and made again: what is below is no longer seen.
            let below = entry::look(lower.as_fd(), path)?;
            let is_directory = below.is_some_and(|stat| entry::kind(&stat) == FileType::Directory);
            let gone = if is_directory { children(lower.as_fd(), path)? } else { Vec::new() };
            for (path, _) in gone {
                if entry::look(self.scratch(), &path)?.is_none() && !self.known.contains_key(&path) {
                    see(&path, PathChange::Removed)?;
                }
            }
        }
        self.changes_in(path, see)
    }

    fn changed_file(&self, path: &Path, stat: &Stat, see: &mut See<'_>) -> io::Result<()> {
        let mode = stat.st_mode & 0o7777;
        let mut file = self.open(path, stat)?;
        if let Before::File { content, mode: before } = self.before(path)? {
            let is_same_size = stat.st_size as u64 == content.len() as u64;
            if before.is_none_or(|before| before == mode) && is_same_size && has(&mut file, &content)? {
                return Ok(());
            }
            file = self.open(path, stat)?;
        }
        see(path, PathChange::File { file, mode })
    }

    /// Opens a file that a program may have made unreadable. The reset gives it its permissions back.
    fn open(&self, path: &Path, stat: &Stat) -> io::Result<File> {
        entry::open_file(self.directory(), path).or_else(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => {
                entry::make_readable(self.directory(), path)?;
                let file = entry::open_file(self.directory(), path)?;
                entry::set_mode(&file, stat.st_mode & 0o7777)?;
                Ok(file)
            }
            _ => Err(error),
        })
    }

    /// What was at a path after the last reset.
    fn before(&self, path: &Path) -> io::Result<Before> {
        let Some(known) = self.known.get(path) else { return self.before_below(path) };
        let mode = known.stamp.map(|stamp| stamp.mode() & 0o7777);
        Ok(match &known.content {
            Content::Directory => Before::Directory,
            Content::Written { content, .. } => Before::File { content: content.clone(), mode },
            Content::AsBelow => match self.entry_below(path)? {
                Before::File { content, .. } => Before::File { content, mode },
                other => other,
            },
            Content::Link(target) => Before::Link(target.clone()),
            Content::Hidden => Before::Nothing,
        })
    }

    /// What is seen from below, of an overlay.
    fn before_below(&self, path: &Path) -> io::Result<Before> {
        if self.upper.is_some() && self.is_below(path)? { self.entry_below(path) } else { Ok(Before::Nothing) }
    }

    fn entry_below(&self, path: &Path) -> io::Result<Before> {
        let Some(lower) = &self.lower else { return Ok(Before::Nothing) };
        let Some(stat) = entry::look(lower.as_fd(), path)? else { return Ok(Before::Nothing) };
        Ok(match entry::kind(&stat) {
            FileType::Directory => Before::Directory,
            FileType::Symlink => Before::Link(OsString::from_vec(readlinkat(lower, path, Vec::new())?.into_bytes())),
            FileType::RegularFile => {
                let mut content = Vec::new();
                entry::open_file(lower.as_fd(), path)?.read_to_end(&mut content)?;
                Before::File { content, mode: Some(stat.st_mode & 0o7777) }
            }
            _ => Before::Other,
        })
    }
}

/// Whether a file has exactly this content.
fn has(file: &mut File, content: &[u8]) -> io::Result<bool> {
    let mut there = Vec::with_capacity(content.len());
    file.take(content.len() as u64 + 1).read_to_end(&mut there)?;
    Ok(there == content)
}
