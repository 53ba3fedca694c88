//! KLEE's functions, for programs that declare them themselves in place of including the header: a link that asks for them
//! gets their definitions, which are weak, as those of the header are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use byway_carrier::elf;
use tempfile::TempDir;

use crate::clang::{Clang, Driver};
use crate::command_line::{CommandLine, Input, Language, Purpose, Role};
use crate::{append, frontend, headers};

/// What all names of the functions begin with.
const PREFIX: &[u8] = b"klee_";
/// The definitions, beside the header.
const SOURCE: &str = "klee/klee.c";

/// An object with the definitions, there as long as this lives.
pub struct Support {
    _scratch: TempDir,
    pub object: PathBuf,
}

/// The definitions for a link of a program in which the functions are named, if they can be compiled.
pub fn support(command_line: &CommandLine, directory: &Path) -> Option<Support> {
    if command_line.task != Purpose::Link || !makes_program(command_line) {
        return None;
    }
    let inputs = command_line.inputs();
    inputs.iter().any(|input| names_functions(input, directory)).then_some(())?;
    let source = headers::directory()?.join(SOURCE).to_str().map(str::to_owned)?;
    let scratch = tempfile::tempdir().ok()?;
    let object = scratch.path().join("klee.o");
    let text = object.to_str()?.to_owned();
    let arguments = ["-c", "-g", "-w", "-fPIC", "-o", &text, "-x", "c", &source].map(str::to_owned);
    let clang = Clang::from_environment(Driver::C);
    clang.run_silently(&arguments).ok()?;
    let words: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let compiled = CommandLine::parse(&words);
    let input = compiled.inputs().into_iter().next()?;
    append(&object, &frontend::record(&clang, &compiled, input, directory).into_iter().collect::<Vec<_>>());
    Some(Support { _scratch: scratch, object })
}

/// Whether the link makes a program with the C library in it.
fn makes_program(command_line: &CommandLine) -> bool {
    const OTHERS: [&str; 6] = ["-shared", "--shared", "-r", "-nostdlib", "-nodefaultlibs", "-nolibc"];
    let others = |words: &[String]| words.iter().any(|word| OTHERS.contains(&word.as_str()));
    !command_line.arguments.iter().any(|argument| match &argument.role {
        Role::LinkerWords(words) => others(words),
        _ => others(&argument.words),
    })
}

/// Whether one of the functions is named in a source or an object.
fn names_functions(input: &Input, directory: &Path) -> bool {
    let is_code = matches!(input.language, Language::Bitcode | Language::Object);
    let data = is_code.then(|| elf::read(&directory.join(&input.path)).ok()).flatten();
    data.is_some_and(|data| data.windows(PREFIX.len()).any(|window| window == PREFIX))
}
