//! A seed that covers what another one does, and is smaller.
//!
//! Characters of arguments are left out first, then lines and characters of standard input and of files, then whole arguments;
//! and again, until nothing more can be left out alone.

use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_report::Ending;
use byway_stage::{Counted, Given, Runner, StageError};
use byway_suite::{Seed, Stdin};

use crate::parts::{Part, Unit, is_text, parts, pieces};
use crate::{Branches, Candidate, Keep, Minimum, Ruler, Verdict, ddmin};

/// A run may take so many times as long as that of the seed, and this longer.
const SLOWER: u32 = 10;
const SLACK: Duration = Duration::from_millis(100);

/// How big a seed is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The branches that its run executes, each as often as it does.
    pub path_length: u64,
    /// The bytes of its arguments, standard input and files.
    pub bytes: u64,
}

/// What became of a seed.
#[derive(Debug, Clone)]
pub struct Reduction {
    /// It, or a smaller one.
    pub seed: Seed,
    /// How big it was.
    pub before: Size,
    /// How big it is.
    pub after: Size,
    /// How often the program ran.
    pub runs: u64,
    /// Whether it is known that nothing more can be left out of it alone: no character, no line, no argument.
    pub is_minimal: bool,
    /// How long it took.
    pub elapsed: Duration,
    /// Why it was left as it is, if that is not for its own sake.
    pub trouble: Option<String>,
}

/// Leaves out of a seed what its coverage does not need, until nothing can be left out, or `time` is over, or `stop`.
pub fn reduce(
    runner: &mut Runner,
    seed: &Arc<Seed>,
    ruler: &Ruler,
    keep: Keep,
    time: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<Reduction, StageError> {
    let begun = Instant::now();
    let best = Given::of(seed);
    // What two runs of the same have in common is what can be asked for.
    runner.limit(None);
    let (counted, again) = (runner.count(&best)?, runner.count(&best)?);
    runner.limit(Some(counted.elapsed.max(again.elapsed) * SLOWER + SLACK));
    let mut required = ruler.covered(keep, &counted.counts);
    required.retain_from(&ruler.covered(keep, &again.counts));
    let before = Size { path_length: ruler.path_length(&counted.counts), bytes: bytes(&best) };
    let trouble = match (class(counted.ending), class(again.ending)) {
        (Class::Killed, _) | (_, Class::Killed) => Some("it does not end in time".to_owned()),
        (first, second) if first != second => Some(format!("it ends with {}, or {}", counted.ending, again.ending)),
        _ => None,
    };
    let mut search = Search {
        runner,
        ruler,
        keep,
        required,
        class: class(counted.ending),
        best: Best { given: best, counted },
        deadline: begun + time,
        stop,
        hasher: RandomState::new(),
        failed: HashSet::new(),
        runs: 2,
        error: None,
    };
    let searched = if trouble.is_none() { search.run() } else { Ok(false) };
    search.runner.limit(None);
    let is_minimal = searched?;
    let (runs, Best { given, counted }) = (search.runs, search.best);
    let after = Size { path_length: ruler.path_length(&counted.counts), bytes: bytes(&given) };
    let seed = made_of(given, &counted);
    Ok(Reduction { seed, before, after, runs, is_minimal, elapsed: begun.elapsed(), trouble })
}

/// How a run ended, as far as a smaller seed must end so too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Succeeded,
    Failed,
    Crashed(i32),
    Killed,
}

fn class(ending: Ending) -> Class {
    match ending {
        Ending::Exited(0) => Class::Succeeded,
        Ending::Exited(_) => Class::Failed,
        Ending::Signal(signal) => Class::Crashed(signal),
        Ending::TimedOut | Ending::OutOfMemory => Class::Killed,
    }
}

/// The smallest input so far.
struct Best {
    given: Given,
    counted: Counted,
}

