//! Every path near the tests.
//!
//! A test suite's runs are seeds. [`check`] follows each seed ([`follower`]) and asks of every operation on its path whether some input on
//! that path makes it fail ([`checker`]); then it explores around the operations, at growing distance, in the path space of the
//! program ([`seed_space`]). Inputs that should fail are judged by the sanitizers.

mod annotate;
mod approach;
mod checker;
mod clock;
mod counters;
mod engine;
mod error;
mod follower;
mod region;
mod relevance;
mod seed;
mod seed_space;
mod statistics;

pub use annotate::Violation;
pub use checker::PlaceLimits;
pub use engine::{CheckBudget, CheckLimits, CheckProgress, CheckSettings, INTERRUPTED, Target, check};
pub use error::CheckError;

use byway_engine::{Check, Checks};
use std::sync::{Mutex, MutexGuard, PoisonError};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
