//! What ELF files say to the dynamic linker.

use std::path::Path;

use object::elf::{DT_NEEDED, DT_SONAME, DynamicTag, FileHeader64};
use object::endian::LittleEndian;
use object::read::elf::{Dyn, FileHeader};

/// The name under which the dynamic linker looks for a shared library: what the library says, or else its file's name.
pub fn shared_name(path: &Path) -> String {
    let own =
        byway_file::read(path, byway_file::PROGRAM).ok().and_then(|data| strings(&data, DT_SONAME).into_iter().next());
    own.unwrap_or_else(|| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

/// The names of the shared libraries that an ELF file, given as bytes, needs.
pub(crate) fn needed(data: &[u8]) -> Vec<String> {
    strings(data, DT_NEEDED)
}

fn strings(data: &[u8], tag: DynamicTag) -> Vec<String> {
    let endian = LittleEndian;
    let read = || {
        let header = FileHeader64::<LittleEndian>::parse(data).ok()?;
        let sections = header.sections(endian, data).ok()?;
        let (entries, index) = sections.dynamic(endian, data).ok()??;
        let table = sections.strings(endian, data, index).ok()?;
        let entries = entries.iter().filter(|entry| entry.d_tag(endian) == tag);
        let names = entries.filter_map(|entry| entry.string(endian, table).ok());
        Some(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    };
    read().unwrap_or_default()
}
