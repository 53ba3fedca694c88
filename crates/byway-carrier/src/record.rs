//! What a section says: one [`Record`] for each translation unit and for each link.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// One statement about how a file was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// A translation unit with its bitcode.
    Module(Module),
    /// A translation unit without bitcode.
    Absent(Absent),
    /// How the file was linked.
    Link(Link),
}

/// A translation unit, its bitcode, and all that is needed to compile it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// The source file as named on the command line.
    pub source: String,
    /// The directory the compiler ran in.
    pub directory: PathBuf,
    /// Whether the C++ driver compiled it.
    pub cxx: bool,
    /// The user's arguments for the front end, with the input and without outputs.
    pub arguments: Vec<String>,
    /// The variables that told the compiler where to look for headers.
    pub environment: BTreeMap<String, String>,
    /// What the wrapper did differently from what it was asked, for the user to read.
    pub notes: Vec<String>,
    /// Bitcode as the front end emits it for the user's own flags; compressed.
    #[serde(skip)]
    pub bitcode: Vec<u8>,
    /// Every file that the compiler read.
    #[serde(skip)]
    pub dependencies: Vec<Dependency>,
}

/// A file that the compiler read, and the hash of what it read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency(pub PathBuf, pub u64);

impl Dependency {
    /// The file at `path` as it is now.
    pub fn of(path: PathBuf) -> std::io::Result<Dependency> {
        let hash = xxh3_64(&byway_file::read(&path, byway_file::INPUT)?);
        Ok(Dependency(path, hash))
    }

    /// Whether the file is still as it was.
    pub fn holds(&self) -> bool {
        byway_file::read(&self.0, byway_file::INPUT).is_ok_and(|content| self.is(&content))
    }

    /// Whether this is what the compiler read.
    pub fn is(&self, content: &[u8]) -> bool {
        xxh3_64(content) == self.1
    }
}

/// A translation unit without bitcode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent {
    /// The source file as named on the command line.
    pub source: String,
    /// The directory the compiler ran in.
    pub directory: PathBuf,
    /// Why no bitcode was made.
    pub reason: String,
}

/// A link, item by item in the order of its command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The directory the link ran in; relative paths in `items` start there.
    pub directory: PathBuf,
    /// The file that was made, absolute.
    pub output: PathBuf,
    /// What kind of file it is.
    pub kind: LinkOutput,
    /// Whether the C++ driver linked it (and so adds the C++ library).
    pub cxx: bool,
    /// The variables that told the linker where to look for libraries.
    pub environment: BTreeMap<String, String>,
    /// The command line without its output and without what only concerns compiling.
    pub items: Vec<LinkItem>,
}

/// What a link makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkOutput {
    /// A program.
    Executable,
    /// A shared library.
    Shared,
    /// An object made of objects (`-r`).
    Relocatable,
}

/// One item of a link's command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkItem {
    /// A flag of the compiler's driver with its values, to be given again as it is.
    Flag(Vec<String>),
    /// Words for the linker itself, less those that make it write further files.
    Linker(Vec<String>),
    /// A source compiled by the link command itself; its record stands in the output.
    Source(String),
    /// An object with bitcode.
    Carrying {
        /// The file as named on the command line.
        path: String,
        /// How many modules it has.
        modules: usize,
    },
    /// An object without bitcode whose own records say why.
    Reasoned(String),
    /// An object without records.
    Plain {
        /// The file as named on the command line.
        path: String,
        /// Why it carries no records.
        reason: String,
    },
    /// A static library.
    Archive {
        /// The file found for it.
        path: PathBuf,
        /// How many of its members carry records.
        carrying: usize,
        /// The members without records.
        plain: Vec<String>,
    },
    /// A shared library found in a directory of the command line.
    Shared {
        /// As named on the command line: a path, or `-lNAME`.
        argument: String,
        /// The file found for it.
        path: PathBuf,
    },
    /// A library left to the linker's own search.
    Library(String),
}

impl Module {
    /// The bitcode, decompressed.
    pub fn bitcode(&self) -> std::io::Result<Vec<u8>> {
        decompress(&self.bitcode)
    }

    /// The source as a path that does not depend on where we are.
    pub fn source_path(&self) -> PathBuf {
        self.directory.join(&self.source)
    }
}

impl Link {
    /// A path of the command line as a path that does not depend on where we are.
    pub fn resolve(&self, path: impl AsRef<Path>) -> PathBuf {
        self.directory.join(path)
    }
}

/// Compresses bitcode for a [`Module`]. What it makes declares how long the bitcode is.
pub fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, 3)
}

/// The most bytes that anything compressed may have.
const MOST: u64 = 1 << 30;
/// So many times its compressed length it may have, and never less than a megabyte: bitcode has about five times.
const RATIO: u64 = 256;

/// Decompresses what [`compress`] made, up to the length that it declares and to a limit.
pub(crate) fn decompress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let damaged = |message: String| Error::new(ErrorKind::InvalidData, message);
    let limit = (bytes.len() as u64).saturating_mul(RATIO).clamp(1 << 20, MOST);
    let declared = zstd::zstd_safe::get_frame_content_size(bytes).map_err(|error| damaged(error.to_string()))?;
    if let Some(length) = declared.filter(|&length| length > limit) {
        let from = bytes.len();
        return Err(damaged(format!("it says that it has {length} bytes, from {from} compressed ones")));
    }
    let limit = declared.unwrap_or(limit);
    let mut content = Vec::new();
    zstd::Decoder::new(bytes)?.take(limit + 1).read_to_end(&mut content)?;
    match content.len() as u64 {
        length if length > limit => Err(damaged(format!("it has more than {limit} bytes"))),
        _ => Ok(content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compressed_comes_back() {
        for length in [0, 1, 1000, 300_000] {
            let bytes: Vec<u8> =
                (0..length).map(|index: u32| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
            assert_eq!(decompress(&compress(&bytes).unwrap()).unwrap(), bytes);
            assert_eq!(decompress(&zstd::encode_all(&bytes[..], 3).unwrap()).unwrap(), bytes);
        }
    }

    #[test]
    fn a_few_bytes_do_not_become_gigabytes() {
        let zeros = vec![0; 64 << 20];
        for small in [compress(&zeros).unwrap(), zstd::encode_all(&zeros[..], 3).unwrap()] {
            assert!(small.len() < 1 << 14, "{}", small.len());
            assert_eq!(decompress(&small).unwrap_err().kind(), ErrorKind::InvalidData);
        }
    }
}
