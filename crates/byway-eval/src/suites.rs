//! Random suites of the seeds that a program has.

use byway_reduce::{Branches, Order, Profile, rank};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::{AnalysisSettings, Form, Measured, MeasuredForm, MeasuredSeed};

/// So many suites of `size` seeds, each seed of the pool in a suite at most once: the same for the same `seed`. A pool that has
/// less is in each suite as a whole.
pub fn draw(pool: &[usize], count: usize, size: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut pool = pool.to_vec();
    let mut next = || pool.partial_shuffle(&mut random, size).0.to_vec();
    (0..count).map(|_| next()).collect()
}

/// Some seeds, and the orders in which they can be explored from.
#[derive(Debug)]
pub struct Suite {
    /// Of each branch, whether one of the seeds covers it is.
    pub covered: Vec<bool>,
    /// The seeds, by their index, by [`Form`] and by order.
    ranked: [Vec<Vec<usize>>; Form::ALL.len()],
}

impl Suite {
    /// The seeds, by their index, in any order.
    pub fn seeds(&self) -> &[usize] {
        self.ranked(Form::Original, 0)
    }

    /// The seeds, by their index, in an order, by its index.
    pub fn ranked(&self, form: Form, order: usize) -> &[usize] {
        &self.ranked[form as usize][order]
    }
}

/// What is known of the seeds of a program.
pub struct Profiles {
    /// What orders know of each, by [`Form`].
    profiles: [Vec<Profile>; Form::ALL.len()],
    /// One more than the greatest number that a branch has.
    branches: usize,
}

impl Profiles {
    /// Of all seeds.
    pub fn of(measured: &Measured) -> Profiles {
        let profile = |version: &MeasuredForm| Profile {
            branches: version.branches.iter().map(|&branch| branch as usize).collect::<Branches>(),
            path_length: version.path_length,
        };
        let all = |form: Form| measured.seeds.iter().map(|seed| profile(form.of(seed))).collect();
        Profiles { profiles: Form::ALL.map(all), branches: branches(measured) }
    }

    fn ranked(&self, form: Form, order: Order, seeds: &[usize], seed: u64) -> Vec<usize> {
        let profiles: Vec<Profile> = seeds.iter().map(|&seed| self.profiles[form as usize][seed].clone()).collect();
        rank(order, &profiles, seed).into_iter().map(|place| seeds[place]).collect()
    }
}

/// Random suites of the seeds of a pool.
pub fn suites(measured: &Measured, profiles: &Profiles, pool: &[usize], settings: &AnalysisSettings) -> Vec<Suite> {
    let drawn = draw(pool, settings.suites, settings.size, settings.seed);
    let suite = |(number, seeds): (u64, Vec<usize>)| {
        // Orders that leave something to chance do not leave it to the same.
        let chance = |order: Order| settings.seed.wrapping_add(1 + number * Order::ALL.len() as u64 + order as u64);
        let ranked = |form, order| profiles.ranked(form, order, &seeds, chance(order));
        let by_order = |form| settings.orders.iter().map(|&order| ranked(form, order)).collect();
        Suite { covered: covered(measured, profiles.branches, &seeds), ranked: Form::ALL.map(by_order) }
    };
    (0..).zip(drawn).map(suite).collect()
}

/// How many branches there are, whatever the program is said to have.
fn branches(measured: &Measured) -> usize {
    let seen = measured.seeds.iter().flat_map(MeasuredSeed::named_branches);
    seen.map(|branch| branch as usize + 1).fold(measured.branches as usize, usize::max)
}

fn covered(measured: &Measured, branches: usize, seeds: &[usize]) -> Vec<bool> {
    let mut covered = vec![false; branches];
    for &branch in seeds.iter().flat_map(|&seed| &measured.seeds[seed].original.branches) {
        covered[branch as usize] = true;
    }
    covered
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_suite_has_different_seeds_of_the_pool(
            pool in prop::collection::btree_set(0usize..100, 0..30), count in 0usize..5, size in 0usize..40, seed: u64,
        ) {
            let pool_list: Vec<usize> = pool.iter().copied().collect();
            let suites = draw(&pool_list, count, size, seed);
            prop_assert_eq!(suites.len(), count);
            for suite in &suites {
                let different: BTreeSet<usize> = suite.iter().copied().collect();
                prop_assert!(different.is_subset(&pool));
                prop_assert_eq!((suite.len(), different.len()), (size.min(pool.len()), size.min(pool.len())));
            }
            prop_assert_eq!(suites, draw(&pool_list, count, size, seed));
        }
    }

    #[test]
    fn suites_differ() {
        let suites = draw(&(0..100).collect::<Vec<_>>(), 2, 10, 7);
        assert_ne!(suites[0], suites[1]);
    }
}
