//! The clang that does the work.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use tempfile::NamedTempFile;

use crate::response_file;

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

/// The kernel takes 2 MiB of arguments and environment together, and 128 KiB for one argument.
const LONG: usize = 64 * 1024;

/// What shells answer when a command is not found, and so do we when clang is not.
const NOT_FOUND: u8 = 127;

impl Clang {
    /// `BYWAY_CLANG`, or clang-19.
    pub fn from_environment(driver: Driver) -> Self {
        let program = std::env::var_os("BYWAY_CLANG").filter(|program| !program.is_empty());
        Clang { program: program.unwrap_or_else(|| "clang-19".into()), driver }
    }

    /// A command, and the file that has to live while it runs if the arguments are too many for a command line.
    fn command(&self, arguments: &[impl AsRef<OsStr>]) -> io::Result<(Command, Option<NamedTempFile>)> {
        let mut command = Command::new(&self.program);
        if self.driver == Driver::Cxx {
            command.arg("--driver-mode=g++");
        }
        let length: usize = arguments.iter().map(|argument| argument.as_ref().len() + 1).sum();
        if length < LONG {
            command.args(arguments);
            return Ok((command, None));
        }
        let mut file = NamedTempFile::new()?;
        file.write_all(&response_file::write(arguments))?;
        command.arg(format!("@{}", file.path().display()));
        Ok((command, Some(file)))
    }

    /// Becomes clang; returns only if that fails.
    pub fn replace_process(&self, arguments: &[OsString]) -> ExitCode {
        match self.command(arguments) {
            Ok((mut command, None)) => self.cannot_run(&command.exec()),
            _ => self.run(arguments).map_or_else(|code| code, exit_like),
        }
    }

    /// Runs clang with our own input and output.
    pub fn run(&self, arguments: &[OsString]) -> Result<ExitStatus, ExitCode> {
        let run = || {
            let (mut command, _file) = self.command(arguments)?;
            command.status()
        };
        run().map_err(|error| self.cannot_run(&error))
    }

    /// Runs clang silently; what it complained about if it failed.
    pub fn run_silently(&self, arguments: &[String]) -> Result<(), String> {
        let run = || {
            let (mut command, _file) = self.command(arguments)?;
            command.stdin(Stdio::null()).output()
        };
        let output = run().map_err(|error| format!("cannot run {}: {error}", self.program.to_string_lossy()))?;
        if output.status.success() {
            return Ok(());
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
