//! How much smaller seeds, and a good order of them, help symbolic execution.
//!
//! Each seed is explored from by itself, as it is and made smaller, by several strategies, always for the same time. What that
//! came to is [`Measured`]. All else is computed from it.

mod measured;

pub use measured::{Explored, Found, Measured, MeasuredSeed, Version};
