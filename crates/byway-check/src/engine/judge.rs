//! Judging inputs: what the sanitizers say, with as few changes as possible, as a user would see it.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use byway_report::{CheckInput, Checked, Ending, Finding, changes, findings};
use byway_solve::{Changes, Failure, Var};
use byway_stage::{Given, Judged, Runner};
use byway_suite::Stdin;
use rustc_hash::FxHashMap;

use super::Shared;
use super::ground::Ground;
use super::shrink::shrink;
use crate::error::CheckError;
use crate::lock;
use crate::walk::{Asked, Operation};
use crate::world::{Candidate, Spot};

/// What led to an input.
#[derive(Debug, Clone, Copy)]
pub enum Cause {
    /// It is a seed.
    Seed,
    /// It takes a path of its own.
    Path,
    /// It should make an operation fail.
    Operation(Operation),
}

/// An input to be judged.
#[derive(Debug, Clone)]
pub struct Case {
    /// The number of its seed.
    pub seed: usize,
    /// What differs.
    pub changes: Changes,
    /// The distance from the seed's path.
    pub distance: u32,
    /// The last branch before the operation, or of the path.
    pub last: Option<Spot>,
    /// Of a path: blocks with operations, each with the number of branches before it.
    pub visits: Vec<(u32, u32)>,
    /// What led to it.
    pub cause: Cause,
}

/// What was found so far, by id.
pub type Known = FxHashMap<String, Rank>;

/// How good what is known of a finding is; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    is_unconfirmed: bool,
    distance: u32,
    bytes: usize,
}

/// Kinds of findings that need not be any.
const HANG: &str = "hang";
const OUT_OF_MEMORY: &str = "out-of-memory";
/// How often an input is run to make it smaller.
const SHRINKING: usize = 96;
/// How long the depth of a finding is counted.
const COUNTING: Duration = Duration::from_secs(1);
/// A program that takes at most this part of the time a run may take does not merely run slowly.
const FAR_BELOW: u32 = 10;

