//! Where seeds run.
//!
//! A [`Runner`] has a cell in which the files of a seed are laid out, and variants of the program that wait there for inputs:
//! what is [`Given`] to one run is a seed, and what is other than in it.

mod error;
mod given;
mod original;
mod places;
mod runner;
mod scene;

pub use error::StageError;
pub use given::Given;
pub use original::{Original, Shape};
pub use runner::{Counted, Cov, Judged, Runner, Site};
