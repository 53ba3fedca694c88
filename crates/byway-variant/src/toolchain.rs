//! The compiler that turns bitcode into code and links it.

use std::path::Path;
use std::process::Command;

use crate::error::VariantError;

/// The clang of the LLVM that we are linked with: no other is sure to read the bitcode we write.
pub const CLANG: &str = "clang-19";

/// Runs clang in `directory`; `what` says what for, should it fail.
pub fn clang(what: &str, directory: &Path, arguments: &[String]) -> Result<(), VariantError> {
    run(CLANG, what, directory, arguments)
}

/// Runs a tool silently.
pub fn run(tool: &str, what: &str, directory: &Path, arguments: &[String]) -> Result<(), VariantError> {
    let output = Command::new(tool)
        .args(arguments)
        .current_dir(directory)
        .output()
        .map_err(|source| VariantError::NoTool { tool: tool.to_owned(), source })?;
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

/// The arguments that compile a module of bitcode.
pub fn compile_arguments(bitcode: &Path, object: &Path, flags: &[&str]) -> Vec<String> {
    let fixed = ["-O2", "-fPIC", "-w", "-Qunused-arguments"];
    let mut arguments: Vec<String> = fixed.iter().chain(flags).map(|&flag| flag.to_owned()).collect();
    let path = |path: &Path| path.to_string_lossy().into_owned();
    arguments.extend(["-c", "-x", "ir"].map(str::to_owned));
    arguments.extend([path(bitcode), "-o".to_owned(), path(object)]);
    arguments
}
