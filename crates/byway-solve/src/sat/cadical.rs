//! CaDiCaL, a SAT solver: the one place that knows how it is called.

use std::sync::{Arc, Mutex};

use rustsat::solvers::{
    ControlSignal, LimitConflicts, PhaseLit, Solve, SolveIncremental, SolverResult as Result, Terminate,
};
use rustsat::types::TernaryVal;
use rustsat_cadical::CaDiCaL;

use crate::clock::Deadline;

/// A variable, or the opposite of one. The first variable is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(i32);

impl Lit {
    pub const TRUE: Lit = Lit(1);
    pub const FALSE: Lit = Lit(-1);

    /// The literal that is always this.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The value, if it is always the same.
    pub fn known(self) -> Option<bool> {
        (self.0.abs() == 1).then_some(self.0 == 1)
    }

    pub fn is_negated(self) -> bool {
        self.0 < 0
    }

    /// Its variable, not negated.
    pub fn variable(self) -> Lit {
        Lit(self.0.abs())
    }

    /// The opposite, if asked for.
    pub fn negated_if(self, negate: bool) -> Lit {
        if negate { !self } else { self }
    }

    fn outside(self) -> rustsat::types::Lit {
        rustsat::types::Lit::new(self.0.unsigned_abs() - 1, self.0 < 0)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Sat,
    Unsat,
    /// The time or the conflicts were used up, or memory.
    Unknown,
}

/// A solver with clauses in it.
pub struct Cadical {
    solver: CaDiCaL<'static, 'static>,
    variables: i32,
    clauses: u64,
    /// When a search has to end.
    deadline: Arc<Mutex<Deadline>>,
    /// Nothing more can be expected of it.
    broken: bool,
}

/// What pays in one long search. Many short ones would spend most of their time preparing: with `preprocesslight` alone, a sum
/// of two numbers takes thirty times as long.
const OFF: [&str; 5] = ["elim", "lucky", "preprocesslight", "probe", "walk"];

/// The clock is looked at once in so many calls of the terminator, of which there is one every ten decisions.
const CALLS: u32 = 4;

impl Cadical {
    pub fn new() -> Self {
        let mut solver = CaDiCaL::default();
        let known = OFF.iter().all(|name| solver.set_option(name, 0).is_ok());
        debug_assert!(known, "CaDiCaL knows its options");
        let deadline = Arc::new(Mutex::new(Deadline::NEVER));
        let (limit, mut calls) = (Arc::clone(&deadline), 0_u32);
        solver.attach_terminator(move || {
            calls = calls.wrapping_add(1);
            let is_over = calls % CALLS == 0 && limit.lock().is_ok_and(|limit| limit.is_over());
            if is_over { ControlSignal::Terminate } else { ControlSignal::Continue }
        });
        let mut new = Cadical { solver, variables: 1, clauses: 0, deadline, broken: false };
        new.clause(&[Lit::TRUE]);
        new
    }

    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// A new variable.
    pub fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit(self.variables)
    }

    /// At least one of these is true.
    pub fn clause(&mut self, lits: &[Lit]) {
        let mut outside = [Lit::TRUE.outside(); 8];
        self.clauses += 1;
        let added = match outside.get_mut(..lits.len()) {
            Some(outside) => {
                outside.iter_mut().zip(lits).for_each(|(outside, lit)| *outside = lit.outside());
                self.solver.add_clause_ref(&*outside)
            }
            None => self.solver.add_clause_ref(&lits.iter().map(|lit| lit.outside()).collect::<Vec<_>>()),
        };
        self.broken |= added.is_err();
    }

    /// The value to try first.
    pub fn prefer(&mut self, lit: Lit) {
        let done = self.solver.phase_lit(lit.outside());
        debug_assert!(done.is_ok());
    }

    /// Searches for values such that all clauses and all these literals are true.
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u32, deadline: Deadline) -> Outcome {
        match self.deadline.lock() {
            Ok(mut limit) => *limit = deadline,
            Err(_) => self.broken = true,
        }
        self.broken |= self.solver.limit_conflicts(Some(conflicts.min(i32::MAX as u32))).is_err();
        if self.broken {
            return Outcome::Unknown;
        }
        let assumed: Vec<_> = assumed.iter().map(|lit| lit.outside()).collect();
        match self.solver.solve_assumps(&assumed) {
            Ok(Result::Sat) => Outcome::Sat,
            Ok(Result::Unsat) => Outcome::Unsat,
            Ok(Result::Interrupted) => Outcome::Unknown,
            Err(_) => {
                self.broken = true;
                Outcome::Unknown
            }
        }
    }

    /// Whether memory ran out: it can answer no more.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// The value of a literal after [`Outcome::Sat`], if it matters.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.solver.lit_val(lit.outside()) {
            Ok(TernaryVal::True) => Some(true),
            Ok(TernaryVal::False) => Some(false),
            _ => None,
        }
    }

    /// Which of the assumed literals cannot be true together, after [`Outcome::Unsat`].
    pub fn failed(&mut self) -> Vec<Lit> {
        let core = self.solver.core().unwrap_or_default();
        core.into_iter().map(|lit| !Lit(lit.to_ipasir())).collect()
    }
}
