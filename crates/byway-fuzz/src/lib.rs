//! The cheap stage before symbolic execution.
//!
//! Seeds are changed at random, and run natively. A change that takes a branch which nothing before took is a new seed, and is
//! changed in turn. When that does not happen any more, what is left is worth the cost of symbolic execution.

mod mutate;
mod warm_up;

pub use mutate::Mutator;
pub use warm_up::{WarmUp, WarmUpSettings, warm_up};
