//! Keeping what was found: with as few changes as possible, confirmed as a user would see it.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use byway_engine::TreeEdge;
use byway_exec::{JudgeOptions, RunOptions, Runner};
use byway_input::ConcreteInput;
use byway_report::{Checked, Ending, Finding, HANG, Hang, Near, changes, findings, findings_in};
use byway_solve::{Changes, Var};
use rustc_hash::FxHashMap;

use super::Shared;
use super::judge::{Case, InputCause};
use super::program::ProgramAccess;
use super::shrink::shrink;
use crate::annotate::Violation;
use crate::error::CheckError;
use crate::lock;
use crate::seed::SeedRef;

/// What was found so far.
#[derive(Debug, Default)]
pub struct Known {
    /// By id, how good what is known is.
    ranks: FxHashMap<String, Rank>,
    /// By id and seed, the least distance at which the seed shows it.
    shown: FxHashMap<(String, usize), u32>,
    /// How many inputs that take too long were looked at.
    hangs: u32,
}

/// How good the input is that shows a finding; less is better. Its depth does not count: the least depth of all tests is noted beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_unconfirmed: bool,
    distance: u32,
    bytes: usize,
}

const OUT_OF_MEMORY: &str = "out-of-memory";
/// How often an input is run to make it smaller.
const SHRINKING: usize = 96;
/// How many branches before a finding could go another way, and whether that is known of all of them.
type Depth = (u32, bool);

/// How long the depth is counted of a finding that is new or nearer than before, and of one that is known.
const COUNTING: Duration = Duration::from_secs(1);
const COUNTING_AGAIN: Duration = Duration::from_millis(50);
/// So many inputs that take too long are looked at, unless one is confirmed.
const HANGS: u32 = 3;

/// What is known of a finding that is about to be written down.
struct Keeping<'a> {
    finding: &'a Finding,
    input: &'a ConcreteInput,
    depth: Depth,
    /// What happened instead, if nobody has confirmed it.
    why: Option<String>,
    report: &'a [u8],
}

