//! Queries and their answers.

use crate::pool::{Expr, Var};

/// What is asked: all of these are to be true.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// Expressions of 1 bit.
    pub constraints: &'a [Expr],
    /// All bytes that occur in them.
    pub vars: &'a [Var],
    /// What the bytes are now; they should stay so where they can.
    pub seed: &'a dyn Fn(Var) -> u8,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Yes, with these bytes.
    Sat(Vec<(Var, u8)>),
    /// No.
    Unsat,
    /// Nobody knows.
    Unknown(Unknown),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// The time was up.
    Time,
    /// The conflicts were used up.
    Conflicts,
    /// It is too large.
    Memory,
    /// The external solver failed.
    Solver(String),
}
