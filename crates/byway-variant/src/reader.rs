//! LLVM at work on bitcode that somebody else may have made, in a process of its own.
//!
//! LLVM trusts bitcode: a module that was changed on the way can end the process that reads it. So byway is executed again,
//! in a sandbox, to read, link and rewrite modules; what it makes comes back on its standard output. If it dies, that is an error.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, exit};

use byway_carrier::{Module, Record, decode, encode};
use byway_confine::{ProcessSpec, Sandbox};
use byway_map::SubjectId;
use byway_program::{Kept, Subject};
use serde::{Deserialize, Serialize};

use crate::build::{self, Files};
use crate::error::{Fault, VariantError};
use crate::toolchain;

/// The argument by which a reader knows what it is.
const ARGUMENT: &str = "--be-the-reader-of-byway";
/// Enough of what LLVM says when it dies.
const MAX_WORDS: u64 = 4096;

/// What is to be made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Job {
    /// The canonical module and its map.
    Canonical,
    /// What the code says, to be compared with that of another version.
    Code,
    /// The canonical module in this entry of the cache, rewritten to count.
    Cov(PathBuf),
    /// The same, rewritten to be executed symbolically.
    Sym(PathBuf),
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
struct Answer {
    files: Vec<(String, usize)>,
    fault: Option<(Fault, String)>,
}

/// Does a job and does not return, if this process was started to do one. Call it first in `main`.
pub fn serve_if_asked() {
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(ARGUMENT)) {
        exit(serve().map_or(1, |()| 0));
    }
}

fn serve() -> io::Result<()> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    let (job, subject) = receive(&input)?;
    let made = build::make(&job, &subject);
    let (files, fault) = match made {
        Ok(files) => (files, None),
        Err(error) => (Files::new(), Some((error.fault(), error.to_string()))),
    };
    let lengths = files.iter().map(|(name, content)| (name.clone(), content.len())).collect();
    let mut output = io::stdout().lock();
    send(&mut output, &Answer { files: lengths, fault })?;
    files.iter().try_for_each(|(_, content)| output.write_all(content))?;
    output.flush()
}

/// Has a reader do a job.
pub fn read(job: &Job, subject: &Subject) -> Result<Files, VariantError> {
    let cannot = |source| VariantError::NoReader { source };
    let mut input = tempfile::tempfile().map_err(cannot)?;
    request(&mut input, job, subject).and_then(|()| input.rewind()).map_err(cannot)?;
    let (mut output, mut words) = (tempfile::tempfile().map_err(cannot)?, tempfile::tempfile().map_err(cannot)?);
    let status = run(job, &input, &output, &words).map_err(cannot)?;
    if !status.success() {
        let mut said = String::new();
        let _ = words.rewind().and_then(|()| words.take(MAX_WORDS).read_to_string(&mut said));
        return Err(VariantError::Crashed { name: subject.name(), how: how(status), said: said.trim().to_owned() });
    }
    let mut content = Vec::new();
    output.rewind().and_then(|()| output.read_to_end(&mut content)).map_err(cannot)?;
    let (answer, mut rest) = split::<Answer>(&content).map_err(cannot)?;
    if let Some((fault, message)) = answer.fault {
        return Err(VariantError::Reader { fault, message });
    }
    let mut files = Files::new();
    for (name, length) in answer.files {
        let (file, behind) = rest.split_at_checked(length).ok_or_else(|| cannot(short()))?;
        files.push((name, file.to_vec()));
        rest = behind;
    }
    Ok(files)
}

fn how(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("signal {signal}"),
        (None, code) => format!("exit code {}", code.unwrap_or_default()),
    }
}

/// Runs a reader in a sandbox; where there are none, in a process of its own at least.
fn run(job: &Job, input: &File, output: &File, words: &File) -> io::Result<ExitStatus> {
    let program = std::env::current_exe()?;
    let directory = match job {
        Job::Cov(canonical) | Job::Sym(canonical) => Some(canonical.as_path()),
        Job::Canonical | Job::Code | Job::Asan => None,
    };
    let Ok(mut sandbox) = Sandbox::start(&toolchain::settings(directory)) else {
        let mut command = Command::new(program);
        command.arg(ARGUMENT).stdin(input.try_clone()?).stdout(output.try_clone()?).stderr(words.try_clone()?);
        return command.status();
    };
    let task = ProcessSpec {
        program: &program,
        arguments: vec![OsStr::new("byway-reader"), OsStr::new(ARGUMENT)],
        environment: None,
        directory: None,
        stdin: input.as_fd(),
        stdout: output.as_fd(),
        stderr: words.as_fd(),
        timeout: Some(toolchain::TIMEOUT),
    };
    Ok(sandbox.run(&task).map_err(io::Error::other)?.status)
}

fn send(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(value)?;
    to.write_all(&(text.len() as u64).to_le_bytes())?;
    to.write_all(&text)
}

fn short() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

/// A value, and what follows it.
fn split<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> io::Result<(T, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(short)?;
    let (text, rest) = rest.split_at_checked(u64::from_le_bytes(*length) as usize).ok_or_else(short)?;
    Ok((serde_json::from_slice(text)?, rest))
}

fn request(to: &mut impl Write, job: &Job, subject: &Subject) -> io::Result<()> {
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

fn receive(bytes: &[u8]) -> io::Result<(Job, Subject)> {
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

/// A subject of one module alone.
pub fn alone(path: &Path, module: &Module) -> Subject {
    let (path, id) = (path.to_owned(), SubjectId::from_bytes([0; 16]));
    let (absent, plain, libraries) = (Vec::new(), Vec::new(), Vec::new());
    Subject { path, modules: vec![module.clone()], absent, link: None, plain, libraries, id, kept: Kept::default() }
}
