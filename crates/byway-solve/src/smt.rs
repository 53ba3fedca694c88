//! Queries as SMT-LIB, for solvers that are other programs.
//!
//! [`write`] gives a whole script; an [`External`] solver is a process at the other end of a pipe. Only bit-vectors are used
//! (`QF_BV`). A byte of the input is a constant such as `b17`, every other expression a definition such as `e12`.

mod external;
mod process;
mod reply;
mod script;
mod table;

pub use external::{External, ExternalError, ExternalSettings, ExternalStats, default_command};
pub use script::write;
pub(crate) use script::{Script, op_named};
