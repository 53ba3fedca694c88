//! Standard output and standard error of a run whose written bytes are checked: files, since offsets are known in files only.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd};

/// What a run writes to standard output and standard error, until it has ended.
pub struct KeptOutputs([File; 2]);

impl KeptOutputs {
    /// Two empty files.
    pub fn new() -> io::Result<KeptOutputs> {
        Ok(KeptOutputs([tempfile::tempfile()?, tempfile::tempfile()?]))
    }

    /// The files for the run.
    pub fn files(&self) -> [BorrowedFd<'_>; 2] {
        self.0.each_ref().map(AsFd::as_fd)
    }

    /// Copies both to our own. What is in them.
    pub fn pass_on(&self) -> io::Result<[Vec<u8>; 2]> {
        let texts = self.0.each_ref().map(|mut file| -> io::Result<Vec<u8>> {
            let mut text = Vec::new();
            file.rewind()?;
            file.read_to_end(&mut text)?;
            Ok(text)
        });
        let [stdout, stderr] = texts;
        let (stdout, stderr) = (stdout?, stderr?);
        // A reader that closed its end has seen enough.
        let _ = io::stdout().write_all(&stdout).and_then(|()| io::stdout().flush());
        let _ = io::stderr().write_all(&stderr);
        Ok([stdout, stderr])
    }
}
