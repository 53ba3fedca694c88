//! `byway-cc`, and `byway-c++` when called by that name.

use std::process::ExitCode;

fn main() -> ExitCode {
    byway_cc::main()
}
