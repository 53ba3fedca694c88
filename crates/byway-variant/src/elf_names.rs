//! The names that ELF files have for the dynamic linker.

use std::path::Path;

use object::elf::{DT_SONAME, FileHeader64};
use object::endian::LittleEndian;
use object::read::elf::{Dyn, FileHeader};

/// The name under which the dynamic linker looks for a shared library: what the library says, or else its file's name.
pub fn shared_name(path: &Path) -> String {
    let own = std::fs::read(path).ok().and_then(|data| soname(&data));
    own.unwrap_or_else(|| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

fn soname(data: &[u8]) -> Option<String> {
    let endian = LittleEndian;
    let header = FileHeader64::<LittleEndian>::parse(data).ok()?;
    let sections = header.sections(endian, data).ok()?;
    let (entries, strings) = sections.dynamic(endian, data).ok()??;
    let strings = sections.strings(endian, data, strings).ok()?;
    let entry = entries.iter().find(|entry| entry.d_tag(endian) == DT_SONAME)?;
    let name = entry.string(endian, strings).ok()?;
    Some(String::from_utf8_lossy(name).into_owned())
}
