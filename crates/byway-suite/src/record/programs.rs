//! Which files are programs that carry bitcode.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use byway_carrier::elf::{self, Carriage};

use super::content_store::{ContentStore, Stamp};
use crate::stored::StoredProgram;

/// The longest first line of a script that the kernel reads.
const FIRST_LINE: u64 = 256;

/// What a file is that is to be executed.
#[derive(Debug, Clone)]
pub enum ExecutedKind {
    /// A program that carries bitcode.
    Ours(StoredProgram),
    /// A program that carries none, and why that may be.
    Plain(&'static str),
    /// A script: its interpreter, and an argument for it.
    Script(PathBuf, Option<Vec<u8>>),
    /// A program that carries bitcode and cannot be kept.
    Lost,
    /// Something else.
    Other,
}

/// A file that is to be executed.
#[derive(Debug, Clone)]
pub struct ExecutedFile {
    /// What it is.
    pub kind: ExecutedKind,
    /// Where it is, without links.
    pub path: PathBuf,
    /// Its device and inode.
    pub file: (u64, u64),
}

/// All files that were to be executed so far.
#[derive(Debug, Default)]
pub struct Programs {
    known: Mutex<HashMap<Stamp, ExecutedFile>>,
    /// Programs without bitcode that ran, and how often.
    plain: Mutex<BTreeMap<(PathBuf, &'static str), u32>>,
}

impl Programs {
    /// What is at a path, if it can be executed.
    pub fn look(&self, path: &Path, contents: &ContentStore) -> Option<ExecutedFile> {
        let metadata = fs::metadata(path).ok()?;
        if !metadata.is_file() || metadata.mode() & 0o111 == 0 {
            return None;
        }
        let stamp = Stamp::new(&metadata);
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&stamp) {
            return Some(known.clone());
        }
        let settled = stamp.is_settled();
        let program = examine(path, (metadata.dev(), metadata.ino()), contents)?;
        if settled {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(stamp, program.clone());
        }
        Some(program)
    }

    /// Counts a program without bitcode that runs.
    pub fn count(&self, program: &Path, why: &'static str) {
        let mut plain = self.plain.lock().unwrap_or_else(PoisonError::into_inner);
        *plain.entry((program.to_owned(), why)).or_insert(0) += 1;
    }

    /// The programs without bitcode, why, and how often they ran.
    pub fn plain(&self) -> Vec<(PathBuf, &'static str, u32)> {
        let plain = self.plain.lock().unwrap_or_else(PoisonError::into_inner);
        plain.iter().map(|((path, why), times)| (path.clone(), *why, *times)).collect()
    }
}

fn examine(path: &Path, inode: (u64, u64), contents: &ContentStore) -> Option<ExecutedFile> {
    let mut file = File::open(path).ok()?;
    // The name by which we opened it may only mean something now.
    let place = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap_or_else(|_| path.to_owned());
    let mut head = Vec::new();
    file.by_ref().take(FIRST_LINE).read_to_end(&mut head).ok()?;
    let kind = if head.starts_with(b"#!") {
        script(&head)
    } else if head.starts_with(b"\x7fELF") {
        program(path, &place, contents)
    } else {
        ExecutedKind::Other
    };
    Some(ExecutedFile { kind, path: place, file: inode })
}

fn program(path: &Path, place: &Path, contents: &ContentStore) -> ExecutedKind {
    let Ok(content) = elf::read(path) else { return ExecutedKind::Other };
    match elf::carriage(&content) {
        Carriage::Nothing => ExecutedKind::Plain("it carries no bitcode: build it with CC=byway-cc"),
        Carriage::Reasons => ExecutedKind::Plain("it carries no bitcode; byway doctor says why"),
        Carriage::Bitcode(_) => contents.keep_program(place, &content).map_or(ExecutedKind::Lost, ExecutedKind::Ours),
    }
}

/// The interpreter, and everything behind it as one argument.
fn script(head: &[u8]) -> ExecutedKind {
    let line = head[2..].split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (interpreter, argument) = line.split_at(end);
    let argument = argument.trim_ascii();
    let path = PathBuf::from(OsStr::from_bytes(interpreter));
    ExecutedKind::Script(path, (!argument.is_empty()).then(|| argument.to_vec()))
}
