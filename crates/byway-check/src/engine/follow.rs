//! Distance 0: a seed is run, its path is followed, and all its operations are asked about.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use byway_engine::TreeEdge;
use byway_exec::{ExecError, Runner, TraceOptions, TracedRun};
use byway_input::ConcreteInput;
use byway_map::BlockId;
use byway_reduce::{Profile, SeedMeasure};
use byway_report::{Ending, Finding, Limit, SeedTime};
use byway_solve::Changes;
use byway_trace::layout::NO_SITE;
use byway_trace::{Cause as Lost, Trace};

use super::Shared;
use super::judge::{Case, InputCause};
use super::program::{ProgramAccess, Remaining, SeedPath};
use super::rounds::{Done, Job};
use crate::checker::PutOff;
use crate::clock::{Allowance, charge};
use crate::error::CheckError;
use crate::follower::{Followed, Suspect, Wanted};
use crate::lock;
use crate::seed::SeedRef;
use crate::seed_space::SuspectInput;

/// How often the program is run without us, for its time.
const NATIVE_RUNS: u32 = 2;
/// What takes longer is not run again for its time.
const LONG: Duration = Duration::from_millis(200);
/// In its first turn the questions of a seed take no longer than this, or than its run. Few have more, and those wait until all
/// others were followed.
const FIRST_PASS: Duration = Duration::from_millis(100);
/// In its second they take no longer than this, or a part of the budget if that is more.
const SECOND_PASS: Duration = Duration::from_secs(2);
const PART_OF_BUDGET: u32 = 20;

/// Questions may take this long in any case.
const LEAST_PASS: Duration = Duration::from_millis(10);

/// When a seed is followed.
#[derive(Debug, Clone)]
pub enum FollowPass {
    /// For the first time, with this share of the time.
    First(Duration),
    /// Again, for what the turns before have left, with this much processor time.
    Again(Option<Remaining>, PutOff, Duration),
    /// In the place of another seed, with this much processor time.
    StandIn(Duration),
}

/// Where asking goes on along a path, and how long.
struct Resumption {
    time: Duration,
    /// The events before which all was asked.
    from: usize,
    /// Whether what the path says was counted before.
    is_noted: bool,
    /// What was put off and is asked again.
    again: PutOff,
}

impl Resumption {
    /// Of a run with so many events, to trace which took so long.
    fn of(pass: FollowPass, traced: Duration, events: usize) -> Resumption {
        let (time, left, again) = match pass {
            FollowPass::First(share) => (FIRST_PASS.max(traced).min(share.max(LEAST_PASS)), None, PutOff::default()),
            FollowPass::Again(left, again, time) => (time, Some(left), again),
            FollowPass::StandIn(time) => (time, None, PutOff::default()),
        };
        let from = match &left {
            // What was asked need not be asked again, if it is the same run.
            Some(Some(left)) if left.events == events => left.asked,
            Some(None) => usize::MAX,
            _ => 0,
        };
        let is_noted = left.is_some_and(|left| left.is_none_or(|left| left.is_noted));
        Resumption { time, from, is_noted, again }
    }
}

