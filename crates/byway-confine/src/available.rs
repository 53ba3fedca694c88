//! What this machine offers to confine programs.

use std::time::Instant;

use landlock::{ABI, Access, AccessFs, Ruleset, RulesetAttr, RulesetStatus};

use crate::sandbox::Sandbox;
use crate::settings::{Directory, SandboxSettings};

/// Something that confines programs, and whether it is there: what it does, or what is missing.
pub type Offer = (&'static str, Result<String, String>);

/// What this machine offers to confine programs. A sandbox needs namespaces; Landlock is a second wall.
pub fn available() -> Vec<Offer> {
    vec![
        ("namespaces", sandbox(Directory::Empty)),
        ("overlays", overlay()),
        ("Landlock", landlock()),
        ("memory", Ok(memory())),
    ]
}

/// How the memory of programs is limited.
fn memory() -> String {
    let sandbox =
        Sandbox::start(&SandboxSettings::default()).or_else(|_| Sandbox::unconfined(&SandboxSettings::default()));
    match sandbox.as_ref().map(Sandbox::memory_group) {
        Ok(Ok(group)) => {
            let parent = group.parent().unwrap_or(group).display();
            format!("limited by cgroups in {parent}; memory of the kernel and shared memory count")
        }
        Ok(Err(why)) => format!("watched every 20 ms, some of it estimated: {why}"),
        Err(error) => format!("not limited: {error}"),
    }
}

fn sandbox(directory: Directory) -> Result<String, String> {
    let started = Instant::now();
    let sandbox = Sandbox::start(&SandboxSettings { directory, ..SandboxSettings::default() })
        .map_err(|error| error.to_string())?;
    match sandbox.without() {
        [] => Ok(format!("a sandbox was made in {} ms", started.elapsed().as_millis())),
        without => Ok(format!("a sandbox was made, without {}", without.join(", without "))),
    }
}

fn overlay() -> Result<String, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let settings =
        SandboxSettings { directory: Directory::CopyOf(directory.path().to_owned()), ..SandboxSettings::default() };
    let sandbox = Sandbox::start(&settings).map_err(|error| error.to_string())?;
    match sandbox.without() {
        [] => Ok("working directories are not copied".to_owned()),
        _ => Err("working directories are copied for each sandbox".to_owned()),
    }
}

/// Landlock restricts one thread, so a short-lived one finds out.
pub fn landlock() -> Result<String, String> {
    let restrict = || {
        let ruleset = Ruleset::default().handle_access(AccessFs::from_all(ABI::V1)).ok()?.create().ok()?;
        Some(ruleset.restrict_self().ok()?.ruleset)
    };
    match std::thread::spawn(restrict).join().ok().flatten() {
        Some(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced) => {
            Ok("enforced by this kernel".to_owned())
        }
        _ => Err("this kernel has no Landlock, or it is off".to_owned()),
    }
}
