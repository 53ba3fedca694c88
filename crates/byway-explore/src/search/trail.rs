//! The path of a run with all its subpaths named by hashes.
//!
//! A subpath is the sequence of (site, place, side) of consecutive branches. Its name is a polynomial in the hashes of its
//! steps, modulo a prime, so the name of any subpath follows from those of two prefixes: the length of a subpath does
//! not matter for the cost. Names have 61 bits; that two of ten million subpaths share one is unlikely enough (1 : 40,000).

use crate::tree::Step;

const PRIME: u64 = (1 << 61) - 1;
/// Any number without structure does as the base of the polynomial.
const BASE: u64 = 0x0b2d_4c57_9e3f_61a7;

/// The steps of a path, with the names of its prefixes.
#[derive(Debug)]
pub struct Trail<'a> {
    steps: &'a [Step],
    /// The name of the first i steps at i.
    prefixes: Vec<u64>,
}

impl<'a> Trail<'a> {
    /// Names the prefixes of a path.
    pub fn new(steps: &'a [Step]) -> Self {
        let mut prefixes = Vec::with_capacity(steps.len() + 1);
        let mut name = 0;
        prefixes.push(name);
        for step in steps {
            name = longer(name, step, step.side);
            prefixes.push(name);
        }
        Trail { steps, prefixes }
    }

    /// The steps, without a last one that took no side.
    pub fn taken(&self) -> &'a [Step] {
        match self.steps.split_last() {
            Some((last, before)) if last.side == Step::NEITHER => before,
            _ => self.steps,
        }
    }
}

/// Names subpaths of a length; those at the beginning of a path are shorter.
#[derive(Debug)]
pub(super) struct Window {
    length: usize,
    /// BASE to the power of the length less one.
    power: u64,
}

impl Window {
    pub fn new(length: u32) -> Self {
        let length = length.max(1) as usize;
        Window { length, power: power(length as u64 - 1) }
    }

    /// The subpath that ends with a side of the branch at a position, whichever side the path takes there.
    pub fn ending(&self, trail: &Trail<'_>, at: usize, side: u32) -> u64 {
        let context = match (at + 1).checked_sub(self.length) {
            None | Some(0) => trail.prefixes[at],
            Some(start) => subtract(trail.prefixes[at], multiply(trail.prefixes[start], self.power)),
        };
        longer(context, &trail.steps[at], side)
    }
}

fn longer(name: u64, step: &Step, side: u32) -> u64 {
    let step = mix(mix(u64::from(step.site) << 32 | u64::from(step.place)) ^ u64::from(side));
    // Never 0, which would make no difference.
    let step = step % (PRIME - 1) + 1;
    reduce(multiply(name, BASE) + step)
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
    use crate::tree::Path;

    fn path(sides: &[(u32, u32)]) -> Path {
        let mut path = Path::new();
        for &(site, side) in sides {
            path.push(site, 0, 0, side, 2);
        }
        path
    }

    #[test]
    fn a_subpath_has_one_name_wherever_it_is() {
        let one = path(&[(1, 0), (2, 1), (3, 0), (4, 1)]);
        let other = path(&[(9, 0), (9, 0), (9, 1), (2, 1), (3, 0), (4, 1)]);
        let (one, other) = (Trail::new(one.steps()), Trail::new(other.steps()));
        for length in 1..=3 {
            let window = Window::new(length);
            assert_eq!(window.ending(&one, 3, 1), window.ending(&other, 5, 1));
            assert_ne!(window.ending(&one, 3, 1), window.ending(&other, 5, 0));
        }
        assert_ne!(Window::new(4).ending(&one, 3, 1), Window::new(4).ending(&other, 5, 1));
    }

    #[test]
    fn a_short_beginning_is_not_a_longer_subpath() {
        let path = path(&[(1, 0); 4]);
        let trail = Trail::new(path.steps());
        let window = Window::new(3);
        assert_ne!(window.ending(&trail, 0, 0), window.ending(&trail, 1, 0));
        assert_ne!(window.ending(&trail, 1, 0), window.ending(&trail, 2, 0));
        assert_eq!(window.ending(&trail, 2, 0), window.ending(&trail, 3, 0));
    }
}
