//! A program under check: its path space, and what became of its seeds.

mod access;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use byway_engine::{Original, TreeEdge};
use byway_reduce::Profile;
use byway_report::{Limit, SeedTime};
use byway_solve::Solver;
use byway_suite::Seed;

use super::{CheckSettings, Target};
use crate::checker::PutOff;
use crate::follower::{Byte, SeedFollower};
use crate::lock;
use crate::seed::{BySeed, SeedForm, SeedRef};
use crate::seed_space::SeedSpace;
use crate::statistics::SiteStatistics;

pub use access::ProgramAccess;

/// A path space is kept for so many jobs.
const LEAST_JOBS: u64 = 8;

/// A program under check.
pub struct CheckedProgram {
    /// The program and its seeds.
    pub target: Target,
    /// What is known of its paths.
    space: Mutex<SeedSpace>,
    /// What was asked.
    statistics: Mutex<SiteStatistics>,
    /// The followers of seeds that are idle.
    followers: Mutex<Vec<SeedFollower>>,
    /// What became of its seeds.
    seeds: Mutex<BySeed<SeedState>>,
    /// The smaller ones, once it is known whether there are any.
    smaller: Vec<OnceLock<Option<Arc<Seed>>>>,
    /// Whether they cannot be followed.
    useless: Vec<AtomicBool>,
    /// How often the path space was made anew.
    pub forgotten: AtomicU64,
    /// Held by all who work on it: what they know of the path space means nothing in another.
    users: RwLock<()>,
    /// Whether somebody waits for the others to make the path space anew.
    is_to_be_forgotten: AtomicBool,
    /// How many jobs were begun in this path space.
    jobs: AtomicU64,
}

/// What became of a seed.
#[derive(Debug, Default)]
pub struct SeedState {
    /// How long it took, once it was followed.
    pub time: Option<SeedTime>,
    /// Why it was not followed.
    pub skipped: Option<String>,
    /// What went wrong after it was followed.
    pub troubles: Vec<String>,
    /// In which way it does not do what it did when it was captured.
    pub changed: Option<String>,
    /// What the sanitizers say of the seed itself: the ids.
    pub own: Vec<String>,
    /// Whether AddressSanitizer ends the seed itself. Then judged runs near it go on behind reports.
    pub goes_on: bool,
    /// What it covers, once it was followed.
    pub profile: Profile,
    /// What there was no time for on its own path, until it has another turn.
    pub left: Option<Remaining>,
    /// Questions on its own path that wait for larger limits.
    pub put_off: PutOff,
    /// Where its own path takes the position for what it is at which input is read, until it is followed without that.
    pub near: Vec<u32>,
    /// Paths near it on which questions wait for larger limits.
    pub postponed: Vec<Postponed>,
    /// Divergence points around which not all was explored: the distance, why, and their sites.
    pub cut: Vec<(u32, Limit, u32)>,
    /// How long the program takes without us.
    pub native: Duration,
    /// Its path, if it is in the path space with this number.
    pub path: Option<(u64, SeedPath)>,
    /// How much time it was looked at in all.
    pub spent: Duration,
}

/// Questions on the path of a seed that there was no time for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remaining {
    /// How many events its trace has.
    pub events: usize,
    /// How many questions were asked.
    pub asked: usize,
    /// The sites of those that were not, as far as they are known.
    pub open: Vec<u32>,
    /// Whether what needs no asking was counted.
    pub is_noted: bool,
}

/// A path near a seed on which questions wait for larger limits.
#[derive(Debug, Clone)]
pub struct Postponed {
    /// The distance at which it was found.
    pub distance: u32,
    /// The bytes of its input that differ from the seed.
    pub changed: Vec<Byte>,
    /// The questions.
    pub queries: PutOff,
}

impl SeedState {
    /// Whether there was no time for some of its questions.
    pub fn is_late(&self) -> bool {
        self.left.is_some() || self.put_off.values().any(|&limit| limit == Limit::Time)
    }

    /// Whether work at a distance waits for larger limits.
    pub fn waits(&self, distance: u32) -> bool {
        let is_cut = self.cut.iter().any(|&(at, ..)| at == distance);
        is_cut
            || self.postponed.iter().any(|path| path.distance == distance)
            || distance == 0 && (self.left.is_some() || !self.put_off.is_empty() || !self.near.is_empty())
    }

