//! The commands.

pub mod build;
pub mod coverage;
pub mod doctor;
mod machine;

use byway_program::Subject;
use byway_variant::{Cache, Variant, VariantError, VariantKind};

use crate::console::Activity;

/// Builds a variant and says so while it takes its time.
fn build_variant(cache: &Cache, subject: &Subject, kind: VariantKind) -> Result<Variant, VariantError> {
    let modules = subject.all_modules().len();
    let _activity = Activity::new(format!("building the {kind} variant of {} ({modules} modules)", subject.name()));
    byway_variant::build(cache, subject, kind)
}
