//! What ranking costs: milliseconds for every order, with 1000 tests of 100000 branches.
//!
//! `cargo run --release -p byway-reduce --example rank_cost`

use std::time::Instant;

use byway_reduce::{Branches, Order, Profile, rank};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TESTS: usize = 1_000;
const BRANCHES: usize = 100_000;

fn main() {
    println!("{:<10}{:>12}{:>12}", "ms", "half", "a hundredth");
    let suites = [0.5, 0.01].map(suite);
    for order in Order::ALL {
        print!("{order:<10}");
        suites.iter().for_each(|suite| print!("{:>12.1}", milliseconds(order, suite)));
        println!();
    }
}

/// The least of some, since other programs want the processor too.
fn milliseconds(order: Order, suite: &[Profile]) -> f64 {
    let time = |seed| {
        let start = Instant::now();
        assert_eq!(rank(order, suite, seed).len(), TESTS);
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(time).fold(f64::INFINITY, f64::min)
}

/// Tests that cover this share of the branches, at random.
fn suite(share: f64) -> Vec<Profile> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut profile = || {
        let branches: Branches = (0..BRANCHES).filter(|_| random.random_bool(share)).collect();
        Profile { branches, path_length: random.random_range(0..1_000_000) }
    };
    (0..TESTS).map(|_| profile()).collect()
}
