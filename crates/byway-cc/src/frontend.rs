//! Bitcode for a translation unit, as clang's front end makes it for the user's own flags.
//!
//! The flags are the user's: the optimisation level too, since headers look at what it defines. LLVM's passes are off, so
//! every branch of the source is still there. A second front end run makes the bitcode of the sanitizer variant: what
//! UndefinedBehaviorSanitizer checks is known only to the front end.

use std::path::Path;

use byway_carrier::{Absent, Module, Record, Sanitized, compress};

use crate::clang::Clang;
use crate::command_line::{CommandLine, Input, Language, Role};

const SANITIZE: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-omit-frame-pointer",
    // Fortified functions bypass what AddressSanitizer intercepts. Zero, not undefined: config.h may define it if unset.
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=0",
    "-gline-tables-only",
];

/// The record for one input of a command; none for what is not a translation unit.
pub fn record(clang: &Clang, command_line: &CommandLine, input: &Input, directory: &Path) -> Option<Record> {
    if input.language == Language::Object {
        return None;
    }
    let source = input.path.clone();
    let directory = directory.to_owned();
    Some(match make(clang, command_line, input) {
        Ok(made) => Record::Module(Module {
            source,
            directory,
            arguments: made.arguments,
            notes: notes(command_line),
            bitcode: made.bitcode,
            sanitized: made.sanitized,
        }),
        Err(reason) => Record::Absent(Absent { source, directory, reason }),
    })
}

struct Made {
    arguments: Vec<String>,
    bitcode: Vec<u8>,
    sanitized: Sanitized,
}

fn make(clang: &Clang, command_line: &CommandLine, input: &Input) -> Result<Made, String> {
    match input.language {
        Language::Bitcode if input.path == "-" => return Err("the source was read from standard input".to_owned()),
        Language::Bitcode => {}
        Language::Assembly => return Err("it is written in assembly".to_owned()),
        _ => return Err("its language is not supported".to_owned()),
    }
    if !command_line.utf8 {
        return Err("its command line is not valid UTF-8".to_owned());
    }
    let arguments = arguments(command_line, input);
    let plain: Vec<String> = [&arguments[..], &["-g".to_owned()]].concat();
    let bitcode = clang.capture(&plain).and_then(|bitcode| packed(&bitcode))?;
    let sanitized_arguments = SANITIZE.iter().map(|&flag| flag.to_owned());
    let sanitized_arguments: Vec<String> = arguments.iter().cloned().chain(sanitized_arguments).collect();
    let sanitized = match clang.capture(&sanitized_arguments).and_then(|bitcode| packed(&bitcode)) {
        Ok(bitcode) => Sanitized::Bitcode(bitcode),
        Err(reason) => Sanitized::Absent(reason),
    };
    Ok(Made { arguments: plain, bitcode, sanitized })
}

fn packed(bitcode: &[u8]) -> Result<Vec<u8>, String> {
    if bitcode.is_empty() {
        return Err("the front end made no bitcode".to_owned());
    }
    compress(bitcode).map_err(|error| error.to_string())
}

/// The front end's command line for one input.
fn arguments(command_line: &CommandLine, input: &Input) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut after_precompiled = false;
    for argument in &command_line.arguments {
        let words = &argument.words;
        match argument.role {
            // Handed past the driver, which would look for a precompiled header made for other flags.
            Role::Include => arguments.extend(past_driver(&["-include", words.last().map_or("", String::as_str)])),
            Role::CompileOnly if after_precompiled => after_precompiled = false,
            Role::CompileOnly if words[0] == "-Xclang" && words.last().is_some_and(|word| word == "-include-pch") => {
                after_precompiled = true;
            }
            Role::CompileOnly | Role::Flag => arguments.extend(words.iter().cloned()),
            _ => {}
        }
    }
    arguments.extend(optimisation(command_line));
    arguments.extend(past_driver(&["-disable-llvm-passes"]));
    arguments.extend(["-w", "-Qunused-arguments", "-emit-llvm", "-c", "-o", "-"].map(str::to_owned));
    if let Some(language) = &input.explicit {
        arguments.extend(["-x".to_owned(), language.clone()]);
    }
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
    let lto = command_line.has_lto().then(|| "link-time optimisation was turned off".to_owned());
    lto.into_iter().collect()
}
