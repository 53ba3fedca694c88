//! Smaller seeds that stand in for seeds: they do the same on shorter paths.
//!
//! One whose path is not shorter does not: it has fewer bytes that could be others, and nothing for it. Measured, `byway eval` calls
//! this form of seeds shorter.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use byway_exec::Runner;
use byway_reduce::{Keep, reduce};

use super::Shared;
use super::follow::FollowPass;
use super::program::ProgramAccess;
use super::rounds::{Job, Rounds};
use crate::error::CheckError;
use crate::seed::SeedRef;

impl Shared<'_> {
    /// The seed that is explored in the place of another: a smaller one, or itself. A smaller one is made, and followed, when
    /// it is first asked for.
    pub(super) fn stand_in(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        job: &Job,
    ) -> Result<SeedRef, CheckError> {
        let original = SeedRef::original(job.seed);
        if self.whole.load(Ordering::Relaxed) || program.seeds()[SeedRef::original(job.seed)].skipped.is_some() {
            return Ok(original);
        }
        if let Some(known) = program.stand_in(job.seed) {
            return Ok(known);
        }
        self.make_smaller(runner, program, job.seed, job.share.mul_f64(self.settings.reduce))?;
        let stand_in = program.stand_in(job.seed).unwrap_or(original);
        if stand_in == original {
            return Ok(stand_in);
        }
        match self.follow_path(runner, program, job.target, stand_in, FollowPass::StandIn(job.share)) {
            Err(error) if error.is_of_the_seed() => {
                program.give_up_smaller(job.seed);
                Ok(original)
            }
            followed => followed.map(|()| stand_in),
        }
    }

    fn make_smaller(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        number: usize,
        time: Duration,
    ) -> Result<(), CheckError> {
        let checked = program.program();
        let seed = &checked.target.seeds[number];
        // To see what it covers takes two runs.
        let is_possible = checked.target.config.variants.cov.is_some()
            && program.seeds()[SeedRef::original(number)].native * 2 < time;
        let stop = || self.should_stop() || checked.is_to_be_forgotten();
        let mut reduce = || reduce(runner, seed, &checked.target.measure, Keep::Statements, time, &stop);
        let smaller = match is_possible.then(|| reduce().map_err(CheckError::from)) {
            None => None,
            // One that cannot be made smaller is explored as it is.
            Some(Err(error)) if error.is_of_the_seed() => None,
            Some(reduced) => Some(reduced?).filter(|reduced| reduced.after.path_length < reduced.before.path_length),
        };
        program.note_smaller(number, smaller.map(|smaller| Arc::new(smaller.seed)));
        Ok(())
    }

    /// When smaller seeds are explored, begins with those that they were made of. False if there are none.
    pub(super) fn begin_whole(&self, rounds: &mut Rounds) -> bool {
        let mut is_any = false;
        if !self.whole.swap(true, Ordering::Relaxed) {
            for (target, program) in self.programs.iter().enumerate() {
                for seed in program.with_smaller() {
                    rounds.explore_again(target, seed);
                    is_any = true;
                }
            }
        }
        is_any && rounds.begin_again()
    }
}
