//! A run that is being captured.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use byway_report::{Ending, Text};

use super::content_store::ContentStore;
use super::process::{self, Process};
use super::settings::RecordSettings;
use super::snapshot::{Access, FilesSeen};
use super::system;
use crate::stored::{Hash, StoredProgram, StoredSeed, VERSION};

/// How many arguments are taken for names of files.
const MOST_NAMES: usize = 256;
/// What stands for standard input where something is missing.
pub const STDIN: &str = "/dev/stdin";

/// What a program was started with.
#[derive(Debug)]
pub struct Start {
    /// The program.
    pub program: StoredProgram,
    /// Its device and inode.
    pub file: (u64, u64),
    /// All arguments.
    pub arguments: Vec<OsString>,
    /// The environment.
    pub environment: Vec<OsString>,
}

/// A run that is being captured.
#[derive(Debug)]
pub struct Capture {
    /// Its process.
    pub process: Process,
    /// The same, whatever becomes of its number.
    pub handle: OwnedFd,
    start: Start,
    directory: PathBuf,
    begun: Instant,
    /// Whether we have seen that it runs the program that it was to execute.
    is_running: AtomicBool,
    seen: Mutex<Seen>,
}

/// What was seen of a run so far.
#[derive(Debug)]
pub struct Seen {
    /// Of files.
    pub files: FilesSeen,
    /// Where standard input comes from.
    pub stdin: StdinSource,
    /// What it wrote to standard output and to standard error.
    pub output: [Vec<u8>; 2],
    /// With which code it is about to exit.
    pub exit: Option<i32>,
    /// Whether it made processes that did something and were not other programs.
    pub has_children: bool,
}

/// Where standard input comes from.
#[derive(Debug, PartialEq, Eq)]
pub enum StdinSource {
    /// There is nothing to read.
    Nothing,
    /// A file: the rest of it.
    Kept(Hash),
    /// A pipe or socket, of which this was read.
    Stream(Stream),
    /// Something that is not kept, and why not.
    Unknown(&'static str),
}

/// What was read from a pipe or socket.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// Its device and inode.
    pub file: (u64, u64),
    /// All that was read; `None` if nobody has tried.
    pub bytes: Option<Vec<u8>>,
    /// What we have read and the program has not got yet.
    pub owed: Vec<u8>,
}

impl Capture {
    /// A run that is about to begin.
    pub fn begin(
        process: Process,
        start: Start,
        settings: &RecordSettings,
        contents: &ContentStore,
    ) -> io::Result<Capture> {
        let handle = process.open()?;
        let directory = process.directory()?;
        let mut files = FilesSeen::default();
        files.directory_is_there(&directory, settings);
        for name in names(&start.arguments) {
            files.look(&directory.join(name), Access::Named, settings, contents);
        }
        let stdin = source(process, &mut files, settings, contents);
        let seen = Seen { files, stdin, output: [Vec::new(), Vec::new()], exit: None, has_children: false };
        let (is_running, seen) = (AtomicBool::new(false), Mutex::new(seen));
        Ok(Capture { process, handle, start, directory, begun: Instant::now(), is_running, seen })
    }

    /// What was seen so far.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the program is.
    pub fn program(&self) -> PathBuf {
        self.start.program.path.to_path()
    }

    /// Whether the program was really executed. To be asked by whoever hears of it again.
    pub fn is_running(&self) -> bool {
        if !self.is_running.load(Ordering::Relaxed) {
            if self.process.executable().is_ok_and(|file| file != self.start.file) {
                return false;
            }
            self.is_running.store(true, Ordering::Relaxed);
        }
        true
    }

    /// How it ended, if it did and that can be seen.
    pub fn ending(&self) -> Option<Ending> {
        let status = || system::exit_status(&self.handle);
        let status = status().or_else(|| self.process.exit_status()).or_else(status);
        match status {
            Some(status) => Some(Ending::new(ExitStatus::from_raw(status), false)),
            None => self.seen().exit.map(Ending::Exited),
        }
    }

