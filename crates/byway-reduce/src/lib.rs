//! What makes seeds better to explore from: smaller ones, in a good order.
//!
//! [`reduce()`] leaves out of a seed what its coverage does not need, by [`ddmin()`]. [`rank()`] says which seed comes first.
//! A [`SeedMeasure`] says what a run covers, and how long its path is; [`each()`] does something with each seed.

mod branches;
mod crew;
mod ddmin;
mod measure;
mod parts;
mod rank;
mod reduce;

pub use branches::Branches;
pub use crew::each;
pub use ddmin::{Minimum, Subset, TestAnswer, ddmin};
pub use measure::{Keep, SeedMeasure};
pub use parts::{Part, parts};
pub use rank::{NoSuchOrder, Order, Profile, rank};
pub use reduce::{Reduction, Size, made_of, reduce};
