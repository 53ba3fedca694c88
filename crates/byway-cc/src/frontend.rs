//! Bitcode for a translation unit, as clang's front end makes it for the user's own flags.
//!
//! The flags are the user's: the optimisation level too, since headers look at what it defines. LLVM's passes are off, so
//! every branch of the source is still there. With the bitcode goes all that is needed to compile the unit again, for the
//! sanitizers: the arguments, and every file that was read with its hash.

use std::path::Path;

use byway_carrier::{Absent, Dependency, Module, Record, compress};

use crate::clang::{Clang, Driver};
use crate::command_line::{CommandLine, Input, Language, Role};
use crate::{dependency_file, environment, sanitizers};

/// The record for one input of a command; none for what is not a translation unit.
pub fn record(clang: &Clang, command_line: &CommandLine, input: &Input, directory: &Path) -> Option<Record> {
    if input.language == Language::Object {
        return None;
    }
    let (source, directory) = (input.path.clone(), directory.to_owned());
    Some(match module(clang, command_line, input, &directory) {
        Ok(module) => Record::Module(module),
        Err(reason) => Record::Absent(Absent { source, directory, reason }),
    })
}

fn module(clang: &Clang, command_line: &CommandLine, input: &Input, directory: &Path) -> Result<Module, String> {
    match input.language {
        Language::Bitcode if input.path == "-" => return Err("the source was read from standard input".to_owned()),
        Language::Bitcode if !Path::new(&input.path).is_file() => {
            return Err("the source is not a regular file, and cannot be read again".to_owned());
        }
        Language::Bitcode => {}
        Language::Assembly => return Err("it is written in assembly".to_owned()),
        _ => return Err("its language is not supported".to_owned()),
    }
    if !command_line.utf8 {
        return Err("its command line is not valid UTF-8".to_owned());
    }
    let arguments = arguments(command_line, input);
    let (bitcode, dependencies) = run(clang, command_line, &arguments, directory)?;
    Ok(Module {
        source: input.path.clone(),
        directory: directory.to_owned(),
        cxx: clang.driver == Driver::Cxx,
        arguments,
        environment: environment(&["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"]),
        notes: notes(command_line),
        bitcode,
        dependencies,
    })
}

/// Runs the front end: the bitcode, compressed, and what was read for it.
fn run(
    clang: &Clang,
    command_line: &CommandLine,
    arguments: &[String],
    directory: &Path,
) -> Result<(Vec<u8>, Vec<Dependency>), String> {
    let cannot = |error: std::io::Error| format!("no temporary file could be used: {error}");
    let scratch = tempfile::tempdir().map_err(cannot)?;
    let (made, listed) = (scratch.path().join("bitcode"), scratch.path().join("dependencies"));
    let (input, user) = arguments.split_last().expect("the input is the last argument");
    let mut flags = user.to_vec();
    flags.extend(optimisation(command_line));
    flags.extend(past_driver(&["-disable-llvm-passes"]));
    flags.extend(["-g", "-w", "-Qunused-arguments", "-emit-llvm", "-c", "-MD"].map(str::to_owned));
    flags.extend(["-MF".to_owned(), listed.to_string_lossy().into_owned()]);
    flags.extend(["-o".to_owned(), made.to_string_lossy().into_owned()]);
    flags.extend(["--".to_owned(), input.clone()]);
    clang.run_silently(&flags)?;
    let bitcode = std::fs::read(&made).and_then(|bitcode| compress(&bitcode)).map_err(cannot)?;
    Ok((bitcode, dependencies(&listed, directory, input)))
}

/// The files that a list of dependencies names, with their hashes. For LLVM's own code clang writes an empty list: only the
/// input was read.
fn dependencies(list: &Path, directory: &Path, input: &str) -> Vec<Dependency> {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let mut listed = dependency_file::prerequisites(&text);
    if listed.is_empty() {
        listed.push(input.to_owned());
    }
    let paths = listed.into_iter().map(|path| directory.join(path));
    // A file that cannot be read any more gets a hash that never holds.
    paths.map(|path| Dependency::of(path.clone()).unwrap_or(Dependency(path, 0))).collect()
}

/// What the user's command line says about compiling this input, less what we choose ourselves.
fn arguments(command_line: &CommandLine, input: &Input) -> Vec<String> {
    // Headers come first, as the driver has them, but past the driver: it would look for precompiled ones, which were made
    // for other flags.
    let headers = command_line.arguments.iter().filter_map(|argument| match &argument.role {
        Role::Include(header) => Some(past_driver(&["-include", header])),
        _ => None,
    });
    let mut arguments: Vec<String> = headers.flatten().collect();
    let mut after_precompiled = false;
    for argument in &command_line.arguments {
        let words = &argument.words;
        match argument.role {
            Role::CompileOnly if after_precompiled => after_precompiled = false,
            Role::CompileOnly if words[0] == "-Xclang" && words.last().is_some_and(|word| word == "-include-pch") => {
                after_precompiled = true;
            }
            Role::CompileOnly | Role::Flag => arguments.extend(words.iter().cloned()),
            _ => {}
        }
    }
    arguments.extend(sanitizers::checks(command_line));
    arguments.extend(sanitizers::exceptions(command_line));
    arguments.extend(input.explicit.iter().flat_map(|language| ["-x".to_owned(), language.clone()]));
    arguments.push(input.path.clone());
    arguments
}

/// What keeps unoptimised functions open to the optimiser.
fn optimisation(command_line: &CommandLine) -> Vec<String> {
    let words = command_line.arguments.iter().filter(|argument| argument.role == Role::CompileOnly);
    let level = words.map(|argument| argument.words[0].as_str()).rfind(|word| word.starts_with("-O"));
    if matches!(level, None | Some("-O0")) { past_driver(&["-disable-O0-optnone"]) } else { Vec::new() }
}

fn past_driver(words: &[&str]) -> Vec<String> {
    words.iter().flat_map(|&word| ["-Xclang".to_owned(), word.to_owned()]).collect()
}

fn notes(command_line: &CommandLine) -> Vec<String> {
    let lto = command_line.drops_lto().then(|| "link-time optimisation was turned off".to_owned());
    lto.into_iter().chain(sanitizers::notes(command_line)).collect()
}
