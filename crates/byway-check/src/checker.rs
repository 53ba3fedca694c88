//! Whether operations on a path can fail: which queries are asked, under which limits, and what was asked before.

use std::sync::Mutex;
use std::time::Duration;

use byway_engine::Original;
use byway_report::Limit;
use byway_solve::{Answer, Changes, Expr, ExpressionContext, PathCondition, Refuted, Var, Variables};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::annotate::{CheckedOperation, OperationQuery, Violation};
use crate::clock::{Allowance, Stopwatch};
use crate::lock;
use crate::statistics::SiteStatistics;

/// Limits of what is asked at one place of the program, on one path.
#[derive(Debug, Clone, Copy)]
pub struct PlaceLimits {
    /// How many inputs that should make an operation fail there are.
    pub tries: u32,
    /// How many of its queries may go unanswered.
    pub unknown: u32,
    /// How much processor time all queries about the same operation may take.
    pub time: Duration,
}

impl PlaceLimits {
    /// So many times these.
    pub fn times(self, factor: u32) -> PlaceLimits {
        PlaceLimits {
            tries: self.tries.saturating_mul(factor),
            unknown: self.unknown.saturating_mul(factor),
            time: self.time.saturating_mul(factor),
        }
    }

    /// Whether a limit allows nothing, however often it is multiplied.
    fn is_nothing(&self, limit: Limit) -> bool {
        match limit {
            Limit::OperationTries => self.tries == 0,
            Limit::OperationUnknown => self.unknown == 0,
            Limit::OperationTime => self.time.is_zero(),
            _ => false,
        }
    }
}

/// What was spent on one place of the program, on one path.
#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    tries: u32,
    unknown: u32,
    time: Duration,
}

/// Queries that wait until there is nothing cheaper to ask, and why.
pub type PutOff = FxHashMap<CheckedOperation, Limit>;

/// What came of a query.
#[derive(Debug, Default)]
pub struct CheckerReply {
    /// The bytes that differ from the base in inputs that answer it with yes.
    pub options: Vec<Vec<(Var, u8)>>,
    /// Why it has no answer yet.
    pub put_off: Option<Limit>,
}

/// What became of a query that was put to the solver.
enum Put {
    /// It has an answer.
    Answered(Answer),
    /// It was asked before.
    Repeated,
    /// It is about a large table, and no input near the base was found that answers it with yes.
    Far,
}

/// Asks whether operations can fail.
pub struct OperationChecker {
    /// What may be spent on one place of the current path.
    limits: PlaceLimits,
    /// Queries that were answered, and whether they are satisfiable.
    asked: FxHashMap<(u64, u64), bool>,
    /// Satisfiable queries, with the operations that they are about.
    failing: FxHashSet<((u64, u64), u32, Violation)>,
    /// What was spent on each place of the current path.
    spent: FxHashMap<(u32, Violation), Spent>,
    /// Queries that no input near the base satisfies, as far as large tables are concerned.
    far: FxHashSet<(u64, u64)>,
    /// Whether queries about large tables are asked near the base alone.
    is_near_only: bool,
    /// How much time a place of the current path may take, and how much the next query.
    place_time: Duration,
    query_time: Option<Duration>,
}

/// An input near which answers are to be.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    /// Its seed.
    pub original: &'a Original,
    /// What differs from that.
    pub changes: &'a Changes,
}

/// Where a query is asked: its expressions, and what holds on the path to it.
type At<'a> = (&'a mut ExpressionContext, &'a mut PathCondition);

/// A query has this part of the time that is left for all, and at least this much.
const PART_OF_TIME: u32 = 4;
const LEAST_TIME: Duration = Duration::from_millis(10);
/// A place of the program has this part of the time for a path: what comes first on it leaves time for what comes last.
const PART_OF_PLACE: u32 = 16;

impl Base<'_> {
    /// The value of a byte.
    fn value(&self, variables: &Variables, var: Var) -> u8 {
        self.original.value(variables, self.changes, var)
    }
}

impl OperationChecker {
    /// Nothing was asked yet.
    pub fn new(limits: PlaceLimits) -> OperationChecker {
        OperationChecker {
            limits,
            asked: FxHashMap::default(),
            failing: FxHashSet::default(),
            spent: FxHashMap::default(),
            far: FxHashSet::default(),
            is_near_only: true,
            place_time: Duration::MAX,
            query_time: None,
        }
    }

