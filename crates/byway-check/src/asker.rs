//! Who asks whether operations can fail: expressions, and a solver for them.
//!
//! A world has one, for all its paths. Seeds are followed by workers that each have one of their own, so that none waits for another.

mod along;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use byway_exec::Outcome;
use byway_explore::{Maker, Original, Program, Steps};
use byway_report::Limit;
use byway_solve::{Answer, Changes, Expr, Importer, Path, Pool, Refuted, Solver, Source, Var, Variables};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Checks;
use crate::clock::{Allowance, Stopwatch};
use crate::ledger::Ledger;
use crate::lock;
use crate::walk::{Asked, Operation, Question, Walk, Walker};

/// Limits of what is asked at one place of the program, on one path.
#[derive(Debug, Clone, Copy)]
pub struct PlaceLimits {
    /// How many inputs that should make an operation fail there are.
    pub tries: u32,
    /// How many of its questions may go unanswered.
    pub unknown: u32,
    /// How much processor time all questions about the same operation may take.
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

/// Questions that wait until there is nothing cheaper to ask, and why.
pub type PutOff = FxHashMap<Operation, Limit>;

/// What came of a question.
#[derive(Debug, Default)]
pub struct Reply {
    /// The bytes that differ from the base in inputs that answer it with yes.
    pub options: Vec<Vec<(Var, u8)>>,
    /// Why it has no answer yet.
    pub put_off: Option<Limit>,
}

/// What became of a question that was put.
enum Put {
    /// It has an answer.
    Answered(Answer),
    /// It was asked before.
    Repeated,
    /// It is about a large table, and no input near the base was found that answers it with yes.
    Far,
}

/// Which questions on a path are asked.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// All but so many, which came before.
    pub from: usize,
    /// And those that were put off.
    pub again: &'a PutOff,
}

impl Wanted<'_> {
    /// Whether a question is one of those, if so many came before it.
    pub fn has(self, question: &Question, before: usize) -> bool {
        before >= self.from || self.again.contains_key(&question.operation)
    }

    /// Whether a question was asked before and not answered.
    pub fn was_unknown(self, question: &Question) -> bool {
        self.again.get(&question.operation) == Some(&Limit::Unknown)
    }
}

/// Asks questions.
pub struct Asker {
    pub(crate) program: Arc<Program>,
    checks: Checks,
    /// What may be spent on one place of the current path.
    limits: PlaceLimits,
    pub(crate) pool: Pool,
    pub(crate) variables: Variables,
    pub(crate) solver: Solver,
    pub(crate) steps: Steps,
    /// Questions that were answered, and whether with yes.
    asked: FxHashMap<(u64, u64), bool>,
    /// Where questions were answered with yes.
    failing: FxHashSet<((u64, u64), u32, Asked)>,
    /// What was spent on each place of the current path.
    spent: FxHashMap<(u32, Asked), Spent>,
    /// Questions that no input near the base answers with yes, as far as large tables are concerned.
    far: FxHashSet<(u64, u64)>,
    /// Whether questions about large tables are asked near the base alone.
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

/// What came of following a seed.
#[derive(Debug)]
pub struct Followed {
    /// What can fail.
    pub suspects: Vec<Suspect>,
    /// How many questions were asked, with those that were before.
    pub asked: usize,
    /// Those that a limit of their place kept from being asked, or that were not answered.
    pub put_off: PutOff,
    /// The sites of those that there was no time for, as far as they are known.
    pub open: Vec<u32>,
    /// Its way, or as much of it as there was time for.
    pub walk: Walk,
}

impl Followed {
    /// Whether time was over before all was asked.
    pub fn is_cut(&self) -> bool {
        self.walk.is_cut || !self.open.is_empty()
    }
}

/// An operation on the way of a seed that can fail.
#[derive(Debug)]
pub struct Suspect {
    /// What should fail.
    pub operation: Operation,
    /// The bytes that have to change, best first; each is an input of its own.
    pub options: Vec<Vec<Byte>>,
}

/// A byte of an input as everybody knows it, and its value.
pub type Byte = (Source, u64, u8);

/// A query has this part of the time that is left for all, and at least this much.
const PART_OF_TIME: u32 = 4;
const LEAST_TIME: Duration = Duration::from_millis(10);
/// A place of the program has this part of the time for a path: what comes first on it leaves time for what comes last.
const PART_OF_PLACE: u32 = 16;

impl Asker {
    /// Nothing was asked yet.
    pub fn new(program: Arc<Program>, solver: Solver, checks: Checks, limits: PlaceLimits) -> Asker {
        Asker {
            program,
            checks,
            limits,
            pool: Pool::new(),
            variables: Variables::default(),
            solver,
            steps: Steps::default(),
            asked: FxHashMap::default(),
            failing: FxHashSet::default(),
            spent: FxHashMap::default(),
            far: FxHashSet::default(),
            is_near_only: true,
            place_time: Duration::MAX,
            query_time: None,
        }
    }