/// A reduction in the making.
struct Search<'a> {
    runner: &'a mut Runner,
    ruler: &'a Ruler,
    keep: Keep,
    required: Branches,
    class: Class,
    best: Best,
    deadline: Instant,
    stop: &'a dyn Fn() -> bool,
    hasher: RandomState,
    /// The inputs that were tried and will not do.
    failed: HashSet<u64>,
    runs: u64,
    error: Option<StageError>,
}

impl Search<'_> {
    /// Leaves out what can be left out. Whether nothing more can.
    fn run(&mut self) -> Result<bool, StageError> {
        loop {
            let before = bytes(&self.best.given);
            let mut is_minimal = true;
            for part in parts(&self.best.given) {
                if is_text(part.content(&self.best.given)) {
                    is_minimal &= self.shorten(&part, Unit::Lines);
                }
                is_minimal &= self.shorten(&part, Unit::Characters);
            }
            is_minimal &= self.drop_arguments();
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if !is_minimal || bytes(&self.best.given) == before {
                return Ok(is_minimal);
            }
        }
    }

    /// Leaves out pieces of a part. Whether all that are left are needed.
    fn shorten(&mut self, part: &Part, unit: Unit) -> bool {
        let content = part.content(&self.best.given).to_vec();
        let pieces = pieces(&content, unit);
        let base = self.best.given.clone();
        self.leave_out(pieces.len(), |candidate| {
            let kept = candidate.iter().flat_map(|index| &content[pieces[index].clone()]);
            let mut given = base.clone();
            part.set(&mut given, kept.copied().collect());
            given
        })
    }

    fn drop_arguments(&mut self) -> bool {
        let base = self.best.given.clone();
        self.leave_out(base.arguments.len(), |candidate| {
            let arguments = candidate.iter().map(|index| base.arguments[index].clone()).collect();
            Given { arguments, ..base.clone() }
        })
    }

    fn leave_out(&mut self, count: usize, make: impl Fn(&Candidate) -> Given) -> bool {
        let Minimum { is_minimal, .. } =
            ddmin(count, 1, |candidates| candidates.iter().map(|candidate| self.test(make(candidate))).collect());
        is_minimal
    }

    fn test(&mut self, given: Given) -> Verdict {
        let key = self.hasher.hash_one((&given.arguments, &given.stdin, &given.files));
        if self.failed.contains(&key) {
            return Verdict::Fails;
        }
        if self.error.is_some() || (self.stop)() || Instant::now() >= self.deadline {
            return Verdict::OutOfTime;
        }
        self.runs += 1;
        match self.runner.count(&given) {
            Ok(counted) if self.will_do(&counted) => {
                self.best = Best { given, counted };
                Verdict::Holds
            }
            Err(error) if !error.is_of_the_run() => {
                self.error = Some(error);
                Verdict::OutOfTime
            }
            _ => {
                self.failed.insert(key);
                Verdict::Fails
            }
        }
    }

    fn will_do(&self, counted: &Counted) -> bool {
        let covered = self.ruler.covered(self.keep, &counted.counts);
        class(counted.ending) == self.class && self.required.count_without(&covered) == 0
    }
}

fn bytes(given: &Given) -> u64 {
    let others = parts(given).iter().map(|part| part.content(given).len() as u64).sum::<u64>();
    // An empty argument is one.
    others + given.arguments.len() as u64
}

/// The seed that an input is; it says what it was made of.
pub fn made_of(given: Given, counted: &Counted) -> Seed {
    let mut seed = Seed::clone(&given.seed);
    seed.origin = Some(seed.name.clone());
    if given == Given::of(&given.seed) {
        return seed;
    }
    seed.arguments.truncate(1);
    seed.arguments.extend(given.arguments.into_iter().map(OsString::from_vec));
    seed.stdin = given.stdin.map_or(Stdin::Nothing, |stdin| Stdin::Bytes(stdin.into()));
    for file in &mut seed.files {
        if let Some(content) = given.files.get(&file.path) {
            file.content = content.as_slice().into();
        }
    }
    seed.ending = Some(counted.ending);
    (seed.stdout, seed.stderr) = (Vec::new(), Vec::new());
    seed.elapsed = counted.elapsed;
    seed
}
