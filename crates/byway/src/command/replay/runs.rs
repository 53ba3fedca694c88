//! Runs tests, one after the other, in a cell.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::{Cell, Settings, Task};
use byway_report::{Build, Ending, Judge, Replay, Verdict, verdict};

use crate::command::environment;
use crate::error::Error;
use crate::flags::ReplayFlags;

use super::builds::Chosen;

/// How much of standard error is looked at.
const MAX_STDERR: u64 = 1 << 20;
/// Where the program finds the objects that it asks for.
const KTEST: &str = ".byway.ktest";

/// A cell, and what all runs in it have in common.
pub struct Runs {
    cell: Cell,
    environment: Vec<(OsString, OsString)>,
    timeout: Duration,
    null: File,
    /// The files of the last test.
    written: Vec<PathBuf>,
}

impl Runs {
    /// Makes a cell.
    pub fn new(flags: &ReplayFlags) -> Result<Runs, Error> {
        let settings = Settings::default();
        let cell = if flags.unconfined { Cell::unconfined(&settings)? } else { Cell::start(&settings)? };
        let null = File::options().read(true).write(true).open("/dev/null").map_err(pass("/dev/null"))?;
        Ok(Runs { cell, environment: environment(), timeout: flags.timeout, null, written: Vec::new() })
    }

    /// Runs a test and says whether it still shows what it showed.
    pub fn verdict(&mut self, test: &Replay, chosen: &Chosen) -> Result<Verdict, Error> {
        self.prepare(test)?;
        let (stderr, ending) = self.run(test, chosen)?;
        let name = chosen.program.file_name().unwrap_or_default().to_string_lossy();
        Ok(verdict(&test.expected, chosen.build, &name, &stderr, ending))
    }

    /// Makes the directory what the test says.
    fn prepare(&mut self, test: &Replay) -> Result<(), Error> {
        self.cell.reset()?;
        for path in std::mem::take(&mut self.written) {
            self.cell.remove(&path).map_err(pass("files"))?;
        }
        for file in &test.files {
            self.place(&file.path, &file.stored)?;
        }
        match &test.ktest {
            Some(stored) => self.place(Path::new(KTEST), stored),
            None => Ok(()),
        }
    }

    fn place(&mut self, path: &Path, stored: &Path) -> Result<(), Error> {
        let content = read(stored)?;
        self.cell.write(path, &content).map_err(|source| Error::Write { path: path.to_owned(), source })?;
        self.written.push(path.to_owned());
        Ok(())
    }

    fn run(&mut self, test: &Replay, chosen: &Chosen) -> Result<(Vec<u8>, Ending), Error> {
        let stdin = match &test.stdin {
            Some(stored) => copy(&read(stored)?).map_err(pass("standard input"))?,
            None => self.null.try_clone().map_err(pass("standard input"))?,
        };
        let mut stderr = tempfile::tempfile().map_err(pass("standard error"))?;
        let environment = self.environment(test, chosen.build);
        let arguments = test.arguments.iter().map(OsString::as_os_str);
        let task = Task {
            program: &chosen.executed,
            arguments: std::iter::once::<&OsStr>(chosen.program.as_os_str()).chain(arguments).collect(),
            environment: Some(&environment),
            directory: None,
            stdin: stdin.as_fd(),
            stdout: self.null.as_fd(),
            stderr: stderr.as_fd(),
            timeout: Some(self.timeout),
        };
        let ended = self.cell.run(&task)?;
        let mut text = Vec::new();
        stderr
            .rewind()
            .and_then(|()| stderr.take(MAX_STDERR).read_to_end(&mut text))
            .map_err(pass("standard error"))?;
        let ending = match ended.out_of_memory {
            true => Ending::OutOfMemory,
            false => Ending::new(ended.status, ended.timed_out),
        };
        Ok((text, ending))
    }

    fn environment(&self, test: &Replay, build: Build) -> Vec<(OsString, OsString)> {
        let mut environment = self.environment.clone();
        if build == Build::Sanitized {
            let judge = Judge::new().environment();
            environment.extend(judge.into_iter().map(|(name, value)| (name.into(), value.into())));
        }
        if test.ktest.is_some() {
            environment.push(("KTEST_FILE".into(), self.cell.path().join(KTEST).into()));
        }
        environment
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

/// A file that programs may write to without doing harm.
fn copy(content: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}

fn pass(what: &'static str) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Pass { what, source }
}
