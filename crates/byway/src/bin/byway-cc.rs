//! `byway-cc`, and `byway-c++` when called by that name. It is a program of this package so that one `cargo build` or
//! `cargo test` of the package makes both programs; what it does is the library `byway_cc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    byway_cc::main()
}