    /// Who makes parts of paths.
    pub fn maker(&mut self) -> Maker<'_> {
        Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool }
    }

    /// Changed bytes as everybody knows them.
    pub fn bytes(&self, changed: &[(Var, u8)]) -> Vec<Byte> {
        let byte = |&(var, value): &(Var, u8)| {
            let place = self.variables.place(var);
            (self.variables.source(place.source).clone(), place.offset, value)
        };
        changed.iter().map(byte).collect()
    }

    /// Makes the walk of a run of a seed, or of an input near it.
    pub fn walk(
        &mut self,
        original: &mut Original,
        ran: &Outcome,
        is_over: &dyn Fn() -> bool,
        walk: impl FnOnce(&mut Walker<'_>, &mut Importer<'_>) -> Walk,
    ) -> Walk {
        let sources = original.sources(&ran.trace);
        let mut importer = Importer::with_sources(&ran.trace, &mut self.pool, &mut self.variables, sources);
        let (steps, solver) = (&mut self.steps, &mut self.solver);
        walk(&mut Walker { program: &self.program, steps, solver, checks: self.checks, is_over }, &mut importer)
    }

    /// The next query takes no more than a part of what is left of an allowance: one that is hard leaves time for others.
    pub fn limit_query(&mut self, time: Option<&Allowance>) {
        self.query_time = time.map(|time| (time.left() / PART_OF_TIME).max(LEAST_TIME));
        self.solver.set_limit(self.query_time);
    }

    /// From now on the limits are so many times these, those of a query included. With no more than these, questions about large
    /// tables are asked near the base alone.
    pub fn set_effort(&mut self, limits: PlaceLimits, effort: u32) {
        self.limits = limits.times(effort);
        self.solver.set_effort(effort);
        self.is_near_only = effort <= 1;
    }

    /// A new path begins: what was spent on the places of another does not count. No place has more than a part of the time.
    pub fn begin_path(&mut self, time: Option<&Allowance>) {
        self.place_time = time.map_or(Duration::MAX, |time| (time.left() / PART_OF_PLACE).max(LEAST_TIME));
        self.spent.clear();
    }

    /// Asks a question at the end of a path.
    pub fn question(
        &mut self,
        path: &mut Path,
        base: Base<'_>,
        question: &Question,
        ledger: &Mutex<Ledger>,
        is_over: &dyn Fn() -> bool,
    ) -> Reply {
        let operation = question.operation;
        let is_costly = {
            let mut ledger = lock(ledger);
            if ledger.is_confirmed(operation) {
                ledger.tally.note_found();
                return Reply::default();
            }
            ledger.spent(operation) >= self.limits.time
        };
        if let Some(limit) = self.limit(operation, is_costly).or(is_over().then_some(Limit::Time)) {
            if self.limits.is_nothing(limit) {
                lock(ledger).tally.give_up(limit, operation.site);
                return Reply::default();
            }
            return Reply { put_off: Some(limit), ..Reply::default() };
        }
        let spent = self.spent.get(&(operation.site, operation.asked)).map_or(Duration::ZERO, |spent| spent.time);
        let place_time = self.place_time.saturating_sub(spent).max(LEAST_TIME);
        self.solver.set_limit(self.query_time.map(|time| time.min(place_time)));
        let watch = Stopwatch::start();
        let put = self.put(path, base, question);
        let is_far = matches!(put, Put::Far);
        let answer = if let Put::Answered(answer) = put { Some(answer) } else { None };
        let options = answer.as_ref().map(|answer| self.options(path, base, question, answer)).unwrap_or_default();
        let spent = self.spent.entry((operation.site, operation.asked)).or_default();
        let time = watch.spent();
        spent.time += time;
        lock(ledger).spend(operation, time);
        let mut put_off = None;
        match &answer {
            None if is_far => put_off = Some(Limit::Table),
            None => lock(ledger).tally.repeat(),
            // There was no time for more than a try.
            Some(Answer::Unknown(_)) if self.solver.is_limited() => put_off = Some(Limit::Time),
            Some(answer) => {
                lock(ledger).tally.note_answer(operation.asked, operation.site, answer);
                spent.tries += u32::from(matches!(answer, Answer::Sat(_)));
                if let Answer::Unknown(_) = answer {
                    spent.unknown += 1;
                    put_off = Some(Limit::Unknown);
                }
            }
        }
        Reply { options, put_off }
    }

    /// Which limit was reached at a place.
    fn limit(&self, operation: Operation, is_costly: bool) -> Option<Limit> {
        let spent = self.spent.get(&(operation.site, operation.asked)).copied().unwrap_or_default();
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

    /// The answer to a question at the end of a path, whatever the limits are.
    fn put(&mut self, path: &mut Path, base: Base<'_>, question: &Question) -> Put {
        if let Some(put) = self.put_near(path, base, question) {
            return put;
        }
        let Operation { asked, site, .. } = question.operation;
        let value = |var| base.original.value(&self.variables, base.changes, var);
        match self.solver.refute(&mut self.pool, path, question.goal, &value) {
            Refuted::Known => return Put::Repeated,
            Refuted::Yes => return Put::Answered(Answer::Unsat),
            Refuted::No => {}
        }
        self.solver.prepare(&mut self.pool, path, question.goal);
        let key = self.solver.prepared_key();
        let failed = (key, site, asked);
        if self.asked.get(&key).is_some_and(|&fails| !fails || self.failing.contains(&failed)) {
            return Put::Repeated;
        }
        let answer = self.answer(base, question.goal);
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

    /// What comes of a question near the base, if large tables have to do with it. `None` if it is to be asked as a whole.
    fn put_near(&mut self, path: &mut Path, base: Base<'_>, question: &Question) -> Option<Put> {
        let Operation { asked, site, .. } = question.operation;
        if path.truth(&self.pool, question.goal) == Some(false) {
            return None;
        }
        let value = |var| base.original.value(&self.variables, base.changes, var);
        let near = self.solver.prepare_near(&mut self.pool, path, question.goal, &value)?;
        let key = self.solver.prepared_key();
        let failed = (key, site, asked);
        if self.failing.contains(&failed) {
            return Some(Put::Repeated);
        }
        if !self.far.contains(&key) {
            match self.solver.solve_near(&mut self.pool, path, near, &value) {
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
        path: &mut Path,
        base: Base<'_>,
        question: &Question,
        answer: &Answer,
    ) -> Vec<Vec<(Var, u8)>> {
        let Answer::Sat(model) = answer else { return Vec::new() };
        let mut options = vec![self.changed(base, model)];
        if let Some(nearby) = question.nearby {
            if let Answer::Sat(model) = self.answer_nearby(path, base, nearby) {
                options.push(self.changed(base, &model));
            }
        }
        options.dedup();
        // What fails as it is needs no question: it is judged anyway.
        options.retain(|changed| !changed.is_empty());
        options
    }

    /// The answer to what would be seen for sure, where that comes cheap.
    fn answer_nearby(&mut self, path: &mut Path, base: Base<'_>, goal: Expr) -> Answer {
        let value = |var| base.original.value(&self.variables, base.changes, var);
        if let Some(near) = self.solver.prepare_near(&mut self.pool, path, goal, &value) {
            let answer = self.solver.solve_near(&mut self.pool, path, near, &value);
            if self.is_near_only || matches!(answer, Answer::Sat(_)) {
                return answer;
            }
        }
        self.solver.prepare(&mut self.pool, path, goal);
        self.answer(base, goal)
    }

    /// The answer to the question that was prepared; bytes stay what they are where they can.
    fn answer(&mut self, base: Base<'_>, goal: Expr) -> Answer {
        let value = |var| base.original.value(&self.variables, base.changes, var);
        self.solver.solve_prepared(&mut self.pool, goal, &value)
    }

    fn changed(&self, base: Base<'_>, model: &[(Var, u8)]) -> Vec<(Var, u8)> {
        let value = |var| base.original.value(&self.variables, base.changes, var);
        let mut changed: Vec<_> = model.iter().filter(|&&(var, new)| value(var) != new).copied().collect();
        changed.sort_unstable();
        changed
    }
}