    /// The seed. Nothing can be added to it afterwards.
    pub fn seed(&self, ending: Option<Ending>, contents: &ContentStore) -> io::Result<StoredSeed> {
        let seconds = self.begun.elapsed().as_secs_f64();
        let mut seen = self.seen();
        let mut files = std::mem::take(&mut seen.files);
        let stdin = match std::mem::replace(&mut seen.stdin, StdinSource::Nothing) {
            StdinSource::Nothing => None,
            StdinSource::Kept(hash) => Some(hash),
            StdinSource::Stream(stream) => stream.bytes.map(|bytes| contents.keep(&bytes)).transpose()?,
            StdinSource::Unknown(why) => {
                files.miss(STDIN.into(), why);
                None
            }
        };
        let [stdout, stderr] = std::mem::take(&mut seen.output).map(Text);
        let files = files.into_parts();
        Ok(StoredSeed {
            version: VERSION,
            name: String::new(),
            program: self.start.program.clone(),
            arguments: self.start.arguments.iter().map(|argument| Text::from(argument.as_os_str())).collect(),
            environment: self.start.environment.iter().filter_map(variable).collect(),
            directory: self.directory.as_path().into(),
            stdin,
            files: files.files,
            directories: files.directories,
            links: files.links,
            absent: files.absent,
            missing: files.missing,
            ending,
            stdout,
            stderr,
            seconds,
            times: 1,
            origin: None,
        })
    }
}

fn variable(text: &OsString) -> Option<(Text, Text)> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|&byte| byte == b'=')?;
    Some((Text::from(&bytes[..end]), Text::from(&bytes[end + 1..])))
}

/// What may be names of files among the arguments: each as it is, and behind an equals sign.
fn names(arguments: &[OsString]) -> Vec<PathBuf> {
    let mut names = Vec::new();
    for argument in arguments.iter().skip(1).take(MOST_NAMES) {
        let bytes = argument.as_bytes();
        let behind = bytes.iter().position(|&byte| byte == b'=').map(|at| &bytes[at + 1..]);
        let whole = Some(bytes).filter(|bytes| !bytes.starts_with(b"-"));
        for name in whole.into_iter().chain(behind).filter(|name| !name.is_empty() && name.len() < 4096) {
            names.push(PathBuf::from(OsString::from_vec(name.to_vec())));
        }
    }
    names
}

/// What the standard input of a process is, before it is read.
fn source(process: Process, files: &mut FilesSeen, settings: &RecordSettings, contents: &ContentStore) -> StdinSource {
    let Ok(metadata) = fs::metadata(process.descriptor(0)) else { return StdinSource::Nothing };
    let kind = metadata.file_type();
    if kind.is_file() {
        let place = fs::read_link(process.descriptor(0)).unwrap_or_else(|_| STDIN.into());
        return match rest(process, settings, contents) {
            Ok(Some(hash)) => StdinSource::Kept(hash),
            Ok(None) => {
                files.miss(place, "standard input is too large to be kept");
                StdinSource::Nothing
            }
            Err(error) => {
                files.miss(place, format!("standard input cannot be read: {error}"));
                StdinSource::Nothing
            }
        };
    }
    if kind.is_fifo() || kind.is_socket() {
        let file = (metadata.dev(), metadata.ino());
        return StdinSource::Stream(Stream { file, ..Stream::default() });
    }
    // Nothing, or a device: only if it is read somebody may miss it.
    StdinSource::Nothing
}

/// The rest of the file that is standard input, from where it will be read.
fn rest(process: Process, settings: &RecordSettings, contents: &ContentStore) -> io::Result<Option<Hash>> {
    let information = fs::read_to_string(process.file("fdinfo/0"))?;
    let offset = information.lines().find_map(|line| line.strip_prefix("pos:")?.trim().parse().ok()).unwrap_or(0);
    // The file may have no name any more, so it is opened through the process.
    let file: File = process::take_descriptor(&process.open()?, 0)?;
    contents.keep_rest(&file, offset, settings.limits.file)
}