    /// What waits, by reason and site.
    pub fn waiting(&self) -> impl Iterator<Item = (Limit, u32)> {
        let open = self.left.iter().flat_map(|left| &left.open).map(|&site| (Limit::Time, site));
        let questions = self.postponed.iter().flat_map(|path| &path.queries).chain(&self.put_off);
        let cut = self.cut.iter().map(|&(_, limit, site)| (limit, site));
        let near = self.near.iter().map(|&site| (Limit::Table, site));
        open.chain(questions.map(|(operation, &limit)| (limit, operation.site))).chain(cut).chain(near)
    }

    /// Something went wrong with it, at this distance: before it was followed there is nothing to say but that.
    pub fn note_trouble(&mut self, distance: u32, error: &dyn std::fmt::Display) {
        match distance {
            0 if self.time.is_none() => _ = self.skipped.get_or_insert(error.to_string()),
            _ => self.troubles.push(format!("distance {distance}, {error}")),
        }
    }
}

/// The path of a seed.
#[derive(Debug, Clone)]
pub struct SeedPath {
    /// Its last branch.
    pub last: Option<TreeEdge>,
    /// Where its operations are: for each how many branches come before it.
    pub positions: Arc<[u32]>,
}

impl CheckedProgram {
    /// Nothing is known yet.
    pub fn new(target: Target, solver: Solver, settings: &CheckSettings) -> CheckedProgram {
        let seeds = BySeed::new(target.seeds.len(), |_| SeedState::default());
        let smaller: Vec<_> = target.seeds.iter().map(|_| OnceLock::new()).collect();
        CheckedProgram {
            space: Mutex::new(new_space(&target, &smaller, solver, settings)),
            statistics: Mutex::default(),
            followers: Mutex::default(),
            target,
            seeds: Mutex::new(seeds),
            useless: smaller.iter().map(|_| AtomicBool::new(false)).collect(),
            smaller,
            forgotten: AtomicU64::new(0),
            users: RwLock::new(()),
            is_to_be_forgotten: AtomicBool::new(false),
            jobs: AtomicU64::new(0),
        }
    }

