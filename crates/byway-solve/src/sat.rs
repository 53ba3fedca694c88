//! Queries as clauses for a SAT solver.
//!
//! An expression never changes, so it is turned into gates once ([`blast`]), and a query assumes literals: those of its
//! constraints and, to keep bytes what they were, those of the bytes ([`search`]). But every answer gives a value to every
//! variable, also to those that the query does not need. So when a query needs little of what there is, a new solver is
//! begun.

mod arithmetic;
mod blast;
mod cadical;
mod gates;
mod search;
mod table;

use std::time::{Duration, Instant};

use crate::clock::{Deadline, DeadlineWatch};
use crate::evaluate::{cone, satisfies};
use crate::pool::{Expr, Pool};
use crate::query::{Answer, Query, Unknown};
use blast::{Blaster, Unfinished};
use search::Search;

/// What a query may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SatLimits {
    /// Dead ends that the last search may meet; those before it, which keep bytes as they were, have fewer.
    pub conflicts: u32,
    /// Processor time, from the first gate to the last search.
    pub time: Duration,
    /// Variables that its gates take. A variable has three to six clauses.
    pub variables: usize,
}

impl Default for SatLimits {
    fn default() -> Self {
        SatLimits { conflicts: 100_000, time: Duration::from_secs(10), variables: 2_000_000 }
    }
}

/// What was done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SatStats {
    /// Queries.
    pub queries: u64,
    /// Searches of the SAT solver; a query takes several.
    pub solves: u64,
    /// Variables made.
    pub variables: u64,
    /// Clauses made.
    pub clauses: u64,
    /// Expressions turned into gates.
    pub expressions: u64,
    /// Solvers begun.
    pub instances: u64,
    /// Time for turning expressions into gates.
    pub blasting: Duration,
    /// Time in all.
    pub time: Duration,
}

/// A solver has this many more variables than a query needs before a new one is begun.
const SPARE: usize = 20_000;

/// The SAT solver, with all that it has learnt.
pub struct Sat {
    blaster: Option<Blaster>,
    spare: usize,
    failed: Vec<Expr>,
    stats: SatStats,
}

impl Default for Sat {
    fn default() -> Self {
        Self::new()
    }
}

impl Sat {
    /// A solver that knows nothing yet.
    pub fn new() -> Self {
        Self::with_spare(SPARE)
    }

    /// The same, with another number of variables that a query need not need before a new solver is begun.
    pub fn with_spare(spare: usize) -> Self {
        Sat { blaster: None, spare, failed: Vec::new(), stats: SatStats::default() }
    }

    /// What was done so far.
    pub fn stats(&self) -> SatStats {
        self.stats
    }

    /// After [`Answer::Unsat`]: constraints of the query that cannot be true together. Seldom all.
    pub fn failed(&self) -> &[Expr] {
        &self.failed
    }

    /// Answers a query.
    pub fn solve(&mut self, pool: &Pool, query: &Query<'_>, limits: &SatLimits) -> Answer {
        self.solve_until(pool, query, limits, Deadline::after(limits.time))
    }

    /// Answers a query for which the time has begun already.
    pub fn solve_until(&mut self, pool: &Pool, query: &Query<'_>, limits: &SatLimits, deadline: Deadline) -> Answer {
        let start = Instant::now();
        self.stats.queries += 1;
        self.failed.clear();
        let answer = self.blast_and_search(pool, query, limits, deadline);
        self.stats.time += start.elapsed();
        if let Answer::Sat(model) = &answer {
            debug_assert!(satisfies(pool, query, model), "a model satisfies its query");
        }
        answer
    }

    fn blast_and_search(&mut self, pool: &Pool, query: &Query<'_>, limits: &SatLimits, deadline: Deadline) -> Answer {
        let start = Instant::now();
        let blasted = self.blast(pool, query, limits, deadline);
        self.stats.blasting += start.elapsed();
        match blasted {
            Ok(needed) => self.search(pool, query, &needed, limits, deadline),
            Err(Unfinished::Late) => Answer::Unknown(Unknown::Time),
            Err(Unfinished::TooLarge) => {
                self.blaster = None;
                Answer::Unknown(Unknown::Memory)
            }
        }
    }

    fn search(
        &mut self,
        pool: &Pool,
        query: &Query<'_>,
        needed: &[Expr],
        limits: &SatLimits,
        deadline: Deadline,
    ) -> Answer {
        let Some(blaster) = &mut self.blaster else { return Answer::Unknown(Unknown::Memory) };
        let (variables, clauses) = (blaster.gates.solver.variables(), blaster.gates.solver.clauses());
        let reads = blaster.loose(needed);
        let mut choosing = Vec::new();
        reads.iter().for_each(|&read| pool.collect_vars(pool.operands(read)[0], &mut choosing));
        choosing.sort_unstable();
        let mut search = Search::new(blaster, query, (reads, &choosing), limits, deadline);
        let answer = search.run();
        self.stats.solves += search.solves();
        self.failed = search.failed();
        self.stats.variables += (blaster.gates.solver.variables() - variables) as u64;
        self.stats.clauses += blaster.gates.solver.clauses() - clauses;
        if blaster.gates.solver.is_broken() {
            self.blaster = None;
        }
        answer
    }

    /// Makes the gates of a query, in the solver that there is or in a new one. Everything that it is made of.
    fn blast(
        &mut self,
        pool: &Pool,
        query: &Query<'_>,
        limits: &SatLimits,
        deadline: Deadline,
    ) -> Result<Vec<Expr>, Unfinished> {
        let mut watch = DeadlineWatch::new(deadline);
        let needed = cone(pool, query.constraints, |_| false, &mut watch).ok_or(Unfinished::Late)?;
        let blaster = match self.blaster.take().filter(|blaster| blaster.suits(&needed, self.spare)) {
            Some(blaster) => blaster,
            None => {
                self.stats.instances += 1;
                Blaster::new()
            }
        };
        let blaster = self.blaster.insert(blaster);
        blaster.gates.watch = watch;
        let (variables, clauses) = (blaster.gates.solver.variables(), blaster.gates.solver.clauses());
        self.stats.expressions += needed.iter().filter(|&&expr| !blaster.knows(expr)).count() as u64;
        let added = blaster.add(pool, &needed, limits.variables);
        self.stats.variables += (blaster.gates.solver.variables() - variables) as u64;
        self.stats.clauses += blaster.gates.solver.clauses() - clauses;
        added.map(|()| needed)
    }
}
