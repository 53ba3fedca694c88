//! What inputs bring to a writable directory: files, directories, links, and that something is not there.
//!
//! What is below and just so is left where it is: most of what an input brings lies there already.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, readlinkat};

use super::{Content, Known, MAX_RESTORED, WritableDirectory};
use crate::entry;

impl WritableDirectory {
    /// Writes a file, and makes the directories to it. Without a mode it has that of the file below, or the usual one.
    /// Nothing is done if it is already there.
    pub fn write(&mut self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        if self.has(path, content, mode) || self.is_so_below(path, content, mode)? {
            return Ok(());
        }
        self.make_way(path.parent().unwrap_or(Path::new("")))?;
        self.replace(path, FileType::RegularFile)?;
        self.bring(path, Content::Written { content: content.to_vec(), mode })
    }

    /// Makes a directory, and those to it.
    pub fn make_directory(&mut self, path: &Path) -> io::Result<()> {
        let is_known = self.known.get(path).is_some_and(|known| known.content == Content::Directory);
        if self.is_seen_as(path, FileType::Directory)? && (is_known || self.stamp(path).is_none()) {
            return Ok(());
        }
        self.make_way(path)?;
        self.settle_at(path)
    }

    /// Makes a symbolic link, and the directories to it.
    pub fn link(&mut self, path: &Path, target: &OsStr) -> io::Result<()> {
        let wanted = Content::Link(target.to_owned());
        if self.known.get(path).is_some_and(|known| known.content == wanted && self.is_as_it_was(path, known)) {
            return Ok(());
        }
        let is_there = self.is_seen_as(path, FileType::Symlink)? && self.stamp(path).is_none();
        if is_there && OsString::from_vec(readlinkat(self.directory(), path, Vec::new())?.into_bytes()) == target {
            return Ok(());
        }
        self.make_way(path.parent().unwrap_or(Path::new("")))?;
        self.bring(path, wanted)
    }

    /// Has nothing be at a path.
    pub fn hide(&mut self, path: &Path) -> io::Result<()> {
        let is_seen = entry::look(self.directory(), path)?.is_some();
        let is_hidden = self.known.get(path).is_some_and(|known| known.content == Content::Hidden);
        if is_hidden || (!is_seen && !self.known.contains_key(path)) {
            return Ok(());
        }
        self.forget_in(path);
        if self.is_below(path)? {
            self.make_way(path.parent().unwrap_or(Path::new("")))?;
            return self.bring(path, Content::Hidden);
        }
        self.known.remove(path);
        entry::remove(self.directory(), path)?;
        self.settle_at(path)
    }

    /// Undoes what was brought to a path.
    pub fn remove(&mut self, path: &Path) -> io::Result<()> {
        if self.known.get(path).is_some_and(|known| known.brought) {
            self.take_back(path)?;
            self.settle_at(path)?;
        }
        Ok(())
    }

    /// Undoes all changes, and all that was brought. True if there was anything.
    pub fn reset_and_clear(&mut self) -> io::Result<bool> {
        let is_changed = self.reset()?;
        let brought: Vec<_> =
            self.known.iter().filter(|(_, known)| known.brought).map(|(path, _)| path.clone()).collect();
        if brought.is_empty() {
            return Ok(is_changed);
        }
        brought.iter().rev().try_for_each(|path| self.take_back(path))?;
        self.settle()?;
        Ok(true)
    }

    /// How many entries are known: each is looked at by every reset.
    pub fn size(&self) -> usize {
        self.known.len()
    }

    /// Brings all that another writable directory was brought.
    pub fn take_over(&mut self, other: &WritableDirectory) -> io::Result<()> {
        other.known.iter().filter(|(_, known)| known.brought).try_for_each(|(path, known)| match &known.content {
            Content::Directory => {
                if known.own {
                    self.hide(path)?;
                }
                self.make_directory(path)
            }
            Content::Written { content, mode } => self.write(path, content, *mode),
            Content::Link(target) => self.link(path, target),
            Content::Hidden => self.hide(path),
            Content::AsBelow => Ok(()),
        })
    }

    fn bring(&mut self, path: &Path, content: Content) -> io::Result<()> {
        let known = Known { content, stamp: None, brought: true, own: false };
        self.known.insert(path.to_owned(), known);
        self.put(path)?;
        self.settle_at(path)
    }

    /// Whether a file is there already, as it is to be.
    fn has(&self, path: &Path, wanted: &[u8], wanted_mode: Option<u32>) -> bool {
        self.known.get(path).is_some_and(|known| match &known.content {
            Content::Written { content, mode } => {
                known.brought && content == wanted && *mode == wanted_mode && self.is_as_it_was(path, known)
            }
            _ => false,
        })
    }

