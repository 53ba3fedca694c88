//! Records in ELF files.
//!
//! [`append`] adds to a file in place and leaves everything the compiler or linker wrote where it was: new bytes go to
//! the end of the file, and the file header, written last, points to a new section table there. A file whose append is
//! interrupted is still the file it was.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::mem::size_of;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use object::elf::{ELFCLASS64, ELFDATA2LSB, ELFMAG, FileHeader64, SHN_LORESERVE, SHT_PROGBITS, SectionHeader64};
use object::endian::LittleEndian;
use object::pod;
use object::read::elf::{FileHeader, SectionHeader};
use object::{Object, ObjectSection};
use thiserror::Error;

use crate::SECTION;

type Header = FileHeader64<LittleEndian>;
type Section = SectionHeader64<LittleEndian>;
const LE: LittleEndian = LittleEndian;

/// Why a file cannot be read or extended.
#[derive(Debug, Error)]
pub enum ElfError {
    /// The operating system said no.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is some other kind of file.
    #[error("not an ELF file")]
    NotElf,
    /// It is an ELF file of a kind byway does not work with.
    #[error("not a 64-bit little-endian ELF file")]
    Unsupported,
    /// It has no room for another section.
    #[error("an ELF file with {0} sections cannot get another")]
    Sections(usize),
    /// It is damaged.
    #[error("damaged ELF file: {0}")]
    Damaged(String),
}

impl From<object::Error> for ElfError {
    fn from(error: object::Error) -> Self {
        ElfError::Damaged(error.to_string())
    }
}

/// The records of an ELF file given as bytes, or `None` if it has none. A file can have several sections of the name, one
/// that its linker concatenated and one that was appended after the link; they are read one after the other.
pub fn section(data: &[u8]) -> Result<Option<Vec<u8>>, ElfError> {
    let sections = sections(data)?;
    Ok((!sections.is_empty()).then(|| sections.concat()))
}

fn sections(data: &[u8]) -> Result<Vec<&[u8]>, ElfError> {
    check_class(data)?;
    let file = object::File::parse(data)?;
    let ours = file.sections().filter(|section| section.name_bytes() == Ok(SECTION.as_bytes()));
    let ours: Vec<&[u8]> = ours.map(|section| section.data()).collect::<Result<_, _>>()?;
    // Sections that share their bytes would have more than the file.
    if ours.iter().map(|section| section.len()).sum::<usize>() > data.len() {
        return Err(ElfError::Damaged(format!("its sections {SECTION} are larger than the file")));
    }
    Ok(ours)
}

/// What an object has of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carriage {
    /// This many modules of bitcode.
    Bitcode(usize),
    /// Only records that say why there is none.
    Reasons,
    /// Nothing.
    Nothing,
}

/// What an ELF file given as bytes has of records.
pub fn carriage(data: &[u8]) -> Carriage {
    let sections = sections(data).unwrap_or_default();
    match sections.iter().map(|section| crate::frame::count_modules(section)).sum() {
        0 if sections.is_empty() => Carriage::Nothing,
        0 => Carriage::Reasons,
        modules => Carriage::Bitcode(modules),
    }
}

/// A file's content, read only where it is looked at.
pub fn map(path: &Path) -> io::Result<memmap2::Mmap> {
    let file = byway_file::open(path)?;
    // SAFETY: as with any mapping, the content changes under us if somebody writes to the file meanwhile. Linkers map
    // the same files and take the same risk; at worst we read nonsense, which is checked for.
    #[allow(unsafe_code)]
    unsafe {
        memmap2::Mmap::map(&file)
    }
}

fn check_class(data: &[u8]) -> Result<(), ElfError> {
    if !data.starts_with(&ELFMAG) {
        return Err(ElfError::NotElf);
    }
    if data.get(4..6) != Some(&[ELFCLASS64.0, ELFDATA2LSB.0]) {
        return Err(ElfError::Unsupported);
    }
    Ok(())
}

/// Adds a section of `records` to the ELF file at `path`. A file with other names, as a compiler cache makes them, is
/// replaced by a copy, so that what has the other names stays as it is.
pub fn append(path: &Path, records: &[u8]) -> Result<(), ElfError> {
    if std::fs::metadata(path)?.nlink() == 1 {
        return append_in_place(path, records);
    }
    let mut copy = path.as_os_str().to_owned();
    copy.push(format!(".byway-{}", std::process::id()));
    let copied = std::fs::copy(path, &copy).map_err(ElfError::from).and_then(|_| {
        append_in_place(Path::new(&copy), records)?;
        Ok(std::fs::rename(&copy, path)?)
    });
    if copied.is_err() {
        let _ = std::fs::remove_file(&copy);
    }
    copied
}

fn append_in_place(path: &Path, records: &[u8]) -> Result<(), ElfError> {
    let (tail, header) = extension(&map(path)?, records)?;
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(&tail)?;
    drop(file);
    OpenOptions::new().write(true).open(path)?.write_all_at(pod::bytes_of(&header), 0)?;
    Ok(())
}

/// What to append to the file `data`, and its new header.
fn extension(data: &[u8], records: &[u8]) -> Result<(Vec<u8>, Header), ElfError> {
    check_class(data)?;
    let mut header = *Header::parse(data)?;
    let mut sections = header.section_headers(LE, data)?.to_vec();
    let names_index = header.shstrndx(LE, data)? as usize;
    if sections.is_empty() || sections.len() + 1 >= usize::from(SHN_LORESERVE) {
        return Err(ElfError::Sections(sections.len()));
    }
    let no_names = || ElfError::Damaged("no section has the names of sections".to_owned());
    let mut names = sections.get(names_index).ok_or_else(no_names)?.data(LE, data)?.to_vec();
    let mut tail = Vec::new();
    let mut place = |bytes: &[u8], align: usize| {
        while !(data.len() + tail.len()).is_multiple_of(align) {
            tail.push(0);
        }
        let offset = (data.len() + tail.len()) as u64;
        tail.extend_from_slice(bytes);
        offset
    };

    let name = names.len() as u32;
    names.extend_from_slice(SECTION.as_bytes());
    names.push(0);
    sections.push(new_section(name, place(records, 1), records.len() as u64));
    sections[names_index].sh_offset.set(LE, place(&names, 1));
    sections[names_index].sh_size.set(LE, names.len() as u64);
    let table = place(pod::bytes_of_slice(&sections), size_of::<u64>());
    header.e_shoff.set(LE, table);
    header.e_shnum.set(LE, sections.len() as u16);
    Ok((tail, header))
}

fn new_section(name: u32, offset: u64, size: u64) -> Section {
    let mut section: Section = *pod::from_bytes::<Section>(&[0; size_of::<Section>()]).expect("a plain struct").0;
    section.sh_name.set(LE, name);
    section.sh_type.set(LE, SHT_PROGBITS);
    section.sh_offset.set(LE, offset);
    section.sh_size.set(LE, size);
    section.sh_addralign.set(LE, 1);
    section
}
