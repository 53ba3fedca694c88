//! What holds for a program itself, whatever it does to its surroundings: limits, rights, Landlock.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use landlock::{
    ABI, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, Scope,
};
use rustix::process::{Resource, Rlimit, setpgid, setrlimit, setsid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capability_is_in_bounding_set, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};

use crate::seccomp::Filters;
use crate::settings::SandboxSettings;

/// What root of the sandbox may: what it could do to its own files.
const RIGHTS: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID);
/// The first process and the helper are counted as well.
const OUR_PROCESSES: u64 = 2;

/// The restrictions around a program.
#[derive(Debug)]
pub struct Restrictions {
    confined: bool,
    processes: u64,
    file_size: u64,
    /// Where writing is allowed; `None` if the kernel has no Landlock.
    landlock: Option<RulesetCreated>,
    /// Which system calls are allowed.
    filters: Arc<Filters>,
}

impl Restrictions {
    /// Prepares restrictions that leave some paths writable. What holds for all programs of the sandbox is done here and now.
    pub fn new(settings: &SandboxSettings, confined: bool, writable: &[PathBuf]) -> io::Result<Restrictions> {
        // Without a terminal: nobody can type for the user.
        let _ = setsid();
        if confined {
            give_up_future_rights()?;
        }
        let landlock = confined.then(|| landlock(writable).ok()).flatten();
        let processes = u64::from(settings.processes) + OUR_PROCESSES;
        Ok(Restrictions { confined, processes, file_size: settings.file_size, landlock, filters: Arc::default() })
    }

    /// The same restrictions for one process; `services` run beside it.
    pub fn for_process(&self, services: usize) -> io::Result<Restrictions> {
        let landlock = self.landlock.as_ref().map(RulesetCreated::try_clone).transpose()?;
        let processes = self.processes + services as u64;
        let filters = self.filters.clone();
        Ok(Restrictions { confined: self.confined, processes, file_size: self.file_size, landlock, filters })
    }

    /// Puts the restrictions around this process, for ever. For `spare_others` see [`Filters::install`].
    pub fn close(&mut self, spare_others: bool) -> io::Result<()> {
        setpgid(None, None)?;
        limit(Resource::Core, 0)?;
        limit(Resource::Fsize, self.file_size)?;
        if !self.confined {
            return Ok(());
        }
        limit(Resource::Nproc, self.processes)?;
        give_up_rights()?;
        if let Some(landlock) = self.landlock.take() {
            landlock.restrict_self().map_err(io::Error::other)?;
        }
        self.filters.install(spare_others)
    }
}

fn limit(resource: Resource, limit: u64) -> io::Result<()> {
    let maximum = rustix::process::getrlimit(resource).maximum;
    let limit = Some(maximum.map_or(limit, |maximum| maximum.min(limit)));
    Ok(setrlimit(resource, Rlimit { current: limit, maximum: limit })?)
}

/// Rights that no program that is executed will ever have.
fn give_up_future_rights() -> io::Result<()> {
    for right in CapabilitySet::all().difference(RIGHTS).iter() {
        // Beyond the last one there is an error.
        if capability_is_in_bounding_set(right).unwrap_or(false) {
            remove_capability_from_bounding_set(right)?;
        }
    }
    Ok(())
}

fn give_up_rights() -> io::Result<()> {
    clear_ambient_capability_set()?;
    let rights = if rustix::process::geteuid().is_root() { RIGHTS } else { CapabilitySet::empty() };
    let inheritable = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: rights, permitted: rights, inheritable })?;
    Ok(set_no_new_privs(true)?)
}

fn landlock(writable: &[PathBuf]) -> Result<RulesetCreated, landlock::RulesetError> {
    let writing = AccessFs::from_write(ABI::V5);
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(writing)?;
    let mut ruleset = ruleset.scope(Scope::AbstractUnixSocket | Scope::Signal)?.create()?;
    for path in writable {
        if let Ok(file) = PathFd::new(path) {
            let access = if path.is_dir() { writing } else { writing & AccessFs::from_file(ABI::V5) };
            ruleset = ruleset.add_rule(PathBeneath::new(file, access))?;
        }
    }
    Ok(ruleset)
}
