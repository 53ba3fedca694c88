//! The tools that turn sources and bitcode into code and link it: clang, the linker it starts, `ar`.
//!
//! They run with what the records of a program say, and read what others made. So they run in a sandbox: the whole machine
//! is read-only there, and what they write below the directory of a cache entry stays in the sandbox until it is delivered.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use byway_confine::{ConfineError, Directory, Ended, ProcessSpec, Sandbox, SandboxSettings};
use rustix::fs::{Mode, OFlags, openat};

use crate::cache::{self, Cache};
use crate::error::VariantError;

/// The clang of the LLVM that we are linked with: no other is sure to read the bitcode we write.
pub const CLANG: &str = "clang-19";
/// A tool that takes longer than this is not waited for.
pub const TIMEOUT: Duration = Duration::from_secs(1800);
/// Linkers have a thread for each processor.
const PROCESSES: u32 = 4096;
/// Enough of what a tool complains about.
const MAX_WORDS: u64 = 1 << 16;

/// What a sandbox for a tool of ours is made of. Without a directory there is an empty one, which may hide files of the machine.
pub fn settings(directory: Option<&Path>) -> SandboxSettings {
    let directory = directory.map_or(Directory::Empty, |directory| Directory::CopyOf(directory.to_owned()));
    let machine = rustix::system::sysinfo();
    let memory = (machine.totalram as u64).saturating_mul(machine.mem_unit.into()) / 4 * 3;
    SandboxSettings {
        directory,
        memory,
        processes: PROCESSES,
        file_size: 16 << 30,
        disk: memory,
        ..SandboxSettings::default()
    }
}

/// One use of a tool.
#[derive(Debug)]
pub struct ToolCall<'a> {
    /// What it is for, should it fail.
    pub what: String,
    /// The tool.
    pub tool: &'a str,
    /// Where it is started.
    pub directory: &'a Path,
    /// Additional variables in its environment.
    pub environment: Option<&'a BTreeMap<String, String>>,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// The tools, at work below one directory.
#[derive(Debug)]
pub struct Tools {
    /// `None` if the program is trusted, or the machine confines nothing.
    sandbox: Option<Sandbox>,
}

impl Tools {
    /// Tools that may write below `directory`. They see what is there now, and what they make themselves.
    pub fn new(cache: &Cache, directory: &Path) -> Result<Tools, VariantError> {
        if cache.is_trusting() {
            return Ok(Tools { sandbox: None });
        }
        match Sandbox::start(&settings(Some(directory))) {
            Ok(sandbox) => Ok(Tools { sandbox: Some(sandbox) }),
            // Where nothing is confined, tools are not either.
            Err(ConfineError::Wall { .. }) => Ok(Tools { sandbox: None }),
            Err(error) => Err(VariantError::Confine(error)),
        }
    }

    /// Writes a file that tools are to read.
    pub fn put(&mut self, path: &Path, content: &[u8]) -> Result<(), VariantError> {
        let cannot = |source| VariantError::Cache { path: path.to_owned(), source };
        match &mut self.sandbox {
            Some(sandbox) => sandbox.write(path, content).map_err(cannot),
            None => cache::write(path, content),
        }
    }

    /// Uses a tool.
    pub fn run(&mut self, job: &ToolCall<'_>) -> Result<(), VariantError> {
        let cannot = |source| VariantError::NoTool { tool: job.tool.to_owned(), source };
        let words = tempfile::tempfile().map_err(cannot)?;
        let (status, why) = match &mut self.sandbox {
            Some(sandbox) => run_confined(sandbox, job, &words)?,
            None => (run_open(job, &words).map_err(cannot)?, None),
        };
        if status.success() {
            return Ok(());
        }
        let (what, output) = (job.what.clone(), beginning(&said(words).map_err(cannot)?));
        let how = why.map(str::to_owned).or_else(|| status.signal().map(|signal| format!("signal {signal}")));
        Err(match how {
            Some(how) => VariantError::ToolDied { what, tool: job.tool.to_owned(), how, output },
            None => VariantError::Tool { what, output },
        })
    }

