//! Random changes of an input.

use std::sync::Arc;

use byway_input::{ConcreteInput, InputModel, SymbolicFiles};
use byway_reduce::Part;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bytes that programs often treat in a way of their own.
const INTERESTING: &[u8] = b"\0\x01\x7f\x80\xff\n\t -+0123456789%\\/\"'[](){}<>*?^$.,;:=#@!&|~_aAzZ";
/// The most changes that are made at once.
const MOST_CHANGES: u32 = 4;
/// The longest piece that is moved.
const LONGEST: usize = 64;
/// Inputs do not grow beyond so many times what they were, and this.
const GROWTH: usize = 2;
const ROOM: usize = 256;

/// Makes random changes: the same ones for the same seed.
#[derive(Debug)]
pub struct Mutator {
    random: ChaCha8Rng,
    model: Option<Arc<InputModel>>,
}

impl Mutator {
    /// What it does depends on `seed` alone.
    pub fn new(seed: u64) -> Mutator {
        Mutator { random: ChaCha8Rng::seed_from_u64(seed), model: None }
    }

    /// The same that changes only what is symbolic.
    pub fn of(self, model: &Arc<InputModel>) -> Mutator {
        Mutator { model: Some(Arc::clone(model)), ..self }
    }

    fn may_change(&self, part: &Part) -> bool {
        let Some(model) = &self.model else { return true };
        match part {
            Part::Argument(number) => model.arguments && !model.fixed_arguments.contains(number),
            Part::Stdin => model.stdin,
            Part::File(_) => model.files != SymbolicFiles::None,
        }
    }

    /// One of so many, at random; those at the end, which are new, more often.
    pub fn pick(&mut self, count: usize) -> usize {
        let (a, b) = (self.random.random_range(0..count), self.random.random_range(0..count));
        a.max(b)
    }

    /// Changes an input in one of its parts; pieces of another input may go there. False if there is nothing to change.
    pub fn change(&mut self, input: &mut ConcreteInput, other: &ConcreteInput) -> bool {
        let mut parts = byway_reduce::parts(input);
        parts.retain(|part| self.may_change(part));
        let Some(part) = parts.choose(&mut self.random) else { return false };
        let mut content = part.content(input).to_vec();
        let donors = byway_reduce::parts(other);
        let donor = donors.choose(&mut self.random).map(|part| part.content(other)).unwrap_or_default();
        let most = content.len() * GROWTH + ROOM;
        for _ in 0..self.random.random_range(1..=MOST_CHANGES) {
            self.change_once(&mut content, donor);
        }
        content.truncate(most);
        // A zero byte would end an argument.
        if let Part::Argument(_) = part {
            content.retain(|&byte| byte != 0);
        }
        let is_other = content != part.content(input);
        part.set(input, content);
        is_other
    }

    fn change_once(&mut self, content: &mut Vec<u8>, donor: &[u8]) {
        let random = &mut self.random;
        let at = random.random_range(0..=content.len());
        let way = random.random_range(0..8);
        if at == content.len() || way == 0 {
            let byte = interesting(random);
            content.insert(at, byte);
            return;
        }
        match way {
            1 => content[at] ^= 1 << random.random_range(0..8),
            2 => content[at] = interesting(random),
            3 => content[at] = content[at].wrapping_add(random.random_range(0..=32u8)).wrapping_sub(16),
            4 => drop(content.drain(piece(random, at, content.len()))),
            5 => {
                let piece = content[piece(random, at, content.len())].to_vec();
                let to = random.random_range(0..=content.len());
                content.splice(to..to, piece);
            }
            6 if !donor.is_empty() => {
                let from = random.random_range(0..donor.len());
                let piece = &donor[piece(random, from, donor.len())];
                content.splice(at..at, piece.iter().copied());
            }
            _ => content[at] = random.random(),
        }
    }
}

fn interesting(random: &mut ChaCha8Rng) -> u8 {
    INTERESTING.choose(random).copied().unwrap_or_default()
}

/// A short piece that begins somewhere.
fn piece(random: &mut ChaCha8Rng, begin: usize, end: usize) -> std::ops::Range<usize> {
    let most = LONGEST.min(end - begin);
    begin..begin + random.random_range(1..=most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn input(argument: &[u8], stdin: &[u8]) -> ConcreteInput {
        let (arguments, stdin) = (vec![argument.to_vec()], Some(stdin.to_vec()));
        ConcreteInput { arguments, stdin, ..ConcreteInput::default() }
    }

    proptest! {
        #[test]
        fn changes_are_bounded_repeatable_and_in_one_part(
            argument in prop::collection::vec(1u8.., 0..50),
            stdin in prop::collection::vec(any::<u8>(), 0..300),
            seed in any::<u64>(),
        ) {
            let (before, other) = (input(&argument, &stdin), input(b"other", b"donor"));
            let changed = |seed| {
                let mut now = before.clone();
                let is_other = Mutator::new(seed).change(&mut now, &other);
                (now, is_other)
            };
            let (now, is_other) = changed(seed);
            prop_assert_eq!(&(now.clone(), is_other), &changed(seed));
            prop_assert_eq!(is_other, now != before);
            prop_assert!(now.arguments == before.arguments || now.stdin == before.stdin);
            prop_assert!(!now.arguments[0].contains(&0));
            prop_assert!(now.arguments[0].len() <= argument.len() * GROWTH + ROOM);
            prop_assert!(now.stdin.unwrap().len() <= stdin.len() * GROWTH + ROOM);
        }
    }
}
