//! Records as bytes: a fixed header, a description in JSON, then the bitcode and the list of dependencies, both compressed.
//!
//! ```text
//! magic[8]  version:u16 kind:u16 description:u32  bitcode:u64  dependencies:u64  checksum:u64
//! description  bitcode  dependencies
//! ```
//!
//! All numbers are little endian. Linkers may pad between the sections they concatenate, so zero bytes between records
//! are skipped.

use serde::Serialize;
use serde::de::Error as _;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

use crate::VERSION;
use crate::record::{Absent, Link, LinkItem, Module, Record, compress, decompress};

const MAGIC: [u8; 8] = *b"\x7fbyway\n\x1a";
const HEADER: usize = 40;

const KIND_MODULE: u16 = 1;
const KIND_ABSENT: u16 = 2;
const KIND_LINK: u16 = 3;

/// Why a section could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FrameError {
    /// The section ends inside a record.
    #[error("the section is truncated: the record at byte {offset} is cut off")]
    Truncated {
        /// Where the record begins.
        offset: usize,
    },
    /// There is something else where a record should begin.
    #[error("the section is damaged: no record begins at byte {offset}")]
    Magic {
        /// Where the record should begin.
        offset: usize,
    },
    /// The record's content changed after it was written.
    #[error("the section is damaged: the record at byte {offset} does not match its checksum")]
    Checksum {
        /// Where the record begins.
        offset: usize,
    },
    /// The record was written by another version of byway-cc.
    #[error("the section has format {found}, this byway reads format {VERSION}; rebuild with this version's byway-cc")]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The record's description makes no sense.
    #[error("the section is damaged: the record at byte {offset} has no valid description: {message}")]
    Description {
        /// Where the record begins.
        offset: usize,
        /// What the JSON reader said.
        message: String,
    },
}

/// A record as bytes.
pub fn encode(record: &Record) -> Vec<u8> {
    let nothing: &[u8] = &[];
    match record {
        Record::Module(module) => {
            let dependencies = serde_json::to_vec(&module.dependencies).expect("paths and numbers are plain data");
            let dependencies = compress(&dependencies).expect("compressing in memory cannot fail");
            frame(KIND_MODULE, module, &module.bitcode, &dependencies)
        }
        Record::Absent(absent) => frame(KIND_ABSENT, absent, nothing, nothing),
        Record::Link(link) => frame(KIND_LINK, link, nothing, nothing),
    }
}

fn frame(kind: u16, description: &impl Serialize, bitcode: &[u8], dependencies: &[u8]) -> Vec<u8> {
    let description = serde_json::to_vec(description).expect("descriptions are plain data with string keys");
    let mut body = Vec::with_capacity(description.len() + bitcode.len() + dependencies.len());
    body.extend_from_slice(&description);
    body.extend_from_slice(bitcode);
    body.extend_from_slice(dependencies);

    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&kind.to_le_bytes());
    bytes.extend_from_slice(&u32::try_from(description.len()).expect("a description is below 4 GiB").to_le_bytes());
    bytes.extend_from_slice(&(bitcode.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&(dependencies.len() as u64).to_le_bytes());
    let checksum = checksum(&bytes, &body);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

/// Covers everything but itself.
fn checksum(header: &[u8], body: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(header);
    hasher.update(body);
    hasher.digest()
}

/// All records of a section, in its order.
pub fn decode(section: &[u8]) -> Result<Vec<Record>, FrameError> {
    let mut records = Vec::new();
    let mut offset = 0;
    while let Some(begin) = section[offset..].iter().position(|&byte| byte != 0) {
        let at = offset + begin;
        let (record, length) = decode_one(&section[at..], at)?;
        records.extend(record);
        offset = at + length;
    }
    Ok(records)
}

/// What stands before a record's content.
struct Header<'bytes> {
    /// The bytes that the checksum covers.
    covered: &'bytes [u8],
    version: u16,
    kind: u16,
    /// Of description, bitcode and dependencies.
    lengths: [u64; 3],
    checksum: u64,
}

impl<'bytes> Header<'bytes> {
    /// The header at the beginning of `bytes`, if they are enough.
    fn read(bytes: &'bytes [u8]) -> Option<Self> {
        let header = bytes.get(..HEADER)?;
        let u16_at = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let u64_at = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
        let description = u32::from_le_bytes(header[12..16].try_into().expect("four bytes"));
        Some(Header {
            covered: &header[..32],
            version: u16_at(8),
            kind: u16_at(10),
            lengths: [u64::from(description), u64_at(16), u64_at(24)],
            checksum: u64_at(32),
        })
    }

    /// Where description, bitcode and dependencies end, if `available` bytes are enough for them.
    fn ends(&self, available: usize) -> Option<[usize; 3]> {
        let mut end = HEADER as u64;
        let mut ends = [0; 3];
        for (index, length) in self.lengths.into_iter().enumerate() {
            end = end.checked_add(length).filter(|&end| end <= available as u64)?;
            ends[index] = end as usize;
        }
        Some(ends)
    }
}

