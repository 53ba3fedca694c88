//! Static libraries: which of their members carry records.

use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;

use crate::elf;

/// A member of a static library.
pub struct Member {
    /// Its name in the library.
    pub name: String,
    /// Its content.
    pub data: Vec<u8>,
}

/// The members of the static library at `path`; those of a thin library are read from where it points.
pub fn members(path: &Path) -> std::io::Result<Vec<Member>> {
    let data = std::fs::read(path)?;
    let invalid = |error: object::Error| std::io::Error::new(std::io::ErrorKind::InvalidData, error.to_string());
    let archive = ArchiveFile::parse(&*data).map_err(invalid)?;
    let directory = path.parent().map(PathBuf::from).unwrap_or_default();
    let mut members = Vec::new();
    for member in archive.members() {
        let member = member.map_err(invalid)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let data = if archive.is_thin() {
            std::fs::read(directory.join(&name))?
        } else {
            member.data(&*data).map_err(invalid)?.to_vec()
        };
        members.push(Member { name, data });
    }
    Ok(members)
}

impl Member {
    /// Whether the member has a section of records.
    pub fn carries(&self) -> bool {
        matches!(elf::section(&self.data), Ok(Some(_)))
    }
}
