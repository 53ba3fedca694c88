//! Asking whether operations can fail.

use std::sync::Mutex;

use byway_explore::tree::NodeId;
use byway_report::Limit;
use byway_solve::Changes;

use super::{Learned, Record, Spot, World};
use crate::asker::{Base, Byte, PutOff, Reply};
use crate::clock::Allowance;
use crate::ledger::Ledger;
use crate::lock;
use crate::walk::{Item, Operation};

/// An input that should make an operation fail.
#[derive(Debug)]
pub struct Candidate {
    /// What should fail.
    pub operation: Operation,
    /// Its seed.
    pub seed: usize,
    /// The last branch before the operation.
    pub last: Option<Spot>,
    /// What has to change against the seed, best first; each is an input of its own.
    pub options: Vec<Changes>,
}

impl World {
    /// Asks questions on the way of a run, from a step on, until it is over: all, or those that were put off. What can fail,
    /// and what was put off.
    pub fn ask(
        &mut self,
        learned: &Learned,
        from: usize,
        again: Option<&PutOff>,
        ledger: &Mutex<Ledger>,
        (time, is_over): (&Allowance, &dyn Fn() -> bool),
    ) -> (Vec<Candidate>, PutOff) {
        let nodes = learned.last.map(|last| self.nodes_up_to(last)).unwrap_or_default();
        if again.is_none() {
            lock(ledger).tally.note_walk(&learned.walk, from);
        }
        self.asker.begin_path(Some(time));
        let mut put_off = PutOff::default();
        self.stand_behind(learned.family, from.checked_sub(1).map(|last| nodes[last]));
        let mut way = std::mem::take(&mut self.way);
        let Record { seed, changes } = &self.runs[learned.run as usize];
        let (seed, base) = (*seed, Base { original: &self.originals[*seed], changes });
        let (mut candidates, mut step) = (Vec::new(), 0);
        for item in &learned.walk.items {
            if step < from {
                step += usize::from(matches!(item, Item::Step));
                continue;
            }
            match *item {
                Item::Assumed(assumption) => way.assume(&mut self.asker.pool, assumption),
                Item::Step => {
                    let (node, side) = nodes[step];
                    way.take(&self.families[learned.family].tree, &mut self.asker.maker(), node, side);
                    step += 1;
                }
                Item::Question(question) if again.is_some_and(|again| !again.contains_key(&question.operation)) => {}
                Item::Question(question) => {
                    if again.is_some_and(|again| again[&question.operation] == Limit::Unknown) {
                        lock(ledger).tally.take_back(question.operation.asked);
                    }
                    self.asker.limit_query(Some(time));
                    let Reply { options, put_off: why } =
                        self.asker.question(way.path(), base, &question, ledger, is_over);
                    put_off.extend(why.map(|limit| (question.operation, limit)));
                    if !options.is_empty() {
                        let options = options.iter().map(|changed| changes.with(changed)).collect();
                        let last = step.checked_sub(1).map(|last| nodes[last]);
                        let last = last.map(|(node, side)| Spot { family: learned.family, node, side });
                        candidates.push(Candidate { operation: question.operation, seed, last, options });
                    }
                }
            }
        }
        self.way = way;
        (candidates, put_off)
    }

    /// The bytes that differ from the seed in the input of a run, as everybody knows them.
    pub fn bytes(&self, changes: &Changes) -> Vec<Byte> {
        self.asker.bytes(&changes.iter().collect::<Vec<_>>())
    }

    /// The last branch before an operation of the same run.
    pub fn locate(&self, learned: &Learned, operation: Operation) -> Option<Spot> {
        let mut step = 0;
        for item in &learned.walk.items {
            match item {
                Item::Step => step += 1,
                Item::Question(question) if question.operation == operation => break,
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
                self.way.clear(&self.asker.pool);
                self.way_family = family;
            }
            Some((node, side)) => {
                self.go_to(family, node);
                self.way.take(&self.families[family].tree, &mut self.asker.maker(), node, side);
            }
        }
    }
}
