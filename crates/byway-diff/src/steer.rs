//! Random changes of inputs that stay near changed code.
//!
//! An input is changed in turn if it comes at least as near to a change as the one it was made of, and runs blocks as often as
//! none before. Those that come nearest are chosen most often.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use byway_fuzz::Mutator;
use byway_input::ConcreteInput;
use byway_report::diff::Found;
use byway_suite::Seed;

use crate::error::DiffError;
use crate::gather::{DiffContext, Trial};
use crate::lab::Lab;
use crate::reach::{FAR, Reach};

/// It goes on at least for this time without anything new, or for half the time that it took so far.
const LEAST: Duration = Duration::from_secs(2);
/// Of so many that are picked, the nearest is changed.
const PICKS: usize = 3;
/// It begins with at most so many inputs, the nearest ones.
const MOST_BASES: usize = 500;

/// An input that can be changed.
#[derive(Clone)]
pub struct Base {
    /// What it was made of.
    pub seed: Arc<Seed>,
    /// The input.
    pub input: Arc<ConcreteInput>,
    /// How near it comes to a change.
    pub distance: u32,
}

impl Base {
    /// A given input, and how near it comes to a change, if that is known.
    pub fn given(seed: &Arc<Seed>, distance: Option<u32>) -> Base {
        Base { seed: Arc::clone(seed), input: Arc::clone(&seed.input), distance: distance.unwrap_or(FAR) }
    }
}

struct Corpus {
    bases: Vec<Base>,
    /// Blocks of the new version, each with how often it was run: 1, 2, 4, ... times.
    seen: HashSet<(u32, u32)>,
    /// When something new was seen last.
    grown: Instant,
}

impl<'g> DiffContext<'g> {
    /// Changes inputs at random for a time. The inputs that it ended with, the nearest first.
    pub fn change_at_random(
        &self,
        mut bases: Vec<Base>,
        time: Duration,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Base>, DiffError> {
        let begun = Instant::now();
        bases.sort_by_key(|base| (base.distance, base.input.bytes()));
        bases.truncate(MOST_BASES);
        if bases.is_empty() {
            return Ok(Vec::new());
        }
        let corpus = Mutex::new(Corpus { bases, seen: HashSet::new(), grown: begun });
        let must_end = || stop() || begun.elapsed() >= time || is_saturated(&corpus, begun);
        let workers: Vec<u64> = (0..self.site.options.jobs as u64).collect();
        let done = self.site.each(&workers, &|| false, |lab, number| {
            let mut mutator = Mutator::new(self.site.options.seed.wrapping_add(*number)).of(&self.site.options.model);
            while !must_end() {
                self.change_one(lab, &corpus, &mut mutator)?;
            }
            Ok(())
        })?;
        done.into_iter().flatten().collect::<Result<(), DiffError>>()?;
        let mut bases = corpus.into_inner().expect("workers do not panic").bases;
        bases.sort_by_key(|base| (base.distance, base.input.bytes()));
        Ok(bases)
    }

    fn change_one(&self, lab: &mut Lab<'g>, corpus: &Mutex<Corpus>, mutator: &mut Mutator) -> Result<(), DiffError> {
        let Some((base, input)) = next(corpus, mutator) else { return Ok(()) };
        let trial = Trial { base: Arc::clone(&base.seed), input, found: Found::RandomChange };
        self.gathered().tried.random += 1;
        let done = self.reach(lab, &trial).and_then(|reach| {
            if let Some(reach) = &reach {
                learn(corpus, &base, &trial.input, reach);
            }
            if self.targets.may_differ(reach.as_ref()) {
                self.gathered().tried.random_compared += 1;
                self.look(lab, trial, reach.as_ref())?;
            }
            Ok(())
        });
        match done {
            // An input that breaks its run is no input for others.
            Err(DiffError::Exec(error)) if error.is_of_the_run() => {
                *lab = self.site.lab()?;
                Ok(())
            }
            done => done,
        }
    }
}

fn lock(corpus: &Mutex<Corpus>) -> MutexGuard<'_, Corpus> {
    corpus.lock().expect("workers do not panic")
}

fn is_saturated(corpus: &Mutex<Corpus>, begun: Instant) -> bool {
    lock(corpus).grown.elapsed() > LEAST.max(begun.elapsed() / 2)
}

/// An input that was not tried before, most likely.
fn next(corpus: &Mutex<Corpus>, mutator: &mut Mutator) -> Option<(Base, ConcreteInput)> {
    let (base, other) = {
        let corpus = lock(corpus);
        let mut pick = || corpus.bases[mutator.pick(corpus.bases.len())].clone();
        let nearest = (0..PICKS).map(|_| pick()).min_by_key(|base| base.distance)?;
        (nearest, pick())
    };
    let mut input = ConcreteInput::clone(&base.input);
    mutator.change(&mut input, &other.input).then_some((base, input))
}

/// Keeps an input to be changed in turn, if it is near and does something new.
fn learn(corpus: &Mutex<Corpus>, base: &Base, input: &ConcreteInput, reach: &Reach) {
    if reach.distance > base.distance {
        return;
    }
    let run = reach.counts.iter().zip(0..).filter(|(count, _)| **count > 0);
    let blocks: Vec<(u32, u32)> = run.map(|(count, block)| (block, count.ilog2())).collect();
    let mut corpus = lock(corpus);
    let before = corpus.seen.len();
    corpus.seen.extend(blocks);
    if corpus.seen.len() > before || reach.distance < base.distance {
        let (seed, distance) = (Arc::clone(&base.seed), reach.distance);
        corpus.bases.push(Base { seed, input: Arc::new(input.clone()), distance });
        corpus.grown = Instant::now();
    }
}