impl Shared<'_> {
    /// Keeps a finding, if nothing better is known of it. It was seen: what goes wrong from here on does not lose it.
    pub(super) fn keep(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        finding: &Finding,
    ) -> Result<(), CheckError> {
        let id = finding.id();
        let essential = program.space().essential(case.seed, &case.changes);
        let Some(depth) = self.depth_if_better(program, case, finding, essential.len()) else { return Ok(()) };
        let kept = self.shrink(runner, program, case, &id, essential);
        let input = self.input(program, case.seed, &kept);
        let confirmed = self.confirm(runner, program, case, &id, &input);
        let why = confirmed.shown.is_none().then_some(confirmed.why);
        let finding = confirmed.shown.as_ref().unwrap_or(finding);
        let rank = Rank { is_unconfirmed: why.is_some(), distance: case.distance, bytes: kept.len() };
        let keeping = Keeping { finding, input: &input, depth, why, report: &confirmed.report };
        self.store_finding(runner, program, case, keeping)?;
        lock(&self.known).ranks.entry(id).and_modify(|known| *known = rank.min(*known)).or_insert(rank);
        Ok(())
    }

    /// The depth of a finding that is new, or for which this is a better input than the one that is shown. If not, only the test is
    /// noted with its distance and depth: that needs no further run.
    fn depth_if_better(
        &self,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        finding: &Finding,
        bytes: usize,
    ) -> Option<Depth> {
        let (id, seed) = (finding.id(), case.seed.number);
        let (known, is_noted) = {
            let known = lock(&self.known);
            let shown = known.shown.get(&(id.clone(), seed));
            (known.ranks.get(&id).copied(), shown.is_some_and(|&distance| distance <= case.distance))
        };
        let least = Rank { is_unconfirmed: false, distance: case.distance, bytes };
        if known.is_none_or(|known| least < known) {
            let is_nearer = known.is_none_or(|known| case.distance < known.distance);
            let time = if is_nearer { COUNTING } else { COUNTING_AGAIN };
            return Some(self.depth(program, case, finding, time));
        }
        // To count takes time: once for each test.
        if !is_noted {
            let (depth, is_counted) = self.depth(program, case, finding, COUNTING_AGAIN);
            let test = program.target.seeds[seed].name.clone();
            let near = Near { distance: case.distance, depth: is_counted.then_some(depth), test };
            lock(&self.store).note(finding, near);
            lock(&self.known).shown.insert((id, seed), case.distance);
        }
        None
    }

    /// As few changes as show the same.
    fn shrink(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        id: &str,
        essential: Vec<(Var, u8)>,
    ) -> Vec<(Var, u8)> {
        let tries = if self.should_stop() { 0 } else { SHRINKING };
        let kept = shrink(essential.clone(), tries, |part: &[(Var, u8)]| {
            let input = self.input(program, case.seed, part);
            let judged = self.judge(runner, program, case.seed, &input)?;
            Ok::<bool, CheckError>(self.findings(program, &judged).iter().any(|found| found.id() == id))
        });
        kept.unwrap_or_else(|error| {
            self.note_loss(program, case, error.during("while a finding was made smaller"));
            essential
        })
    }

    /// Whether a new process shows it too: one that ends with its first report or, if its seed does not get there, one that
    /// goes on.
    fn confirm(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        id: &str,
        input: &ConcreteInput,
    ) -> Confirmed {
        let goes_on = program.seeds()[case.seed].goes_on;
        let mut confirmed = self.confirm_once(runner, program, case, id, (input, false));
        if confirmed.shown.is_none() && goes_on {
            confirmed = self.confirm_once(runner, program, case, id, (input, true));
        }
        confirmed
    }

    fn confirm_once(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        id: &str,
        (input, goes_on): (&ConcreteInput, bool),
    ) -> Confirmed {
        self.judged.fetch_add(1, Ordering::Relaxed);
        let options = JudgeOptions { goes_on, new_process: true, ..runner.judge_options() };
        match runner.judge(input, &options) {
            Ok(confirmed) => {
                let (ending, report) = (confirmed.ending(), confirmed.report().to_vec());
                let why = format!("a new process of the same build ended with {ending}");
                let all = findings_in(&program.target.sources, &program.name(), &report, ending);
                let shown = all.iter().position(|found| found.id() == id).map(|at| behind(&all, at, goes_on));
                Confirmed { shown, why, report }
            }
            // When it is time to stop, programs are ended by us.
            Err(_) if self.should_stop() => {
                let why = "the check ended before a new process could show it; byway replay runs it again".to_owned();
                Confirmed { shown: None, why, report: Vec::new() }
            }
            Err(error) => {
                let why = format!("a new process of the same build could not be run: {error}");
                self.note_loss(program, case, CheckError::from(error).during("while a finding was confirmed"));
                Confirmed { shown: None, why, report: Vec::new() }
            }
        }
    }

    fn input(&self, program: &mut ProgramAccess<'_>, seed: SeedRef, part: &[(Var, u8)]) -> ConcreteInput {
        program.space().input(seed, &Changes::default().with(part))
    }

    /// Whether inputs that take too long are still looked at.
    pub(super) fn wants_hangs(&self) -> bool {
        lock(&self.known).hangs < HANGS
    }

    /// An input took too long, or too much memory. It is a finding if the program as it was built does the same.
    pub(super) fn note_slow(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        ending: Ending,
    ) -> Result<(), CheckError> {
        if matches!(case.cause, InputCause::Seed) {
            return Ok(());
        }
        let Some(finding) = findings(&program.name(), b"", ending).pop() else { return Ok(()) };
        if !self.wants_hangs() {
            return Ok(());
        }
        lock(&self.known).hangs += 1;
        let like = program.seeds()[case.seed].native;
        let input = program.space().input(case.seed, &case.changes);
        let hang = match Hang::patience(runner.patience(), like) {
            None => Hang::slow(like),
            Some(patience) => {
                let native = runner.native(&input, &RunOptions { timeout: patience, ..runner.run_options() })?;
                // The sanitizers need more memory than the program.
                if ending == Ending::OutOfMemory && native.ending() != ending {
                    return Ok(());
                }
                Hang::judge(ending, native.ending(), native.elapsed)
            }
        };
        match hang {
            Hang::Confirmed => {
                lock(&self.known).hangs = HANGS;
                self.keep_unseen(runner, program, case, &finding, None)
            }
            Hang::Unconfirmed(why) => self.keep_unseen(runner, program, case, &finding, Some(why)),
        }
    }

    /// Keeps what no report of the sanitizers says.
    pub(super) fn keep_unseen(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        finding: &Finding,
        why: Option<String>,
    ) -> Result<(), CheckError> {
        let id = finding.id();
        let essential = program.space().essential(case.seed, &case.changes);
        let (distance, bytes) = (case.distance, essential.len());
        let least = Rank { is_unconfirmed: why.is_some(), distance, bytes };
        // To count its depth takes time: a test that is as near as the one that is known adds nothing to it.
        let is_known = |known: &Rank| (known.is_unconfirmed, known.distance) <= (least.is_unconfirmed, distance);
        if lock(&self.known).ranks.get(&id).is_some_and(is_known) {
            return Ok(());
        }
        let depth = self.depth(program, case, finding, COUNTING);
        let input = self.input(program, case.seed, &essential);
        self.store_finding(runner, program, case, Keeping { finding, input: &input, depth, why, report: b"" })?;
        lock(&self.known).ranks.insert(id, least);
        Ok(())
    }

    /// Something about a finding could not be found out.
    fn note_loss(&self, program: &mut ProgramAccess<'_>, case: &Case, error: CheckError) {
        self.keep_trouble(program, case.seed.number, case.distance, &error);
    }

    /// Writes a finding down.
    fn store_finding(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        keeping: Keeping<'_>,
    ) -> Result<(), CheckError> {
        let Keeping { finding, input, depth: (depth, depth_is_known), why, report } = keeping;
        let ending = self.native_ending(runner, program, case, finding, input);
        let seed = program.seed(case.seed);
        let (check, site) = match case.cause {
            InputCause::Seed => ("seed".to_owned(), None),
            InputCause::Path => ("path".to_owned(), None),
            InputCause::Operation(of) => (of.violation.name().to_owned(), program.target.map.position(of.site)),
        };
        let checked = Checked {
            finding: finding.clone(),
            program: program.target.program.clone(),
            seed: seed.name.clone(),
            origin: seed.origin.clone(),
            seed_arguments: seed.command().map(<[u8]>::to_vec).collect(),
            distance: case.distance,
            depth,
            depth_is_known,
            confirmed: why.is_none(),
            why,
            ending,
            changed: changes(&seed.input, input),
            check,
            site,
            seconds: self.driver.elapsed().as_secs_f64(),
        };
        lock(&self.store).found(&checked, input, report)?;
        lock(&self.known).shown.insert((finding.id(), case.seed.number), case.distance);
        Ok(())
    }

    /// How the program as it was built ends.
    fn native_ending(
        &self,
        runner: &mut Runner,
        program: &mut ProgramAccess<'_>,
        case: &Case,
        finding: &Finding,
        input: &ConcreteInput,
    ) -> Ending {
        match finding.kind.as_str() {
            HANG => Ending::TimedOut,
            OUT_OF_MEMORY => Ending::OutOfMemory,
            // Nobody knows better than that it ends as its seed does.
            _ => runner.native(input, &runner.run_options()).map(|native| native.ending()).unwrap_or_else(|error| {
                let error = CheckError::from(error).during("while a finding was run as the program was built");
                self.note_loss(program, case, error);
                program.seed(case.seed).ending.unwrap_or(Ending::Exited(0))
            }),
        }
    }

    /// How many branches before a finding could have gone another way, and whether all were counted in this time.
    fn depth(&self, program: &mut ProgramAccess<'_>, case: &Case, finding: &Finding, time: Duration) -> Depth {
        let last = self.place(program, case, finding);
        let time = if self.should_stop() { Duration::ZERO } else { time };
        let (depth, is_counted) = program.space().depth(last, time, &|| self.should_stop());
        // A branch that is left for where the program gives up comes before that.
        let is_left = matches!(case.cause, InputCause::Operation(operation) if operation.violation == Violation::Abort);
        (depth + u32::from(is_left), is_counted)
    }

    /// The last branch before what was found. On a path that is where its line was executed first; what runs without sanitizers
    /// goes on behind it.
    fn place(&self, program: &mut ProgramAccess<'_>, case: &Case, finding: &Finding) -> Option<TreeEdge> {
        let (Some(file), Some(line), Some(last)) = (&finding.file, finding.line, case.last) else { return case.last };
        let map = &program.target.map.map;
        let is_there = |&&(_, block): &&(u32, u32)| {
            let lines = map.blocks.get(block as usize).into_iter().flat_map(|block| &block.lines);
            lines.into_iter().any(|&(of, at)| at == line && map[of].ends_with(Path::new(file)))
        };
        let Some(&(steps, _)) = case.visits.iter().find(is_there) else { return case.last };
        let nodes = program.space().nodes_up_to(last);
        let (node, side) = *nodes.get((steps as usize).checked_sub(1)?)?;
        Some(TreeEdge { node, side, ..last })
    }
}

/// What a new process showed.
struct Confirmed {
    shown: Option<Finding>,
    /// What it did.
    why: String,
    report: Vec<u8>,
}

/// A finding of a run with the reports before it, if the run went on behind these.
fn behind(all: &[Finding], at: usize, goes_on: bool) -> Finding {
    let before = all[..at].iter().filter(|other| goes_on && other.ends_run());
    Finding { behind: before.map(Finding::to_string).collect(), ..all[at].clone() }
}

/// Whether it may as well be that the program is slow.
pub(super) fn is_suspicion(finding: &Finding) -> bool {
    matches!(finding.kind.as_str(), HANG | OUT_OF_MEMORY)
}
