//! Strategies are what they claim: each is driven over programs whose forks are known.

mod cost;
mod directed;
mod driver;
mod finite;
mod loops;
mod paper;
mod weights;

use byway_engine::search::Strategy;

/// Those with a length, and some in turn.
const FURTHER: [&str; 7] = [
    "subpath:1",
    "subpath:2",
    "subpath:8",
    "subpath:1000",
    "branches:2",
    "subpath:1,2,4,8",
    "dfs,random-path,nurs:covnew,generational",
];

/// Every strategy by itself, and some in turn.
fn all() -> impl Iterator<Item = &'static str> {
    Strategy::names().chain(FURTHER)
}
