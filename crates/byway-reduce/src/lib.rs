//! What makes seeds better to explore from: smaller ones, in a good order.
//!
//! [`ddmin()`] leaves out of a seed what it does not need. [`rank()`] says which seed comes first. Both only compute: who calls
//! them runs the programs and reads the files.

mod branches;
mod ddmin;
mod rank;

pub use branches::Branches;
pub use ddmin::{Candidate, Minimum, Verdict, ddmin};
pub use rank::{NoSuchOrder, Order, Profile, rank};
