//! The forks on a way, with all their subpaths named by hashes.
//!
//! A subpath is the sequence of (site, place, side) of consecutive forks. Its name is a polynomial in the hashes of its
//! steps, modulo a prime, so the name of any subpath follows from those of two prefixes: the length of a subpath does
//! not matter for the cost. Names have 61 bits; that two of ten million subpaths share one is unlikely enough (1 : 40,000).

use crate::tree::Step;

const PRIME: u64 = (1 << 61) - 1;
/// Any number without structure does as the base of the polynomial.
const BASE: u64 = 0x0b2d_4c57_9e3f_61a7;

/// The latest forks on the way to a node. It names the *context* of the node: the forks that come before its own in a
/// subpath of a length. At the beginning of the program there are fewer.
#[derive(Debug)]
pub(super) struct Trail {
    /// How many forks a context has.
    length: usize,
    /// BASE to the power of that.
    power: u64,
    /// The name of the first i forks at i.
    prefixes: Vec<u64>,
}

impl Trail {
    /// For subpaths of a length, which is at least 1.
    pub fn new(subpath: u32) -> Self {
        let length = subpath.max(1) as usize - 1;
        Trail { length, power: power(length as u64), prefixes: vec![0] }
    }

    /// How many forks before a node matter.
    pub fn context_length(&self) -> usize {
        self.length
    }

    /// How many forks there are on the trail.
    pub fn len(&self) -> usize {
        self.prefixes.len() - 1
    }

    /// Forgets all but the first forks.
    pub fn truncate(&mut self, forks: usize) {
        self.prefixes.truncate(forks + 1);
    }

    /// Adds a fork, by the name of its step.
    pub fn push(&mut self, step: u64) {
        let name = self.prefixes.last().copied().unwrap_or(0);
        self.prefixes.push(longer(name, step));
    }

    /// The name of the context of what comes next.
    pub fn context(&self) -> u64 {
        let all = self.prefixes[self.len()];
        match self.len().checked_sub(self.length) {
            None | Some(0) => all,
            Some(start) => subtract(all, multiply(self.prefixes[start], self.power)),
        }
    }
}

/// The name of a subpath that is one step longer.
pub(super) fn longer(name: u64, step: u64) -> u64 {
    reduce(multiply(name, BASE) + step)
}

/// The name of a step.
pub(super) fn name_of(step: &Step) -> u64 {
    let name = mix(mix(u64::from(step.site) << 32 | u64::from(step.place)) ^ u64::from(step.side));
    // Never 0, which would make no difference.
    name % (PRIME - 1) + 1
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    reduce((product as u64 & PRIME) + (product >> 61) as u64)
}

fn subtract(a: u64, b: u64) -> u64 {
    reduce(a + PRIME - b)
}

fn reduce(value: u64) -> u64 {
    if value >= PRIME { value - PRIME } else { value }
}

fn power(mut exponent: u64) -> u64 {
    let (mut result, mut square) = (1, BASE);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, square);
        }
        square = multiply(square, square);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of the subpath of a length at the end of some steps.
    fn name(length: u32, steps: &[u64]) -> u64 {
        let (last, before) = steps.split_last().unwrap();
        let mut trail = Trail::new(length);
        before.iter().for_each(|&step| trail.push(step));
        longer(trail.context(), *last)
    }

    #[test]
    fn a_subpath_has_one_name_wherever_it_is() {
        let (one, other) = ([1, 2, 3, 4], [9, 9, 8, 2, 3, 4]);
        for length in 1..=3 {
            assert_eq!(name(length, &one), name(length, &other));
            assert_ne!(name(length, &one), name(length, &[9, 9, 8, 2, 3, 5]));
        }
        assert_ne!(name(4, &one), name(4, &other));
    }

    #[test]
    fn a_short_beginning_is_not_a_longer_subpath() {
        assert_ne!(name(3, &[1]), name(3, &[1, 1]));
        assert_ne!(name(3, &[1, 1]), name(3, &[1, 1, 1]));
        assert_eq!(name(3, &[1, 1, 1]), name(3, &[1, 1, 1, 1]));
    }

    #[test]
    fn a_trail_that_turned_back_names_the_way_it_is_on() {
        let mut trail = Trail::new(3);
        [5, 6, 7, 8].iter().for_each(|&step| trail.push(step));
        trail.truncate(2);
        trail.push(9);
        assert_eq!(longer(trail.context(), 4), name(3, &[5, 6, 9, 4]));
    }
}
