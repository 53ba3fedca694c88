//! Building a version with the user's command.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};

use crate::checkout::Commit;
use crate::error::{VersionsError, file};

/// How often we look whether the command has ended or is to end.
const LOOK: Duration = Duration::from_millis(50);
/// How long the command may take to end after it was asked to.
const FAREWELL: Duration = Duration::from_secs(3);
/// How many of the last lines of a failed build are shown.
const SHOWN_LINES: usize = 15;
/// Variables that decide what a build makes.
const DECIDING: [&str; 6] = ["CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LIBS", "MAKEFLAGS"];

/// How versions are built.
#[derive(Debug, Clone)]
pub struct Build {
    /// The command, for a shell.
    pub command: String,
    /// The program `byway-cc`.
    pub compiler: PathBuf,
}

impl Build {
    /// The name that a version built in this way is kept under.
    pub(crate) fn key(&self, commit: &Commit, below: &Path) -> Result<String, VersionsError> {
        let compiler = std::fs::read(&self.compiler).map_err(file(&self.compiler))?;
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        add(blake3::hash(&compiler).as_bytes());
        add(self.command.as_bytes());
        add(below.as_os_str().as_encoded_bytes());
        for name in DECIDING {
            add(env::var_os(name).unwrap_or_default().as_encoded_bytes());
        }
        let rest = hasher.finalize().to_hex();
        Ok(format!("{}-{}", &commit.id, &rest[..16]))
    }
}

/// A version that was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// The format of this file.
    pub(crate) version: u32,
    /// What was built.
    pub commit: Commit,
    /// By which command.
    pub command: String,
}

/// Where and how a command runs.
pub(crate) struct Invocation<'a> {
    pub command: &'a str,
    pub directory: &'a Path,
    pub environment: Vec<(&'static str, OsString)>,
    pub log: &'a Path,
    /// Its standard input, which is empty: as long as a process of the command is left, the place stays locked.
    pub lock: &'a File,
}

impl Invocation<'_> {
    /// Runs the command to its end, or until `interrupted` is set.
    pub fn run(&self, interrupted: &AtomicBool) -> Result<ExitStatus, VersionsError> {
        let log = File::create(self.log).map_err(file(self.log))?;
        let errors = log.try_clone().map_err(file(self.log))?;
        let stdin = self.lock.try_clone().map_err(file(self.log))?;
        let mut command = Command::new("sh");
        command.args(["-c", self.command]).current_dir(self.directory).process_group(0);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_")).for_each(|(name, _)| {
            command.env_remove(name);
        });
        let child = command.stdin(stdin).stdout(log).stderr(errors).spawn();
        wait(child.map_err(file("sh"))?, interrupted)
    }

    /// The last lines that the command printed.
    pub fn end_of_log(&self) -> String {
        let text = std::fs::read(self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.len().saturating_sub(SHOWN_LINES);
        lines[first..].iter().map(|line| format!("  {line}\n")).collect()
    }
}

/// What build and test commands find in their environment: `byway-cc` as their compiler, in a directory that is searched first.
pub(crate) fn environment(tools: &Path) -> Vec<(&'static str, OsString)> {
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let all = std::iter::once(tools.to_owned()).chain(env::split_paths(&path));
    let path = env::join_paths(all).unwrap_or(path);
    vec![("PATH", path), ("CC", "byway-cc".into()), ("CXX", "byway-c++".into())]
}

fn wait(mut child: Child, interrupted: &AtomicBool) -> Result<ExitStatus, VersionsError> {
    let group = Pid::from_child(&child);
    let mut asked: Option<Instant> = None;
    loop {
        match child.try_wait().map_err(file("sh"))? {
            Some(_) if asked.is_some() => return Err(VersionsError::Interrupted),
            Some(status) => return Ok(status),
            None => {}
        }
        if asked.is_none() && interrupted.load(Ordering::Relaxed) {
            let _ = kill_process_group(group, Signal::TERM);
            asked = Some(Instant::now());
        }
        if asked.is_some_and(|when| when.elapsed() > FAREWELL) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        thread::sleep(LOOK);
    }
}
