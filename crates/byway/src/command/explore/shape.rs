//! What the user asks to be symbolic, as a shape of inputs.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use byway_explore::input::{Argument, Shape};

use crate::error::Error;
use crate::flags::ExploreFlags;

/// KLEE calls its files A, B and so on.
const MOST_FILES: u32 = 26;
/// KLEE numbers its arguments with two digits.
const MOST_ARGUMENTS: usize = 100;

/// The shape of the inputs.
pub fn shape(flags: &ExploreFlags) -> Result<Shape, Error> {
    if flags.is_from_nothing() { from_nothing(flags) } else { from_run(flags) }
}

/// As KLEE would have it: arguments, standard input and files of zeros.
fn from_nothing(flags: &ExploreFlags) -> Result<Shape, Error> {
    let fixed = flags.arguments.iter().map(|text| Argument { bytes: text.as_bytes().to_vec(), fixed: true });
    let mut arguments: Vec<Argument> = fixed.collect();
    let symbolic = |length: u32| Argument { bytes: vec![0; length as usize], fixed: false };
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
    if arguments.iter().filter(|argument| !argument.fixed).count() > MOST_ARGUMENTS {
        return ask("No more than 100 symbolic arguments allowed.");
    }
    if arguments.len() > 255 {
        return ask("there can be 255 arguments at most");
    }
    Ok(Shape {
        arguments,
        count,
        first_count,
        stdin: flags.sym_stdin.map(|size| vec![0; size as usize]),
        files: files(&flags.sym_files)?,
        names: true,
        sizes: true,
        other_files: false,
    })
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

fn files(asked: &[u32]) -> Result<BTreeMap<PathBuf, Vec<u8>>, Error> {
    let Some([count, size]) = once("--sym-files", asked)? else { return Ok(BTreeMap::new()) };
    match (count, size) {
        (0, _) => return ask("The first argument to --sym-files (number of files) cannot be 0"),
        (_, 0) => return ask("The second argument to --sym-files (file size) cannot be 0"),
        (1..=MOST_FILES, _) => {}
        _ => return Err(Error::Ask(format!("--sym-files: there can be {MOST_FILES} files at most"))),
    }
    let name = |number: u8| PathBuf::from(char::from(b'A' + number).to_string());
    Ok((0..count as u8).map(|number| (name(number), vec![0; size as usize])).collect())
}

/// What the user's own command line gives the program. Standard input is read, unless it is a terminal.
fn from_run(flags: &ExploreFlags) -> Result<Shape, Error> {
    let mut stdin = None;
    if !io::stdin().is_terminal() {
        let mut content = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut content);
        read.map_err(|source| Error::Pass { what: "standard input", source })?;
        stdin = Some(content);
    }
    let argument = |text: &std::ffi::OsString| Argument { bytes: text.as_bytes().to_vec(), fixed: false };
    let arguments: Vec<Argument> = flags.arguments.iter().map(argument).collect();
    Ok(Shape {
        first_count: arguments.len() as u32,
        arguments,
        count: None,
        stdin,
        files: BTreeMap::new(),
        names: false,
        sizes: false,
        other_files: true,
    })
}
