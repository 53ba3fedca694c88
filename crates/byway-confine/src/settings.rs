//! What a sandbox is made of, what is run in it, and what came of that.

use std::ffi::{OsStr, OsString};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

/// What programs find in their working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Directory {
    /// Nothing.
    Empty,
    /// What is in this directory, under the same name. What programs write there does not reach it.
    CopyOf(PathBuf),
}

/// What a sandbox is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxSettings {
    /// The working directory.
    pub directory: Directory,
    /// Existing files outside the working directory whose content [`Sandbox::write`](crate::Sandbox::write) may replace.
    pub replaced: Vec<PathBuf>,
    /// Existing directories besides the working directory in which programs and [`Sandbox::write`](crate::Sandbox::write) may
    /// write. What is written there does not reach them. They may be within each other, and within `/tmp`, which is such
    /// a place always.
    pub places: Vec<PathBuf>,
    /// The bytes of memory that all processes of a run may have together. The memory of a trace counts.
    pub memory: u64,
    /// How many processes and threads a run may have at once.
    pub processes: u32,
    /// The bytes of a file.
    pub file_size: u64,
    /// The bytes of all files a run may leave behind. They are kept in memory.
    pub disk: u64,
}

impl Default for SandboxSettings {
    fn default() -> SandboxSettings {
        SandboxSettings {
            directory: Directory::Empty,
            replaced: Vec::new(),
            places: Vec::new(),
            memory: 2 << 30,
            processes: 64,
            file_size: 32 << 20,
            disk: 64 << 20,
        }
    }
}

/// One program to run.
#[derive(Debug, Clone)]
pub struct ProcessSpec<'a> {
    /// The program: a path, as seen in the sandbox.
    pub program: &'a Path,
    /// The arguments, the program's name first.
    pub arguments: Vec<&'a OsStr>,
    /// The environment, or else ours.
    pub environment: Option<&'a [(OsString, OsString)]>,
    /// The directory it is started in, as seen in the sandbox, or else the working directory of the sandbox.
    pub directory: Option<&'a Path>,
    /// Standard input. A program can open again what it is given here, and then write it: give no file that matters.
    pub stdin: BorrowedFd<'a>,
    /// Standard output.
    pub stdout: BorrowedFd<'a>,
    /// Standard error.
    pub stderr: BorrowedFd<'a>,
    /// After this time the program, and all it started, is killed.
    pub timeout: Option<Duration>,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// How the program itself ended.
    pub status: ExitStatus,
    /// Whether it was killed since its time was up.
    pub timed_out: bool,
    /// Whether it was killed since it had too much memory.
    pub out_of_memory: bool,
    /// Whether it left no space in the sandbox.
    pub disk_full: bool,
    /// How many processes it left behind, which were killed.
    pub left_behind: u32,
    /// The processor time that it and what it started took.
    pub cpu: Duration,
    /// The time from its beginning to its end.
    pub elapsed: Duration,
}
