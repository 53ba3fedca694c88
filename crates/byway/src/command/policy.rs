//! Which findings count: levels, suppressions, a baseline.

use std::env;
use std::path::{Path, PathBuf};

use byway_report::{Baseline, Level, Policy, Standing, Suppressions};

use crate::command::count;
use crate::console;
use crate::error::Error;
use crate::flags::ResultFlags;

/// So many findings of a baseline are named that were not found again.
const NAMED: usize = 10;

/// What the user has said about findings, with the sanitizers' own suppressions. Sources are named from `root`.
pub fn policy(flags: &ResultFlags, root: &Path) -> Result<Policy, Error> {
    let suppressions = suppressions(&flags.suppressions)?;
    let baseline = flags.baseline.as_deref().map(Baseline::read).transpose()?;
    Ok(Policy { fail_on: flags.fail_on, suppressions, baseline, root: root.to_owned() })
}

/// What the user accepts, with the sanitizers' own suppressions.
pub fn suppressions(files: &[PathBuf]) -> Result<Suppressions, Error> {
    let mut suppressions = Suppressions::default();
    for path in files {
        suppressions.add_file(path)?;
    }
    for variable in ["ASAN_OPTIONS", "UBSAN_OPTIONS"] {
        suppressions.add_sanitizers(&env::var(variable).unwrap_or_default())?;
    }
    Ok(suppressions)
}

/// What findings come to: how many of which level, how many are accepted or known. `found` are their standings and ids.
pub fn in_words(policy: &Policy, found: &[(&Standing, &str)], confirmed: &[bool]) -> String {
    let of = |level: Level| {
        let these = found.iter().filter(|(standing, _)| standing.is_open() && standing.level == level);
        these.count()
    };
    let open = of(Level::Error) + of(Level::Warning);
    let levels: Vec<String> = [(Level::Error, "error"), (Level::Warning, "warning")]
        .into_iter()
        .filter(|&(level, _)| of(level) > 0)
        .map(|(level, name)| count(of(level), name))
        .collect();
    let levels = if levels.is_empty() { String::new() } else { format!(" ({})", levels.join(", ")) };
    let unconfirmed = confirmed.iter().filter(|&&confirmed| !confirmed).count();
    let mut text = format!("{}{levels}, {unconfirmed} unconfirmed\n", count(open, "finding"));
    let suppressed = found.iter().filter(|(standing, _)| standing.suppressed.is_some()).count();
    let known = found.iter().filter(|(standing, _)| standing.suppressed.is_none() && standing.known).count();
    if suppressed > 0 {
        text += &format!("{} suppressed\n", count(suppressed, "finding"));
    }
    if known > 0 {
        text += &format!("{} in the baseline\n", count(known, "finding"));
    }
    text + &gone(policy, found)
}

/// What the baseline has and was not found, and which suppressions fitted nothing.
fn gone(policy: &Policy, found: &[(&Standing, &str)]) -> String {
    let mut text = String::new();
    let missing = policy.missing(found.iter().copied());
    if !missing.is_empty() {
        text += &format!("{} of the baseline not found this time:\n", count(missing.len(), "finding"));
        missing.iter().take(NAMED).for_each(|known| text += &format!("  {} ({})\n", known.what, known.fingerprint));
        if missing.len() > NAMED {
            text += &format!("  and {} more\n", console::thousands(missing.len() - NAMED));
        }
    }
    for rule in policy.suppressions.unused() {
        text += &format!("suppression without a finding: {rule}\n");
    }
    text
}
