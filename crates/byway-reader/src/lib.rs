//! LLVM at work on the bitcode of programs, in a process of its own.
//!
//! byway runs `byway-reader` in a sandbox. A [`Job`] with its subject comes on standard input, the files that were made go to standard
//! output. Whoever calls it knows nothing of LLVM, and survives what LLVM does not ([`byway_variant::job`] is all that both share).

mod error;
mod make;

use std::io::{self, IsTerminal, Read};
use std::process::ExitCode;

use byway_variant::job;

pub use byway_variant::job::Job;
pub use error::ReadError;
pub use make::make;

/// What the program does.
pub fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--version") {
        println!("{}", byway_llvm::llvm_version());
        return ExitCode::SUCCESS;
    }
    if io::stdin().is_terminal() {
        eprintln!("byway-reader: byway runs this program itself, to read bitcode");
        return ExitCode::from(1);
    }
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("byway-reader: {error}");
            ExitCode::from(1)
        }
    }
}

fn serve() -> io::Result<()> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    let (job, subject) = job::receive(&input)?;
    let made = make(&job, &subject).map_err(|error| (error.fault(), error.to_string()));
    job::answer(&mut io::stdout().lock(), made)
}
