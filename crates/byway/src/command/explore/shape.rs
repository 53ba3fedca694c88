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
    if let [minimum, maximum, length] = flags.sym_args[..] {
        if minimum > maximum {
            return Err(Error::Ask(format!("--sym-args: there cannot be at least {minimum} and at most {maximum}")));
        }
        arguments.extend((0..maximum).map(|_| symbolic(length)));
        first_count = least + minimum;
        count = Some(first_count..=least + maximum).filter(|range| range.start() < range.end());
    }
    if arguments.len() > 255 {
        return Err(Error::Ask("there can be 255 arguments at most".to_owned()));
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

fn files(asked: &[u32]) -> Result<BTreeMap<PathBuf, Vec<u8>>, Error> {
    let [count, size] = *asked else { return Ok(BTreeMap::new()) };
    if count > MOST_FILES {
        return Err(Error::Ask(format!("--sym-files: there can be {MOST_FILES} files at most")));
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