    /// A job begins: the path space stays the same until this is dropped.
    pub fn begin_job(&self) -> ProgramAccess<'_> {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        ProgramAccess::new(self, Some(self.users.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Access for a moment, without a job.
    pub fn access(&self) -> ProgramAccess<'_> {
        ProgramAccess::new(self, None)
    }

    /// Whether forgetting may help. Memory that is short anyway must not keep us from coming anywhere.
    pub fn is_worth_forgetting(&self) -> bool {
        self.jobs.load(Ordering::Relaxed) >= LEAST_JOBS
    }

    /// Whether who works on it should come to an end, and go on later.
    pub fn is_to_be_forgotten(&self) -> bool {
        self.is_to_be_forgotten.load(Ordering::Relaxed)
    }

    /// Forgets all paths, as soon as nobody works with them. What was counted stays, and so do its limits.
    pub fn forget(&self, solver: Solver, settings: &CheckSettings, effort: u32) {
        let number = self.forgotten.load(Ordering::Relaxed);
        self.is_to_be_forgotten.store(true, Ordering::Relaxed);
        let _alone = self.users.write().unwrap_or_else(PoisonError::into_inner);
        self.is_to_be_forgotten.store(false, Ordering::Relaxed);
        if self.forgotten.load(Ordering::Relaxed) != number {
            return;
        }
        let mut space = lock(&self.space);
        lock(&self.statistics).counters.note_forgotten(space.paths(), space.solver().stats());
        *space = new_space(&self.target, &self.smaller, solver, settings);
        space.set_effort(settings.limits.place, effort);
        self.forgotten.fetch_add(1, Ordering::Relaxed);
        self.jobs.store(0, Ordering::Relaxed);
    }

    /// A follower of seeds, with so many times the limits.
    pub fn follower(&self, new_solver: impl FnOnce() -> Solver, settings: &CheckSettings, effort: u32) -> SeedFollower {
        let (idle, map) = (lock(&self.followers).pop(), &self.target.map);
        let new = || SeedFollower::new(Arc::clone(map), new_solver(), settings.checks, settings.limits.place);
        let mut follower = idle.unwrap_or_else(new);
        follower.set_effort(settings.limits.place, effort);
        follower
    }

    /// The limits of its path space are so many times what they were, and what was given up for them waits again.
    pub fn set_effort(&self, settings: &CheckSettings, effort: u32) {
        let mut space = lock(&self.space);
        space.set_effort(settings.limits.place, effort);
        space.reopen_unknown();
    }

    /// A follower is idle again.
    pub fn give_back(&self, follower: SeedFollower) {
        lock(&self.followers).push(follower);
    }

    /// Forgets what idle followers know.
    pub fn dismiss_followers(&self) {
        lock(&self.followers).clear();
    }

    /// The number of the path space, and the path of a seed in it if it is there.
    pub fn path(&self, seed: SeedRef) -> (u64, Option<SeedPath>) {
        let number = self.forgotten.load(Ordering::Relaxed);
        let seeds = lock(&self.seeds);
        let path = seeds[seed].path.as_ref().filter(|(known, _)| *known == number).map(|(_, path)| path.clone());
        (number, path)
    }

    /// Whether a seed had its first turn.
    pub fn is_followed(&self, seed: usize) -> bool {
        lock(&self.seeds)[SeedRef::original(seed)].time.is_some()
    }

    /// Whether a seed was not followed to its end for lack of time.
    pub fn has_left(&self, seed: usize) -> bool {
        lock(&self.seeds)[SeedRef::original(seed)].is_late()
    }

    /// Whether work on a seed, or on the one that stands in for it, waits for larger limits.
    pub fn waits(&self, seed: usize, distance: u32) -> bool {
        let original = SeedRef::original(seed);
        let stand_in = self.stand_in(seed).unwrap_or(original);
        let seeds = lock(&self.seeds);
        // Nobody but those who explore look at what stands in.
        seeds[original].waits(distance)
            || stand_in != original && (seeds[stand_in].waits(distance) || seeds[stand_in].waits(0))
    }

    /// What its seeds cover.
    pub fn profiles(&self) -> Vec<Profile> {
        lock(&self.seeds).originals().iter().map(|seed| seed.profile.clone()).collect()
    }

    /// A seed in one of its forms.
    pub fn seed(&self, seed: SeedRef) -> &Arc<Seed> {
        let original = &self.target.seeds[seed.number];
        match seed.form {
            SeedForm::Original => original,
            SeedForm::Reduced => self.smaller[seed.number].get().and_then(Option::as_ref).unwrap_or(original),
        }
    }

    /// The seed that stands in for another, maybe itself. `None` if that is not known yet.
    pub fn stand_in(&self, seed: usize) -> Option<SeedRef> {
        let smaller = self.smaller[seed].get()?;
        let is_useful = smaller.is_some() && !self.useless[seed].load(Ordering::Relaxed);
        Some(if is_useful { SeedRef::reduced(seed) } else { SeedRef::original(seed) })
    }

    /// Notes the smaller one that stands in for a seed, if there is one.
    pub fn note_smaller(&self, seed: usize, smaller: Option<Arc<Seed>>) {
        let reduced = SeedRef::reduced(seed);
        if let Some(smaller) = &smaller {
            lock(&self.space).set_seed(reduced, smaller);
            let mut seeds = lock(&self.seeds);
            seeds[reduced].native = seeds[SeedRef::original(seed)].native;
        }
        let _ = self.smaller[seed].set(smaller);
    }

    /// A smaller one does not stand in after all.
    pub fn give_up_smaller(&self, seed: usize) {
        self.useless[seed].store(true, Ordering::Relaxed);
    }

    /// The seeds for which smaller ones stand in.
    pub fn with_smaller(&self) -> impl Iterator<Item = usize> {
        (0..self.smaller.len()).filter(|&seed| self.stand_in(seed).is_some_and(SeedRef::is_reduced))
    }

    /// The program's name, as reports have it.
    pub fn name(&self) -> String {
        self.target.program.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

fn new_space(
    target: &Target,
    smaller: &[OnceLock<Option<Arc<Seed>>>],
    solver: Solver,
    settings: &CheckSettings,
) -> SeedSpace {
    let original = |seed: SeedRef| {
        let original = &target.seeds[seed.number];
        let reduced = smaller[seed.number].get().and_then(Option::as_ref).filter(|_| seed.is_reduced());
        Original::new(Arc::clone(&reduced.unwrap_or(original).input))
    };
    let originals = BySeed::new(target.seeds.len(), original);
    SeedSpace::new(Arc::clone(&target.map), solver, settings.checks, settings.limits.place, originals)
}
