//! Output that nobody reads.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// Where runs write what nobody reads.
///
/// It is not `/dev/null`: programs look whether they write there, and then do less. `grep` stops at its first match. What is written to
/// `/dev/zero` is gone as well, and no file becomes too large.
#[derive(Debug)]
pub struct Sink(File);

impl Sink {
    /// One for any number of runs.
    pub fn new() -> io::Result<Sink> {
        File::options().write(true).open("/dev/zero").map(Sink)
    }
}

impl AsFd for Sink {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
