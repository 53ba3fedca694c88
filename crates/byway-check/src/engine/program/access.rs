//! What workers share about a program, and the order in which it is locked.
//!
//! The path space comes first; the statistics of sites and the states of seeds come behind it, and none of these while another is held. A
//! worker has one [`ProgramAccess`] for its job; a guard borrows it, so what would be out of order does not compile.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, RwLockReadGuard};

use super::{CheckedProgram, SeedState};
use crate::lock;
use crate::seed::BySeed;
use crate::seed_space::SeedSpace;
use crate::statistics::SiteStatistics;

/// A worker's access to a program.
pub struct ProgramAccess<'a> {
    program: &'a CheckedProgram,
    /// As long as this is held, the path space stays the same one.
    _working: Option<RwLockReadGuard<'a, ()>>,
}

impl<'a> ProgramAccess<'a> {
    pub(super) fn new(program: &'a CheckedProgram, working: Option<RwLockReadGuard<'a, ()>>) -> ProgramAccess<'a> {
        ProgramAccess { program, _working: working }
    }

    /// The program itself.
    pub fn program(&self) -> &'a CheckedProgram {
        self.program
    }

    /// Its path space.
    pub fn space(&mut self) -> SpaceGuard<'_> {
        SpaceGuard { program: self.program, space: lock(&self.program.space) }
    }

    /// What is known of its sites.
    pub fn statistics(&mut self) -> MutexGuard<'_, SiteStatistics> {
        lock(&self.program.statistics)
    }

    /// The same, for a follower of seeds, which locks it for moments.
    pub fn shared_statistics(&mut self) -> &Mutex<SiteStatistics> {
        &self.program.statistics
    }

    /// What became of its seeds.
    pub fn seeds(&mut self) -> MutexGuard<'_, BySeed<SeedState>> {
        lock(&self.program.seeds)
    }
}

impl Deref for ProgramAccess<'_> {
    type Target = CheckedProgram;

    fn deref(&self) -> &CheckedProgram {
        self.program
    }
}

/// The path space of a program, locked.
pub struct SpaceGuard<'a> {
    program: &'a CheckedProgram,
    space: MutexGuard<'a, SeedSpace>,
}

impl SpaceGuard<'_> {
    /// The path space, and what is known of sites, which it locks for moments.
    pub fn with_statistics(&mut self) -> (&mut SeedSpace, &Mutex<SiteStatistics>) {
        (&mut self.space, &self.program.statistics)
    }

    /// What is known of sites.
    pub fn statistics(&mut self) -> MutexGuard<'_, SiteStatistics> {
        lock(&self.program.statistics)
    }

    /// What became of the program's seeds.
    pub fn seeds(&mut self) -> MutexGuard<'_, BySeed<SeedState>> {
        lock(&self.program.seeds)
    }
}

impl Deref for SpaceGuard<'_> {
    type Target = SeedSpace;

    fn deref(&self) -> &SeedSpace {
        &self.space
    }
}

impl DerefMut for SpaceGuard<'_> {
    fn deref_mut(&mut self) -> &mut SeedSpace {
        &mut self.space
    }
}