impl Shared<'_> {
    /// Judges inputs that should make operations fail. Of several for the same place, one that does is enough. What cannot be
    /// run is kept as unconfirmed, and the others are tried all the same.
    pub(super) fn try_candidates(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        candidates: Vec<Candidate>,
        distance: u32,
    ) -> Result<(), CheckError> {
        let mut trouble = None;
        for candidate in candidates {
            let Candidate { operation, seed, last, options } = candidate;
            if self.should_stop() || lock(&ground.ledger).is_confirmed(operation) {
                continue;
            }
            let mut judged = None;
            let mut is_found = false;
            for changes in options {
                let case =
                    Case { seed, changes, distance, last, visits: Vec::new(), cause: Cause::Operation(operation) };
                let (mut found, why) = match self.examine(runner, ground, &case) {
                    Ok((found, ending)) => (found, format!("the build with sanitizers ended with {ending}")),
                    Err(error) if matches!(error, CheckError::Report(_)) || self.should_stop() => return Err(error),
                    Err(error) => {
                        let why = format!("could not be run: {error}");
                        trouble.get_or_insert(error);
                        (Vec::new(), why)
                    }
                };
                // What the seed does too says nothing about the question.
                found.retain(|finding| !lock(&ground.seeds)[seed].own.contains(&finding.id()));
                judged = judged.or(Some((case, why)));
                is_found = !found.is_empty();
                if found.iter().any(|finding| is_at(ground, operation.site, finding)) {
                    lock(&ground.ledger).note_confirmed(operation);
                }
                if is_found {
                    break;
                }
            }
            if !is_found && judged.is_some() && operation.asked.is_guess() {
                // Only the sanitizers know the types: what they allow is no finding.
                lock(&ground.ledger).note_allowed(operation);
                continue;
            }
            if let (false, Some((case, why))) = (is_found, judged) {
                let finding = self.supposed(ground, operation);
                self.keep_suspicion(runner, ground, &case, &finding, why)?;
            }
        }
        trouble.map_or(Ok(()), |error| Err(error.during("while inputs near it were judged")))
    }

    /// Judges an input. What the sanitizers found, and how it ended.
    pub(super) fn examine(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        case: &Case,
    ) -> Result<(Vec<Finding>, Ending), CheckError> {
        let given = lock(&ground.world).given(case.seed, &case.changes);
        let judged = self.judge(runner, &given)?;
        Ok((self.keep_findings(runner, ground, case, &judged)?, judged.ending))
    }

    /// Keeps what a judged run shows. What the sanitizers found.
    pub(super) fn keep_findings(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        case: &Case,
        judged: &Judged,
    ) -> Result<Vec<Finding>, CheckError> {
        let mut found = self.findings(ground, judged);
        for finding in &found {
            match is_suspicion(finding) {
                true => self.note_hang(runner, ground, case, judged.ending)?,
                false => self.keep(runner, ground, case, finding)?,
            }
        }
        found.retain(|finding| !is_suspicion(finding));
        Ok(found)
    }

    pub(super) fn judge(&self, runner: &mut Runner, given: &Given) -> Result<Judged, CheckError> {
        self.judged.fetch_add(1, Ordering::Relaxed);
        Ok(runner.judge(given)?)
    }

    pub(super) fn findings(&self, ground: &Ground, judged: &Judged) -> Vec<Finding> {
        findings(&ground.name(), &judged.stderr, judged.ending)
    }

    /// Keeps a finding, if nothing better is known of it. It was seen: what goes wrong from here on does not lose it.
    fn keep(&self, runner: &mut Runner, ground: &Ground, case: &Case, finding: &Finding) -> Result<(), CheckError> {
        let id = finding.id();
        let essential = lock(&ground.world).essential(case.seed, &case.changes);
        let rank = Rank { is_unconfirmed: false, distance: case.distance, bytes: essential.len() };
        if lock(&self.known).get(&id).is_some_and(|known| *known <= rank) {
            return Ok(());
        }
        let kept = shrink(essential.clone(), SHRINKING, |part: &[(Var, u8)]| {
            let given = self.given(ground, case.seed, part);
            let judged = self.judge(runner, &given)?;
            Ok::<bool, CheckError>(self.findings(ground, &judged).iter().any(|found| found.id() == id))
        });
        let kept = kept.unwrap_or_else(|error| {
            self.note_loss(ground, case, error.during("while a finding was made smaller"));
            essential
        });
        let given = self.given(ground, case.seed, &kept);
        self.judged.fetch_add(1, Ordering::Relaxed);
        let (shown, why, report) = match runner.confirm(&given) {
            Ok(judged) => {
                let shown = self.findings(ground, &judged).into_iter().find(|found| found.id() == id);
                let why = format!("a new process of the same build ended with {}", judged.ending);
                (shown, why, judged.stderr)
            }
            Err(error) => {
                let why = format!("a new process of the same build could not be run: {error}");
                self.note_loss(ground, case, CheckError::from(error).during("while a finding was confirmed"));
                (None, why, Vec::new())
            }
        };
        let why = shown.is_none().then_some(why);
        let finding = shown.as_ref().unwrap_or(finding);
        let rank = Rank { is_unconfirmed: why.is_some(), distance: case.distance, bytes: kept.len() };
        self.store_finding(runner, ground, case, finding, &given, why, &report)?;
        lock(&self.known).entry(id).and_modify(|known| *known = rank.min(*known)).or_insert(rank);
        Ok(())
    }

    fn given(&self, ground: &Ground, seed: usize, part: &[(Var, u8)]) -> Given {
        lock(&ground.world).given(seed, &Changes::default().with(part))
    }

    /// An input took too long, or too much memory. Only if its seed was far from that, and the program as it was built does
    /// the same, it is worth mentioning.
    pub(super) fn note_hang(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        case: &Case,
        ending: Ending,
    ) -> Result<(), CheckError> {
        let native = lock(&ground.seeds)[case.seed].native;
        if native * FAR_BELOW > ground.target.site.timeout || matches!(case.cause, Cause::Seed) {
            return Ok(());
        }
        let Some(finding) = findings(&ground.name(), b"", ending).pop() else { return Ok(()) };
        if lock(&self.known).contains_key(&finding.id()) {
            return Ok(());
        }
        let given = lock(&ground.world).given(case.seed, &case.changes);
        let judged = runner.native(&given)?;
        if judged.ending != ending {
            return Ok(());
        }
        let [took, takes] = [judged.elapsed, native].map(|time| time.as_secs_f64());
        let why = format!("killed after {took:.1} s ({ending}); its seed takes {takes:.3} s");
        self.keep_suspicion(runner, ground, case, &finding, why)
    }

    fn keep_suspicion(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        case: &Case,
        finding: &Finding,
        why: String,
    ) -> Result<(), CheckError> {
        let id = finding.id();
        let essential = lock(&ground.world).essential(case.seed, &case.changes);
        let rank = Rank { is_unconfirmed: true, distance: case.distance, bytes: essential.len() };
        if lock(&self.known).get(&id).is_some_and(|known| *known <= rank) {
            return Ok(());
        }
        let given = self.given(ground, case.seed, &essential);
        self.store_finding(runner, ground, case, finding, &given, Some(why), b"")?;
        lock(&self.known).insert(id, rank);
        Ok(())
    }

    /// Something about a finding could not be found out.
    fn note_loss(&self, ground: &Ground, case: &Case, error: CheckError) {
        self.keep_trouble(ground, case.seed, case.distance, &error);
    }

    /// Writes a finding down.
    #[allow(clippy::too_many_arguments)]
    fn store_finding(
        &self,
        runner: &mut Runner,
        ground: &Ground,
        case: &Case,
        finding: &Finding,
        given: &Given,
        why: Option<String>,
        report: &[u8],
    ) -> Result<(), CheckError> {
        let ending = match finding.kind.as_str() {
            HANG => Ending::TimedOut,
            OUT_OF_MEMORY => Ending::OutOfMemory,
            // Nobody knows better than that it ends as its seed does.
            _ => runner.native(given).map(|judged| judged.ending).unwrap_or_else(|error| {
                self.note_loss(
                    ground,
                    case,
                    CheckError::from(error).during("while a finding was run as the program was built"),
                );
                given.seed.ending.unwrap_or(Ending::Exited(0))
            }),
        };
        let seed = ground.seed(case.seed);
        let input = input_of(given);
        let (check, site) = match case.cause {
            Cause::Seed => ("seed".to_owned(), None),
            Cause::Path => ("path".to_owned(), None),
            Cause::Operation(of) => (of.asked.name().to_owned(), ground.target.map.position(of.site)),
        };
        let last = self.place(ground, case, finding);
        let counting = if self.should_stop() { Duration::ZERO } else { COUNTING };
        let depth = lock(&ground.world).depth(last, counting);
        let checked = Checked {
            finding: finding.clone(),
            program: ground.target.program.clone(),
            seed: seed.name.clone(),
            origin: seed.origin.clone(),
            seed_arguments: seed.arguments.iter().map(|argument| argument.as_bytes().to_vec()).collect(),
            distance: case.distance,
            depth,
            confirmed: why.is_none(),
            why,
            ending,
            changed: changes(&input_of(&Given::of(seed)), &input),
            check,
            site,
            seconds: self.elapsed().as_secs_f64(),
        };
        lock(&self.store).found(&checked, &input, report)?;
        Ok(())
    }

    /// The last branch before what was found. On a path that is where its line was executed first; what runs without sanitizers
    /// goes on behind it.
    fn place(&self, ground: &Ground, case: &Case, finding: &Finding) -> Option<Spot> {
        let (Some(file), Some(line), Some(last)) = (&finding.file, finding.line, case.last) else { return case.last };
        let map = &ground.target.map.map;
        let is_there = |&&(_, block): &&(u32, u32)| {
            let mut lines = map.blocks[block as usize].lines.iter();
            lines.any(|&(of, at)| at == line && map.files[of as usize].ends_with(Path::new(file)))
        };
        let Some(&(steps, _)) = case.visits.iter().find(is_there) else { return case.last };
        let nodes = lock(&ground.world).nodes_up_to(last);
        let (node, side) = *nodes.get((steps as usize).checked_sub(1)?)?;
        Some(Spot { node, side, ..last })
    }

    /// What would be wrong if an operation can fail.
    fn supposed(&self, ground: &Ground, operation: Operation) -> Finding {
        let map = &ground.target.map.map;
        let site = map.sites.get(operation.site as usize);
        let position = site.and_then(|site| site.position);
        let (kind, message) = supposed_kind(operation.asked);
        Finding {
            kind: kind.to_owned(),
            message: message.to_owned(),
            file: position.map(|(file, _, _)| map.files[file as usize].display().to_string()),
            line: position.map(|(_, line, _)| line),
            column: position.map(|(_, _, column)| column),
            function: site.map(|site| map.function_of(site.block).name.clone()),
            ..Finding::default()
        }
    }
}

