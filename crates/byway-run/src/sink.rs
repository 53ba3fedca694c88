//! Output that nobody reads.

use std::fs::File;
use std::io::{self, Seek};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{MemfdFlags, memfd_create};

/// A file for what runs write and nobody reads.
///
/// It is not `/dev/null`: programs look whether they write there, and then do less. `grep` stops at its first match.
#[derive(Debug)]
pub struct Sink(File);

impl Sink {
    /// An empty one.
    pub fn new() -> io::Result<Sink> {
        Ok(Sink(memfd_create("sink", MemfdFlags::CLOEXEC)?.into()))
    }

    /// Forgets what was written.
    pub fn clear(&mut self) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.rewind()
    }
}

impl AsFd for Sink {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
