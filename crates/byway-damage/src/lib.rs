//! Damaged files, for the tests of what reads files.
//!
//! A [`Damage`] takes valid files of a format, changes them at random, and hands them to a reader: the same ones every time,
//! since a case depends on its number alone. A case fails if the reader panics, takes more processor time than
//! [`SECONDS`], or more memory than the test allows. `BYWAY_FUZZ_CASES` says how many cases there are, `BYWAY_FUZZ_FIRST`
//! the number of the first.
//!
//! Tests that count memory have `#[global_allocator] static METER: Meter = Meter;`.

mod bytes;
mod case;
mod json;
mod meter;
pub mod trace;
mod watchdog;

pub use bytes::change_bytes;
pub use case::{Damage, Read, SECONDS};
pub use json::{change_json, change_text};
pub use meter::Meter;
pub use rand_chacha::ChaCha8Rng as Random;
