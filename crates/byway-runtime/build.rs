//! Compiles each part of the runtime to an object of its own, optimised whatever the profile, and the models of library
//! functions to bitcode.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler of the LLVM that byway works with.
const CLANG: &str = "clang-19";

fn main() {
    for part in ["cov", "cov_main", "asan", "sym"] {
        compile(part);
    }
    compile_models();
    for read in ["rt", "models", "src/layout.rs", "../byway-trace/src/layout.rs"] {
        println!("cargo::rerun-if-changed={read}");
    }
}

fn compile(part: &str) {
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let object = out(part).with_extension("o");
    let source = Path::new("rt").join(part).with_extension("rs");
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=lib", "--emit=obj", "-Dwarnings", "--cfg=byway_runtime"])
        .args(["-Copt-level=3", "-Cpanic=abort", "-Ccodegen-units=1", "-Crelocation-model=pic"])
        .arg("--crate-name")
        .arg(format!("byway_rt_{part}"))
        .arg(source)
        .arg("-o")
        .arg(object)
        .status()
        .expect("rustc can be run");
    assert!(status.success(), "the runtime part {part} does not compile");
}

/// Each model becomes a file of bitcode; `models.rs` lists them all.
fn compile_models() {
    let mut sources: Vec<PathBuf> =
        fs::read_dir("models").expect("models are there").map(|entry| entry.expect("readable").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    let mut list = String::from("&[\n");
    for source in sources {
        let bitcode = out(source.file_name().expect("a file")).with_extension("bc");
        let status = Command::new(CLANG)
            .args(["-std=gnu11", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-builtin", "-U_FORTIFY_SOURCE"])
            .args(["-fPIC", "-fexceptions", "-Wall", "-Wextra", "-Werror", "-c", "-emit-llvm"])
            .arg(&source)
            .arg("-o")
            .arg(&bitcode)
            .status()
            .expect("clang-19 can be run: install it with make build");
        assert!(status.success(), "{} does not compile", source.display());
        list += &format!("    include_bytes!({bitcode:?}),\n");
    }
    fs::write(out("models.rs"), list + "]\n").expect("the list can be written");
}

fn out(name: impl AsRef<Path>) -> PathBuf {
    Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name)
}
