//! A trace: what one run computed from its input, and which way it went.
//!
//! A `sym` variant writes its trace to a [`Memory`] that it shares with its observer. When the run has ended the memory
//! becomes a [`Trace`]: expressions over the bytes of the input ([`layout::Node`]), and what happened, in order
//! ([`layout::Event`]). A trace that exists has been checked: every number in it that names something names something
//! that is there.
//!
//! [`evaluate`] says what expressions are worth under any input, [`self_check`] that they are worth what the program
//! computed, [`smt2`] writes them for solvers, [`Expression`] for people. [`Builder`] makes traces without a run.

mod builder;
mod check;
mod display;
mod error;
pub mod evaluate;
mod kind;
pub mod layout;
mod memory;
mod operand;
mod outputs;
mod selfcheck;
pub mod smt2;
mod trace;

pub use builder::Builder;
pub use display::Expression;
pub use error::{Place, TraceError};
pub use kind::{Cause, Ending, EventKind, ReportedError, SourceKind, place_name};
pub use memory::{Memories, Memory, TraceLimits};
pub use operand::{Operand, Operands};
pub use outputs::{OutputCheck, OutputMismatch, output_check};
pub use selfcheck::{Mismatch, SelfCheck, self_check};
pub use trace::{Input, Lost, Snapshot, Trace, UnseenInput, is_model_site, nth_name};