    /// Whether a file is seen from below, as it is to be, or was made again as it is below.
    fn is_so_below(&self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<bool> {
        let as_below = |known: &Known| known.content == Content::AsBelow && self.is_as_it_was(path, known);
        if self.lower.is_none() || (self.stamp(path).is_some() && !self.known.get(path).is_some_and(as_below)) {
            return Ok(false);
        }
        let Some(stat) = entry::look(self.directory(), path)? else { return Ok(false) };
        let is_regular = entry::kind(&stat) == FileType::RegularFile;
        let has_mode = mode.is_none_or(|mode| (stat.st_mode ^ mode) & 0o7777 == 0);
        if !is_regular || !has_mode || stat.st_size as u64 != content.len() as u64 {
            return Ok(false);
        }
        let mut there = Vec::with_capacity(content.len());
        let read = entry::open_file(self.directory(), path).and_then(|mut file| file.read_to_end(&mut there));
        Ok(read.is_ok() && there == content)
    }

    fn is_seen_as(&self, path: &Path, kind: FileType) -> io::Result<bool> {
        Ok(entry::look(self.directory(), path)?.is_some_and(|stat| entry::kind(&stat) == kind))
    }

    /// Whether there is something below that would be seen if nothing was brought.
    pub(super) fn is_below(&self, path: &Path) -> io::Result<bool> {
        let Some(lower) = &self.lower else { return Ok(false) };
        let is_own = |path: &Path| self.known.get(path).is_some_and(|known| known.own);
        Ok(!path.ancestors().skip(1).any(is_own) && entry::look(lower.as_fd(), path)?.is_some())
    }

    /// Makes a directory and all that lead to it.
    fn make_way(&mut self, path: &Path) -> io::Result<()> {
        let ancestors: Vec<_> = path.ancestors().map(Path::to_owned).collect();
        for directory in ancestors.into_iter().rev() {
            if self.known.get(&directory).is_some_and(|known| known.content == Content::Directory) {
                continue;
            }
            let brought = !(self.is_seen_as(&directory, FileType::Directory)? && self.is_below(&directory)?);
            self.replace(&directory, FileType::Directory)?;
            let known = Known { content: Content::Directory, stamp: None, brought, own: false };
            self.known.insert(directory.clone(), known);
            self.put(&directory)?;
            if brought && self.upper.is_some() && self.is_opaque(&directory) {
                self.own(&directory);
            }
        }
        Ok(())
    }

    fn own(&mut self, path: &Path) {
        if let Some(known) = self.known.get_mut(path) {
            known.own = true;
        }
    }

    /// Makes way for something of another kind.
    fn replace(&self, path: &Path, kind: FileType) -> io::Result<()> {
        match entry::look(self.directory(), path)? {
            Some(stat) if entry::kind(&stat) != kind => entry::remove(self.directory(), path),
            _ => Ok(()),
        }
    }

    fn forget_in(&mut self, path: &Path) {
        self.known.retain(|known, _| known == path || !known.starts_with(path));
    }

    /// Makes a path what it would be if nothing had been brought to it.
    fn take_back(&mut self, path: &Path) -> io::Result<()> {
        let known = self.known.remove(path);
        if self.is_below(path)? {
            return self.take_back_to_below(path, known);
        }
        self.forget_in(path);
        match self.first.get(path).cloned() {
            Some(content) => {
                self.replace(path, FileType::RegularFile)?;
                self.know(path.to_owned(), Content::Written { content, mode: None });
                self.put(path)
            }
            None => entry::remove(self.directory(), path),
        }
    }

    fn take_back_to_below(&mut self, path: &Path, known: Option<Known>) -> io::Result<()> {
        let too_much = || io::Error::other("too much was brought");
        let lower = self.lower.as_ref().ok_or_else(too_much)?;
        let stat = entry::look(lower.as_fd(), path)?.ok_or_else(too_much)?;
        let content = self.as_below(path, &stat)?.ok_or_else(too_much)?;
        match (&content, known) {
            (Content::Directory, Some(known)) if known.content == Content::Directory && !known.own => {
                self.known.insert(path.to_owned(), Known { brought: false, ..known });
            }
            (Content::Directory, _) => {
                self.forget_in(path);
                entry::remove(self.directory(), path)?;
                self.know(path.to_owned(), content);
                let mut left = MAX_RESTORED;
                self.plan_copy(path, &mut left)?;
                // It hides the one below, so all that is in that has to be in this.
                self.own(path);
                let copied: Vec<PathBuf> = self.known.keys().filter(|known| known.starts_with(path)).cloned().collect();
                copied.iter().try_for_each(|path| self.put(path))?;
            }
            (Content::AsBelow, _) if stat.st_size as u64 > MAX_RESTORED => return Err(too_much()),
            _ => {
                self.replace(path, FileType::RegularFile)?;
                self.know(path.to_owned(), content);
                self.put(path)?;
            }
        }
        Ok(())
    }
}
