//! `explore`: the scheduler that runs, learns and keeps what covers something new or fails.
//!
//! What the paths of runs are, and which edge is tried next, is in [`byway_engine`]. [`explore`] begins with what the user typed, has workers
//! run the inputs that the engine finds, and keeps them as tests.

mod counters;
mod engine;
mod error;
pub mod input;
mod record;
mod state;

pub use engine::{ExploreBudget, ExploreSettings, explore};
pub use error::ExploreError;
pub use input::Start;
