//! Pairs of paths that queries are to be about.

use std::collections::BTreeMap;

use super::PathPair;

/// The pairs that wait, in the order in which they are taken.
#[derive(Default)]
pub struct Waiting {
    pairs: BTreeMap<Key, PathPair>,
    /// How many were added.
    count: i64,
}

/// How late, and when it was added, the last one first: what a query led to is followed before other paths are left.
type Key = ((bool, u64), i64);

impl Waiting {
    /// Adds a pair: `late` are those that come by no interaction location, and those whose sequence many inputs executed.
    pub fn push(&mut self, pair: PathPair, late: (bool, u64)) {
        self.count += 1;
        self.pairs.insert((late, -self.count), pair);
    }

    /// Takes the next one.
    pub fn pop(&mut self) -> Option<PathPair> {
        self.pairs.pop_first().map(|(_, pair)| pair)
    }
}
