//! Inputs and questions in other people's formats.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use byway_input::ConcreteInput;
use byway_ktest::{KTest, Object, Posix, SymbolicArguments};
use byway_solve::{Disagreement, Pool};

use crate::input::Start;

/// An input as KLEE writes it. If KLEE has no words for its arguments or files, only what the program itself asks for.
pub fn ktest(program: &Path, start: &Start, input: &ConcreteInput) -> Vec<u8> {
    let posix = Posix {
        program: program.as_os_str().as_bytes().to_vec(),
        arguments: arguments(start, input),
        stdin: input.stdin.clone().filter(|stdin| !stdin.is_empty()),
        files: input.files.iter().map(|(_, file)| byway_ktest::File { bytes: file.content.to_vec() }).collect(),
        objects: input.objects.iter().map(|(name, bytes)| Object::new(name.as_bytes(), bytes.as_slice())).collect(),
    };
    let objects_only =
        || KTest { arguments: vec![posix.program.clone()], objects: posix.objects.clone(), ..KTest::default() };
    posix.ktest().unwrap_or_else(objects_only).write()
}

/// Runs of arguments whose number is symbolic are one of KLEE's options, all others one each.
fn arguments(start: &Start, input: &ConcreteInput) -> Vec<SymbolicArguments> {
    let texts = input.texts().map(<[u8]>::to_vec);
    let rooms = start.first.arguments.iter().map(Vec::len);
    match &start.model.argument_count {
        Some(count) => vec![SymbolicArguments::Some {
            texts: texts.collect(),
            least: *count.start() as usize,
            most: *count.end() as usize,
            length: rooms.max().unwrap_or(0),
        }],
        None => {
            let fixed = &start.model.fixed_arguments;
            let one = |(index, (text, length)): (usize, (Vec<u8>, usize))| match fixed.contains(&index) {
                true => SymbolicArguments::Fixed(text),
                false => SymbolicArguments::One { text, length },
            };
            texts.zip(rooms).enumerate().map(one).collect()
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
