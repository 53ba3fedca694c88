//! A directory in which programs may write, and how it becomes again what it was.
//!
//! A writable directory is known by the few entries that lie in the scratch: those that inputs brought, and those that were restored.
//! To know that nothing changed it is enough to look at these, since whatever is added or removed changes a directory that
//! is known. Only if something did change, the scratch is compared entry by entry. Of an overlay, the upper directory is
//! only looked at; all changes go through the overlay.

mod brought;
mod changes;

pub use changes::PathChange;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, FileType, Gid, Stat, Uid, readlinkat};

use crate::entry::{self, FileAttributes, Stamp};

/// A larger file is not restored; the whole sandbox is made anew.
const MAX_RESTORED: u64 = 8 << 20;
/// By this an overlay says that a directory hides the one below.
const OPAQUE: &str = "user.overlay.opaque";

/// What an entry is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Directory,
    Written {
        content: Vec<u8>,
        /// If not as usual, or as below.
        mode: Option<u32>,
    },
    /// A file as it is in the directory below.
    AsBelow,
    Link(OsString),
    /// What is below is not there.
    Hidden,
}

#[derive(Debug)]
struct Known {
    content: Content,
    stamp: Option<Stamp>,
    /// Whether an input brought it.
    brought: bool,
    /// A directory that hides the one below.
    own: bool,
}

/// A directory in which programs may write.
#[derive(Debug)]
pub struct WritableDirectory {
    /// As programs see it.
    directory: OwnedFd,
    /// What was written, if it is an overlay.
    upper: Option<OwnedFd>,
    /// What is, or was, below.
    lower: Option<OwnedFd>,
    known: BTreeMap<PathBuf, Known>,
    /// Files that were there at the beginning.
    first: BTreeMap<PathBuf, Vec<u8>>,
    /// Who owns what an input brings, if not us.
    owner: Option<(Uid, Gid)>,
}

impl WritableDirectory {
    /// A writable directory as it is now.
    pub fn new(
        directory: OwnedFd,
        upper: Option<OwnedFd>,
        lower: Option<OwnedFd>,
        owner: Option<(Uid, Gid)>,
    ) -> io::Result<WritableDirectory> {
        let (known, first) = (BTreeMap::new(), BTreeMap::new());
        let mut writable = WritableDirectory { directory, upper, lower, known, first, owner };
        writable.know(PathBuf::new(), Content::Directory);
        for (path, stat) in writable.children(Path::new(""))? {
            // What is there at the beginning is to stay, as it is.
            match entry::kind(&stat) {
                FileType::Directory => writable.know(path, Content::Directory),
                FileType::RegularFile => {
                    let mut content = Vec::new();
                    entry::open_file(writable.scratch(), &path)?.read_to_end(&mut content)?;
                    writable.first.insert(path.clone(), content.clone());
                    writable.know(path, Content::Written { content, mode: None });
                }
                _ => {}
            }
        }
        let paths: Vec<_> = writable.known.keys().cloned().collect();
        writable.remember(&paths);
        Ok(writable)
    }

    /// Copies all that is below, for want of an overlay. An error of kind `StorageFull` if it is more than `limit` bytes.
    pub fn copy(&mut self, limit: u64) -> io::Result<()> {
        let mut left = limit;
        self.plan_copy(Path::new(""), &mut left)?;
        self.put_all()?;
        self.settle()
    }

    fn plan_copy(&mut self, path: &Path, left: &mut u64) -> io::Result<()> {
        let Some(lower) = &self.lower else { return Ok(()) };
        for (path, stat) in children(lower.as_fd(), path)? {
            let size = if entry::kind(&stat) == FileType::RegularFile { stat.st_size as u64 } else { 0 };
            *left = left.checked_sub(size.max(4096)).ok_or(io::ErrorKind::StorageFull)?;
            if let Some(content) = self.as_below(&path, &stat)? {
                let is_directory = content == Content::Directory;
                self.know(path.clone(), content);
                if is_directory {
                    self.plan_copy(&path, left)?;
                }
            }
        }
        Ok(())
    }

    /// As programs see it.
    pub fn directory(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// Where what is written lies.
    fn scratch(&self) -> BorrowedFd<'_> {
        self.upper.as_ref().unwrap_or(&self.directory).as_fd()
    }

