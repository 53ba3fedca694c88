//! The programs that byway consists of.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io};

use object::{Object, ReadCache};

/// The program that has LLVM in it.
const READER: &str = "byway-reader";

/// Where the program is that reads and rewrites bitcode: beside this one. Tests and examples lie in a directory below it.
pub fn reader() -> io::Result<PathBuf> {
    let program = env::current_exe()?;
    let beside = program.ancestors().skip(1).take(2).map(|directory| directory.join(READER));
    let is_there = |path: &PathBuf| path.is_file();
    beside.clone().find(is_there).ok_or_else(|| {
        let path = beside.into_iter().next().unwrap_or_default();
        io::Error::new(io::ErrorKind::NotFound, format!("there is no {}; install byway again", path.display()))
    })
}

/// What tells this byway from others, which may number sites or make variants in another way. It is a hash of the build ids that the
/// linker made of the content of its programs; where there are none, of the content.
pub fn tool_fingerprint() -> &'static blake3::Hash {
    static FINGERPRINT: OnceLock<blake3::Hash> = OnceLock::new();
    FINGERPRINT.get_or_init(|| {
        let mut hasher = blake3::Hasher::new();
        for program in [env::current_exe(), reader()].into_iter().flatten() {
            hasher.update(&build_id(&program).or_else(|| fs::read(program).ok()).unwrap_or_default());
        }
        hasher.finalize()
    })
}

/// The build id of an ELF file, of which little more than its headers is read.
fn build_id(path: &Path) -> Option<Vec<u8>> {
    let cache = ReadCache::new(File::open(path).ok()?);
    let file = object::File::parse(&cache).ok()?;
    Some(file.build_id().ok()??.to_vec())
}