/// What the sanitizers would call it.
fn supposed_kind(asked: Asked) -> (&'static str, &'static str) {
    match asked {
        Asked::Failure(Failure::OutOfBounds) => ("wild-access", "an access can be outside of its object"),
        Asked::Failure(Failure::Length) => ("wild-access", "a length can be greater than the object"),
        Asked::Failure(Failure::Unterminated) => ("wild-access", "a string can be without an end"),
        Asked::Failure(Failure::DivisionByZero) => ("integer-divide-by-zero", "a divisor can be zero"),
        Asked::Failure(Failure::DivisionOverflow) => {
            ("signed-integer-overflow", "the least number can be divided by -1")
        }
        Asked::Failure(Failure::SignedOverflow) => ("signed-integer-overflow", "signed arithmetic can overflow"),
        Asked::Failure(Failure::Shift) => ("shift-exponent", "a shift can be by too many bits"),
        Asked::Failure(Failure::ShiftBase) => ("shift-base", "a signed number can lose bits in a shift"),
        Asked::Failure(Failure::Misaligned) => ("alignment", "an address can be misaligned"),
        Asked::Failure(Failure::AllocationSize) => ("allocation-size-too-big", "a size can be more than there is"),
        Asked::Abort => ("abort", "the program can give up here"),
    }
}

