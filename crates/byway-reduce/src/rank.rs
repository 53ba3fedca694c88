//! Orders of tests, for symbolic execution that starts from one after the other.
//!
//! The orders are those of Zhang, Groce and Alipour, *Using Test Case Reduction and Prioritization to Improve Symbolic
//! Execution* (ISSTA 2014). Tests are shuffled first; of tests that are equally good, the first is then a random one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::Branches;

/// What an order knows of a test.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// The branches that it covers.
    pub branches: Branches,
    /// How many branches it executes, each as often as it is executed.
    pub path_length: u64,
}

/// Which tests come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Any.
    Random,
    /// Those that cover the most branches.
    BranchTotal,
    /// Those that cover the most branches that none before them covers. When no test adds any, the branches count as not
    /// covered again, and the order of the remaining tests starts over. Tests without branches are last.
    BranchAdditional,
    /// After any first one, those that differ most from the test before them that is most like them. Tests differ by the number
    /// of branches that only one of them covers.
    FurthestPointFirst,
    /// Those that execute the fewest branches.
    ShortestPath,
}

/// A text is not the name of an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no order `{0}`; there are random, bt (most branches first), ba (most additional branches first), \
     fpf (furthest point first), sp (shortest path first)"
)]
pub struct NoSuchOrder(String);

impl Order {
    /// All orders.
    pub const ALL: [Order; 5] =
        [Order::Random, Order::BranchTotal, Order::BranchAdditional, Order::FurthestPointFirst, Order::ShortestPath];

    /// How the user calls it.
    pub fn name(self) -> &'static str {
        match self {
            Order::Random => "random",
            Order::BranchTotal => "bt",
            Order::BranchAdditional => "ba",
            Order::FurthestPointFirst => "fpf",
            Order::ShortestPath => "sp",
        }
    }
}

impl FromStr for Order {
    type Err = NoSuchOrder;

    fn from_str(text: &str) -> Result<Self, NoSuchOrder> {
        let found = Order::ALL.into_iter().find(|order| order.name() == text);
        found.ok_or_else(|| NoSuchOrder(text.to_owned()))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The tests in this order, by their index. Of equally good ones, which is first is random: the same for the same `seed`.
///
/// ```
/// use byway_reduce::{Branches, Order, Profile, rank};
///
/// let profile = |branches: &[usize], path_length| {
///     Profile { branches: branches.iter().copied().collect(), path_length }
/// };
/// let tests = [profile(&[1, 2, 3, 4], 30), profile(&[1, 2, 3], 10), profile(&[4, 5], 20)];
///
/// assert_eq!(rank(Order::BranchTotal, &tests, 0), [0, 1, 2]);
/// // After the first test, only the last covers one more.
/// assert_eq!(rank(Order::BranchAdditional, &tests, 0), [0, 2, 1]);
/// assert_eq!(rank(Order::ShortestPath, &tests, 0), [1, 2, 0]);
/// // Distances are 1 from the first test to the second, 4 to the third, and 5 between these: whoever is first, the third is
/// // not last.
/// assert_ne!(rank(Order::FurthestPointFirst, &tests, 0)[2], 2);
/// ```
pub fn rank(order: Order, tests: &[Profile], seed: u64) -> Vec<usize> {
    let mut shuffled: Vec<usize> = (0..tests.len()).collect();
    shuffled.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    match order {
        Order::Random => {}
        // Sorting leaves those with the same key as they are: shuffled.
        Order::BranchTotal => shuffled.sort_by_cached_key(|&test| Reverse(tests[test].branches.count())),
        Order::ShortestPath => shuffled.sort_by_key(|&test| tests[test].path_length),
        Order::BranchAdditional => return by_additional(tests, &shuffled),
        Order::FurthestPointFirst => return by_distance(tests, shuffled),
    }
    shuffled
}

/// A test that is not ranked yet. The greatest is the next, if its gain is up to date.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Additional {
    /// Branches it added when that was last counted: it does not add more now.
    gain: u64,
    /// Where it is among the shuffled.
    place: Reverse<usize>,
    /// How many tests were ranked when its gain was counted.
    counted: usize,
}

fn by_additional(tests: &[Profile], shuffled: &[usize]) -> Vec<usize> {
    let count = |place: usize, covered: &Branches, ranked: usize| Additional {
        gain: tests[shuffled[place]].branches.count_without(covered),
        place: Reverse(place),
        counted: ranked,
    };
    let mut ranked = Vec::with_capacity(tests.len());
    let mut covered = Branches::default();
    let mut remaining: BinaryHeap<Additional> =
        (0..shuffled.len()).map(|place| count(place, &covered, ranked.len())).collect();
    while let Some(best) = remaining.pop() {
        let Reverse(place) = best.place;
        if best.counted < ranked.len() {
            remaining.push(count(place, &covered, ranked.len()));
        } else if best.gain == 0 && covered.count() > 0 {
            covered.clear();
            remaining.push(best);
            remaining = remaining.iter().map(|test| count(test.place.0, &covered, ranked.len())).collect();
        } else {
            covered.extend_from(&tests[shuffled[place]].branches);
            ranked.push(shuffled[place]);
        }
    }
    ranked
}

fn by_distance(tests: &[Profile], shuffled: Vec<usize>) -> Vec<usize> {
    let mut ranked = Vec::with_capacity(tests.len());
    // With each test the distance to the nearest that is ranked.
    let mut remaining: Vec<(usize, u64)> = shuffled.into_iter().map(|test| (test, u64::MAX)).collect();
    while let Some(place) = first_furthest(&remaining) {
        let (chosen, _) = remaining.remove(place);
        ranked.push(chosen);
        for (test, nearest) in &mut remaining {
            *nearest = (*nearest).min(tests[*test].branches.distance(&tests[chosen].branches));
        }
    }
    ranked
}

fn first_furthest(remaining: &[(usize, u64)]) -> Option<usize> {
    (0..remaining.len()).max_by_key(|&place| (remaining[place].1, Reverse(place)))
}
