//! The compiler wrapper behind `byway-cc` and `byway-c++`.
//!
//! The wrapper runs clang with the user's own command line, untouched (it may find our [`headers`] and [`klee`]'s functions too), so whatever comes out is what clang makes. Only
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
mod headers;
mod klee;
mod link;
mod options;
mod response_file;
mod sanitizers;

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use byway_carrier::{Record, elf};

pub use headers::directory as header_directory;

use clang::{Clang, Driver};
use command_line::{CommandLine, Input, Purpose};

/// Runs the wrapper with the process's own arguments. Which language it stands for is in the name it is called by.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    let driver = if name.to_string_lossy().ends_with("++") { Driver::Cxx } else { Driver::C };
    let mut arguments = headers::offered(arguments.collect());
    let clang = Clang::from_environment(driver);
    let mut command_line = CommandLine::parse(&arguments);
    let directory = current_directory();
    if !carries(&command_line, &directory) {
        return clang.replace_process(&command_line.user_arguments(&arguments));
    }
    let support = klee::support(&command_line, &directory);
    if let Some(support) = &support {
        arguments.extend(["-x".into(), "none".into(), support.object.clone().into()]);
        command_line = CommandLine::parse(&arguments);
    }
    command_line.utf8 &= directory.to_str().is_some();
    let user_arguments = command_line.user_arguments(&arguments);
    let before: Vec<Option<State>> = outputs(&command_line).iter().map(|output| State::of(output)).collect();
    match clang.run(&user_arguments) {
        Ok(status) if status.success() => {
            // Whatever goes wrong in there, the user's own command has succeeded.
            std::panic::set_hook(Box::new(|_| {}));
            let _ = std::panic::catch_unwind(|| carry(&clang, &command_line, &printable(&directory), &before));
            ExitCode::SUCCESS
        }
        Ok(status) => clang::exit_like(status),
        Err(code) => code,
    }
}

/// Whether the command makes a file that should carry records. The probes of a configure script are left alone: they
/// are thrown away at once, and are many.
fn carries(command_line: &CommandLine, directory: &Path) -> bool {
    let makes_file = matches!(command_line.task, Purpose::Compile | Purpose::Link);
    let wanted = std::env::var_os("BYWAY_CC").is_none_or(|value| value != "off");
    makes_file && wanted && !is_configure_probe(command_line, directory)
}

fn is_configure_probe(command_line: &CommandLine, directory: &Path) -> bool {
    command_line.inputs().iter().all(|input| {
        let path = directory.join(&input.path);
        let autoconf = path.file_stem().is_some_and(|stem| stem == "conftest");
        let text = path.to_string_lossy();
        let cmake = ["/CMakeFiles/CMakeScratch/", "/CMakeFiles/CMakeTmp/", "/CompilerIdC"];
        autoconf || cmake.iter().any(|part| text.contains(part)) || text.contains("/meson-private/tmp")
    })
}

/// A file as it was at some time; another state means that it was written.
#[derive(Debug, PartialEq, Eq)]
struct State(u64, SystemTime, u64);

impl State {
    fn of(path: &Path) -> Option<State> {
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        Some(State(metadata.ino(), metadata.modified().ok()?, metadata.len()))
    }
}

/// The files that the command makes: one for each input of `-c`, otherwise one.
fn outputs(command_line: &CommandLine) -> Vec<PathBuf> {
    let named = command_line.output.as_ref().map(PathBuf::from);
    match command_line.task {
        Purpose::Compile => {
            let object = |input: &Input| named.clone().unwrap_or_else(|| object_name(&input.path));
            command_line.inputs().into_iter().map(object).collect()
        }
        _ => vec![named.unwrap_or_else(|| "a.out".into())],
    }
}

/// Makes the records for what the command made and appends them. A command can succeed without writing its output (as
/// with `-Wl,--version`): what was there `before` gets no records.
fn carry(clang: &Clang, command_line: &CommandLine, directory: &Path, before: &[Option<State>]) {
    let record = |input: &Input| frontend::record(clang, command_line, input, directory);
    for (index, output) in outputs(command_line).iter().enumerate() {
        if State::of(output).is_none_or(|now| before[index].as_ref() == Some(&now)) {
            continue;
        }
        let inputs = command_line.inputs();
        let records: Vec<Record> = match command_line.task {
            Purpose::Compile => record(inputs[index]).into_iter().collect(),
            _ => {
                let link = link::describe(clang.driver, command_line, directory, &printable(output));
                inputs.into_iter().filter_map(record).chain([Record::Link(link)]).collect()
            }
        };
        append(output, &records);
    }
}

/// Records are text: a name that is not gets marks in place of what cannot be printed.
fn printable(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().into_owned())
}

/// Where `-c` without `-o` puts the object of a source.
fn object_name(source: &str) -> PathBuf {
    PathBuf::from(Path::new(source).file_name().unwrap_or_default()).with_extension("o")
}

/// Best effort by design, since the user's own file is already complete: an output that is not a 64-bit ELF file
/// (`/dev/null`, another target) or has no room for another section stays as it is.
fn append(output: &Path, records: &[Record]) {
    let bytes: Vec<u8> = records.iter().flat_map(byway_carrier::encode).collect();
    if !bytes.is_empty() {
        let _ = elf::append(output, &bytes);
    }
}

/// Those of the variables that are set.
fn environment(names: &[&str]) -> BTreeMap<String, String> {
    names.iter().filter_map(|&name| Some((name.to_owned(), std::env::var(name).ok()?))).collect()
}

fn current_directory() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}
