//! Seeds that others made: corpora of fuzzers, and tests of KLEE.

mod klee;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_carrier::elf::{self, Carriage};
use byway_report::{Text, disk};

use crate::error::SuiteError;
use crate::store::SeedStore;
use crate::stored::{StoredFile, StoredProgram, StoredSeed, VERSION};
use crate::suite::Suite;

use klee::Inputs;

/// What stands for the name of the input in a command line.
const PLACE: &[u8] = b"@@";
/// The directory of a fuzzer with inputs that it keeps, and others beside it that have inputs too.
const QUEUE: &str = "queue";
const INPUTS: [&str; 3] = [QUEUE, "crashes", "hangs"];
/// Permissions of what had none.
const MODE: u32 = 0o644;

/// Makes seeds of files: each is the input of a run of `command`, in place of `@@` or else on standard input. Directories are
/// searched. Tests of KLEE say themselves what they are input to.
pub fn import(corpora: &[PathBuf], command: &[OsString], directory: &Path) -> Result<Suite, SuiteError> {
    let mut files = Vec::new();
    for corpus in corpora {
        fs::metadata(corpus).map_err(SuiteError::io("read", corpus))?;
        find(corpus, &mut files)?;
    }
    if files.is_empty() {
        return Err(SuiteError::NoInputs);
    }
    let program = program(command.first().map(OsString::as_os_str).unwrap_or_default())?;
    let content = elf::read(&program).map_err(SuiteError::io("read", &program))?;
    if !matches!(elf::carriage(&content), Carriage::Bitcode(_)) {
        return Err(SuiteError::NoBitcode { path: program });
    }
    let mut store = SeedStore::create(directory, &[])?;
    let program = store.keep_program(&program, &content)?;
    let base = Base { program, command, here: env::current_dir().unwrap_or_default() };
    for file in &files {
        let seed = base.seed(file, &mut store)?;
        store.add(seed)?;
    }
    Ok(store.finish(None, Duration::ZERO, Vec::new())?.0)
}

/// What all imported seeds share.
struct Base<'a> {
    program: StoredProgram,
    command: &'a [OsString],
    here: PathBuf,
}

impl Base<'_> {
    fn seed(&self, path: &Path, store: &mut SeedStore) -> Result<StoredSeed, SuiteError> {
        let content = byway_file::read(path, byway_file::INPUT).map_err(SuiteError::io("read", path))?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut seed = self.nothing();
        if path.extension() == Some(OsStr::new("ktest")) {
            let inputs =
                Inputs::read(&content).map_err(|source| SuiteError::KTest { path: path.to_owned(), source })?;
            seed.arguments.extend(inputs.arguments.into_iter().map(Text));
            seed.stdin = inputs.stdin.map(|stdin| store.keep(&stdin)).transpose()?;
            for (name, bytes) in inputs.files {
                add(&mut seed, &self.here.join(name), &bytes, store)?;
            }
            if inputs.has_objects {
                seed.environment.retain(|(name, _)| name.0 != klee::VARIABLE);
                seed.environment.push((klee::VARIABLE.into(), absolute.as_path().into()));
                add(&mut seed, &absolute, &content, store)?;
            }
            return Ok(seed);
        }
        let place = absolute.strip_prefix(&self.here).unwrap_or(&absolute);
        let mut is_named = false;
        for argument in &mut seed.arguments[1..] {
            let parts = split(&argument.0);
            is_named |= parts.len() > 1;
            argument.0 = parts.join(place.as_os_str().as_bytes());
        }
        match is_named {
            true => add(&mut seed, &absolute, &content, store)?,
            false => seed.stdin = Some(store.keep(&content)?),
        }
        Ok(seed)
    }

    /// A run without input.
    fn nothing(&self) -> StoredSeed {
        let text = |word: &OsString| Text::from(word.as_os_str());
        let environment = env::vars_os().map(|(name, value)| (text(&name), text(&value)));
        StoredSeed {
            version: VERSION,
            name: String::new(),
            program: self.program.clone(),
            arguments: self.command.iter().map(text).collect(),
            environment: environment.collect(),
            directory: self.here.as_path().into(),
            stdin: None,
            files: Vec::new(),
            directories: vec![self.here.as_path().into()],
            links: Vec::new(),
            absent: Vec::new(),
            missing: Vec::new(),
            ending: None,
            stdout: Text::default(),
            stderr: Text::default(),
            seconds: 0.0,
            times: 1,
            origin: None,
        }
    }
}

fn add(seed: &mut StoredSeed, path: &Path, content: &[u8], store: &mut SeedStore) -> Result<(), SuiteError> {
    let content = store.keep(content)?;
    seed.files.push(StoredFile { path: path.into(), content, mode: MODE });
    let parent = Text::from(path.parent().unwrap_or(path));
    if !seed.directories.contains(&parent) {
        seed.directories.push(parent);
    }
    Ok(())
}

/// The parts of an argument around each `@@`.
fn split(argument: &[u8]) -> Vec<Vec<u8>> {
    let (mut parts, mut part, mut rest) = (Vec::new(), Vec::new(), argument);
    while let Some((&first, others)) = rest.split_first() {
        match rest.strip_prefix(PLACE) {
            Some(behind) => {
                parts.push(std::mem::take(&mut part));
                rest = behind;
            }
            None => {
                part.push(first);
                rest = others;
            }
        }
    }
    parts.push(part);
    parts
}

/// The inputs at a path: a file, or the files of a directory but for what fuzzers write for themselves.
fn find(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), SuiteError> {
    if !path.is_dir() {
        if path.is_file() {
            files.push(path.to_owned());
        }
        return Ok(());
    }
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."));
    let entries = disk::list(path)?.into_iter().filter(|path| !is_hidden(path));
    let is_fuzzer = path.join(QUEUE).is_dir();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_owned();
        let is_readme = name == "README.txt" && path.file_name().is_some_and(|name| name != QUEUE);
        let is_input = !is_fuzzer || INPUTS.iter().any(|input| name == *input);
        if is_input && !is_readme {
            find(&entry, files)?;
        }
    }
    Ok(())
}

/// Where a program is, as a shell would find it.
fn program(name: &OsStr) -> Result<PathBuf, SuiteError> {
    let nothing = || SuiteError::NoCommand {
        command: name.to_owned(),
        source: std::io::Error::from_raw_os_error(nix::libc::ENOENT),
    };
    let found = if name.as_bytes().contains(&b'/') {
        Some(PathBuf::from(name))
    } else {
        let path = env::var_os("PATH").unwrap_or_default();
        // A user who names a program that is here means it.
        let places = env::split_paths(&path).chain([PathBuf::from(OsString::from_vec(b".".to_vec()))]);
        places.map(|directory| directory.join(name)).find(|path| path.is_file())
    };
    found.filter(|path| path.is_file()).and_then(|path| fs::canonicalize(path).ok()).ok_or_else(nothing)
}
