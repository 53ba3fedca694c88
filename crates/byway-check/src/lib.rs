//! Every path near the tests.
//!
//! A test suite's runs are seeds. For each program there is a [`World`]: the paths of all its runs, and what was asked along
//! them. [`check`] follows each seed and asks of every operation on its path whether some input on that path makes it fail;
//! then it explores around the operations, at growing distance. Inputs that should fail are judged by the sanitizers.

mod approach;
mod asker;
mod clock;
mod engine;
mod error;
mod ledger;
mod region;
mod relevance;
mod tally;
mod walk;
mod world;

pub use asker::PlaceLimits;
pub use byway_explore::{Check, Checks};
pub use engine::{Budget, INTERRUPTED, Limits, Progress, Settings, Stop, Target, check};
pub use error::CheckError;
pub use walk::Asked;

use std::sync::{Mutex, MutexGuard, PoisonError};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
