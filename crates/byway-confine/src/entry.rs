//! One file or directory of a writable directory, looked at from outside.
//!
//! Programs may have put links anywhere. Seen from outside they would lead out of the sandbox, so no link is ever followed
//! here.

use std::ffi::{OsStr, OsString};
use std::fs::Permissions;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, FileType, Gid, Mode, OFlags, ResolveFlags, Stat, Timespec, Timestamps, Uid, fchmod, fchown, fstat,
    futimens, mkdirat, openat, openat2, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

/// When everything was written that an input brings: the same in every run.
const ALWAYS: Timespec = Timespec { tv_sec: 1_577_836_800, tv_nsec: 0 };

/// How a file differs from a changed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    inode: u64,
    mode: u32,
    owner: (u32, u32),
    size: i64,
    written: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// The kind of the file, and its permissions.
    pub fn mode(&self) -> u32 {
        self.mode
    }
}

impl From<Stat> for Stamp {
    fn from(stat: Stat) -> Stamp {
        Stamp {
            inode: stat.st_ino as _,
            mode: stat.st_mode as _,
            owner: (stat.st_uid, stat.st_gid),
            size: stat.st_size as _,
            written: (stat.st_mtime as _, stat.st_mtime_nsec as _),
            changed: (stat.st_ctime as _, stat.st_ctime_nsec as _),
        }
    }
}

/// How something looks that is put into a writable directory.
#[derive(Debug, Clone, Copy)]
pub struct FileAttributes {
    mode: Mode,
    time: Timespec,
    owner: Option<(Uid, Gid)>,
}

impl FileAttributes {
    /// A file that an input brings.
    pub fn of_file(owner: Option<(Uid, Gid)>) -> FileAttributes {
        FileAttributes { mode: Mode::from(0o644), time: ALWAYS, owner }
    }

    /// A directory that an input brings.
    pub fn of_directory(owner: Option<(Uid, Gid)>) -> FileAttributes {
        FileAttributes { mode: Mode::from(0o755), time: ALWAYS, owner }
    }

    /// As something looks that exists.
    pub fn like(stat: &Stat) -> FileAttributes {
        let time = Timespec { tv_sec: stat.st_mtime as _, tv_nsec: stat.st_mtime_nsec as _ };
        let owner = Some((Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid)));
        FileAttributes { mode: Mode::from_raw_mode(stat.st_mode), time, owner }
    }

    /// The same with other permissions.
    pub fn with_mode(self, mode: u32) -> FileAttributes {
        FileAttributes { mode: Mode::from_raw_mode(mode & 0o7777), ..self }
    }

    /// Makes a file look so.
    pub fn give(&self, file: BorrowedFd<'_>) -> io::Result<()> {
        if let Some((user, group)) = self.owner {
            // What belongs to somebody the sandbox does not know becomes ours.
            let _ = fchown(file, Some(user), Some(group));
        }
        fchmod(file, self.mode)?;
        Ok(futimens(file, &Timestamps { last_access: self.time, last_modification: self.time })?)
    }
}

/// Opens a directory below another one.
pub fn open_directory(base: BorrowedFd<'_>, path: &Path) -> io::Result<OwnedFd> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    Ok(openat2(base, path, flags, Mode::empty(), resolve)?)
}

/// The directory that something is in, and its name there.
fn place(base: BorrowedFd<'_>, path: &Path) -> io::Result<(OwnedFd, OsString)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let parent = path.parent().unwrap_or(Path::new(""));
    Ok((open_directory(base, parent)?, name.to_owned()))
}

