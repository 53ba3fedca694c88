//! What a sandbox is handed by its helper.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Gid, Uid};

use crate::mounts::kind;
use crate::settings::{Directory, SandboxSettings};
use crate::wire::Message;
use crate::writable::WritableDirectory;

/// What a sandbox consists of.
pub struct Parts {
    pub working: WritableDirectory,
    pub replaced: Option<WritableDirectory>,
    pub others: Vec<(PathBuf, WritableDirectory)>,
    pub scratch: Option<OwnedFd>,
    pub root: Option<OwnedFd>,
    pub without: Vec<String>,
    /// Places whose content is not seen through them.
    pub to_copy: Vec<PathBuf>,
}

/// Those of a sandbox without walls, in a directory.
pub fn unconfined_parts(settings: &SandboxSettings, path: &Path) -> io::Result<Parts> {
    let lower = match &settings.directory {
        Directory::CopyOf(directory) => Some(File::open(directory)?.into()),
        Directory::Empty => None,
    };
    let to_copy = lower.iter().map(|_| path.to_owned()).collect();
    let working = WritableDirectory::new(File::open(path)?.into(), None, lower, None)?;
    let (others, without) = (Vec::new(), Vec::new());
    Ok(Parts { working, replaced: None, others, scratch: None, root: None, without, to_copy })
}

/// Takes the descriptors of a sandbox apart.
pub fn parts(ready: Message, owner: Option<(Uid, Gid)>) -> io::Result<Parts> {
    let missing = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let mut files = ready.files.into_iter();
    let mut file = || files.next().ok_or_else(missing);
    let (scratch, root) = (Some(file()?), Some(file()?));
    let kinds = ready.numbers.get(2..).unwrap_or_default();
    let mut texts = ready.texts.into_iter();
    let (mut writables, mut to_copy) = (Vec::new(), Vec::new());
    for kind in kinds {
        let path = PathBuf::from(OsString::from_vec(texts.next().ok_or_else(missing)?));
        let directory = file()?;
        let upper = (*kind == kind::OVERLAY).then(&mut file).transpose()?;
        let lower = (*kind != kind::PLAIN).then(&mut file).transpose()?;
        to_copy.extend((*kind == kind::TO_COPY).then(|| path.clone()));
        writables.push((path, WritableDirectory::new(directory, upper, lower, owner)?));
    }
    let without = texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect();
    let mut writables = writables.into_iter();
    let (_, working) = writables.next().ok_or_else(missing)?;
    let replaced = writables.next().map(|(_, writable)| writable);
    Ok(Parts { working, replaced, others: writables.collect(), scratch, root, without, to_copy })
}
