//! Runs tests, one after the other, in a cell.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::{Cell, Settings, Task};
use byway_exec::Judge;
use byway_report::{Build, Ending, HANG, Placed, Replay, Staged, Verdict, verdict};

use crate::command::environment;
use crate::error::Error;
use crate::flags::ReplayFlags;

use super::builds::Chosen;

/// How much of standard error is looked at.
const MAX_STDERR: u64 = 1 << 20;
/// Where the program finds the objects that it asks for.
const KTEST: &str = ".byway.ktest";

/// The directory for what surrounds a test from elsewhere.
const ROOT: &str = "root";

/// A cell, and what all runs in it have in common.
pub struct Runs {
    cell: Cell,
    environment: Vec<(OsString, OsString)>,
    timeout: Duration,
    null: File,
}

impl Runs {
    /// Makes a cell in which these tests can be run.
    pub fn new(flags: &ReplayFlags, tests: &[Replay]) -> Result<Runs, Error> {
        let settings = Settings { memory: flags.memory, ..Settings::default() };
        let cell = match flags.unconfined {
            true => Cell::unconfined(&settings)?,
            // What surrounds a test is best set up where it was, but any place will do.
            false => Cell::start(&Settings { places: places(tests), ..settings.clone() })
                .or_else(|_| Cell::start(&settings))?,
        };
        let null = File::options().read(true).write(true).open("/dev/null").map_err(pass("/dev/null"))?;
        Ok(Runs { cell, environment: environment(), timeout: flags.timeout, null })
    }

    /// Runs a test and says whether it still shows what it showed.
    pub fn verdict(&mut self, test: &Replay, chosen: &Chosen) -> Result<Verdict, Error> {
        self.cell.clear()?;
        let staged = test.base().and_then(|base| {
            let here = self.cell.path().join(ROOT);
            test.staged(if self.cell.is_writable(&base) { &base } else { &here })
        });
        match &staged {
            Some(staged) => self.set_up(staged)?,
            None => self.place_all(&test.files)?,
        }
        if let Some(stored) = &test.ktest {
            self.place(Path::new(KTEST), stored)?;
        }
        let (stderr, ending) = self.run(test, staged.as_ref(), chosen)?;
        if let Some(differs) = self.ends_natively(test, staged.as_ref(), chosen, ending)? {
            return Ok(differs);
        }
        let name = chosen.program.file_name().unwrap_or_default().to_string_lossy();
        Ok(verdict(&test.expected, chosen.build, &name, &stderr, ending))
    }

    /// What does not end in the build with sanitizers hangs only if the program as it was built does not end either.
    fn ends_natively(
        &mut self,
        test: &Replay,
        staged: Option<&Staged>,
        chosen: &Chosen,
        ending: Ending,
    ) -> Result<Option<Verdict>, Error> {
        let is_hang = chosen.build == Build::Sanitized && test.expected.is_hang() && ending == Ending::TimedOut;
        if !is_hang {
            return Ok(None);
        }
        let native = Chosen { executed: chosen.program.clone(), build: Build::Plain, ..chosen.clone() };
        let (_, ending) = self.run(test, staged, &native)?;
        let differs = format!("no {HANG} any more: without sanitizers {ending}");
        Ok((ending != Ending::TimedOut).then_some(Verdict::Differs(differs)))
    }

    /// Makes the surroundings what a test suite had.
    fn set_up(&mut self, staged: &Staged) -> Result<(), Error> {
        for path in staged.directories.iter().chain([&staged.directory]) {
            match self.cell.make_directory(path) {
                Err(_) if self.cell.open_directory(path).is_ok() => {}
                made => made.map_err(|source| Error::Write { path: path.clone(), source })?,
            }
        }
        for (path, target) in &staged.links {
            let made = self.cell.link(path, target.as_os_str());
            made.map_err(|source| Error::Write { path: path.clone(), source })?;
        }
        self.place_all(&staged.files)
    }

    fn place_all(&mut self, files: &[Placed]) -> Result<(), Error> {
        files.iter().try_for_each(|file| self.place(&file.path, &file.stored))
    }

    fn place(&mut self, path: &Path, stored: &Path) -> Result<(), Error> {
        let content = read(stored)?;
        self.cell.write(path, &content).map_err(|source| Error::Write { path: path.to_owned(), source })
    }

    fn run(&mut self, test: &Replay, staged: Option<&Staged>, chosen: &Chosen) -> Result<(Vec<u8>, Ending), Error> {
        let stdin = match &test.stdin {
            Some(stored) => copy(&read(stored)?).map_err(pass("standard input"))?,
            None => self.null.try_clone().map_err(pass("standard input"))?,
        };
        let mut stderr = tempfile::tempfile().map_err(pass("standard error"))?;
        let environment = self.environment(test, staged, chosen.build);
        let arguments: Vec<&OsStr> = match staged {
            Some(staged) => staged.arguments.iter().map(OsString::as_os_str).collect(),
            None => {
                let arguments = test.arguments.iter().map(OsString::as_os_str);
                std::iter::once(chosen.program.as_os_str()).chain(arguments).collect()
            }
        };
        let task = Task {
            program: &chosen.executed,
            arguments,
            environment: Some(&environment),
            directory: staged.map(|staged| staged.directory.as_path()),
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
        let ending = Ending::of_run(ended.status, ended.timed_out, ended.out_of_memory);
        Ok((text, ending))
    }

    fn environment(&self, test: &Replay, staged: Option<&Staged>, build: Build) -> Vec<(OsString, OsString)> {
        let is_all = staged.is_some_and(|staged| staged.is_all);
        let mut environment = if is_all { Vec::new() } else { self.environment.clone() };
        for (name, value) in staged.into_iter().flat_map(|staged| &staged.variables) {
            environment.retain(|(other, _)| other != name);
            environment.extend(value.clone().map(|value| (name.clone(), value)));
        }
        if build == Build::Sanitized {
            let judge = Judge { goes_on: test.expected.goes_on(), ..Judge::new() }.environment();
            environment.extend(judge.into_iter().map(|(name, value)| (name.into(), value.into())));
        }
        if test.ktest.is_some() {
            environment.push(("KTEST_FILE".into(), self.cell.path().join(KTEST).into()));
        }
        environment
    }
}

/// The directories that tests from test suites were below, as far as they are there.
fn places(tests: &[Replay]) -> Vec<PathBuf> {
    let bases = tests.iter().filter_map(Replay::base);
    let mut places: Vec<PathBuf> = bases.filter(|base| base.is_dir() && base.parent().is_some()).collect();
    places.sort();
    places.dedup();
    places
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    byway_file::read(path, byway_file::PROGRAM).map_err(|source| Error::Read { path: path.to_owned(), source })
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
