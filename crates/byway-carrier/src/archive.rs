//! Static libraries: which of their members carry records.

use std::io::{Error, ErrorKind, Result};
use std::path::Path;

use object::read::archive::ArchiveFile;

use crate::elf::{self, Carriage};

/// A member of a static library.
pub struct Member<'data> {
    /// Its name in the library.
    pub name: String,
    /// Its content.
    pub data: &'data [u8],
}

/// Calls `visit` with each member of the static library at `path`, whose content is `library`; those of a thin library are
/// read from where it points.
pub fn for_each_member(path: &Path, library: &[u8], mut visit: impl FnMut(Member<'_>) -> Result<()>) -> Result<()> {
    let invalid = |error: object::Error| Error::new(ErrorKind::InvalidData, error.to_string());
    let archive = ArchiveFile::parse(library).map_err(invalid)?;
    let directory = path.parent().unwrap_or(Path::new(""));
    for member in archive.members() {
        let member = member.map_err(invalid)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        if archive.is_thin() {
            let data = byway_file::read(&directory.join(&name), byway_file::PROGRAM)?;
            visit(Member { name, data: &data })?;
        } else {
            visit(Member { name, data: member.data(library).map_err(invalid)? })?;
        }
    }
    Ok(())
}

impl Member<'_> {
    /// Whether the member has bitcode.
    pub fn carries(&self) -> bool {
        matches!(elf::carriage(self.data), Carriage::Bitcode(_))
    }
}
