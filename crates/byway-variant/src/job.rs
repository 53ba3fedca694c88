//! What is asked of the reader, and what it answers.

use std::io::{self, Write};
use std::path::PathBuf;

use byway_carrier::{Module, Record, decode, encode};
use byway_map::{BlockId, SubjectId};
use byway_program::{Kept, Subject};
use serde::{Deserialize, Serialize};

use crate::error::Fault;

/// The canonical module.
pub const MODULE: &str = "module.bc";
/// What is in it.
pub const MAP: &str = "map.json";
/// What the code of a program says.
pub const CODE: &str = "code.json";
/// What its instructions compute from what.
pub const INSTRUCTIONS: &str = "instructions.json";
/// A module that was rewritten.
pub const INSTRUMENTED: &str = "instrumented.bc";
/// Beside the `sym` variant: for each site of a model of a library function, the name of the function.
pub const MODEL_SITES: &str = "models.json";

/// Files by their names.
pub type Files = Vec<(String, Vec<u8>)>;

/// What is to be made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Job {
    /// The canonical module and its map.
    Canonical,
    /// What the code says, to be compared with that of another version.
    Code,
    /// What the instructions compute from what.
    Instructions,
    /// The canonical module in this entry of the cache, rewritten to count.
    Cov(PathBuf),
    /// The same, rewritten to be executed symbolically.
    Sym {
        /// The entry.
        canonical: PathBuf,
        /// The places that runs note when they come by: a block, and how many of its calls are before it.
        points: Vec<(BlockId, u32)>,
    },
    /// The only module of the subject, to be checked by AddressSanitizer.
    Asan,
}

/// A job with a subject, as it is handed to a reader. The records of each part follow.
#[derive(Debug, Serialize, Deserialize)]
struct Request {
    job: Job,
    parts: Vec<Part>,
}

/// A program or a library.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    path: PathBuf,
    id: [u8; 16],
    /// The length of its records.
    records: usize,
    /// How many of the parts that follow are its libraries.
    libraries: usize,
}

/// How a job ended, before the files that it made.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub files: Vec<(String, usize)>,
    pub fault: Option<(Fault, String)>,
}

fn send(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(value)?;
    to.write_all(&(text.len() as u64).to_le_bytes())?;
    to.write_all(&text)
}

pub(crate) fn short() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

/// A value, and what follows it.
pub(crate) fn split<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> io::Result<(T, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
    let (text, rest) = rest.split_at_checked(u64::from_le_bytes(*length) as usize).ok_or_else(short)?;
    Ok((serde_json::from_slice(text)?, rest))
}

/// Writes what a reader is to do.
pub(crate) fn request(to: &mut impl Write, job: &Job, subject: &Subject) -> io::Result<()> {
    let (mut parts, mut records) = (Vec::new(), Vec::new());
    add(subject, &mut parts, &mut records);
    send(to, &Request { job: job.clone(), parts })?;
    to.write_all(&records)
}

fn add(subject: &Subject, parts: &mut Vec<Part>, records: &mut Vec<u8>) {
    let before = records.len();
    for module in &subject.modules {
        // Which files it was made of is of no interest to who reads the bitcode.
        records.extend(encode(&Record::Module(Module { dependencies: Vec::new(), ..module.clone() })));
    }
    records.extend(subject.link.iter().flat_map(|link| encode(&Record::Link(link.clone()))));
    let (path, id, libraries) = (subject.path.clone(), subject.id.bytes(), subject.libraries.len());
    parts.push(Part { path, id, records: records.len() - before, libraries });
    subject.libraries.iter().for_each(|library| add(library, parts, records));
}

/// Reads what is to be done.
pub fn receive(bytes: &[u8]) -> io::Result<(Job, Subject)> {
    let (request, mut records) = split::<Request>(bytes)?;
    let subject = take(&mut request.parts.into_iter(), &mut records)?;
    Ok((request.job, subject))
}

fn take(parts: &mut impl Iterator<Item = Part>, records: &mut &[u8]) -> io::Result<Subject> {
    let part = parts.next().ok_or_else(short)?;
    let (own, rest) = records.split_at_checked(part.records).ok_or_else(short)?;
    *records = rest;
    let (mut modules, mut link) = (Vec::new(), None);
    for record in decode(own).map_err(io::Error::other)? {
        match record {
            Record::Module(module) => modules.push(module),
            Record::Link(made) => link = Some(made),
            Record::Absent(_) => {}
        }
    }
    let libraries = (0..part.libraries).map(|_| take(parts, records)).collect::<io::Result<_>>()?;
    let (absent, plain, id) = (Vec::new(), Vec::new(), SubjectId::from_bytes(part.id));
    Ok(Subject { path: part.path, modules, absent, link, plain, libraries, id, kept: Kept::default() })
}

/// Writes what became of a job: the files that it made, or whose fault it is that it made none, and why.
pub fn answer(to: &mut impl Write, made: Result<Files, (Fault, String)>) -> io::Result<()> {
    let (files, fault) = made.map_or_else(|fault| (Files::new(), Some(fault)), |files| (files, None));
    let lengths = files.iter().map(|(name, content)| (name.clone(), content.len())).collect();
    send(to, &Answer { files: lengths, fault })?;
    files.iter().try_for_each(|(_, content)| to.write_all(content))?;
    to.flush()
}
