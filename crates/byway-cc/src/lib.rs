//! The compiler wrapper behind `byway-cc` and `byway-c++`.
//!
//! The wrapper runs clang with the user's own command line, untouched, so whatever comes out is what clang makes. Only
//! then, and only if that succeeded, it asks clang's front end for the bitcode of every translation unit on the command
//! line and appends it to the file that was made. Nothing that goes wrong after the user's own command has succeeded
//! can fail the build: it becomes a record that says what is missing and why.
//!
//! [`command_line`] says what a command line asks for, with the help of [`options`]; [`frontend`] makes bitcode, [`link`]
//! describes a link.

mod clang;
pub mod command_line;
mod dependency_file;
mod frontend;
mod link;
mod options;
mod response_file;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use byway_carrier::{Absent, Record, elf};

use clang::{Clang, Driver};
use command_line::{CommandLine, Task};

/// Runs the wrapper with the process's own arguments. Which language it stands for is in the name it is called by.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    let driver = if name.to_string_lossy().ends_with("++") { Driver::Cxx } else { Driver::C };
    let arguments: Vec<OsString> = arguments.collect();
    let clang = Clang::from_environment(driver);
    let command_line = CommandLine::parse(&arguments);
    let user_arguments = command_line.user_arguments(&arguments);
    if !carries(&command_line) {
        return clang.replace_process(&user_arguments);
    }
    match clang.run(&user_arguments) {
        Ok(status) if status.success() => {
            carry(&clang, &command_line);
            ExitCode::SUCCESS
        }
        Ok(status) => clang::exit_like(status),
        Err(code) => code,
    }
}

/// Whether the command makes a file that should carry records. The probes of a configure script are left alone: they
/// are thrown away at once, and are many.
fn carries(command_line: &CommandLine) -> bool {
    let makes_file = matches!(command_line.task, Task::Compile | Task::Link);
    makes_file && !command_line.inputs().is_empty() && !is_configure_probe(command_line)
}

fn is_configure_probe(command_line: &CommandLine) -> bool {
    let directory = current_directory();
    command_line.inputs().iter().all(|input| {
        let path = directory.join(&input.path);
        let autoconf = path.file_stem().is_some_and(|stem| stem == "conftest");
        let text = path.to_string_lossy();
        let cmake = ["/CMakeFiles/CMakeScratch/", "/CMakeFiles/CMakeTmp/", "/CompilerIdC"];
        autoconf || cmake.iter().any(|part| text.contains(part)) || text.contains("/meson-private/tmp")
    })
}

/// Makes the records for what the command made and appends them.
fn carry(clang: &Clang, command_line: &CommandLine) {
    let directory = current_directory();
    match command_line.task {
        Task::Compile => {
            for input in command_line.inputs() {
                let output = match &command_line.output {
                    Some(output) => PathBuf::from(output),
                    None => object_name(&input.path),
                };
                append(&output, frontend::record(clang, command_line, input, &directory).as_slice());
            }
        }
        Task::Link => {
            let mut records = Vec::new();
            for input in command_line.inputs() {
                records.extend(frontend::record(clang, command_line, input, &directory));
            }
            let output = PathBuf::from(command_line.output.as_deref().unwrap_or("a.out"));
            records.push(Record::Link(link::describe(clang.driver, command_line, &directory, &output)));
            append(&output, &records);
        }
        Task::Other => {}
    }
}

/// Where `-c` without `-o` puts the object of a source.
fn object_name(source: &str) -> PathBuf {
    PathBuf::from(Path::new(source).file_name().unwrap_or_default()).with_extension("o")
}

/// Appends what fits; an output that is not a 64-bit ELF file (`/dev/null`, another target) stays as it is.
fn append(output: &Path, records: &[Record]) {
    if records.is_empty() || !output.is_file() {
        return;
    }
    let bytes: Vec<u8> = records.iter().flat_map(byway_carrier::encode).collect();
    if elf::append(output, &bytes).is_err() && records.iter().any(|record| matches!(record, Record::Module(_))) {
        let without: Vec<u8> =
            records.iter().map(without_bitcode).flat_map(|record| byway_carrier::encode(&record)).collect();
        // Best effort by design: the user's own file is already complete.
        let _ = elf::append(output, &without);
    }
}

fn without_bitcode(record: &Record) -> Record {
    match record {
        Record::Module(module) => Record::Absent(Absent {
            source: module.source.clone(),
            directory: module.directory.clone(),
            reason: "the bitcode could not be written".to_owned(),
        }),
        other => other.clone(),
    }
}

fn current_directory() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}
