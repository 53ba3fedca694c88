//! What can be wrong with a file.

use thiserror::Error;

/// Why bytes are no `.ktest` file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KTestError {
    /// It begins with something else.
    #[error("this is no .ktest file: it does not begin with KTEST")]
    NoKTest,
    /// Its version is one that nobody knows.
    #[error("the file has version {0}, and the versions up to 3 are known")]
    Version(u32),
    /// It ends before all of it is there.
    #[error("the file ends within {what}, at byte {at}: has it been cut off?")]
    End {
        /// What was read.
        what: &'static str,
        /// Where the file ends.
        at: usize,
    },
    /// There is more than its numbers say.
    #[error("{0} bytes follow the last object: is this two files in one?")]
    Rest(usize),
}
