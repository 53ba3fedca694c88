//! A server that does as it is told, compiled for the layout of today.

use std::path::{Path, PathBuf};
use std::process::Command;

use byway_trace::layout::MAGIC;

/// Compiles it into a directory.
pub fn compile(directory: &Path) -> PathBuf {
    let program = directory.join("fake");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_server.c");
    let magic: String = MAGIC.iter().map(|byte| format!("\\x{byte:02x}")).collect();
    let mut clang = Command::new("clang-19");
    clang.arg(format!("-DMAGIC=\"{magic}\"")).arg(source).arg("-o").arg(&program);
    assert!(clang.status().unwrap().success());
    program
}
