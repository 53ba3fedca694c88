//! Asking whether operations can fail.

use std::time::Instant;

use byway_explore::Maker;
use byway_explore::input::Changes;
use byway_explore::tree::NodeId;
use byway_solve::{Answer, Expr};

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

impl World {
    /// Asks all questions on the way of a run, from a step on, until the time is over.
    pub fn ask(&mut self, learned: &Learned, from: usize, deadline: Instant) -> Vec<Candidate> {
        let nodes = learned.last.map(|last| self.nodes_up_to(last)).unwrap_or_default();
        self.tally.note_walk(&learned.walk, from);
        if !self.stand_behind(learned.family, nodes.get(from.wrapping_sub(1)).copied()) {
            return Vec::new();
        }
        let mut candidates = Vec::new();
        let mut step = 0;
        for item in &learned.walk.items {
            if step < from {
                step += usize::from(matches!(item, Item::Step));
                continue;
            }
            match *item {
                Item::Assumed(assumption) => self.way.assume(&mut self.pool, assumption),
                Item::Step => {
                    let (node, side) = nodes[step];
                    let mut maker = Maker { program: &self.program, steps: &mut self.steps, pool: &mut self.pool };
                    self.way.take(&self.families[learned.family].tree, &mut maker, node, side);
                    step += 1;
                }
                Item::Question(question) => {
                    if Instant::now() >= deadline {
                        self.tally.leave_out(question.asked, "time");
                        continue;
                    }
                    let last = step.checked_sub(1).map(|last| nodes[last]);
                    let last = last.map(|(node, side)| Spot { family: learned.family, node, side });
                    let options = self.question(learned, &question);
                    if !options.is_empty() {
                        candidates.push(Candidate { question, seed: learned.seed, last, options });
                    }
                }
            }
        }
        candidates
    }

    /// Goes behind a branch, or to the beginning of the program.
    fn stand_behind(&mut self, family: usize, last: Option<(NodeId, u32)>) -> bool {
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
        true
    }

    /// Asks a question where the way is. The inputs that answer it with yes.
    fn question(&mut self, learned: &Learned, question: &Question) -> Vec<Changes> {
        let place = self.places.entry((question.site, question.asked)).or_default();
        let left_out = match () {
            () if place.is_confirmed => Some("found"),
            () if place.tries >= self.limits.tries => Some("tries"),
            () if place.unknown >= self.limits.unknown => Some("unknown"),
            () => None,
        };
        if let Some(why) = left_out {
            self.tally.leave_out(question.asked, why);
            return Vec::new();
        }
        self.solver.prepare(&mut self.pool, self.way.path(), question.goal);
        let key = self.solver.prepared_key();
        let failed = (key, question.site, question.asked);
        if self.asked.get(&key).is_some_and(|&fails| !fails || self.failing.contains(&failed)) {
            self.tally.repeat();
            return Vec::new();
        }
        let answer = self.answer(learned, question.goal);
        self.tally.note_answer(question.asked, &answer);
        self.asked.insert(key, matches!(answer, Answer::Sat(_)));
        let place = self.places.entry((question.site, question.asked)).or_default();
        let Answer::Sat(model) = answer else {
            place.unknown += u32::from(answer != Answer::Unsat);
            return Vec::new();
        };
        place.tries += 1;
        self.failing.insert(failed);
        let mut options = vec![self.changes(learned, &model)];
        if let Some(nearby) = question.nearby {
            self.solver.prepare(&mut self.pool, self.way.path(), nearby);
            if let Answer::Sat(model) = self.answer(learned, nearby) {
                options.push(self.changes(learned, &model));
            }
        }
        options.dedup();
        options
    }

    /// The answer to the question that was prepared; bytes stay what they are in the run.
    fn answer(&mut self, learned: &Learned, goal: Expr) -> Answer {
        let Record { seed, changes } = &self.runs[learned.run as usize];
        let (original, variables) = (&self.originals[*seed], &self.variables);
        self.solver.solve_prepared(&mut self.pool, goal, &|var| original.value(variables, changes, var))
    }

    fn changes(&self, learned: &Learned, model: &[(byway_solve::Var, u8)]) -> Changes {
        let Record { seed, changes } = &self.runs[learned.run as usize];
        let original = &self.originals[*seed];
        let differs = |&&(var, value): &&(byway_solve::Var, u8)| original.value(&self.variables, changes, var) != value;
        let changed: Vec<_> = model.iter().filter(differs).copied().collect();
        changes.with(&changed)
    }
}
