//! The commands.

pub mod build;
pub mod coverage;
pub mod doctor;
pub mod explore;
pub mod ktest;
mod machine;
pub mod replay;
pub mod trace;

use std::env;
use std::ffi::OsString;
use std::path::Path;

use byway_program::Subject;
use byway_variant::{Cache, Variant, VariantError, VariantKind};

use crate::console::Activity;

/// Builds a variant and says so while it takes its time.
fn build_variant(cache: &Cache, subject: &Subject, kind: VariantKind) -> Result<Variant, VariantError> {
    let modules = subject.all_modules().len();
    let _activity = Activity::new(format!("building the {kind} variant of {} ({modules} modules)", subject.name()));
    byway_variant::build(cache, subject, kind)
}

/// Paths below the current directory are shown from there.
fn shown(path: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).map(Path::to_owned).ok());
    below.as_deref().unwrap_or(path).display().to_string()
}

/// The environment of confined runs is ours, with a place for temporary files that is there.
fn environment() -> Vec<(OsString, OsString)> {
    let ours = env::vars_os().filter(|(name, _)| name != "TMPDIR" && name != "BYWAY_CACHE");
    ours.chain([("TMPDIR".into(), "/tmp".into())]).collect()
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}
