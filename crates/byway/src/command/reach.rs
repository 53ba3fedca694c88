//! Which tests execute which changes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use byway_change::{Change, Changes};
use byway_map::BlockId;
use byway_program::Subject;
use byway_suite::{Seed, Suite};

use crate::command::changes::Versions;
use crate::command::measured::{Measured, Way};
use crate::command::open_suite;
use crate::error::Error;
use crate::flags::RunFlags;

/// Seeds that are run to see what they execute.
pub struct Reach {
    suite: Suite,
    way: Way,
}

/// Which tests execute the changes of a program.
#[derive(Clone)]
pub struct Reached {
    /// For each change the tests that execute it.
    pub by: Vec<Vec<String>>,
    /// How many tests were run.
    pub tests: usize,
}

impl Reach {
    /// Reads seeds.
    pub fn open(seeds: &Path, runs: &RunFlags, unconfined: bool) -> Result<Reach, Error> {
        Ok(Reach { suite: open_suite(seeds)?, way: Way::new(runs, unconfined)? })
    }

    /// Runs the seeds of a program in both versions.
    pub fn of(&self, versions: &Versions, changes: &Changes, interrupted: &AtomicBool) -> Result<Reached, Error> {
        let seeds = self.seeds_of(&versions.new)?;
        let mut by = vec![Vec::new(); changes.changes.len()];
        for (is_old, subject) in [(false, &versions.new), (true, &versions.old)] {
            let wanted: Vec<(usize, &[BlockId])> = wanted(&changes.changes, is_old);
            if wanted.is_empty() {
                continue;
            }
            let program = Measured::of_version(&self.way, &subject.path, seeds.clone())?;
            let what = if is_old { "running tests of the old" } else { "running tests of the new" };
            let counted =
                program.each(what, interrupted, |runner, seed| runner.count(&seed.input, runner.timeout()))?;
            for (position, counted) in counted {
                let executed = |blocks: &&[BlockId]| blocks.iter().any(|&block| counted.counts[block.index()] > 0);
                for (change, _) in wanted.iter().filter(|(_, blocks)| executed(blocks)) {
                    by[*change].push(self.suite.seeds[position].name.clone());
                }
            }
        }
        Ok(Reached { by, tests: seeds.len() })
    }

    /// The seeds that run a program of this name.
    fn seeds_of(&self, program: &Subject) -> Result<Vec<(usize, Arc<Seed>)>, Error> {
        let name = program.path.file_name();
        let all = self.suite.seeds.iter().enumerate();
        let own = all.filter(|(_, seed)| seed.executable.path.file_name() == name);
        let own: Vec<_> = own.map(|(position, seed)| (position, Arc::new(seed.clone()))).collect();
        if own.is_empty() {
            let (seeds, name) = (self.suite.directory.display(), program.name());
            return Err(Error::NothingInCommon(format!("none of the seeds in {seeds} runs a program called {name}")));
        }
        Ok(own)
    }
}

/// The changes that are executed in one of the versions, with the blocks they are in there.
fn wanted(changes: &[Change], in_old: bool) -> Vec<(usize, &[BlockId])> {
    let places = changes.iter().enumerate();
    let places = places.filter_map(|(index, change)| Some((index, change.executed_at(in_old)?.blocks.as_slice())));
    places.filter(|(_, blocks)| !blocks.is_empty()).collect()
}
