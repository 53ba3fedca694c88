//! Asking whether operations can fail.

use std::time::Instant;

use byway_explore::Maker;
use byway_explore::tree::NodeId;
use byway_run::Outcome;
use byway_solve::{Answer, Changes, Expr, Path, Refuted, Var};

use super::{Learned, Record, Spot, World};
use crate::walk::{Item, Question};

/// An input that should make an operation fail.
#[derive(Debug)]
pub struct Candidate {
    /// What was asked.
    pub question: Question,
    /// Its seed.
    pub seed: usize,
    /// The last branch before the operation.
    pub last: Option<Spot>,
    /// What has to change against the seed, best first; each is an input of its own.
    pub options: Vec<Changes>,
}

/// An input near which answers are to be.
#[derive(Clone, Copy)]
struct Base<'a> {
    seed: usize,
    changes: &'a Changes,
}

/// After so many parts of a path it is seen whether time is over.
const OFTEN: usize = 256;

impl World {
    /// Asks all questions on the way of a seed, until it is over. Its path is not kept.
    pub fn ask_seed(&mut self, seed: usize, ran: &Outcome, is_over: &dyn Fn() -> bool) -> Vec<Candidate> {
        let walk = self.questions_of(seed, ran, is_over);
        self.tally.note_walk(&walk, 0);
        self.has_asked[seed] = true;
        let mut path = Path::new();
        let (mut candidates, mut step) = (Vec::new(), 0);
        let changes = Changes::default();
        let base = Base { seed, changes: &changes };
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
                    let options = self.question(&mut path, base, &question, &|| is_late || is_over());
                    if !options.is_empty() {
                        candidates.push(Candidate { question, seed, last: None, options });
                    }
                }
            }
        }
        candidates
    }

    /// Asks all questions on the way of a run, from a step on, until it is over.
    pub fn ask(&mut self, learned: &Learned, from: usize, is_over: &dyn Fn() -> bool) -> Vec<Candidate> {
        let nodes = learned.last.map(|last| self.nodes_up_to(last)).unwrap_or_default();
        self.tally.note_walk(&learned.walk, from);
        self.stand_behind(learned.family, from.checked_sub(1).map(|last| nodes[last]));
        let mut way = std::mem::take(&mut self.way);
        let Record { seed, changes } = &self.runs[learned.run as usize];
        let (seed, changes) = (*seed, changes.clone());
        let base = Base { seed, changes: &changes };
        let (mut candidates, mut step) = (Vec::new(), 0);
        for item in &learned.walk.items {
            if step < from {
                step += usize::from(matches!(item, Item::Step));
                continue;
            }
            match *item {
                Item::Assumed(assumption) => way.assume(&mut self.pool, assumption),
                Item::Step => {
                    let (node, side) = nodes[step];
                    let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
                    way.take(&self.families[learned.family].tree, &mut maker, node, side);
                    step += 1;
                }
                Item::Question(question) => {
                    let options = self.question(way.path(), base, &question, is_over);
                    if !options.is_empty() {
                        let last = step.checked_sub(1).map(|last| nodes[last]);
                        let last = last.map(|(node, side)| Spot { family: learned.family, node, side });
                        candidates.push(Candidate { question, seed, last, options });
                    }
                }
            }
        }
        self.way = way;
        candidates
    }

    /// The last branch before a question that was asked of the same run.
    pub fn locate(&self, learned: &Learned, question: &Question) -> Option<Spot> {
        let mut step = 0;
        for item in &learned.walk.items {
            match item {
                Item::Step => step += 1,
                Item::Question(other) if (other.event, other.asked) == (question.event, question.asked) => break,
                _ => {}
            }
        }
        let (node, side) = *self.nodes_up_to(learned.last?).get(usize::checked_sub(step, 1)?)?;
        Some(Spot { family: learned.family, node, side })
    }

    /// Goes behind a branch, or to the beginning of the program.
    fn stand_behind(&mut self, family: usize, last: Option<(NodeId, u32)>) {
        match last {
            None => {
                self.way.clear(&self.pool);
                self.way_family = family;
            }
            Some((node, side)) => {
                self.go_to(family, node);
                let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
                self.way.take(&self.families[family].tree, &mut maker, node, side);
            }
        }
    }

    /// Asks a question at the end of a path. The inputs that answer it with yes.
    fn question(
        &mut self,
        path: &mut Path,
        base: Base<'_>,
        question: &Question,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Changes> {
        let place = self.places.entry((question.site, question.asked)).or_default();
        let left_out = match () {
            () if place.is_confirmed => Some("found"),
            () if place.tries >= self.limits.tries => Some("tries"),
            () if place.unknown >= self.limits.unknown => Some("unknown"),
            () if place.spent >= self.limits.time => Some("operation"),
            () if is_over() => Some("time"),
            () => None,
        };
        if let Some(why) = left_out {
            self.tally.leave_out(why);
            return Vec::new();
        }
        let begun = Instant::now();
        let options = self.put(path, base, question);
        self.places.entry((question.site, question.asked)).or_default().spent += begun.elapsed();
        options
    }

    /// The same whatever the limits are.
    fn put(&mut self, path: &mut Path, base: Base<'_>, question: &Question) -> Vec<Changes> {
        let (original, variables) = (&self.originals[base.seed], &self.variables);
        let value = |var| original.value(variables, base.changes, var);
        match self.solver.refute(&mut self.pool, path, question.goal, &value) {
            Refuted::Known => {
                self.tally.repeat();
                return Vec::new();
            }
            Refuted::Yes => {
                self.tally.note_answer(question.asked, &Answer::Unsat);
                return Vec::new();
            }
            Refuted::No => {}
        }
        self.solver.prepare(&mut self.pool, path, question.goal);
        let key = self.solver.prepared_key();
        let failed = (key, question.site, question.asked);
        if self.asked.get(&key).is_some_and(|&fails| !fails || self.failing.contains(&failed)) {
            self.tally.repeat();
            return Vec::new();
        }
        let answer = self.answer(base, question.goal);
        self.tally.note_answer(question.asked, &answer);
        self.asked.insert(key, matches!(answer, Answer::Sat(_)));
        let place = self.places.entry((question.site, question.asked)).or_default();
        let Answer::Sat(model) = answer else {
            place.unknown += u32::from(answer != Answer::Unsat);
            return Vec::new();
        };
        place.tries += 1;
        self.failing.insert(failed);
        let mut options = vec![self.changes(base, &model)];
        if let Some(nearby) = question.nearby {
            self.solver.prepare(&mut self.pool, path, nearby);
            if let Answer::Sat(model) = self.answer(base, nearby) {
                options.push(self.changes(base, &model));
            }
        }
        options.dedup();
        options
    }

    /// The answer to the question that was prepared; bytes stay what they are where they can.
    fn answer(&mut self, base: Base<'_>, goal: Expr) -> Answer {
        let (original, variables) = (&self.originals[base.seed], &self.variables);
        self.solver.solve_prepared(&mut self.pool, goal, &|var| original.value(variables, base.changes, var))
    }

    fn changes(&self, base: Base<'_>, model: &[(Var, u8)]) -> Changes {
        let original = &self.originals[base.seed];
        let value = |var| original.value(&self.variables, base.changes, var);
        let changed: Vec<_> = model.iter().filter(|&&(var, new)| value(var) != new).copied().collect();
        base.changes.with(&changed)
    }
}
