//! Seeds whose programs are there to be measured.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use byway_engine::Program;
use byway_exec::{Runner, RunnerConfig, Symbolic, Variants};
use byway_fuzz::WarmUp;
use byway_reduce::{Order, Profile, SeedMeasure, rank};
use byway_suite::{Seed, Suite};
use byway_trace::TraceLimits;
use byway_variant::{Cache, VariantKind, program_map};

use crate::command::explore::start::restrict;
use crate::command::{build_cov, build_variant, count, open_subject, open_suite};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::{MeasureFlags, RunFlags};

/// How seeds are run.
pub struct Way {
    cache: Cache,
    jobs: usize,
    timeout: Duration,
    memory: u64,
    unconfined: bool,
    /// How much traces may hold, if seeds are followed too.
    limits: Option<TraceLimits>,
}

impl Way {
    /// As the user wants it.
    pub fn new(flags: &RunFlags, unconfined: bool) -> Result<Way, Error> {
        Ok(Way {
            cache: flags.cache.open()?,
            jobs: flags.jobs(),
            timeout: flags.run_timeout,
            memory: flags.run_memory,
            unconfined,
            limits: None,
        })
    }

    /// The same for seeds that are followed too.
    pub fn following(self, limits: TraceLimits) -> Way {
        Way { limits: Some(limits), ..self }
    }
}

/// A program with the seeds that run it.
pub struct Measured {
    /// Where it was.
    pub program: PathBuf,
    /// What is known of it.
    pub map: Arc<Program>,
    /// What there is to cover.
    pub measure: SeedMeasure,
    /// Its seeds, with their positions in the suite.
    pub seeds: Vec<(usize, Arc<Seed>)>,
    config: RunnerConfig,
    jobs: usize,
}

/// Reads seeds, or a part of them.
pub fn suite(flags: &MeasureFlags, directory: &Path) -> Result<Suite, Error> {
    let mut suite = open_suite(directory)?;
    if let Some(fraction) = flags.sample {
        suite.sample(fraction, flags.seed)?;
    }
    Ok(suite)
}

/// The programs of a suite. One that cannot be built is said, and left out.
pub fn programs(way: &Way, suite: &Suite) -> Result<Vec<Measured>, Error> {
    let mut programs: BTreeMap<&PathBuf, Vec<(usize, Arc<Seed>)>> = BTreeMap::new();
    for (position, seed) in suite.seeds.iter().enumerate() {
        programs.entry(&seed.executable.copy).or_default().push((position, Arc::new(seed.clone())));
    }
    let mut all = Vec::new();
    for (copy, seeds) in programs {
        let program = seeds[0].1.executable.path.clone();
        match Measured::new(way, copy, seeds) {
            Ok(measured) => all.push(measured),
            Err(error) if error.exit_code() == ExitCode::Cache => return Err(error),
            Err(error) => console::error(&format!("{} is left out: {error}", program.display())),
        }
    }
    Ok(all)
}

impl Measured {
    fn new(way: &Way, copy: &Path, seeds: Vec<(usize, Arc<Seed>)>) -> Result<Measured, Error> {
        let subject = open_subject(&way.cache, copy)?;
        let sym = way.limits.map(|_| build_variant(&way.cache, &subject, VariantKind::Sym)).transpose()?;
        let map = Program::new(program_map(&way.cache, &subject)?);
        let cov = build_cov(&way.cache, &subject, &map)?;
        let sym = sym.map(|variant| variant.program);
        let variants = Variants { native: copy.to_owned(), sym, asan: None, cov: Some(cov) };
        let sandbox =
            byway_confine::SandboxSettings { memory: way.memory, ..byway_confine::SandboxSettings::default() };
        let mut config = RunnerConfig::new(variants, sandbox, way.limits.unwrap_or_default(), way.timeout);
        config.sandbox.unconfined = way.unconfined;
        let jobs = way.jobs;
        let (program, measure) = (seeds[0].1.executable.path.clone(), SeedMeasure::new(&map.map));
        Ok(Measured { program, map: Arc::new(map), measure, seeds, config, jobs })
    }

    /// Another version of the program that the seeds were captured from.
    pub fn of_version(way: &Way, program: &Path, seeds: Vec<(usize, Arc<Seed>)>) -> Result<Measured, Error> {
        Measured::new(way, program, seeds)
    }

    /// Takes its seeds as they are in the suite now.
    pub fn renew(&mut self, suite: &Suite) {
        let own =
            suite.seeds.iter().enumerate().filter(|(_, seed)| seed.executable.copy == self.config.variants.native);
        self.seeds = own.map(|(position, seed)| (position, Arc::new(seed.clone()))).collect();
    }

