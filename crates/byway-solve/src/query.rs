//! What solvers are asked, and what they answer.

use crate::pool::{Expr, Var};

/// What a query is: all of these expressions are to be true; the bytes should stay what they are where they can.
pub struct Query<'a> {
    /// Expressions of 1 bit each.
    pub constraints: &'a [Expr],
    /// All bytes that occur in them.
    pub vars: &'a [Var],
    /// What the bytes were before.
    pub seed: &'a dyn Fn(Var) -> u8,
}

/// What a solver says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It is true for these: a value for every byte of the query, in the query's order.
    Sat(Vec<(Var, u8)>),
    /// It is true for no values.
    Unsat,
    /// It could not be found out.
    Unknown(Unknown),
}

/// Why a query was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// It took too long.
    Time,
    /// The search met too many dead ends.
    Conflicts,
    /// It is too large to turn into clauses.
    Memory,
    /// The external solver failed; this is what it did or said.
    Solver(String),
}
