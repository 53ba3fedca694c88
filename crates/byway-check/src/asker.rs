//! Who asks whether operations can fail: expressions, and a solver for them.
//!
//! A world has one, for all its paths. Seeds are followed by workers that each have one of their own, so that none waits for another.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use byway_explore::{Maker, Program, Steps};
use byway_run::Outcome;
use byway_solve::{Answer, Changes, Expr, Importer, Path, Pool, Refuted, Solver, Source, Var, Variables};
use byway_stage::Original;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checks::Checks;
use crate::ledger::Ledger;
use crate::lock;
use crate::walk::{Asked, Item, Operation, Question, Walk, Walker};

/// Limits of what is asked at one place.
#[derive(Debug, Clone, Copy)]
pub struct PlaceLimits {
    /// How many inputs that should make an operation fail one asker comes up with.
    pub tries: u32,
    /// How many of its questions may go unanswered.
    pub unknown: u32,
    /// How long all questions about the same operation may take.
    pub time: Duration,
}

/// Asks questions.
pub struct Asker {
    pub(crate) program: Arc<Program>,
    checks: Checks,
    limits: PlaceLimits,
    pub(crate) pool: Pool,
    pub(crate) variables: Variables,
    pub(crate) solver: Solver,
    pub(crate) steps: Steps,
    /// Questions that were answered, and whether with yes.
    asked: FxHashMap<(u64, u64), bool>,
    /// Where questions were answered with yes.
    failing: FxHashSet<((u64, u64), u32, Asked)>,
    /// How many questions at each place were answered with yes, and how many with nothing.
    answers: FxHashMap<(u32, Asked), (u32, u32)>,
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
    /// How many were not, as far as is known.
    pub open: u64,
    /// Its way, or as much of it as there was time for.
    pub walk: Walk,
}

impl Followed {
    /// Whether time was over before all was asked.
    pub fn is_cut(&self) -> bool {
        self.walk.is_cut || self.open > 0
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

/// After so many parts of a path it is seen whether time is over.
const OFTEN: usize = 256;

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
            answers: FxHashMap::default(),
        }
    }

    /// Asks all questions on the way of a seed but the first ones, which were asked before, until it is over. Its path is not kept.
    pub fn follow(
        &mut self,
        mut original: Original,
        ran: &Outcome,
        from: usize,
        ledger: &Mutex<Ledger>,
        is_over: &dyn Fn() -> bool,
    ) -> Followed {
        let walk =
            self.walk(&mut original, ran, is_over, |walker, importer| walker.walk_for_questions(&ran.trace, importer));
        let mut path = Path::new();
        let base = Base { original: &original, changes: &Changes::default() };
        let mut is_late = walk.is_cut;
        let mut followed = Followed { suspects: Vec::new(), asked: 0, open: 0, walk };
        let mut step = 0;
        for (number, item) in followed.walk.items.iter().enumerate() {
            if number % OFTEN == 0 || matches!(item, Item::Question(_)) {
                is_late |= is_over();
            }
            match *item {
                // The path is for questions, and there will be none.
                Item::Assumed(_) | Item::Step if is_late => {}
                Item::Assumed(assumption) => path.push(&mut self.pool, assumption),
                Item::Step => {
                    let decided =
                        self.steps.expression(&self.program, &mut self.pool, followed.walk.path.steps()[step].into());
                    path.push(&mut self.pool, decided);
                    step += 1;
                }
                Item::Question(_) if followed.asked < from => followed.asked += 1,
                Item::Question(_) if is_late => followed.open += 1,
                Item::Question(question) => {
                    followed.asked += 1;
                    let options = self.question(&mut path, base, &question, ledger, &|| false);
                    if !options.is_empty() {
                        let options = options.iter().map(|changed| self.bytes(changed)).collect();
                        followed.suspects.push(Suspect { operation: question.operation, options });
                    }
                }
            }
        }
        lock(ledger).tally.note_solver(&self.solver.take_stats());
        followed
    }

    /// Who makes parts of paths.
    pub fn maker(&mut self) -> Maker<'_> {
        Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool }
    }

    fn bytes(&self, changed: &[(Var, u8)]) -> Vec<Byte> {
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

    /// Asks a question at the end of a path. The bytes that differ from the base in inputs that answer it with yes.
    pub fn question(
        &mut self,
        path: &mut Path,
        base: Base<'_>,
        question: &Question,
        ledger: &Mutex<Ledger>,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Vec<(Var, u8)>> {
        let operation = question.operation;
        let is_late = is_over();
        let limit = self.limit(operation);
        {
            let mut ledger = lock(ledger);
            if let Some(why) = ledger.refusal(operation).or(limit).or(is_late.then_some("time")) {
                ledger.tally.leave_out(why, 1);
                return Vec::new();
            }
        }
        let begun = Instant::now();
        let answer = self.put(path, base, question);
        let options = answer.as_ref().map(|answer| self.options(path, base, question, answer)).unwrap_or_default();
        let mut ledger = lock(ledger);
        ledger.spend(operation, begun.elapsed());
        match answer {
            None => ledger.tally.repeat(),
            Some(answer) => ledger.tally.note_answer(operation.asked, &answer),
        }
        options
    }

    /// Which limit was reached at a place.
    fn limit(&self, operation: Operation) -> Option<&'static str> {
        match self.answers.get(&(operation.site, operation.asked)).copied().unwrap_or_default() {
            (tries, _) if tries >= self.limits.tries => Some("tries"),
            (_, unknown) if unknown >= self.limits.unknown => Some("unknown"),
            _ => None,
        }
    }

    /// The answer to a question at the end of a path, whatever the limits are. `None` if it was asked before.
    fn put(&mut self, path: &mut Path, base: Base<'_>, question: &Question) -> Option<Answer> {
        let Operation { asked, site, .. } = question.operation;
        let value = |var| base.original.value(&self.variables, base.changes, var);
        match self.solver.refute(&mut self.pool, path, question.goal, &value) {
            Refuted::Known => return None,
            Refuted::Yes => return Some(Answer::Unsat),
            Refuted::No => {}
        }
        self.solver.prepare(&mut self.pool, path, question.goal);
        let key = self.solver.prepared_key();
        let failed = (key, site, asked);
        if self.asked.get(&key).is_some_and(|&fails| !fails || self.failing.contains(&failed)) {
            return None;
        }
        let answer = self.answer(base, question.goal);
        let is_yes = matches!(answer, Answer::Sat(_));
        self.asked.insert(key, is_yes);
        if is_yes {
            self.failing.insert(failed);
        }
        let (tries, unknown) = self.answers.entry((site, asked)).or_default();
        *tries += u32::from(is_yes);
        *unknown += u32::from(matches!(answer, Answer::Unknown(_)));
        Some(answer)
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
            self.solver.prepare(&mut self.pool, path, nearby);
            if let Answer::Sat(model) = self.answer(base, nearby) {
                options.push(self.changed(base, &model));
            }
        }
        options.dedup();
        // What fails as it is needs no question: it is judged anyway.
        options.retain(|changed| !changed.is_empty());
        options
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
