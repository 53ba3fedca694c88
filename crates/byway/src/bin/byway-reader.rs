//! `byway-reader`, which byway runs to have bitcode read and rewritten. It is a program of this package so that one `cargo build` or
//! `cargo test` of the package makes all programs; what it does is the library `byway_reader`.

use std::process::ExitCode;

fn main() -> ExitCode {
    byway_reader::main()
}