    /// Leaves input as it is that the user wants to stay so.
    pub fn restrict(&mut self, changed: &Symbolic) {
        restrict(Arc::make_mut(&mut self.config.model), changed);
    }

    /// Changes its seeds at random until that covers nothing new.
    pub fn warm_up(&self, time: Duration, seed: u64, interrupted: &AtomicBool) -> Result<WarmUp, Error> {
        let _activity = Activity::new(format!("changing seeds of {} at random", self.name()));
        let seeds: Vec<_> = self.seeds.iter().map(|(_, seed)| Arc::clone(seed)).collect();
        let settings = byway_fuzz::WarmUpSettings { time, jobs: self.jobs, seed };
        let stop = || interrupted.load(Ordering::Relaxed);
        Ok(byway_fuzz::warm_up(&self.config, &seeds, &self.measure, settings, &stop)?)
    }

    /// What the program is called.
    pub fn name(&self) -> String {
        self.program.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Does something with each seed, and says how far it is. What came of each, with its position in the suite; what could
    /// not be run is said.
    pub fn each<R: Send, E: Send + Display>(
        &self,
        what: &str,
        interrupted: &AtomicBool,
        work: impl Fn(&mut Runner, &Arc<Seed>) -> Result<R, E> + Sync,
    ) -> Result<Vec<(usize, R)>, Error> {
        self.each_in_steps(what, 1, interrupted, |runner, seed, done| {
            let result = work(runner, seed);
            done();
            result
        })
    }

    /// The same for work that takes its time: it says when it has done one of so many steps for a seed.
    pub fn each_in_steps<R: Send, E: Send + Display>(
        &self,
        what: &str,
        steps: usize,
        interrupted: &AtomicBool,
        work: impl Fn(&mut Runner, &Arc<Seed>, &(dyn Fn() + Sync)) -> Result<R, E> + Sync,
    ) -> Result<Vec<(usize, R)>, Error> {
        let seeds: Vec<_> = self.seeds.iter().map(|(_, seed)| Arc::clone(seed)).collect();
        let (count, finished) = (seeds.len() * steps, Arc::new(AtomicUsize::new(0)));
        let unit = if steps == 1 { " seeds" } else { "" };
        let (what, counted) = (format!("{what} {}", self.name()), Arc::clone(&finished));
        let activity = Activity::with(move || format!("{what}: {} of {count}{unit}", counted.load(Ordering::Relaxed)));
        let stop = || interrupted.load(Ordering::Relaxed);
        let done = || _ = finished.fetch_add(1, Ordering::Relaxed);
        let results =
            byway_reduce::each(&self.config, &seeds, self.jobs, &stop, |runner, seed| work(runner, seed, &done));
        drop(activity);
        let mut done = Vec::new();
        for ((position, _), result) in self.seeds.iter().zip(results?) {
            match result {
                Some(Ok(result)) => done.push((*position, result)),
                Some(Err(error)) => console::error(&error.to_string()),
                None => {}
            }
        }
        Ok(done)
    }

    /// Leaves so many of its seeds, chosen at random: the same for the same `seed`.
    pub fn choose(&mut self, most: usize, seed: u64) {
        self.seeds = byway_suite::choose(&self.seeds, most, seed);
    }
}

/// Puts seeds in an order: positions in the suite, each with what the order is made by. Those that could not be run are
/// missing.
pub fn ranked(
    programs: &[Measured],
    order: Order,
    seed: u64,
    interrupted: &AtomicBool,
) -> Result<Vec<(usize, Profile)>, Error> {
    let mut profiles: Vec<(usize, Profile)> = Vec::new();
    // Branches of different programs are different branches.
    let mut first = 0;
    for program in programs {
        profiles.extend(program.each("counting branches of", interrupted, |runner, seed| {
            let counted = runner.count(&seed.input, runner.timeout());
            counted.map(|counted| program.measure.profile(&counted.counts, first))
        })?);
        first += program.measure.branches();
    }
    profiles.sort_by_key(|(position, _)| *position);
    let (positions, profiles): (Vec<usize>, Vec<Profile>) = profiles.into_iter().unzip();
    let _activity = Activity::new(format!("putting {} in order", count(profiles.len(), "seed")));
    let order = rank(order, &profiles, seed);
    Ok(order.into_iter().map(|index| (positions[index], profiles[index].clone())).collect())
}
