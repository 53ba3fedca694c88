//! The compiler that turns bitcode into code and links it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::VariantError;

/// The clang of the LLVM that we are linked with: no other is sure to read the bitcode we write.
pub const CLANG: &str = "clang-19";

/// Runs clang in `directory`; `what` says what for, should it fail.
pub fn clang(what: &str, directory: &Path, arguments: &[String]) -> Result<(), VariantError> {
    clang_with(what, directory, &BTreeMap::new(), arguments)
}

/// Runs clang with additional variables in its environment.
pub fn clang_with(
    what: &str,
    directory: &Path,
    environment: &BTreeMap<String, String>,
    arguments: &[String],
) -> Result<(), VariantError> {
    run(what, Command::new(CLANG).args(arguments).current_dir(directory).envs(environment))
}

/// Runs a tool silently.
pub fn run(what: &str, command: &mut Command) -> Result<(), VariantError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|source| VariantError::NoTool { tool, source })?;
    if output.status.success() {
        return Ok(());
    }
    Err(VariantError::Tool { what: what.to_owned(), output: beginning(&String::from_utf8_lossy(&output.stderr)) })
}

/// Enough of a tool's complaints to see what is wrong.
fn beginning(text: &str) -> String {
    const SHOWN: usize = 8;
    let mut lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
    if lines.len() > SHOWN + 1 {
        let more = lines.len() - SHOWN;
        lines.truncate(SHOWN);
        lines.push(format!("({more} more lines)"));
    }
    lines.join("\n")
}

/// The arguments that compile a file of bitcode (`ir`) or another language of clang's.
pub fn compile_arguments(language: &str, source: &Path, object: &Path, flags: &[&str]) -> Vec<String> {
    let fixed = ["-fPIC", "-w", "-Qunused-arguments"];
    let mut arguments: Vec<String> = fixed.iter().chain(flags).map(|&flag| flag.to_owned()).collect();
    let path = |path: &Path| path.to_string_lossy().into_owned();
    arguments.extend(["-c", "-x", language].map(str::to_owned));
    arguments.extend([path(source), "-o".to_owned(), path(object)]);
    arguments
}
