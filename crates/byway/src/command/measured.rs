//! Seeds whose programs are there to be measured.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use byway_program::Subject;
use byway_reduce::Ruler;
use byway_stage::{Cov, Runner, Site, StageError};
use byway_suite::{Seed, Suite};
use byway_trace::Limits;
use byway_variant::{Cache, VariantKind, program_map};
use indicatif::{ProgressBar, ProgressStyle};

use crate::command::{build_variant, processors};
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::MeasureFlags;

/// A program with the seeds that run it.
pub struct Measured {
    /// Where it was.
    pub program: PathBuf,
    /// What there is to cover.
    pub ruler: Ruler,
    /// Its seeds, with their positions in the suite.
    pub seeds: Vec<(usize, Arc<Seed>)>,
    site: Site,
}

/// Reads seeds, or a part of them.
pub fn suite(flags: &MeasureFlags, directory: &Path) -> Result<Suite, Error> {
    let mut suite = Suite::open(directory)?;
    if let Some(fraction) = flags.sample {
        suite.sample(fraction, flags.seed)?;
    }
    Ok(suite)
}

/// The programs of a suite. One that cannot be built is said, and left out.
pub fn programs(flags: &MeasureFlags, suite: &Suite) -> Result<Vec<Measured>, Error> {
    let cache = Cache::open(flags.cache.cache_dir.clone())?;
    let mut programs: BTreeMap<&PathBuf, Vec<(usize, Arc<Seed>)>> = BTreeMap::new();
    for (position, seed) in suite.seeds.iter().enumerate() {
        programs.entry(&seed.executable.copy).or_default().push((position, Arc::new(seed.clone())));
    }
    let mut all = Vec::new();
    for (copy, seeds) in programs {
        let program = seeds[0].1.executable.path.clone();
        match Measured::new(flags, &cache, copy, seeds) {
            Ok(measured) => all.push(measured),
            Err(error) if error.exit_code() == ExitCode::Cache => return Err(error),
            Err(error) => console::error(&format!("{} is left out: {error}", program.display())),
        }
    }
    Ok(all)
}

impl Measured {
    fn new(
        flags: &MeasureFlags,
        cache: &Cache,
        copy: &Path,
        seeds: Vec<(usize, Arc<Seed>)>,
    ) -> Result<Measured, Error> {
        let subject = Subject::open(copy)?;
        let variant = build_variant(cache, &subject, VariantKind::Cov)?;
        let map = program_map(cache, &subject)?;
        let site = Site {
            sym: None,
            asan: None,
            cov: Some(Cov { program: variant.program, id: subject.id, blocks: map.blocks.len() }),
            native: copy.to_owned(),
            cell: byway_confine::Settings { memory: flags.run_memory, ..byway_confine::Settings::default() },
            unconfined: flags.unconfined,
            limits: Limits::default(),
            timeout: flags.run_timeout,
        };
        Ok(Measured { program: seeds[0].1.executable.path.clone(), ruler: Ruler::new(&map), seeds, site })
    }

    /// Does something with each seed, and says how far it is. What came of each, with its position in the suite; what could
    /// not be run is said.
    pub fn each<R: Send>(
        &self,
        flags: &MeasureFlags,
        what: &str,
        interrupted: &AtomicBool,
        work: impl Fn(&mut Runner, &Arc<Seed>) -> Result<R, StageError> + Sync,
    ) -> Result<Vec<(usize, R)>, Error> {
        let seeds: Vec<_> = self.seeds.iter().map(|(_, seed)| Arc::clone(seed)).collect();
        let bar = ProgressBar::new(seeds.len() as u64);
        let style = ProgressStyle::with_template("{spinner} {msg}: {pos} of {len} seeds [{elapsed}]");
        bar.set_style(style.expect("a valid template"));
        bar.set_message(format!("{what} {}", self.program.file_name().unwrap_or_default().display()));
        let stop = || interrupted.load(Ordering::Relaxed);
        let results =
            byway_reduce::each(&self.site, &seeds, flags.jobs.unwrap_or_else(processors), &stop, |runner, seed| {
                let result = work(runner, seed);
                bar.inc(1);
                result
            });
        bar.finish_and_clear();
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
}
