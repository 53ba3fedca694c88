//! What is run, and what came of it.

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitStatus;
use std::time::Duration;

use byway_trace::{Trace, TraceLimits, layout};

/// Which input is symbolic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbolic {
    /// The arguments.
    pub arguments: bool,
    /// Standard input.
    pub stdin: bool,
    /// Files that are read.
    pub files: bool,
    /// The values of environment variables.
    pub environment: bool,
    /// Which files are symbolic: those whose path, or end of it, matches one of these. If there is none: all.
    pub patterns: Vec<OsString>,
}

impl Symbolic {
    /// A path as a pattern that matches it alone.
    pub fn pattern_of(path: &OsStr) -> OsString {
        let mut pattern = Vec::new();
        for &byte in path.as_bytes() {
            if matches!(byte, b'*' | b'?' | b'[' | b'\\') {
                pattern.push(b'\\');
            }
            pattern.push(byte);
        }
        OsString::from_vec(pattern)
    }

    /// As the header of a trace has it.
    pub(crate) fn bits(&self) -> u32 {
        let bits = [
            (self.arguments, layout::ARGUMENTS),
            (self.stdin, layout::STDIN),
            (self.files, layout::FILES),
            (self.environment, layout::ENVIRONMENT),
        ];
        bits.into_iter().filter(|&(is_set, _)| is_set).fold(0, |all, (_, bit)| all | bit)
    }
}

/// An argument of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument<'a> {
    /// Its text, which ends before its first zero byte.
    pub text: &'a OsStr,
    /// How long it may become in other runs: if this is more than the text has bytes, where it ends depends on the input.
    pub room: usize,
    /// Never symbolic, whatever [`Symbolic`] says.
    pub fixed: bool,
}

impl<'a> Argument<'a> {
    /// An argument that can be longer than its text is.
    pub fn with_room(text: &'a OsStr, room: usize) -> Self {
        Argument { text, room, fixed: false }
    }

    /// The bytes that are sent.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        let bytes = self.text.as_bytes();
        &bytes[..bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len())]
    }
}

impl<'a> From<&'a OsStr> for Argument<'a> {
    /// An argument that is as long as it is.
    fn from(text: &'a OsStr) -> Self {
        Self::with_room(text, text.len())
    }
}

/// An object for a call of `klee_make_symbolic`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedObject<'a> {
    /// What it was called when it was asked for; only to be told from others.
    pub name: &'a OsStr,
    /// What is in it. Where the program wants more, it gets zeros.
    pub bytes: &'a [u8],
}

/// A file in the directory of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedFile<'a> {
    /// Its name, as the program would say it.
    pub name: &'a OsStr,
    /// How large it may become in other runs, if its size depends on the input.
    pub size: Option<u32>,
}

impl<'a> From<&'a OsStr> for NamedFile<'a> {
    /// A file that is as large as it is.
    fn from(name: &'a OsStr) -> Self {
        NamedFile { name, size: None }
    }
}

/// What a run is given beyond its arguments and files. By default nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extras<'a> {
    /// How many arguments there may be in other runs, the program's name not counted, if their number depends on the
    /// input. At most 255.
    pub argument_count: Option<RangeInclusive<u32>>,
    /// Files in the directory of the run: whether a symbolic path is the name of one of them is a branch.
    pub files: Vec<NamedFile<'a>>,
    /// How large standard input may become in other runs, if its size depends on the input. It must be a regular file.
    pub stdin_size: Option<u32>,
    /// Objects for `klee_make_symbolic`, in the order of its calls.
    pub objects: Vec<NamedObject<'a>>,
}

/// One run of a program.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// The arguments, the program's name first. That one is never symbolic.
    pub arguments: Vec<Argument<'a>>,
    /// What else it is given.
    pub extras: Extras<'a>,
    /// Its environment, or else that of the server.
    pub environment: Option<&'a [(OsString, OsString)]>,
    /// Standard input.
    pub stdin: BorrowedFd<'a>,
    /// Standard output.
    pub stdout: BorrowedFd<'a>,
    /// Standard error.
    pub stderr: BorrowedFd<'a>,
    /// The directory to run in.
    pub directory: BorrowedFd<'a>,
    /// Which input is symbolic.
    pub symbolic: &'a Symbolic,
    /// Whether the trace says what can fail although its operands are constant: blocks with operations that can, and accesses
    /// to objects whose size is symbolic.
    pub visits: bool,
    /// Whether the trace has arithmetic that C does not define for all operands: of signed numbers, and shifts.
    pub arithmetic: bool,
    /// Whether the address is taken as it is where an object that is made of much input is read at a symbolic one: other places
    /// of such an object are other paths.
    pub near: bool,
    /// Whether the trace says which bytes that depend on the input leave the program. Offsets are only known in files that can be
    /// sought in.
    pub outputs: bool,
    /// Whether the trace has branches whose condition its path has said already.
    pub repeats: bool,
    /// How much the trace may hold.
    pub limits: TraceLimits,
    /// After this time the program is killed.
    pub timeout: Option<Duration>,
}

/// What came of a run.
#[derive(Debug)]
pub struct TracedRun {
    /// The trace. If the program was killed, up to there.
    pub trace: Trace,
    /// How the program ended.
    pub status: ExitStatus,
    /// Whether it was killed since its time was up.
    pub timed_out: bool,
    /// Whether it was killed since it had too much memory. Only in a sandbox that is known.
    pub out_of_memory: bool,
    /// The processor time it took.
    pub cpu: Duration,
    /// The time from its beginning to its end.
    pub elapsed: Duration,
    /// The beginnings of standard output and standard error, if they were asked for.
    pub outputs: Option<[Vec<u8>; 2]>,
}
