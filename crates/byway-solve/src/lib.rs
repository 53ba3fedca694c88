//! Expressions over the bytes of an input, and the solver.
//!
//! A [`Pool`] owns expressions; equal ones are one, over all runs of an exploration. A [`Query`] asks for bytes that make
//! some of them true; [`sat::Sat`] answers by turning them into clauses, [`smt::External`] by asking another program.

mod evaluate;
mod op;
mod pool;
mod query;
pub mod record;
mod rules;
pub mod sat;
pub mod smt;
mod support;

pub use evaluate::Evaluation;
pub use op::{Op, signed};
pub use pool::{Expr, Pool, Table, TableId, Var};
pub use query::{Answer, Query, Unknown};
pub use support::Support;
