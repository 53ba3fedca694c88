//! The clang that does the work.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// Which language's driver the wrapper stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// `clang`
    C,
    /// `clang++`
    Cxx,
}

/// The wrapped compiler.
pub struct Clang {
    program: OsString,
    /// The language it stands for.
    pub driver: Driver,
}

/// What shells answer when a command is not found, and so do we when clang is not.
const NOT_FOUND: u8 = 127;

impl Clang {
    /// `BYWAY_CLANG`, or clang-19.
    pub fn from_environment(driver: Driver) -> Self {
        let program = std::env::var_os("BYWAY_CLANG").filter(|program| !program.is_empty());
        Clang { program: program.unwrap_or_else(|| "clang-19".into()), driver }
    }

    fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(&self.program);
        if self.driver == Driver::Cxx {
            command.arg("--driver-mode=g++");
        }
        command.args(arguments);
        command
    }

    /// Becomes clang; returns only if that fails.
    pub fn replace_process(&self, arguments: &[OsString]) -> ExitCode {
        let error = self.command(arguments).exec();
        self.cannot_run(&error)
    }

    /// Runs clang with our own input and output.
    pub fn run(&self, arguments: &[OsString]) -> Result<ExitStatus, ExitCode> {
        self.command(arguments).status().map_err(|error| self.cannot_run(&error))
    }

    /// Runs clang silently and returns what it wrote to its standard output, or what it complained about.
    pub fn capture(&self, arguments: &[String]) -> Result<Vec<u8>, String> {
        let output = self
            .command(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("cannot run {}: {error}", self.program.to_string_lossy()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let message = String::from_utf8_lossy(&output.stderr);
        let line = message.lines().find(|line| line.contains("error")).or_else(|| message.lines().next());
        Err(match line {
            Some(line) => format!("the front end failed: {line}"),
            None => format!("the front end failed: {}", output.status),
        })
    }

    fn cannot_run(&self, error: &io::Error) -> ExitCode {
        let program = self.program.to_string_lossy();
        eprintln!("byway-cc: cannot run {program}: {error}");
        eprintln!("byway-cc: install clang-19, or set BYWAY_CLANG to another clang");
        ExitCode::from(NOT_FOUND)
    }
}

/// Ends this process as a child ended: with its exit code, or by the same signal.
pub fn exit_like(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal().and_then(rustix::process::Signal::from_named_raw) {
        let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
    }
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
