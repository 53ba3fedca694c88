//! Each order is what it says, and the same for the same seed.

use std::collections::BTreeSet;

use byway_reduce::{Order, Profile, rank};
use proptest::prelude::*;

/// What [`Profile`] is made of.
type Plain = (BTreeSet<usize>, u64);

fn profiles(tests: &[Plain]) -> Vec<Profile> {
    let profile = |(branches, path_length): &Plain| Profile {
        branches: branches.iter().copied().collect(),
        path_length: *path_length,
    };
    tests.iter().map(profile).collect()
}

fn ranked(order: Order, tests: &[Plain], seed: u64) -> Vec<usize> {
    rank(order, &profiles(tests), seed)
}

/// Few branches, so that there are ties; and many, so that there is more than a block of words.
fn suites() -> impl Strategy<Value = Vec<Plain>> {
    let test = |bound: usize, most: usize| (prop::collection::btree_set(0..bound, 0..most), 0u64..20);
    prop_oneof![prop::collection::vec(test(12, 6), 0..30), prop::collection::vec(test(5000, 100), 0..12)]
}

fn test(branches: &[usize], path_length: u64) -> Plain {
    (branches.iter().copied().collect(), path_length)
}

proptest! {
    #[test]
    fn every_order_has_each_test_once(tests in suites(), seed: u64) {
        for order in Order::ALL {
            let mut sorted = ranked(order, &tests, seed);
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..tests.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_order(tests in suites(), seed: u64) {
        for order in Order::ALL {
            prop_assert_eq!(ranked(order, &tests, seed), ranked(order, &tests, seed));
        }
    }

    #[test]
    fn branch_total_descends(tests in suites(), seed: u64) {
        let ranked = ranked(Order::BranchTotal, &tests, seed);
        prop_assert!(ranked.is_sorted_by(|&a, &b| tests[a].0.len() >= tests[b].0.len()));
    }

    #[test]
    fn shortest_path_ascends(tests in suites(), seed: u64) {
        let ranked = ranked(Order::ShortestPath, &tests, seed);
        prop_assert!(ranked.is_sorted_by_key(|&test| tests[test].1));
    }

    #[test]
    fn branch_additional_takes_what_adds_most(tests in suites(), seed: u64) {
        let ranked = ranked(Order::BranchAdditional, &tests, seed);
        let mut covered = BTreeSet::new();
        for (place, &chosen) in ranked.iter().enumerate() {
            let gain = |test: usize, covered: &BTreeSet<usize>| tests[test].0.difference(covered).count();
            if ranked[place..].iter().all(|&test| gain(test, &covered) == 0) {
                covered.clear();
            }
            let most = ranked[place..].iter().map(|&test| gain(test, &covered)).max();
            prop_assert_eq!(Some(gain(chosen, &covered)), most);
            covered.extend(&tests[chosen].0);
        }
    }

    #[test]
    fn furthest_point_first_takes_what_is_furthest(tests in suites(), seed: u64) {
        let ranked = ranked(Order::FurthestPointFirst, &tests, seed);
        for place in 1..ranked.len() {
            let distance = |a: usize, b: usize| tests[a].0.symmetric_difference(&tests[b].0).count();
            let nearest = |test: usize| ranked[..place].iter().map(|&before| distance(test, before)).min();
            prop_assert_eq!(nearest(ranked[place]), ranked[place..].iter().map(|&test| nearest(test)).max().flatten());
        }
    }
}

#[test]
fn another_seed_gives_another_order_of_equal_tests() {
    let tests = vec![test(&[1, 2], 3); 20];
    for order in Order::ALL {
        let orders: BTreeSet<_> = (0..10).map(|seed| ranked(order, &tests, seed)).collect();
        assert_eq!(orders.len(), 10, "{order}");
    }
}

#[test]
fn any_test_can_be_first_by_furthest_point() {
    let tests = [test(&[1, 2, 3], 1), test(&[1], 2), test(&[], 3)];
    let first: BTreeSet<_> = (0..50).map(|seed| ranked(Order::FurthestPointFirst, &tests, seed)[0]).collect();
    assert_eq!(first, BTreeSet::from([0, 1, 2]));
}

#[test]
fn furthest_point_first_by_hand() {
    let tests = [test(&[], 0), test(&[0], 0), test(&[0, 1, 2, 3], 0), test(&[5, 6, 7, 8, 9], 0)];
    // Distances from 0 to the others are 1, 4, 5; from 1 to 2 and 3 they are 3 and 6; from 2 to 3 it is 9.
    for seed in 0..20 {
        let expected: [&[usize]; 4] = [&[0, 3, 2, 1], &[1, 3, 2, 0], &[2, 3, 0, 1], &[3, 2, 0, 1]];
        let ranked = ranked(Order::FurthestPointFirst, &tests, seed);
        assert_eq!(ranked, expected[ranked[0]]);
    }
}

#[test]
fn branch_additional_starts_over_when_nothing_is_new() {
    let tests = [test(&[], 0), test(&[1, 2], 0), test(&[3], 0), test(&[1, 2, 3, 4], 0), test(&[1, 2, 3], 0)];
    for seed in 0..20 {
        // After 3 nothing is new: then 4 is the best of the rest, after which again nothing is new.
        assert_eq!(ranked(Order::BranchAdditional, &tests, seed), [3, 4, 1, 2, 0]);
    }
}

#[test]
fn orders_are_known_by_their_names() {
    for order in Order::ALL {
        assert_eq!(order.to_string().parse(), Ok(order));
    }
    assert_eq!(Order::ALL.map(|order| order.to_string()), ["random", "bt", "ba", "fpf", "sp"]);
    let error = "BT".parse::<Order>().unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no order `BT`; there are random, bt (most branches first), ba (most additional branches first), \
         fpf (furthest point first), sp (shortest path first)"
    );
}
