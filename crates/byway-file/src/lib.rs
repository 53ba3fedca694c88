//! Reads files that somebody else may have written.
//!
//! Seeds, tests and programs come from elsewhere, and so can be anything: a FIFO that nobody writes to, a link to
//! `/dev/zero`, a file of a terabyte. [`open`] opens what is at a path and then looks at what it has opened, so nothing can
//! be put in its place between the two; it takes regular files only. [`read`] reads such a file up to a limit.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

/// The most bytes of a file that describes something: JSON, a journal.
pub const DESCRIPTION: u64 = 1 << 30;
/// The most bytes of a file that is an input of a program.
pub const INPUT: u64 = 1 << 30;
/// The most bytes of a program or a library.
pub const PROGRAM: u64 = 4 << 30;

/// How often, and how long apart, a lock that somebody holds is asked for again.
const LOCK_TRIES: u32 = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Keeps others from locking a file as long as it is open. Says whether it could; where there are no locks it is up to the user.
///
/// A process that is just being started has copies of all open files until it executes its program, and so holds locks that were
/// given up here meanwhile. So a lock is asked for again for a while before somebody else is said to hold it.
pub fn lock(file: &File) -> bool {
    (0..LOCK_TRIES).any(|tried| {
        if tried > 0 {
            thread::sleep(LOCK_PAUSE);
        }
        flock(file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK)
    })
}

/// Opens a regular file for reading; anything else is an error, at once.
pub fn open(path: &Path) -> io::Result<File> {
    // Without waiting: a FIFO has a reader then, whether somebody writes to it or not.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)?;
    regular(file)
}

fn regular(file: File) -> io::Result<File> {
    let kind = file.metadata()?.file_type();
    match () {
        () if kind.is_file() => Ok(file),
        () if kind.is_dir() => Err(Errno::ISDIR.into()),
        () => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}

/// Reads a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_open(open(path)?, limit)
}

/// The same for what is open already, without waiting for it (`O_NONBLOCK`).
pub fn read_open(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let file = regular(file)?;
    let length = file.metadata()?.len();
    if length > limit {
        return Err(too_large(limit));
    }
    let mut content = Vec::with_capacity(length as usize);
    // It may grow meanwhile.
    file.take(limit + 1).read_to_end(&mut content)?;
    if content.len() as u64 > limit { Err(too_large(limit)) } else { Ok(content) }
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than the {limit} bytes that byway reads"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_regular_file_is_read_up_to_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, b"content").unwrap();
        assert_eq!(read(&path, 7).unwrap(), b"content");
        assert_eq!(read(&path, 6).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        let link = directory.path().join("link");
        symlink(&path, &link).unwrap();
        assert_eq!(read(&link, 7).unwrap(), b"content");
    }

    #[test]
    fn what_is_no_regular_file_is_an_error_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let fifo = directory.path().join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let zeros = directory.path().join("zeros");
        symlink("/dev/zero", &zeros).unwrap();
        for path in [&fifo, &zeros] {
            assert_eq!(read(path, 1 << 20).unwrap_err().to_string(), "not a regular file");
        }
        assert_eq!(read(directory.path(), 1 << 20).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_file_of_a_terabyte_is_refused_before_it_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("holes");
        if File::create(&path).unwrap().set_len(1 << 40).is_ok() {
            assert_eq!(read(&path, DESCRIPTION).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        }
    }
}
