//! How much smaller seeds, and a good order of them, help symbolic execution.
//!
//! Each seed is explored from by itself, as it is and made smaller, by several strategies, always for the same time. What that
//! came to is [`Measured`], and goes into a [`Notebook`] at once. All else is computed from it.

mod error;
mod explore;
mod measure;
mod measured;
mod notebook;

pub use error::EvalError;
pub use explore::{Task, explore};
pub use measure::Laboratory;
pub use measured::{Ended, Explored, Found, Measured, MeasuredSeed, Version};
pub use notebook::{Conditions, Form, Notebook, collect};