    /// The next query takes no more than a part of what is left of an allowance: one that is hard leaves time for others.
    pub fn limit_query(&mut self, context: &mut ExpressionContext, time: Option<&Allowance>) {
        self.query_time = time.map(|time| (time.left() / PART_OF_TIME).max(LEAST_TIME));
        context.solver.set_limit(self.query_time);
    }

    /// From now on the limits are so many times these, those of a query included. With no more than these, queries about large
    /// tables are asked near the base alone.
    pub fn set_effort(&mut self, context: &mut ExpressionContext, limits: PlaceLimits, effort: u32) {
        self.limits = limits.times(effort);
        context.solver.set_effort(effort);
        self.is_near_only = effort <= 1;
    }

    /// A new path begins: what was spent on the places of another does not count. No place has more than a part of the time.
    pub fn begin_path(&mut self, time: Option<&Allowance>) {
        self.place_time = time.map_or(Duration::MAX, |time| (time.left() / PART_OF_PLACE).max(LEAST_TIME));
        self.spent.clear();
    }

    /// Asks a query at the end of a path, unless it is over.
    pub fn check(
        &mut self,
        (context, path): At<'_>,
        base: Base<'_>,
        query: &OperationQuery,
        statistics: &Mutex<SiteStatistics>,
        is_over: &dyn Fn() -> bool,
    ) -> CheckerReply {
        let operation = query.operation;
        let is_costly = {
            let mut statistics = lock(statistics);
            if statistics.is_confirmed(operation) {
                statistics.counters.note_found();
                return CheckerReply::default();
            }
            statistics.spent(operation) >= self.limits.time
        };
        if let Some(limit) = self.limit(operation, is_costly).or(is_over().then_some(Limit::Time)) {
            if self.limits.is_nothing(limit) {
                lock(statistics).counters.give_up(limit, operation.site);
                return CheckerReply::default();
            }
            return CheckerReply { put_off: Some(limit), ..CheckerReply::default() };
        }
        let spent = self.spent.get(&(operation.site, operation.violation)).map_or(Duration::ZERO, |spent| spent.time);
        let place_time = self.place_time.saturating_sub(spent).max(LEAST_TIME);
        context.solver.set_limit(self.query_time.map(|time| time.min(place_time)));
        let watch = Stopwatch::start();
        let put = self.put((&mut *context, &mut *path), base, query);
        let is_far = matches!(put, Put::Far);
        let answer = if let Put::Answered(answer) = put { Some(answer) } else { None };
        let options = answer
            .as_ref()
            .map(|answer| self.options((&mut *context, &mut *path), base, query, answer))
            .unwrap_or_default();
        let spent = self.spent.entry((operation.site, operation.violation)).or_default();
        let time = watch.spent();
        spent.time += time;
        lock(statistics).spend(operation, time);
        let mut put_off = None;
        match &answer {
            None if is_far => put_off = Some(Limit::Table),
            None => lock(statistics).counters.repeat(),
            // There was no time for more than a try.
            Some(Answer::Unknown(_)) if context.solver.is_limited() => put_off = Some(Limit::Time),
            Some(answer) => {
                lock(statistics).counters.note_answer(operation.violation, operation.site, answer);
                spent.tries += u32::from(matches!(answer, Answer::Sat(_)));
                if let Answer::Unknown(_) = answer {
                    spent.unknown += 1;
                    put_off = Some(Limit::Unknown);
                }
            }
        }
        CheckerReply { options, put_off }
    }

    /// Which limit was reached at a place.
    fn limit(&self, operation: CheckedOperation, is_costly: bool) -> Option<Limit> {
        let spent = self.spent.get(&(operation.site, operation.violation)).copied().unwrap_or_default();
        match () {
            () if spent.tries >= self.limits.tries => Some(Limit::OperationTries),
            () if spent.unknown >= self.limits.unknown => Some(Limit::OperationUnknown),
            () if spent.time >= self.limits.time => Some(Limit::OperationTime),
            // Of places that took long in vain on other paths, one query tells whether it is the same here.
            () if is_costly && !spent.time.is_zero() => Some(Limit::OperationTime),
            () if spent.time >= self.place_time => Some(Limit::Time),
            () => None,
        }
    }

