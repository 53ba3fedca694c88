//! Expressions over the bytes of an input, and the solver.
//!
//! A [`Pool`] owns expressions; equal ones are one, over all runs of an exploration. An [`Importer`] takes those of a
//! trace over. A [`PathCondition`] is what holds on the way to a place, and the [`Solver`] says whether an input takes that way and
//! does something else at its end. An [`ExpressionContext`] is all of these together, for one program or for several that read the
//! same input.

mod anchor;
mod bounds;
mod byte_set;
mod cache;
mod changes;
pub mod clock;
mod condition;
mod context;
mod domain;
mod evaluate;
mod import;
mod op;
mod pool;
mod query;
mod range;
pub mod record;
mod recorder;
mod reduce;
mod rules;
pub mod sat;
pub mod smt;
mod solver;
mod support;
mod tape;
mod texts;
mod variables;
mod wide;

pub use byte_set::ByteSet;
pub use changes::Changes;
pub use condition::{PathCondition, Slice, conjuncts};
pub use context::{ExpressionContext, InputValues, PathQuery};
pub use evaluate::Evaluation;
pub use import::{Failure, Importer};
pub use op::{Op, signed};
pub use pool::{Expr, Pool, Table, TableId, Var};
pub use query::{Answer, Query, Unknown};
pub use recorder::Recorder;
pub use solver::{Disagreement, Layer, LayerStats, Near, Refuted, Solver, SolverSettings, SolverStats};
pub use support::Support;
pub use variables::{InputPosition, InputSource, Variables};
