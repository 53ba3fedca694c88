//! Who asks whether operations can fail: expressions, and a solver for them.
//!
//! A world has one, for all its paths. Seeds are followed before that, by workers that each have one of their own, so that none
//! waits for another.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use byway_explore::{Maker, Program, Steps};
use byway_run::Outcome;
use byway_solve::{Answer, Changes, Expr, Importer, Path, Pool, Refuted, Solver, Source, Var, Variables};
use byway_stage::Original;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checks::Checks;
use crate::ledger::{Answered, Ledger};
use crate::lock;
use crate::walk::{Asked, Item, Question, Walk, Walker};

/// Asks questions.
pub struct Asker {
    pub(crate) program: Arc<Program>,
    checks: Checks,
    pub(crate) pool: Pool,
    pub(crate) variables: Variables,
    pub(crate) solver: Solver,
    pub(crate) steps: Steps,
    /// Questions that were answered, and whether with yes.
    asked: FxHashMap<(u64, u64), bool>,
    /// Where questions were answered with yes.
    failing: FxHashSet<((u64, u64), u32, Asked)>,
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
    /// Whether time was over before its end.
    pub is_cut: bool,
}

/// A question on the way of a seed that is answered with yes.
#[derive(Debug)]
pub struct Suspect {
    /// What was asked.
    pub question: Question,
    /// The bytes that have to change, best first; each is an input of its own.
    pub options: Vec<Vec<Byte>>,
}

/// A byte of an input as everybody knows it, and its value.
pub type Byte = (Source, u64, u8);

/// After so many parts of a path it is seen whether time is over.
const OFTEN: usize = 256;

impl Asker {
    /// Nothing was asked yet.
    pub fn new(program: Arc<Program>, solver: Solver, checks: Checks) -> Asker {
        Asker {
            program,
            checks,
            pool: Pool::new(),
            variables: Variables::default(),
            solver,
            steps: Steps::default(),
            asked: FxHashMap::default(),
            failing: FxHashSet::default(),
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
        // One that is cut is walked again.
        if from == 0 && !walk.is_cut {
            lock(ledger).tally.note_walk(&walk, 0);
        }
        let mut path = Path::new();
        let base = Base { original: &original, changes: &Changes::default() };
        let mut followed = Followed { suspects: Vec::new(), asked: 0, open: 0, is_cut: walk.is_cut };
        let mut step = 0;
        for (number, item) in walk.items.iter().enumerate() {
            if number % OFTEN == 0 || matches!(item, Item::Question(_)) {
                followed.is_cut |= is_over();
            }
            match *item {
                // The path is for questions, and there will be none.
                Item::Assumed(_) | Item::Step if followed.is_cut => {}
                Item::Assumed(assumption) => path.push(&mut self.pool, assumption),
                Item::Step => {
                    let decided = self.steps.expression(&self.program, &mut self.pool, walk.path.steps()[step].into());
                    path.push(&mut self.pool, decided);
                    step += 1;
                }
                Item::Question(_) if followed.asked < from => followed.asked += 1,
                Item::Question(_) if followed.is_cut => followed.open += 1,
                Item::Question(question) => {
                    followed.asked += 1;
                    let options = self.question(&mut path, base, &question, ledger, &|| false);
                    if !options.is_empty() {
                        let options = options.iter().map(|changed| self.bytes(changed)).collect();
                        followed.suspects.push(Suspect { question, options });
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
        if !lock(ledger).admits(question, is_over()) {
            return Vec::new();
        }
        let begun = Instant::now();
        let (answered, options) = self.put(path, base, question);
        lock(ledger).note(question, &answered, begun.elapsed());
        options
    }

    /// The same whatever the limits are.
    fn put(&mut self, path: &mut Path, base: Base<'_>, question: &Question) -> (Answered, Vec<Vec<(Var, u8)>>) {
        let value = |var| base.original.value(&self.variables, base.changes, var);
        match self.solver.refute(&mut self.pool, path, question.goal, &value) {
            Refuted::Known => return (Answered::Before, Vec::new()),
            Refuted::Yes => return (Answered::Now(Answer::Unsat), Vec::new()),
            Refuted::No => {}
        }
        self.solver.prepare(&mut self.pool, path, question.goal);
        let key = self.solver.prepared_key();
        let failed = (key, question.site, question.asked);
        if self.asked.get(&key).is_some_and(|&fails| !fails || self.failing.contains(&failed)) {
            return (Answered::Before, Vec::new());
        }
        let answer = self.answer(base, question.goal);
        self.asked.insert(key, matches!(answer, Answer::Sat(_)));
        let mut options = Vec::new();
        if let Answer::Sat(model) = &answer {
            self.failing.insert(failed);
            options.push(self.changed(base, model));
            if let Some(nearby) = question.nearby {
                self.solver.prepare(&mut self.pool, path, nearby);
                if let Answer::Sat(model) = self.answer(base, nearby) {
                    options.push(self.changed(base, &model));
                }
            }
            options.dedup();
        }
        (Answered::Now(answer), options)
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