/// What is at a path; `None` if nothing is.
pub fn look(base: BorrowedFd<'_>, path: &Path) -> io::Result<Option<Stat>> {
    let stat = match path.as_os_str().is_empty() {
        true => fstat(base),
        false => statat(base, path, AtFlags::SYMLINK_NOFOLLOW),
    };
    match stat {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The kind of what is at a path.
pub fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// Opens a file for reading.
pub fn open_file(base: BorrowedFd<'_>, path: &Path) -> io::Result<std::fs::File> {
    let (parent, name) = place(base, path)?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    Ok(openat(parent, name, flags, Mode::empty())?.into())
}

/// Lets its owner read a file.
pub fn make_readable(base: BorrowedFd<'_>, path: &Path) -> io::Result<()> {
    let (parent, name) = place(base, path)?;
    // What may not be read may be opened so, and no link is followed.
    let file = openat(parent, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    std::fs::set_permissions(path_of(&file), Permissions::from_mode(0o400))
}

/// Gives a file its permissions.
pub fn set_mode(file: &std::fs::File, mode: u32) -> io::Result<()> {
    Ok(fchmod(file, Mode::from_raw_mode(mode))?)
}

/// Writes a file, in place if there is one.
pub fn put_file(base: BorrowedFd<'_>, path: &Path, content: &[u8], look: FileAttributes) -> io::Result<()> {
    let (parent, name) = place(base, path)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let open = || openat(&parent, &name, flags, Mode::from(0o600));
    let opened = match open() {
        // A program made it unwritable, even for its owner, or it belongs to somebody whom the sandbox does not know.
        Err(error @ (Errno::ACCESS | Errno::OVERFLOW)) => match unlinkat(&parent, &name, AtFlags::empty()) {
            Err(Errno::NOENT) => Err(error),
            removed => removed.and_then(|()| open()),
        },
        opened => opened,
    };
    let mut file = std::fs::File::from(opened?);
    file.write_all(content)?;
    look.give(file.as_fd())
}

/// Makes a directory if there is none.
pub fn put_directory(base: BorrowedFd<'_>, path: &Path) -> io::Result<()> {
    let (parent, name) = place(base, path)?;
    match mkdirat(parent, name, Mode::from(0o755)) {
        Err(Errno::EXIST) => Ok(()),
        made => Ok(made?),
    }
}

/// Makes a symbolic link.
pub fn put_link(base: BorrowedFd<'_>, path: &Path, target: &OsStr) -> io::Result<()> {
    let (parent, name) = place(base, path)?;
    Ok(symlinkat(target, parent, name)?)
}

/// Removes whatever is at a path.
pub fn remove(base: BorrowedFd<'_>, path: &Path) -> io::Result<()> {
    let (parent, name) = place(base, path)?;
    match unlinkat(&parent, &name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    if unlinkat(&parent, &name, AtFlags::REMOVEDIR).is_ok() {
        return Ok(());
    }
    let full = path_of(&parent).join(&name);
    std::fs::remove_dir_all(&full).or_else(|_| {
        open_up_all(&parent, &name)?;
        std::fs::remove_dir_all(&full)
    })
}

/// A path by which the functions of the standard library find an open directory.
fn path_of(directory: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()))
}

/// Lets its owner do all with a directory.
pub fn open_up(base: BorrowedFd<'_>, path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() {
        return Ok(fchmod(base, Mode::RWXU)?);
    }
    let (parent, name) = place(base, path)?;
    open_up_at(&parent, &name)
}

fn open_up_at(parent: &OwnedFd, name: &OsStr) -> io::Result<()> {
    // What may not be read may be opened so, and no link is followed.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(parent, name, flags, Mode::empty())?;
    std::fs::set_permissions(path_of(&directory), Permissions::from_mode(0o700))
}

fn open_up_all(parent: &OwnedFd, name: &OsStr) -> io::Result<()> {
    open_up_at(parent, name)?;
    let directory = open_directory(parent.as_fd(), Path::new(name))?;
    for child in std::fs::read_dir(path_of(&directory))? {
        let child = child?;
        if child.file_type()?.is_dir() {
            open_up_all(&directory, &child.file_name())?;
        }
    }
    Ok(())
}
