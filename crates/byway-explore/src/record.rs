//! Inputs and questions in other people's formats.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use byway_ktest::{KTest, Object, Posix, SymbolicArguments};
use byway_solve::{Disagreement, Pool};

use crate::input::{Argument, Given, Shape};

/// An input as KLEE writes it. If KLEE has no words for its arguments or files, only what the program itself asks for.
pub fn ktest(program: &Path, shape: &Shape, given: &Given) -> Vec<u8> {
    let posix = Posix {
        program: program.as_os_str().as_bytes().to_vec(),
        arguments: arguments(shape, given),
        stdin: given.stdin.clone().filter(|stdin| !stdin.is_empty()),
        files: given.files.values().map(|bytes| byway_ktest::File { bytes: bytes.clone() }).collect(),
        objects: given.objects.iter().map(|(name, bytes)| Object::new(name.as_bytes(), bytes.as_slice())).collect(),
    };
    let objects_only =
        || KTest { arguments: vec![posix.program.clone()], objects: posix.objects.clone(), ..KTest::default() };
    posix.ktest().unwrap_or_else(objects_only).write()
}

/// Runs of arguments whose number is symbolic are one of KLEE's options, all others one each.
fn arguments(shape: &Shape, given: &Given) -> Vec<SymbolicArguments> {
    let input = given.to_input();
    let rooms = shape.arguments.iter().map(|argument| argument.bytes.len());
    match &shape.count {
        Some(count) => vec![SymbolicArguments::Some {
            texts: input.arguments,
            least: *count.start() as usize,
            most: *count.end() as usize,
            length: rooms.max().unwrap_or(0),
        }],
        None => {
            let one = |((text, length), argument): ((Vec<u8>, usize), &Argument)| match argument.fixed {
                true => SymbolicArguments::Fixed(text),
                false => SymbolicArguments::One { text, length },
            };
            input.arguments.into_iter().zip(rooms).zip(&shape.arguments).map(one).collect()
        }
    }
}

/// Writes a question on which two solvers disagree, with both answers.
pub fn write_disagreement(pool: &Pool, disagreement: &Disagreement, directory: &Path) -> io::Result<PathBuf> {
    let path = directory.join("disagreement.smt2");
    let mut out = BufWriter::new(File::create(&path)?);
    writeln!(out, "; ours ({}): {:?}", disagreement.ours.0.name(), disagreement.ours.1)?;
    writeln!(out, "; theirs: {:?}", disagreement.theirs)?;
    byway_solve::smt::write(pool, &disagreement.constraints, &mut out)?;
    out.flush()?;
    Ok(path)
}
