//! How a command ends, for scripts to tell apart.

use std::process;

/// One number for each case that a script may want to handle. `docs/output.md` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// Done.
    Success = 0,
    /// The command line makes no sense.
    Usage = 1,
    /// Something that breaks the program was found.
    Findings = 2,
    /// `replay` found that a test no longer shows what it showed.
    Differs = 3,
    /// The test command failed.
    TestsFailed = 4,
    /// `record` captured nothing, `import` found nothing.
    NothingCaptured = 5,
    /// `doctor` found that something is missing.
    Incomplete = 6,
    /// A file cannot be read or written.
    File = 10,
    /// The program is not an ELF file that byway works with.
    NotElf = 11,
    /// The program carries no bitcode.
    NoBitcode = 12,
    /// What the program carries is damaged.
    Damaged = 13,
    /// The bitcode was made by an LLVM that ours cannot read.
    ForeignBitcode = 14,
    /// The cache cannot be used.
    Cache = 15,
    /// A variant could not be compiled or linked.
    Build = 16,
    /// A run was not observed to its end: the program broke what observes it.
    Run = 17,
    /// A mistake of ours.
    Internal = 70,
    /// `check` was interrupted before it was done, and had found nothing.
    Interrupted = 130,
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        process::ExitCode::from(code as u8)
    }
}
