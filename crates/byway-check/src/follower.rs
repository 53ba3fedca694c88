//! Following a seed: the queries on its path, and in which order they are asked.
//!
//! This needs no tree. Each worker has a follower of its own, so that none waits for another.

use std::sync::{Arc, Mutex};

use byway_engine::{Original, PathBuilder, Program};
use byway_exec::TracedRun;
use byway_report::Limit;
use byway_solve::{Changes, ExpressionContext, InputSource, PathCondition, Solver, Var};
use rustc_hash::FxHashMap;

use crate::Checks;
use crate::annotate::{AnnotatedPath, CheckedOperation, OperationQuery, PathAnnotator, PathItem, Violation};
use crate::checker::{Base, OperationChecker, PlaceLimits, PutOff};
use crate::clock::Allowance;
use crate::lock;
use crate::statistics::SiteStatistics;

/// Which queries on a path are asked.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// All but so many, which came before.
    pub from: usize,
    /// And those that were put off.
    pub again: &'a PutOff,
}

impl Wanted<'_> {
    /// Whether a query is one of those, if so many came before it.
    pub fn has(self, query: &OperationQuery, before: usize) -> bool {
        before >= self.from || self.again.contains_key(&query.operation)
    }

    /// Whether a query was asked before and not answered.
    pub fn was_unknown(self, query: &OperationQuery) -> bool {
        self.again.get(&query.operation) == Some(&Limit::Unknown)
    }
}

/// What came of following a seed.
#[derive(Debug)]
pub struct Followed {
    /// What can fail.
    pub suspects: Vec<Suspect>,
    /// How many queries were asked, with those that were before.
    pub asked: usize,
    /// Those that a limit of their place kept from being asked, or that were not answered.
    pub put_off: PutOff,
    /// The sites of those that there was no time for, as far as they are known.
    pub open: Vec<u32>,
    /// Its path, or as much of it as there was time for.
    pub path: AnnotatedPath,
}

impl Followed {
    /// Whether time was over before all was asked.
    pub fn is_cut(&self) -> bool {
        self.path.is_cut || !self.open.is_empty()
    }
}

/// An operation on the way of a seed that can fail.
#[derive(Debug)]
pub struct Suspect {
    /// What should fail.
    pub operation: CheckedOperation,
    /// The bytes that have to change, best first; each is an input of its own.
    pub options: Vec<Vec<Byte>>,
}

/// A byte of an input as everybody knows it, and its value.
pub type Byte = (InputSource, u64, u8);

/// Follows seeds: expressions, a solver, and what was asked.
pub struct SeedFollower {
    context: ExpressionContext,
    builder: PathBuilder,
    checks: Checks,
    checker: OperationChecker,
}

/// After so many parts of a path it is seen whether time is over.
const OFTEN: usize = 256;

/// How the queries on the way of a seed are asked.
struct Pass<'a> {
    wanted: Wanted<'a>,
    statistics: &'a Mutex<SiteStatistics>,
    time: Option<&'a Allowance>,
    is_over: &'a dyn Fn() -> bool,
    is_late: bool,
    /// How many queries had their turn.
    passed: usize,
}

/// Of the queries about one operation of the program, so many have the first turn on a path, so many the next, and the rest the
/// last: an operation in a loop that comes first does not keep those that come last from being asked.
const TURNS: [usize; 2] = [2, 32];

/// So many queries need no turns.
const FEW: usize = 64;

/// In which turn each query on a way is asked. Few queries are asked as they come.
fn turns(items: &[PathItem]) -> Vec<usize> {
    let mut before = FxHashMap::<(u32, Violation), usize>::default();
    let queries = items.iter().filter_map(|item| match item {
        PathItem::Query(query) => Some((query.operation.site, query.operation.violation)),
        _ => None,
    });
    let ranks: Vec<usize> = queries
        .map(|place| {
            let count = before.entry(place).or_default();
            *count += 1;
            *count - 1
        })
        .collect();
    if ranks.len() <= FEW {
        return vec![0; ranks.len()];
    }
    ranks.into_iter().map(|rank| TURNS.iter().filter(|&&least| rank >= least).count()).collect()
}

/// Changed bytes as all contexts know them.
pub fn bytes(context: &ExpressionContext, changed: &[(Var, u8)]) -> Vec<Byte> {
    let byte = |&(var, value): &(Var, u8)| {
        let place = context.variables.place(var);
        (context.variables.source(place.source).clone(), place.offset, value)
    };
    changed.iter().map(byte).collect()
}

impl SeedFollower {
    /// Nothing was followed yet.
    pub fn new(program: Arc<Program>, solver: Solver, checks: Checks, limits: PlaceLimits) -> SeedFollower {
        SeedFollower {
            context: ExpressionContext::new(solver),
            builder: PathBuilder::new(program, None),
            checks,
            checker: OperationChecker::new(limits),
        }
    }

    /// From now on the limits are so many times these.
    pub fn set_effort(&mut self, limits: PlaceLimits, effort: u32) {
        self.checker.set_effort(&mut self.context, limits, effort);
    }