    fn know(&mut self, path: PathBuf, content: Content) {
        self.known.insert(path, Known { content, stamp: None, brought: false, own: false });
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        entry::look(self.scratch(), path).ok().flatten().map(Stamp::from)
    }

    fn is_as_it_was(&self, path: &Path, known: &Known) -> bool {
        match known.content {
            // What an overlay leaves there is one file for all that is hidden.
            Content::Hidden => entry::look(self.directory(), path).is_ok_and(|stat| stat.is_none()),
            _ => known.stamp.is_some() && self.stamp(path) == known.stamp,
        }
    }

    /// Undoes all changes. True if there were any.
    pub fn reset(&mut self) -> io::Result<bool> {
        if self.known.iter().all(|(path, known)| self.is_as_it_was(path, known)) {
            return Ok(false);
        }
        self.restore(Path::new(""))?;
        self.put_all()?;
        self.settle()?;
        Ok(true)
    }

    /// Removes what is not known from a directory, and gets to know what was below.
    fn restore(&mut self, directory: &Path) -> io::Result<()> {
        if self.known.get(directory).is_none_or(|known| self.stamp(directory) != known.stamp) {
            entry::open_up(self.directory(), directory)?;
        }
        for (path, stat) in self.children(directory)? {
            let kind = entry::kind(&stat);
            let wanted = match self.known.get(&path) {
                Some(known) if self.is_covered(&path, &stat, known)? => return Err(too_much()),
                Some(known) => Some(known.content.clone()),
                None => self.below(&path, &stat)?,
            };
            let is_kept = match &wanted {
                Some(Content::Directory) => kind == FileType::Directory,
                Some(Content::Written { .. } | Content::AsBelow) => kind == FileType::RegularFile && stat.st_nlink == 1,
                Some(Content::Link(_) | Content::Hidden) | None => false,
            };
            // A whiteout is nothing that could be removed.
            if !is_kept && kind != FileType::CharacterDevice {
                entry::remove(self.directory(), &path)?;
            }
            let Some(wanted) = wanted else { continue };
            let descend = is_kept && wanted == Content::Directory;
            if !self.known.contains_key(&path) {
                self.know(path.clone(), wanted);
            }
            if descend {
                self.restore(&path)?;
            }
        }
        Ok(())
    }

    /// What is to be where a program changed something that came from below.
    fn below(&self, path: &Path, changed: &Stat) -> io::Result<Option<Content>> {
        let (Some(_), Some(lower)) = (&self.upper, &self.lower) else { return Ok(None) };
        let Some(stat) = entry::look(lower.as_fd(), path)? else { return Ok(None) };
        let (was, is) = (entry::kind(&stat), entry::kind(changed));
        if was == FileType::Directory && (is != FileType::Directory || self.is_opaque(path)) {
            return Err(too_much());
        }
        if was == FileType::RegularFile && stat.st_size as u64 > MAX_RESTORED {
            return Err(too_much());
        }
        self.as_below(path, &stat)?.map_or_else(|| Err(too_much()), |content| Ok(Some(content)))
    }

    /// Whether a program removed a directory through which the one below was seen: in an overlay it does not come back.
    fn is_covered(&self, path: &Path, changed: &Stat, known: &Known) -> io::Result<bool> {
        let (Some(_), Some(lower)) = (&self.upper, &self.lower) else { return Ok(false) };
        if known.content != Content::Directory || known.own {
            return Ok(false);
        }
        let is_gone = entry::kind(changed) != FileType::Directory || self.is_opaque(path);
        if !is_gone || !self.is_below(path)? {
            return Ok(false);
        }
        Ok(entry::look(lower.as_fd(), path)?.is_some_and(|stat| entry::kind(&stat) == FileType::Directory))
    }

    fn is_opaque(&self, path: &Path) -> bool {
        let mut value = [0u8; 4];
        let directory = entry::open_directory(self.scratch(), path);
        directory.is_ok_and(|directory| rustix::fs::fgetxattr(directory, OPAQUE, &mut value).is_ok())
    }

