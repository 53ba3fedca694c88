//! Files in memory that runs read and write, and the files that a run changed.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use byway_confine::{PathChange, Sandbox};
use byway_input::{Content, FileChange, FileChanges, MAX_WHOLE};
use rustix::fs::{MemfdFlags, memfd_create};

/// A new file in memory.
pub fn memory(name: &str) -> io::Result<File> {
    Ok(memfd_create(name, MemfdFlags::CLOEXEC)?.into())
}

/// A file in memory with something to read.
pub fn memory_with(name: &str, content: &[u8]) -> io::Result<File> {
    let mut file = memory(name)?;
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}

/// What was written to a file.
pub fn written(file: &mut File) -> io::Result<Content> {
    file.rewind()?;
    Content::read(file)
}

/// The beginning of what was written to a file.
pub fn beginning(file: &mut File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.rewind()?;
    file.take(MAX_WHOLE).read_to_end(&mut content)?;
    Ok(content)
}

/// What programs changed in a sandbox since it was reset: what is below `directory` from there on.
pub fn changes(sandbox: &Sandbox, directory: &Path) -> io::Result<FileChanges> {
    let mut changes = FileChanges::new();
    sandbox.each_change(&mut |path, change| {
        let change = match change {
            PathChange::File { file, mode } => FileChange::Written { content: Content::read(file)?, mode },
            PathChange::Directory => FileChange::Directory,
            PathChange::Link(target) => FileChange::Link(target),
            PathChange::Special => FileChange::Special,
            PathChange::Removed => FileChange::Removed,
        };
        changes.insert(path.strip_prefix(directory).unwrap_or(path).to_owned(), change);
        Ok(())
    })?;
    Ok(changes)
}
