//! What the user asks to be symbolic: the first input, and the model of all others.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;

use byway_exec::Symbolic;
use byway_explore::Start;
use byway_input::{ConcreteInput, FileMap, Fixture, InputFile, InputModel, SymbolicFiles};

use crate::command::environment;
use crate::error::Error;
use crate::flags::SymbolicFlags;

/// KLEE calls its files A, B and so on.
const MOST_FILES: u32 = 26;
/// KLEE numbers its arguments with two digits.
const MOST_ARGUMENTS: usize = 100;

/// Where the exploration of a program that is called by a name begins.
pub fn start(flags: &SymbolicFlags, arguments: &[OsString], name: &OsStr) -> Result<Start, Error> {
    if flags.is_from_nothing() { from_nothing(flags, arguments, name) } else { from_run(arguments, name) }
}

/// As KLEE would have it: arguments, standard input and files of zeros.
fn from_nothing(flags: &SymbolicFlags, given: &[OsString], name: &OsStr) -> Result<Start, Error> {
    let mut arguments = texts(given);
    let fixed_arguments: BTreeSet<usize> = (0..arguments.len()).collect();
    let symbolic = |length: u32| vec![0; length as usize];
    arguments.extend(flags.sym_arg.iter().map(|&length| symbolic(length)));
    let least = arguments.len() as u32;
    let (mut count, mut first_count) = (None, least);
    if let Some([minimum, maximum, length]) = once("--sym-args", &flags.sym_args)? {
        if minimum > maximum || maximum == 0 {
            let range = format!("there cannot be at least {minimum} and at most {maximum}");
            return ask(&format!("Invalid range to --sym-args: {range}"));
        }
        arguments.extend((0..maximum).map(|_| symbolic(length)));
        first_count = least + minimum;
        count = Some(first_count..=least + maximum).filter(|range| range.start() < range.end());
    }
    if arguments.len() - fixed_arguments.len() > MOST_ARGUMENTS {
        return ask("No more than 100 symbolic arguments allowed.");
    }
    if arguments.len() > 255 {
        return ask("there can be 255 arguments at most");
    }
    let files = files(&flags.sym_files)?;
    let model = InputModel {
        arguments: true,
        fixed_arguments,
        argument_count: count,
        stdin: true,
        stdin_size: flags.sym_stdin,
        files: if files.is_empty() { SymbolicFiles::None } else { SymbolicFiles::InDirectory },
        named_files: files.iter().map(|(path, file)| (path.clone(), Some(file.content.len() as u32))).collect(),
        environment: false,
    };
    let stdin = flags.sym_stdin.map(|size| vec![0; size as usize]);
    let first = ConcreteInput { fixture: fixture(name), arguments, stdin, files, objects: Vec::new() };
    Ok(Start { first, first_count, model, sizes: true })
}

/// The numbers of an option that can be given once.
fn once<const N: usize>(option: &str, numbers: &[u32]) -> Result<Option<[u32; N]>, Error> {
    match <[u32; N]>::try_from(numbers) {
        Ok(numbers) => Ok(Some(numbers)),
        Err(_) if numbers.is_empty() => Ok(None),
        Err(_) => Err(Error::Ask(format!("Multiple {option} are not allowed"))),
    }
}

fn ask<T>(what: &str) -> Result<T, Error> {
    Err(Error::Ask(what.to_owned()))
}

fn files(asked: &[u32]) -> Result<FileMap, Error> {
    let Some([count, size]) = once("--sym-files", asked)? else { return Ok(FileMap::default()) };
    match (count, size) {
        (0, _) => return ask("The first argument to --sym-files (number of files) cannot be 0"),
        (_, 0) => return ask("The second argument to --sym-files (file size) cannot be 0"),
        (1..=MOST_FILES, _) => {}
        _ => return Err(Error::Ask(format!("--sym-files: there can be {MOST_FILES} files at most"))),
    }
    let name = |number: u8| PathBuf::from(char::from(b'A' + number).to_string());
    Ok((0..count as u8).map(|number| (name(number), InputFile::from(vec![0; size as usize]))).collect())
}

/// What the user's own command line gives the program. Standard input is read, unless it is a terminal.
fn from_run(given: &[OsString], name: &OsStr) -> Result<Start, Error> {
    let (arguments, stdin) = (texts(given), own_stdin()?);
    let first_count = arguments.len() as u32;
    let model = InputModel { arguments: true, stdin: true, files: SymbolicFiles::InDirectory, ..InputModel::default() };
    let first = ConcreteInput { fixture: fixture(name), arguments, stdin, ..ConcreteInput::default() };
    Ok(Start { first, first_count, model, sizes: false })
}

/// Leaves only some input to be changed.
pub fn restrict(model: &mut InputModel, changed: &Symbolic) {
    model.arguments &= changed.arguments;
    model.stdin &= changed.stdin;
    if !changed.files {
        model.files = SymbolicFiles::None;
    }
}

/// Standard input, unless it is a terminal.
pub fn own_stdin() -> Result<Option<Vec<u8>>, Error> {
    if io::stdin().is_terminal() {
        return Ok(None);
    }
    let mut content = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut content);
    read.map_err(|source| Error::Pass { what: "standard input", source })?;
    Ok(Some(content))
}

/// Arguments as bytes.
pub fn texts(arguments: &[OsString]) -> Vec<Vec<u8>> {
    arguments.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// What surrounds all runs: they are in the directory of the sandbox.
pub fn fixture(name: &OsStr) -> Arc<Fixture> {
    Arc::new(Fixture {
        label: name.display().to_string(),
        name: Some(name.to_owned()),
        // The objects of a program written for KLEE are ours to choose.
        environment: environment().into_iter().filter(|variable| variable.0 != "KTEST_FILE").collect(),
        ..Fixture::default()
    })
}
