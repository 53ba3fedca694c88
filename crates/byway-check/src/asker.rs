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
use byway_suite::Seed;
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

    /// Asks all questions on the way of a seed, until it is over. Its path is not kept.
    pub fn follow(
        &mut self,
        seed: &Arc<Seed>,
        ran: &Outcome,
        ledger: &Mutex<Ledger>,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Suspect> {
        let mut original = Original::new(Arc::clone(seed));
        let follow =
            |walker: &mut Walker<'_>, importer: &mut Importer<'_>| walker.walk_for_questions(&ran.trace, importer);
        let walk = self.walk(&mut original, ran, is_over, follow);
        lock(ledger).tally.note_walk(&walk, 0);
        let mut path = Path::new();
        let (mut suspects, mut step) = (Vec::new(), 0);
        let base = Base { original: &original, changes: &Changes::default() };
        let mut is_late = false;
        for (number, item) in walk.items.iter().enumerate() {
            is_late = is_late || (number % OFTEN == 0 && is_over());
            match *item {
                // The path is for questions, and there will be none.
                Item::Assumed(_) | Item::Step if is_late => {}
                Item::Assumed(assumption) => path.push(&mut self.pool, assumption),
                Item::Step => {
                    let decided = self.steps.expression(&self.program, &mut self.pool, walk.path.steps()[step].into());
                    path.push(&mut self.pool, decided);
                    step += 1;
                }
                Item::Question(question) => {
                    let options = self.question(&mut path, base, &question, ledger, &|| is_late || is_over());
                    if !options.is_empty() {
                        let options = options.iter().map(|changed| self.bytes(changed)).collect();
                        suspects.push(Suspect { question, options });
                    }
                }
            }
        }
        lock(ledger).tally.note_solver(&self.solver.take_stats());
        suspects
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