impl Shared<'_> {
    /// Follows a seed and asks about its operations.
    pub(super) fn follow(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        job: &Job,
    ) -> Result<Done, CheckError> {
        let begun = Instant::now();
        let is_first = !program.is_followed(job.seed);
        let followed = match is_first {
            true => self.begin_to_follow(runner, program, job),
            false => self.follow_on(runner, program, SeedRef::original(job.seed), job.share),
        };
        let mut seeds = program.seeds();
        let state = &mut seeds[SeedRef::original(job.seed)];
        state.spent += begun.elapsed();
        followed?;
        Ok(match () {
            () if is_first && state.is_late() => Done::Part,
            () if state.waits(0) => Done::PutOff,
            () => Done::All,
        })
    }

    fn begin_to_follow(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        job: &Job,
    ) -> Result<(), CheckError> {
        let seed = SeedRef::original(job.seed);
        self.compare_with_capture(runner, program, seed)?;
        self.follow_path(runner, program, job.target, seed, FollowPass::First(job.share))
    }

    /// Asks what turns before have left: at first only what there was no time for, then also what waits for larger limits.
    pub(super) fn follow_on(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
        share: Duration,
    ) -> Result<(), CheckError> {
        let is_extended = self.effort() > 1;
        if is_extended {
            self.begin_far(program, seed);
        }
        let (left, put_off) = {
            let state = &mut program.seeds()[seed];
            let is_taken_up = |limit: Limit| is_extended || limit == Limit::Time;
            let put_off: PutOff = state
                .put_off
                .iter()
                .filter(|&(_, &limit)| is_taken_up(limit))
                .map(|(&of, &limit)| (of, limit))
                .collect();
            state.put_off.retain(|_, &mut limit| !is_taken_up(limit));
            (state.left.take(), put_off)
        };
        if left.is_none() && put_off.is_empty() {
            return Ok(());
        }
        let part = self.settings.budget.time.map_or(Duration::ZERO, |time| time / PART_OF_BUDGET);
        let most = if is_extended { Duration::MAX } else { SECOND_PASS.max(part) };
        let (ran, suspects) =
            self.ask_about(runner, program, seed, FollowPass::Again(left, put_off, share.min(most)))?;
        if suspects.is_empty() {
            return Ok(());
        }
        let (_, _, candidates) = self.locate(program, seed, &ran, suspects);
        drop(ran);
        self.try_candidates(runner, program, candidates, 0)
    }

    /// All is asked once more on the path of a seed that reads input at positions that were taken for what they are: from now on they
    /// are not.
    fn begin_far(&self, program: &mut ProgramAccess<'_>, seed: SeedRef) {
        let mut seeds = program.seeds();
        let state = &mut seeds[seed];
        if state.near.is_empty() {
            return;
        }
        state.near.clear();
        let put_off = std::mem::take(&mut state.put_off);
        let is_noted = state.left.as_ref().is_none_or(|left| left.is_noted);
        state.left = Some(Remaining { events: 0, asked: 0, open: Vec::new(), is_noted });
        drop(seeds);
        let unknown = put_off.into_iter().filter(|&(_, limit)| limit == Limit::Unknown);
        let counters = &mut program.statistics().counters;
        unknown.for_each(|(operation, _)| counters.take_back(operation.violation));
    }

    /// Follows the path of a seed, or of a smaller one, asks about its operations and judges it.
    pub(super) fn follow_path(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        target: usize,
        seed: SeedRef,
        turn: FollowPass,
    ) -> Result<(), CheckError> {
        let input = program.seed(seed).input.clone();
        let (ran, suspects) = self.ask_about(runner, program, seed, turn)?;
        if self.settings.order.is_some() {
            program.seeds()[seed].profile = profile(&program.target.measure, &ran.trace);
        }
        if ran.timed_out && !seed.is_reduced() {
            // All runs near it would take as long.
            lock(&self.rounds).stay_on_path(target, seed.number);
            program.statistics().counters.give_up(Limit::Hangs, NO_SITE);
        }
        let judged = self.judge_seed(runner, program, seed, &input);
        let own = judged.as_ref().map(|judged| self.findings(program, judged)).unwrap_or_default();
        let own: Vec<String> = own.iter().map(Finding::id).collect();
        let is_sound = own.is_empty();
        program.seeds()[seed].own = own;
        program.space().note_followed(seed);
        let (last, visits, candidates) = match suspects.is_empty() && is_sound {
            true => (None, Vec::new(), Vec::new()),
            false => self.locate(program, seed, &ran, suspects),
        };
        drop(ran);
        let case = Case { seed, changes: Changes::default(), distance: 0, last, visits, cause: InputCause::Seed };
        // What can fail is tried, whatever becomes of the seed itself.
        let kept = judged.and_then(|judged| self.keep_findings(runner, program, &case, &judged));
        let tried = self.try_candidates(runner, program, candidates, 0);
        kept.map_err(|error| error.during("while it was judged"))?;
        tried
    }

    /// Traces a run of a seed and asks about its operations. The run, and what can fail.
    fn ask_about(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
        turn: FollowPass,
    ) -> Result<(TracedRun, Vec<Suspect>), CheckError> {
        let since = Instant::now();
        // Where input is read at positions that depend on it, what is near comes first; the tree of paths has nothing else.
        let near = self.effort() <= 1;
        let ran = match self.trace_with(runner, &program.seed(seed).input, near) {
            Ok(ran) => ran,
            Err(error) => {
                self.keep_left(program, seed, turn);
                return Err(CheckError::from(error).during("while it was followed"));
            }
        };
        charge(ran.cpu);
        let (traced, events) = (since.elapsed(), ran.trace.events().len());
        let is_first = matches!(turn, FollowPass::First(_));
        let Resumption { time, from, is_noted, again } = Resumption::of(turn, traced, events);
        let mut follower = program.follower(self.new_solver, self.settings, self.effort());
        let original = program.space().original(seed).clone();
        let (since, allowance) = (Instant::now(), Allowance::new(time));
        let is_over = || allowance.is_over() || self.should_stop();
        let followed = follower.follow(
            original,
            &ran,
            Wanted { from, again: &again },
            program.shared_statistics(),
            Some(&allowance),
            &is_over,
        );
        self.note_time(program, seed, traced, since.elapsed());
        program.give_back(follower);
        let is_cut = followed.is_cut();
        let Followed { suspects, asked, put_off, open, path } = followed;
        // What is cut in the first turn is imported again in the next.
        let is_to_be_noted = !(is_noted || is_first && path.is_cut);
        {
            let state = &mut program.seeds()[seed];
            state.left = is_cut.then_some(Remaining { events, asked, open, is_noted: is_noted || is_to_be_noted });
            state.put_off.extend(put_off);
            state.near = if near { near_sites(&ran.trace) } else { Vec::new() };
        }
        let counters = &mut program.statistics().counters;
        counters.note_run(&ran, !seed.is_reduced());
        if is_to_be_noted {
            counters.note_path(&path, 0);
        }
        Ok((ran, suspects))
    }

    /// Runs an input and follows it.
    pub(super) fn trace(&self, runner: &mut Runner, input: &ConcreteInput) -> Result<TracedRun, ExecError> {
        self.trace_with(runner, input, true)
    }

    fn trace_with(&self, runner: &mut Runner, input: &ConcreteInput, near: bool) -> Result<TracedRun, ExecError> {
        let arithmetic = self.settings.checks.need_arithmetic();
        runner.trace(input, &TraceOptions { arithmetic, near, ..runner.trace_options() })
    }

    /// A seed could not be run again: what it has left stays what it was.
    fn keep_left(&self, program: &mut ProgramAccess<'_>, seed: SeedRef, turn: FollowPass) {
        if let FollowPass::Again(left, put_off, _) = turn {
            let state = &mut program.seeds()[seed];
            state.left = left;
            state.put_off.extend(put_off);
        }
    }

    fn note_time(&self, program: &mut ProgramAccess<'_>, seed: SeedRef, traced: Duration, asked: Duration) {
        let name = program.seed(seed).name.clone();
        let mut seeds = program.seeds();
        let before = seeds[seed].time.as_ref().map_or(0.0, |time| time.checked);
        seeds[seed].time = Some(SeedTime {
            seed: name,
            native: seeds[seed].native.as_secs_f64(),
            traced: traced.as_secs_f64(),
            checked: before + (traced + asked).as_secs_f64(),
        });
    }

    /// Only what was found needs its place on the path: the last branch before each, the last of all, and the visits.
    fn locate(
        &self,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
        ran: &TracedRun,
        suspects: Vec<Suspect>,
    ) -> (Option<TreeEdge>, Vec<(u32, u32)>, Vec<SuspectInput>) {
        let number = program.forgotten.load(Ordering::Relaxed);
        let mut space = program.space();
        let learned = space.learn_path(seed, ran, &|| self.should_stop());
        let candidate = |Suspect { operation, options }| SuspectInput {
            operation,
            seed,
            last: space.locate(&learned, operation),
            options: options.into_iter().map(|bytes| space.changes(bytes)).collect(),
        };
        let candidates = suspects.into_iter().map(candidate).collect();
        let path = SeedPath { last: learned.last, positions: learned.path.positions.into() };
        space.seeds()[seed].path = Some((number, path));
        (learned.last, learned.path.visits, candidates)
    }

    /// Whether a seed does here what it did when it was captured, and how long it takes.
    fn compare_with_capture(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        seed: SeedRef,
    ) -> Result<(), CheckError> {
        let (of, options) = (program.program().seed(seed), runner.run_options());
        let mut shortest = Duration::MAX;
        let mut ending = Ending::Exited(0);
        for _ in 0..NATIVE_RUNS {
            let native = runner.native(&of.input, &options)?;
            shortest = shortest.min(native.elapsed);
            ending = native.ending();
            if shortest > LONG {
                break;
            }
        }
        if ending == Ending::TimedOut {
            let why = format!("it does not end within {:.0} s", shortest.as_secs_f64());
            return Err(ExecError::Input { label: of.name.clone(), why }.into());
        }
        let mut seeds = program.seeds();
        seeds[seed].native = shortest;
        let captured = of.ending.filter(|&captured| captured != ending);
        seeds[seed].changed = captured.map(|captured| format!("{ending} instead of {captured}"));
        Ok(())
    }
}

/// Where a run took the position for what it is at which input is read.
fn near_sites(trace: &Trace) -> Vec<u32> {
    trace.losses().filter(|lost| lost.cause == Lost::InputObject).map(|lost| lost.site).collect()
}

/// What a run covers. How often it is not known: its path is as long as its part that depends on the input.
fn profile(measure: &SeedMeasure, trace: &Trace) -> Profile {
    let branches = trace.executed().flat_map(|block| measure.outcomes(BlockId::new(block))).collect();
    Profile { branches, path_length: trace.events().len() as u64 }
}