/// Whether a finding is at a site, or comes from there. Where nobody knows a site, anything may be there.
fn is_at(ground: &Ground, site: u32, finding: &Finding) -> bool {
    let map = &ground.target.map.map;
    let Some((file, line, _)) = map.sites.get(site as usize).and_then(|site| site.position) else { return true };
    let is_there = |of: &Option<String>, at: Option<u32>| {
        at == Some(line) && of.as_ref().is_some_and(|of| map.files[file as usize].ends_with(Path::new(of)))
    };
    is_there(&finding.file, finding.line) || finding.stack.iter().any(|frame| is_there(&frame.file, frame.line))
}

/// Whether it may as well be that the program is slow.
fn is_suspicion(finding: &Finding) -> bool {
    matches!(finding.kind.as_str(), HANG | OUT_OF_MEMORY)
}

/// All that a run reads.
fn input_of(given: &Given) -> CheckInput {
    let seed = &given.seed;
    let text = |bytes: &Vec<u8>| bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
    let name = seed.arguments.first().map(|name| name.as_bytes().to_vec()).unwrap_or_default();
    let content = |file: &byway_suite::SeedFile| match given.files.get(&file.path) {
        Some(content) => content.clone(),
        None => file.content.to_vec(),
    };
    CheckInput {
        program: seed.executable.path.clone(),
        arguments: std::iter::once(name).chain(given.arguments.iter().map(text)).collect(),
        environment: seed.environment.clone(),
        directory: seed.directory.clone(),
        stdin: match &seed.stdin {
            Stdin::Nothing => None,
            Stdin::Bytes(_) => given.stdin.clone(),
        },
        files: seed.files.iter().map(|file| (file.path.clone(), content(file))).collect(),
        directories: seed.directories.clone(),
        links: seed.links.clone(),
    }
}