/// How many modules a section has, without reading more than headers.
pub(crate) fn count_modules(section: &[u8]) -> usize {
    let mut modules = 0;
    let mut rest = section;
    while let Some(begin) = rest.iter().position(|&byte| byte != 0) {
        rest = &rest[begin..];
        let Some(header) = Header::read(rest).filter(|_| rest.starts_with(&MAGIC)) else { break };
        modules += usize::from(header.kind == KIND_MODULE);
        rest = header.ends(rest.len()).map_or(&[], |[.., end]| &rest[end..]);
    }
    modules
}

/// The record at the beginning of `bytes` and its length. A record of an unknown kind is `None`.
fn decode_one(bytes: &[u8], offset: usize) -> Result<(Option<Record>, usize), FrameError> {
    let truncated = || FrameError::Truncated { offset };
    let seen = bytes.len().min(MAGIC.len());
    if bytes[..seen] != MAGIC[..seen] {
        return Err(FrameError::Magic { offset });
    }
    let header = Header::read(bytes).ok_or_else(truncated)?;
    if header.version != VERSION {
        return Err(FrameError::Version { found: header.version });
    }
    let [description_end, bitcode_end, end] = header.ends(bytes.len()).ok_or_else(truncated)?;
    if checksum(header.covered, &bytes[HEADER..end]) != header.checksum {
        return Err(FrameError::Checksum { offset });
    }

    let description = &bytes[HEADER..description_end];
    let bitcode = &bytes[description_end..bitcode_end];
    let dependencies = &bytes[bitcode_end..end];
    let record = parse(header.kind, description, bitcode, dependencies)
        .map_err(|error| FrameError::Description { offset, message: error.to_string() })?;
    Ok((record, end))
}

fn parse(kind: u16, description: &[u8], bitcode: &[u8], dependencies: &[u8]) -> serde_json::Result<Option<Record>> {
    Ok(match kind {
        KIND_MODULE => {
            let module: Module = serde_json::from_slice(description)?;
            if module.arguments.is_empty() {
                return Err(serde_json::Error::custom("a translation unit without arguments"));
            }
            let dependencies = decompress(dependencies).map_err(serde_json::Error::io)?;
            let dependencies = serde_json::from_slice(&dependencies)?;
            Some(Record::Module(Module { bitcode: bitcode.to_vec(), dependencies, ..module }))
        }
        KIND_ABSENT => Some(Record::Absent(serde_json::from_slice::<Absent>(description)?)),
        KIND_LINK => {
            let link: Link = serde_json::from_slice(description)?;
            let is_empty = |item: &LinkItem| matches!(item, LinkItem::Flag(words) if words.is_empty());
            if link.items.iter().any(is_empty) || link.output.file_name().is_none() {
                return Err(serde_json::Error::custom(
                    "a link with an empty flag, or without a name for what it makes",
                ));
            }
            Some(Record::Link(link))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::Dependency;

    fn any_record() -> impl Strategy<Value = Record> {
        let word = "[ -~]{0,20}";
        let bytes = prop::collection::vec(any::<u8>(), 0..200);
        let dependency = (word, any::<u64>()).prop_map(|(path, hash)| Dependency(path.into(), hash));
        let module = (word, prop::collection::vec(word, 1..4), bytes, prop::collection::vec(dependency, 0..4))
            .prop_map(|(source, arguments, bitcode, dependencies)| {
                let directory = "/build".into();
                let (environment, notes) = (Default::default(), Vec::new());
                Record::Module(Module {
                    source,
                    directory,
                    cxx: false,
                    arguments,
                    environment,
                    notes,
                    bitcode,
                    dependencies,
                })
            });
        let absent = (word, word)
            .prop_map(|(source, reason)| Record::Absent(Absent { source, directory: "/build".into(), reason }));
        prop_oneof![module, absent]
    }

    proptest! {
        #[test]
        fn records_survive_concatenation_and_padding(
            records in prop::collection::vec((any_record(), 0usize..8), 0..6)
        ) {
            let mut section = Vec::new();
            for (record, padding) in &records {
                section.extend(encode(record));
                section.extend(vec![0; *padding]);
            }
            let expected: Vec<Record> = records.into_iter().map(|(record, _)| record).collect();
            let modules = expected.iter().filter(|record| matches!(record, Record::Module(_))).count();
            prop_assert_eq!(count_modules(&section), modules);
            prop_assert_eq!(decode(&section).unwrap(), expected);
        }

        #[test]
        fn a_cut_section_is_an_error_or_a_shorter_list(record in any_record(), cut in any::<prop::sample::Index>()) {
            let bytes = encode(&record);
            let cut = cut.index(bytes.len());
            let expected = if cut == 0 { Ok(vec![]) } else { Err(FrameError::Truncated { offset: 0 }) };
            prop_assert_eq!(decode(&bytes[..cut]), expected);
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), begin_well in any::<bool>()) {
            let mut section = if begin_well { [&MAGIC[..], &VERSION.to_le_bytes()].concat() } else { Vec::new() };
            section.extend(bytes);
            let _ = decode(&section);
            count_modules(&section);
        }

        #[test]
        fn a_changed_byte_is_noticed(record in any_record(), at in any::<prop::sample::Index>(), flip in 1u8..) {
            let mut bytes = encode(&record);
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            prop_assert!(decode(&bytes).is_err());
        }
    }
}