    /// What an entry of the directory below is; `None` if it cannot be made again.
    fn as_below(&self, path: &Path, stat: &Stat) -> io::Result<Option<Content>> {
        let Some(lower) = &self.lower else { return Ok(None) };
        Ok(match entry::kind(stat) {
            FileType::Directory => Some(Content::Directory),
            FileType::RegularFile => Some(Content::AsBelow),
            FileType::Symlink => {
                let target = readlinkat(lower, path, Vec::new())?;
                Some(Content::Link(OsString::from_vec(target.into_bytes())))
            }
            _ => None,
        })
    }

    /// Makes all that is known as it is to be.
    fn put_all(&mut self) -> io::Result<()> {
        let is_changed = |(path, known): &(&PathBuf, &Known)| !self.is_as_it_was(path, known);
        let changed: Vec<_> = self.known.iter().filter(is_changed).map(|(path, _)| path.clone()).collect();
        changed.iter().try_for_each(|path| self.put(path))
    }

    fn put(&self, path: &Path) -> io::Result<()> {
        let Some(known) = self.known.get(path) else { return Ok(()) };
        let directory = self.directory();
        match &known.content {
            Content::Directory if path.as_os_str().is_empty() => Ok(()),
            Content::Directory => entry::put_directory(directory, path),
            Content::Written { content, mode } => {
                let look = self.file_look(path)?;
                entry::put_file(directory, path, content, mode.map_or(look, |mode| look.with_mode(mode)))
            }
            Content::AsBelow => {
                let mut content = Vec::new();
                let lower = self.lower.as_ref().ok_or(io::ErrorKind::NotFound)?;
                entry::open_file(lower.as_fd(), path)?.read_to_end(&mut content)?;
                entry::put_file(directory, path, &content, self.file_look(path)?)
            }
            Content::Link(target) => {
                entry::remove(directory, path)?;
                entry::put_link(directory, path, target)
            }
            Content::Hidden => match entry::look(directory, path)? {
                Some(_) => entry::remove(directory, path),
                None => Ok(()),
            },
        }
    }

    fn file_look(&self, path: &Path) -> io::Result<FileAttributes> {
        Ok(self.look_below(path, FileType::RegularFile)?.unwrap_or(FileAttributes::of_file(self.owner)))
    }

    /// How something of the same kind looks below.
    fn look_below(&self, path: &Path, kind: FileType) -> io::Result<Option<FileAttributes>> {
        let Some(lower) = &self.lower else { return Ok(None) };
        let below = entry::look(lower.as_fd(), path)?.filter(|stat| entry::kind(stat) == kind);
        Ok(below.map(|stat| FileAttributes::like(&stat)))
    }

    /// Gives all directories their time back, and remembers how all looks.
    fn settle(&mut self) -> io::Result<()> {
        let paths: Vec<_> = self.known.keys().cloned().collect();
        self.settle_those(&paths)
    }

    fn settle_at(&mut self, path: &Path) -> io::Result<()> {
        let mut paths: Vec<_> = path.ancestors().map(Path::to_owned).collect();
        paths.reverse();
        self.settle_those(&paths)
    }

    fn settle_those(&mut self, paths: &[PathBuf]) -> io::Result<()> {
        for path in paths {
            let Some(known) = self.known.get(path) else { continue };
            if known.content == Content::Directory && !self.is_as_it_was(path, known) {
                let look =
                    self.look_below(path, FileType::Directory)?.unwrap_or(FileAttributes::of_directory(self.owner));
                look.give(entry::open_directory(self.directory(), path)?.as_fd())?;
            }
        }
        self.remember(paths);
        Ok(())
    }

    fn remember(&mut self, paths: &[PathBuf]) {
        for path in paths {
            let stamp = self.stamp(path);
            if let Some(known) = self.known.get_mut(path) {
                known.stamp = stamp;
            }
        }
    }

    fn children(&self, path: &Path) -> io::Result<Vec<(PathBuf, Stat)>> {
        children(self.scratch(), path)
    }
}

fn too_much() -> io::Error {
    io::Error::other("too much was changed")
}

fn children(base: BorrowedFd<'_>, path: &Path) -> io::Result<Vec<(PathBuf, Stat)>> {
    let mut children = Vec::new();
    let directory = entry::open_directory(base, path)?;
    for child in Dir::read_from(&directory)? {
        let child = child?;
        let name = std::ffi::OsStr::from_bytes(child.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        if let Some(stat) = entry::look(directory.as_fd(), Path::new(name))? {
            children.push((path.join(name), stat));
        }
    }
    Ok(children)
}
