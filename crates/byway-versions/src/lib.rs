//! Versions of a project in a git checkout, built and kept.
//!
//! A [`Checkout`] is the user's: it says what a [`Range`] of revisions means, and nothing here ever writes to it. A
//! [`BuildPlace`] is a directory in byway's cache with one path, `src`, at which every version is checked out and built, so that
//! `__FILE__`, debug information and configured paths are equal in all of them. What was built is kept by commit and
//! [moved there](BuildPlace::occupy) when it is wanted again.
//!
//! ```text
//! PLACE/
//!   lock                 held by the command that uses the place
//!   occupant             the key of the version that is at src
//!   src/                 one version: a repository of its own, which borrows the objects of the user's
//!   kept/KEY/build.json  a version that was built: its commit, the command
//!   kept/KEY/log         what the build command printed
//!   kept/KEY/tree/       its files while they are not at src
//!   kept/KEY/programs/   the programs that were compared, always here
//!   kept/KEY/tests-ID/   the seeds of its tests
//!   objects/             git's objects of working trees that are not committed
//!   bin/                 byway-cc and byway-c++, found first by build commands
//! ```
//!
//! A version is complete or not there: `build.json` is written when the build command has succeeded. Killed at any moment, the place
//! holds no version that is half built.

mod build;
mod checkout;
mod error;
mod git;
mod place;
mod range;

pub use build::{Build, Built};
pub use checkout::{Checkout, Commit};
pub use error::VersionsError;
pub use place::{BuildPlace, Occupied};
pub use range::Range;
