//! Compiles each part of the runtime to an object of its own, optimised whatever the profile.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    for part in ["cov", "asan"] {
        compile(part);
    }
    println!("cargo::rerun-if-changed=rt");
    println!("cargo::rerun-if-changed=src/layout.rs");
}

fn compile(part: &str) {
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let object = Path::new(&out).join(part).with_extension("o");
    let source = Path::new("rt").join(part).with_extension("rs");
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=lib", "--emit=obj", "-Dwarnings"])
        .args(["-Copt-level=2", "-Cpanic=abort", "-Ccodegen-units=1", "-Crelocation-model=pic"])
        .arg("--crate-name")
        .arg(format!("byway_rt_{part}"))
        .arg(source)
        .arg("-o")
        .arg(object)
        .status()
        .expect("rustc can be run");
    assert!(status.success(), "the runtime part {part} does not compile");
}
