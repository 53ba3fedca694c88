//! Strategies are what they claim: each is driven over programs whose forks are known.

mod cost;
mod directed;
mod driver;
mod finite;
mod loops;
mod paper;
mod weights;

/// Every strategy by itself, and some in turn.
const ALL: [&str; 16] = [
    "dfs",
    "bfs",
    "random-state",
    "random-path",
    "nurs:covnew",
    "nurs:md2u",
    "nurs:depth",
    "nurs:icnt",
    "nurs:qc",
    "subpath:1",
    "subpath:2",
    "subpath:8",
    "subpath:1000",
    "generational",
    "subpath:1,2,4,8",
    "dfs,random-path,nurs:covnew,generational",
];
