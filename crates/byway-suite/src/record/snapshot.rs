//! What a run sees of the file system, as it was when it first looked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use byway_report::Text;
use nix::libc;

use super::content_store::ContentStore;
use super::settings::RecordSettings;
use crate::stored::{Hash, StoredFile, StoredMissing};
use byway_input::is_of_machine;

/// As many links as the kernel follows.
const MOST_LINKS: usize = 40;

/// Why something is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It is named by an argument.
    Named,
    /// It is opened, with these flags.
    Opened(i32),
}

/// What a run has seen so far.
#[derive(Debug, Default)]
pub struct FilesSeen {
    seen: BTreeSet<PathBuf>,
    files: Vec<StoredFile>,
    directories: BTreeSet<PathBuf>,
    listed: BTreeSet<PathBuf>,
    links: BTreeMap<PathBuf, PathBuf>,
    absent: BTreeSet<PathBuf>,
    missing: BTreeMap<PathBuf, String>,
    bytes: u64,
}

/// The parts of a seed that are about files.
#[derive(Debug, Default)]
pub struct Parts {
    pub files: Vec<StoredFile>,
    pub directories: Vec<Text>,
    pub links: Vec<(Text, Text)>,
    pub absent: Vec<Text>,
    pub missing: Vec<StoredMissing>,
}

impl FilesSeen {
    /// Notes what is at a path, if that is not the machine's.
    pub fn look(&mut self, path: &Path, look: Access, settings: &RecordSettings, contents: &ContentStore) {
        if is_system(path, settings) {
            return;
        }
        let mut links = Vec::new();
        let Some((path, metadata)) = walk(path, &mut links) else { return };
        if is_system(&path, settings) {
            return;
        }
        match metadata {
            None if look == Access::Named && !path.parent().is_some_and(Path::is_dir) => return,
            None if self.seen.contains(&path) || is_searched_by_loader(&path, look) || is_temporary(look) => {}
            None => {
                if let Some(parent) = path.parent().filter(|parent| parent.is_dir()) {
                    self.directory_is_there(parent, settings);
                }
                self.seen.insert(path.clone());
                self.absent.insert(path);
            }
            Some(metadata) if metadata.is_dir() => self.directory_is_there(&path, settings),
            Some(metadata) => self.file(path, &metadata, look, settings, contents),
        }
        self.links.extend(links);
    }

    /// Notes that a directory is there.
    pub fn directory_is_there(&mut self, path: &Path, settings: &RecordSettings) {
        if !is_system(path, settings) && !self.absent.contains(path) {
            self.directories.insert(path.to_owned());
        }
    }

    /// Notes that something cannot be kept.
    pub fn miss(&mut self, path: PathBuf, why: impl Into<String>) {
        self.missing.entry(path).or_insert_with(|| why.into());
    }

    /// Keeps content, if it is not too much.
    pub fn keep(
        &mut self,
        path: &Path,
        metadata: &Metadata,
        settings: &RecordSettings,
        contents: &ContentStore,
    ) -> Option<Hash> {
        let limits = &settings.limits;
        let size = metadata.len();
        let why = if size > limits.file {
            format!("{size} bytes are too many: at most {} of a file are kept", limits.file)
        } else if self.bytes + size > limits.seed {
            format!("at most {} bytes of all files of a run are kept", limits.seed)
        } else {
            match contents.keep_file(path, metadata) {
                Ok(hash) => {
                    self.bytes += size;
                    return Some(hash);
                }
                Err(error) => format!("it cannot be read: {error}"),
            }
        };
        self.miss(path.to_owned(), why);
        None
    }

    fn file(
        &mut self,
        path: PathBuf,
        metadata: &Metadata,
        look: Access,
        settings: &RecordSettings,
        contents: &ContentStore,
    ) {
        if !self.seen.insert(path.clone()) {
            return;
        }
        if !metadata.is_file() {
            return self.miss(path, "it is no regular file");
        }
        if matches!(look, Access::Opened(flags) if is_of_loader(flags)) && contents.is_library(&path, metadata) {
            self.seen.remove(&path);
            return;
        }
        if let Some(parent) = path.parent() {
            self.directory_is_there(parent, settings);
        }
        if let Some(content) = self.keep(&path, metadata, settings, contents) {
            self.files.push(StoredFile { path: path.as_path().into(), content, mode: metadata.mode() & 0o7777 });
        }
    }

