//! Chance that can be repeated.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers from a seed; the same on every machine.
#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The numbers that belong to a seed.
    pub fn new(seed: u64) -> Self {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below a bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // As 64 bits: the numbers must not depend on the size of a pointer.
        self.0.random_range(0..bound as u64) as usize
    }

    /// A number from 0 up to, but not, 1.
    pub fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// One of several. None if there is none.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        if choices.is_empty() { None } else { Some(choices[self.below(choices.len())]) }
    }
}