    /// Brings a file that a tool made to where it is seen from outside.
    pub fn deliver(&self, path: &Path) -> Result<(), VariantError> {
        let Some(sandbox) = &self.sandbox else { return Ok(()) };
        copy_out(sandbox, path).map_err(|source| VariantError::Cache { path: path.to_owned(), source })
    }
}

/// How a tool ended in a sandbox, and why it was killed if it was.
fn run_confined(
    sandbox: &mut Sandbox,
    job: &ToolCall<'_>,
    words: &File,
) -> Result<(ExitStatus, Option<&'static str>), VariantError> {
    let cannot = |source| VariantError::NoTool { tool: job.tool.to_owned(), source };
    let null = File::options().read(true).write(true).open("/dev/null").map_err(cannot)?;
    let environment = environment(job);
    let task = ProcessSpec {
        program: Path::new(job.tool),
        arguments: std::iter::once(job.tool).chain(job.arguments.iter().map(String::as_str)).map(OsStr::new).collect(),
        environment: Some(&environment),
        directory: Some(job.directory),
        stdin: null.as_fd(),
        stdout: null.as_fd(),
        stderr: words.as_fd(),
        timeout: Some(TIMEOUT),
    };
    match sandbox.run(&task) {
        Ok(ended) => Ok((ended.status, why(&ended))),
        Err(ConfineError::Start { source, .. }) if !job.directory.is_dir() => {
            Err(VariantError::NoDirectory { path: job.directory.to_owned(), what: job.what.clone(), source })
        }
        Err(ConfineError::Start { source, .. }) => Err(cannot(source)),
        Err(error) => Err(VariantError::Confine(error)),
    }
}

fn why(ended: &Ended) -> Option<&'static str> {
    match ended {
        Ended { timed_out: true, .. } => Some("it took too long"),
        Ended { out_of_memory: true, .. } => Some("it took too much memory"),
        _ => None,
    }
}

/// Our environment with that of the job. Temporary files are those of the sandbox.
fn environment(job: &ToolCall<'_>) -> Vec<(OsString, OsString)> {
    let theirs = job.environment.into_iter().flatten().map(|(name, value)| (name.into(), value.into()));
    std::env::vars_os().filter(|(name, _)| name != "TMPDIR").chain(theirs).collect()
}

fn run_open(job: &ToolCall<'_>, words: &File) -> io::Result<ExitStatus> {
    let mut command = Command::new(job.tool);
    command.args(&job.arguments).current_dir(job.directory).envs(job.environment.into_iter().flatten());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(words.try_clone()?);
    command.status()
}

/// Links that a tool may have made lead nowhere.
fn copy_out(sandbox: &Sandbox, path: &Path) -> io::Result<()> {
    let (directory, name) = path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut made = File::from(openat(sandbox.open_directory(directory)?, name, flags, Mode::empty())?);
    let looks = made.metadata()?;
    if !looks.is_file() {
        return Err(io::Error::other("a tool made something else than a file"));
    }
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    io::copy(&mut made, &mut file)?;
    file.set_permissions(Permissions::from_mode(looks.permissions().mode() & 0o777))
}

fn said(mut words: File) -> io::Result<String> {
    let mut text = Vec::new();
    words.rewind()?;
    words.take(MAX_WORDS).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Enough of a tool's complaints to see what is wrong.
fn beginning(text: &str) -> String {
    const SHOWN: usize = 8;
    let mut lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
    if lines.len() > SHOWN + 1 {
        let more = lines.len() - SHOWN;
        lines.truncate(SHOWN);
        lines.push(format!("({more} more lines)"));
    }
    lines.join("\n")
}

/// The arguments that compile a file of bitcode (`ir`) or another language of clang's.
pub fn compile_arguments(language: &str, source: &Path, object: &Path, flags: &[&str]) -> Vec<String> {
    let fixed = ["-fPIC", "-w", "-Qunused-arguments"];
    let mut arguments: Vec<String> = fixed.iter().chain(flags).map(|&flag| flag.to_owned()).collect();
    let path = |path: &Path| path.to_string_lossy().into_owned();
    arguments.extend(["-c", "-x", language].map(str::to_owned));
    arguments.extend([path(source), "-o".to_owned(), path(object)]);
    arguments
}
