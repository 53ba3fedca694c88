//! Headers of our own, for programs that are written for KLEE: they are found if the system has none of that name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::command_line::{CommandLine, Language};

/// Where they are in the sources.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
/// Where they are beside an installed wrapper's directory.
const INSTALLED: &str = "include/byway";

/// The arguments, and where our headers are behind all other places, if something is compiled.
pub fn offered(arguments: Vec<OsString>) -> Vec<OsString> {
    let compiles = |command_line: &CommandLine| {
        let inputs = command_line.inputs();
        inputs.iter().any(|input| matches!(input.language, Language::Bitcode | Language::Header))
    };
    // The front end itself, without the driver, knows what it wants.
    let is_driver = arguments.first().is_none_or(|first| !first.to_string_lossy().starts_with("-cc1"));
    match directory() {
        Some(directory) if is_driver && compiles(&CommandLine::parse(&arguments)) => {
            [OsString::from("-idirafter"), directory.into()].into_iter().chain(arguments).collect()
        }
        _ => arguments,
    }
}

/// Where our headers are.
pub fn directory() -> Option<PathBuf> {
    let installed = std::env::current_exe().ok()?.parent()?.parent()?.join(INSTALLED);
    [installed, PathBuf::from(SOURCES)].into_iter().find(|directory| directory.join("klee").is_dir()).filter(printable)
}

/// Records are text.
fn printable(directory: &PathBuf) -> bool {
    Path::new(directory).to_str().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered_to(text: &str) -> Vec<OsString> {
        offered(text.split_whitespace().map(OsString::from).collect())
    }

    #[test]
    fn headers_are_offered_to_what_is_compiled_only() {
        for text in ["-c a.c", "a.cpp -o a", "-E a.c"] {
            assert_eq!(offered_to(text)[0], "-idirafter", "{text}");
        }
        for text in ["--version", "a.o -o a", "-cc1 -emit-obj a.c", "-c a.s", "-v"] {
            let given: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
            assert_eq!(offered_to(text), given);
        }
    }
}
