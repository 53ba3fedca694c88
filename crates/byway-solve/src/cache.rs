//! Answers that were found before, for runs that are still to come.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::hash::BuildHasher;

use crate::condition::Stamps;
use crate::pool::{Expr, Var};
use crate::query::Answer;

/// How many models are tried on a new query.
const MODELS: usize = 8;
/// How many answers are kept before all are forgotten.
const ANSWERS: usize = 1 << 20;

/// Remembers what cost something to find out.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    answers: HashMap<(u64, u64), Answer, FixedState>,
    /// Sets of constraints that cannot be true together, by their last member.
    contradictions: HashMap<Expr, Vec<Box<[Expr]>>, FixedState>,
    models: Vec<Vec<(Var, u8)>>,
    next_model: usize,
    members: Stamps,
}

impl Cache {
    /// The key of a set of constraints; the seed has no part in it, since any model will do.
    pub fn key(constraints: &[Expr]) -> (u64, u64) {
        let (mut sum, mut xor) = (0u64, 0u64);
        let (first, second) = (FixedState::with_seed(1), FixedState::with_seed(2));
        for constraint in constraints {
            sum = sum.wrapping_add(first.hash_one(constraint));
            xor ^= second.hash_one(constraint);
        }
        (sum, xor)
    }

    /// The answer to the same question.
    pub fn answer(&self, key: (u64, u64)) -> Option<&Answer> {
        self.answers.get(&key)
    }

    /// Whether some of the constraints are known to contradict each other.
    pub fn is_contradiction(&mut self, constraints: &[Expr]) -> bool {
        if self.contradictions.is_empty() {
            return false;
        }
        self.members.clear();
        for constraint in constraints {
            self.members.insert(constraint.index());
        }
        constraints.iter().any(|constraint| {
            let known = self.contradictions.get(constraint);
            known.is_some_and(|sets| {
                sets.iter().any(|set| set.iter().all(|member| self.members.contains(member.index())))
            })
        })
    }

    /// Bytes that were the answer to something lately, the newest first.
    pub fn models(&self) -> impl Iterator<Item = &Vec<(Var, u8)>> {
        let count = self.models.len();
        (1..=count).map(move |back| &self.models[(self.next_model + count - back) % count])
    }

    /// Remembers an answer. `core` are constraints that are enough for a contradiction.
    pub fn remember(&mut self, key: (u64, u64), answer: &Answer, core: &[Expr]) {
        if self.answers.len() >= ANSWERS {
            self.answers.clear();
            self.contradictions.clear();
        }
        match answer {
            Answer::Sat(model) => self.remember_model(model.clone()),
            Answer::Unsat => {
                if let Some(&last) = core.iter().max() {
                    self.contradictions.entry(last).or_default().push(core.into());
                }
            }
            Answer::Unknown(_) => return,
        }
        self.answers.insert(key, answer.clone());
    }

    fn remember_model(&mut self, model: Vec<(Var, u8)>) {
        if self.models.len() < MODELS {
            self.models.push(model);
            self.next_model = self.models.len() % MODELS;
        } else {
            self.models[self.next_model] = model;
            self.next_model = (self.next_model + 1) % MODELS;
        }
    }
}