    /// Asks the queries on the path of a seed until it is over. Its path is not kept.
    pub fn follow(
        &mut self,
        mut original: Original,
        ran: &TracedRun,
        wanted: Wanted<'_>,
        statistics: &Mutex<SiteStatistics>,
        time: Option<&Allowance>,
        is_over: &dyn Fn() -> bool,
    ) -> Followed {
        let sources = original.sources(&ran.trace);
        let (mut importer, solver) = self.context.import(&ran.trace, Some(sources));
        let mut annotator = PathAnnotator { builder: &mut self.builder, solver, checks: Some(self.checks), is_over };
        let path = annotator.annotate_for_queries(&ran.trace, &mut importer);
        let is_late = path.is_cut;
        let mut followed =
            Followed { suspects: Vec::new(), asked: 0, put_off: PutOff::default(), open: Vec::new(), path };
        let base = Base { original: &original, changes: &Changes::default() };
        self.checker.begin_path(time);
        let mut pass = Pass { wanted, statistics, time, is_over, is_late, passed: 0 };
        let turns = turns(&followed.path.items);
        for turn in 0..=turns.iter().copied().max().unwrap_or(0) {
            self.go_along(&mut followed, base, &mut pass, |number| turns[number] == turn);
        }
        self.checker.limit_query(&mut self.context, None);
        lock(statistics).counters.note_solver(&self.context.solver.take_stats());
        followed
    }

    /// Goes along the way of a seed, and asks those of its queries that have their turn.
    fn go_along(
        &mut self,
        followed: &mut Followed,
        base: Base<'_>,
        pass: &mut Pass<'_>,
        has_turn: impl Fn(usize) -> bool,
    ) {
        let mut path = PathCondition::new();
        let items = std::mem::take(&mut followed.path.items);
        let (mut step, mut queries) = (0, 0);
        for (number, item) in items.iter().enumerate() {
            if number % OFTEN == 0 || matches!(item, PathItem::Query(_)) {
                pass.is_late |= (pass.is_over)();
            }
            match *item {
                // The path is for queries, and there will be none.
                PathItem::Assumed(_) | PathItem::Step if pass.is_late => {}
                PathItem::Assumed(assumption) => path.push(&mut self.context.pool, assumption),
                PathItem::Step => {
                    let pool = &mut self.context.pool;
                    let decided = self.builder.expression(pool, followed.path.path.steps()[step].into());
                    path.push(pool, decided);
                    step += 1;
                }
                PathItem::Query(query) => {
                    queries += 1;
                    if has_turn(queries - 1) {
                        self.ask_in_turn(&mut path, base, &query, pass, followed);
                    }
                }
            }
        }
        followed.path.items = items;
    }

    /// Asks a query on the way of a seed, if it is wanted.
    fn ask_in_turn(
        &mut self,
        path: &mut PathCondition,
        base: Base<'_>,
        query: &OperationQuery,
        pass: &mut Pass<'_>,
        followed: &mut Followed,
    ) {
        let is_wanted = pass.wanted.has(query, pass.passed);
        let is_late = pass.is_late;
        pass.passed += 1;
        // What comes behind the last one that was asked is asked later.
        followed.asked += usize::from(!is_late);
        if !is_wanted {
            return;
        }
        if pass.wanted.was_unknown(query) && !is_late {
            lock(pass.statistics).counters.take_back(query.operation.violation);
        }
        self.checker.limit_query(&mut self.context, pass.time);
        let at = (&mut self.context, path);
        let reply = self.checker.check(at, base, query, pass.statistics, &|| is_late);
        match reply.put_off {
            Some(Limit::Time) if is_late => followed.open.push(query.operation.site),
            put_off => followed.put_off.extend(put_off.map(|limit| (query.operation, limit))),
        }
        if !reply.options.is_empty() {
            let options = reply.options.iter().map(|changed| bytes(&self.context, changed)).collect();
            followed.suspects.push(Suspect { operation: query.operation, options });
        }
    }
}

#[cfg(test)]
mod tests {
    use byway_solve::{Failure, Pool, Var};

    use super::*;

    fn queries(sites: impl Iterator<Item = u32>) -> Vec<PathItem> {
        let mut pool = Pool::new();
        let goal = pool.make_byte(Var(0));
        let query = |(event, site)| {
            let operation = CheckedOperation { violation: Violation::Failure(Failure::DivisionByZero), site, event };
            PathItem::Query(OperationQuery { operation, goal, nearby: None })
        };
        let queries = (0..).zip(sites).map(query);
        queries.flat_map(|query| [PathItem::Step, query]).collect()
    }

    #[test]
    fn few_queries_are_asked_as_they_come() {
        assert_eq!(turns(&queries((0..FEW as u32).map(|_| 7))), vec![0; FEW]);
    }

    #[test]
    fn what_is_asked_often_does_not_keep_others_from_their_first_turn() {
        let turns = turns(&queries((0..100).map(|_| 7).chain([8, 8, 8])));
        let count = |turn| turns.iter().filter(|&&other| other == turn).count();
        assert_eq!((count(0), count(1), count(2)), (TURNS[0] + 2, TURNS[1] - TURNS[0] + 1, 100 - TURNS[1]));
        assert_eq!(turns[..3], [0, 0, 1]);
        assert_eq!(turns[100..], [0, 0, 1]);
    }
}