    /// The answer to a query at the end of a path, whatever the limits are.
    fn put(&mut self, (context, path): At<'_>, base: Base<'_>, query: &OperationQuery) -> Put {
        if let Some(put) = self.put_near((&mut *context, &mut *path), base, query) {
            return put;
        }
        let CheckedOperation { violation, site, .. } = query.operation;
        let ExpressionContext { pool, variables, solver, .. } = context;
        let value = |var| base.value(variables, var);
        match solver.refute(pool, path, query.goal, &value) {
            Refuted::Known => return Put::Repeated,
            Refuted::Yes => return Put::Answered(Answer::Unsat),
            Refuted::No => {}
        }
        solver.prepare(pool, path, query.goal);
        let key = solver.prepared_key();
        let failed = (key, site, violation);
        if self.asked.get(&key).is_some_and(|&fails| !fails || self.failing.contains(&failed)) {
            return Put::Repeated;
        }
        let answer = solver.solve_prepared(pool, query.goal, &value);
        // What was not answered may be asked again, with more time.
        if let Answer::Sat(_) | Answer::Unsat = answer {
            let is_yes = answer != Answer::Unsat;
            self.asked.insert(key, is_yes);
            if is_yes {
                self.failing.insert(failed);
            }
        }
        Put::Answered(answer)
    }

    /// What comes of a query near the base, if large tables have to do with it. `None` if it is to be asked as a whole.
    fn put_near(&mut self, (context, path): At<'_>, base: Base<'_>, query: &OperationQuery) -> Option<Put> {
        let ExpressionContext { pool, variables, solver, .. } = context;
        let CheckedOperation { violation, site, .. } = query.operation;
        if path.truth(pool, query.goal) == Some(false) {
            return None;
        }
        let value = |var| base.value(variables, var);
        let near = solver.prepare_near(pool, path, query.goal, &value)?;
        let key = solver.prepared_key();
        let failed = (key, site, violation);
        if self.failing.contains(&failed) {
            return Some(Put::Repeated);
        }
        if !self.far.contains(&key) {
            match solver.solve_near(pool, path, near, &value) {
                Answer::Sat(model) => {
                    self.failing.insert(failed);
                    return Some(Put::Answered(Answer::Sat(model)));
                }
                Answer::Unsat => _ = self.far.insert(key),
                Answer::Unknown(_) => {}
            }
        }
        self.is_near_only.then_some(Put::Far)
    }

    /// The inputs of an answer with yes: one as near to the base as can be, and one for which the sanitizers see it for sure.
    fn options(
        &mut self,
        (context, path): At<'_>,
        base: Base<'_>,
        query: &OperationQuery,
        answer: &Answer,
    ) -> Vec<Vec<(Var, u8)>> {
        let Answer::Sat(model) = answer else { return Vec::new() };
        let mut options = vec![changed(context, base, model)];
        if let Some(nearby) = query.nearby {
            if let Answer::Sat(model) = self.answer_nearby((&mut *context, path), base, nearby) {
                options.push(changed(context, base, &model));
            }
        }
        options.dedup();
        // What fails as it is needs no query: it is judged anyway.
        options.retain(|changed| !changed.is_empty());
        options
    }

    /// The answer to what would be seen for sure, where that comes cheap.
    fn answer_nearby(&self, (context, path): At<'_>, base: Base<'_>, goal: Expr) -> Answer {
        let ExpressionContext { pool, variables, solver, .. } = context;
        let value = |var| base.value(variables, var);
        if let Some(near) = solver.prepare_near(pool, path, goal, &value) {
            let answer = solver.solve_near(pool, path, near, &value);
            if self.is_near_only || matches!(answer, Answer::Sat(_)) {
                return answer;
            }
        }
        solver.solve(pool, path, goal, &value)
    }
}

fn changed(context: &ExpressionContext, base: Base<'_>, model: &[(Var, u8)]) -> Vec<(Var, u8)> {
    let mut changed = context.changed(model, &|variables, var| base.value(variables, var));
    changed.sort_unstable();
    changed
}
