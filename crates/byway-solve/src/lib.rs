//! Expressions over the bytes of an input, and the solver.
//!
//! A [`Pool`] owns expressions; equal ones are one, over all runs of an exploration.

mod op;
mod pool;
mod rules;
mod support;

pub use op::{Op, signed};
pub use pool::{Expr, Pool, Table, TableId, Var};
pub use support::Support;