    /// Notes everything in a directory, if it is not too much.
    pub fn list(&mut self, path: &Path, settings: &RecordSettings, contents: &ContentStore) {
        self.directory_is_there(path, settings);
        if !self.directories.contains(path) || !self.listed.insert(path.to_owned()) {
            return;
        }
        let (path, limits) = (path.to_owned(), &settings.limits);
        let Ok(entries) = fs::read_dir(&path) else { return self.miss(path, "it cannot be listed") };
        let entries: Vec<_> = entries.filter_map(Result::ok).take(limits.entries + 1).collect();
        if entries.len() > limits.entries {
            return self.miss(path, format!("it has more than {} entries", limits.entries));
        }
        for entry in entries {
            let (path, Ok(metadata)) = (entry.path(), entry.metadata()) else { continue };
            if metadata.is_dir() {
                self.directory_is_there(&path, settings);
            } else if metadata.is_symlink() {
                self.links.extend(fs::read_link(&path).map(|target| (path, target)));
            } else if metadata.is_file() && metadata.len() > limits.entry {
                if !self.seen.contains(&path) {
                    self.miss(
                        path,
                        format!("it is in a directory that was read, and larger than {} KB", limits.entry >> 10),
                    );
                }
            } else if metadata.is_file() {
                self.file(path, &metadata, Access::Named, settings, contents);
            }
        }
    }

    /// All of it.
    pub fn into_parts(mut self) -> Parts {
        self.files.sort_by(|one, other| one.path.cmp(&other.path));
        // What was first too large in a list may have been opened and kept later.
        self.missing.retain(|path, _| !self.files.iter().any(|file| file.path.to_path() == *path));
        let text = |path: &PathBuf| Text::from(path.as_path());
        Parts {
            files: self.files,
            directories: self.directories.iter().map(text).collect(),
            links: self.links.iter().map(|(path, target)| (text(path), text(target))).collect(),
            absent: self.absent.iter().map(text).collect(),
            missing: self
                .missing
                .iter()
                .map(|(path, why)| StoredMissing { path: text(path), why: why.clone() })
                .collect(),
        }
    }
}

/// The dynamic loader opens files like this, and so may others.
fn is_of_loader(flags: i32) -> bool {
    flags == libc::O_CLOEXEC
}

/// Whether the dynamic loader looks for a library, in one place after the other.
fn is_searched_by_loader(path: &Path, look: Access) -> bool {
    let is_library = path.file_name().is_some_and(|name| name.to_string_lossy().contains(".so"));
    is_library && matches!(look, Access::Opened(flags) if is_of_loader(flags))
}

/// Whether a file is made as `mkstemp` makes one, under a name that is another the next time.
fn is_temporary(look: Access) -> bool {
    let made = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
    matches!(look, Access::Opened(flags) if flags & (libc::O_ACCMODE | libc::O_CREAT | libc::O_EXCL) == made)
}

fn is_system(path: &Path, settings: &RecordSettings) -> bool {
    if settings.skipped.iter().any(|skipped| path.starts_with(skipped)) {
        return true;
    }
    !path.starts_with(&settings.tree) && is_of_machine(path)
}

/// What an absolute path leads to: the way without links, and what is there, if anything is. The links on the way are
/// added to `links`.
fn walk(path: &Path, links: &mut Vec<(PathBuf, PathBuf)>) -> Option<(PathBuf, Option<Metadata>)> {
    let mut at = PathBuf::from("/");
    let mut metadata = fs::symlink_metadata(&at).ok();
    let mut left: Vec<PathBuf> = Vec::new();
    let push = |left: &mut Vec<PathBuf>, path: &Path| {
        left.extend(path.components().rev().map(|component| PathBuf::from(component.as_os_str())));
    };
    push(&mut left, path);
    while let Some(name) = left.pop() {
        match name.components().next() {
            Some(Component::Normal(_)) => {}
            Some(Component::ParentDir) => {
                at.pop();
                metadata = fs::symlink_metadata(&at).ok();
                continue;
            }
            Some(Component::RootDir) => {
                at = PathBuf::from("/");
                metadata = fs::symlink_metadata(&at).ok();
                continue;
            }
            _ => continue,
        }
        at.push(&name);
        metadata = match fs::symlink_metadata(&at) {
            Ok(found) => Some(found),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                at.extend(left.iter().rev());
                return Some((at, None));
            }
            Err(_) => return None,
        };
        if metadata.as_ref().is_some_and(Metadata::is_symlink) {
            let target = fs::read_link(&at).ok()?;
            links.push((at.clone(), target.clone()));
            if links.len() > MOST_LINKS {
                return None;
            }
            at.pop();
            push(&mut left, &target);
        }
    }
    Some((at, metadata))
}
