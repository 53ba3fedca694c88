//! How much smaller seeds, and a good order of them, help symbolic execution.
//!
//! Each seed is explored from by itself, as it is and made smaller, by several strategies, always for the same time
//! ([`Experiment`]). What that came to is [`Measured`], and goes into an [`ExperimentJournal`] at once. All else is computed from it:
//! [`analyse()`] compares, [`page()`] and [`tables`] show.

pub mod analysis;
mod apbd;
mod curve;
mod discovery;
mod error;
mod explore;
mod form;
mod journal;
mod measure;
mod measured;
mod outcome;
mod page;
mod statistics;
mod strategy;
mod suites;
pub mod tables;

pub use analysis::{Analysis, AnalysisSettings, analyse};
pub use error::EvalError;
pub use explore::{ExplorationTask, explore};
pub use form::Form;
pub use journal::{Conditions, ExperimentJournal, SeedId};
pub use measure::Experiment;
pub use measured::{Ended, Explored, Found, Measured, MeasuredForm, MeasuredSeed};
pub use page::{page, write_page};
pub use statistics::{Center, Spread};
pub use tables::write_tables;
