//! A seed that covers what another one does, and is smaller.
//!
//! Characters of arguments are left out first, then lines and characters of standard input and of files, then whole arguments;
//! and again, until nothing more can be left out alone.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use byway_exec::{Counted, ExecError, Runner};
use byway_input::{ConcreteInput, Ending};
use byway_suite::Seed;

use crate::parts::{Part, Unit, is_text, parts, pieces};
use crate::{Branches, Keep, Minimum, SeedMeasure, Subset, TestAnswer, ddmin};

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
    measure: &SeedMeasure,
    keep: Keep,
    time: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<Reduction, ExecError> {
    let begun = Instant::now();
    let best = ConcreteInput::clone(&seed.input);
    // What two runs of the same have in common is what can be asked for.
    let timeout = runner.timeout();
    let (counted, again) = (runner.count(&best, timeout)?, runner.count(&best, timeout)?);
    let timeout = timeout.min(counted.elapsed.max(again.elapsed) * SLOWER + SLACK);
    let mut required = measure.covered(keep, &counted.counts);
    required.retain_from(&measure.covered(keep, &again.counts));
    let before = Size { path_length: measure.path_length(&counted.counts), bytes: bytes(&best) };
    let trouble = match (class(counted.ending), class(again.ending)) {
        (Class::Killed, _) | (_, Class::Killed) => Some("it does not end in time".to_owned()),
        (first, second) if first != second => Some(format!("it ends with {}, or {}", counted.ending, again.ending)),
        _ => None,
    };
    let mut search = Search {
        runner,
        timeout,
        original: &seed.input,
        measure,
        keep,
        required,
        class: class(counted.ending),
        best: Best { input: best, counted },
        deadline: begun + time,
        stop,
        hasher: RandomState::new(),
        failed: HashSet::new(),
        runs: 2,
        error: None,
    };
    let searched = if trouble.is_none() { search.run() } else { Ok(false) };
    let is_minimal = searched?;
    let (runs, Best { input, counted }) = (search.runs, search.best);
    let after = Size { path_length: measure.path_length(&counted.counts), bytes: bytes(&input) };
    let seed = made_of(seed, input, &counted);
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
    input: ConcreteInput,
    counted: Counted,
}

/// A reduction in the making.
struct Search<'a> {
    runner: &'a mut Runner,
    /// After this time a run is killed.
    timeout: Duration,
    original: &'a ConcreteInput,
    measure: &'a SeedMeasure,
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
    error: Option<ExecError>,
}

impl Search<'_> {
    /// Leaves out what can be left out. Whether nothing more can.
    fn run(&mut self) -> Result<bool, ExecError> {
        loop {
            let before = bytes(&self.best.input);
            let mut is_minimal = true;
            for part in parts(&self.best.input) {
                if is_text(part.content(&self.best.input)) {
                    is_minimal &= self.shorten(&part, Unit::Lines);
                }
                is_minimal &= self.shorten(&part, Unit::Characters);
            }
            is_minimal &= self.drop_arguments();
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if !is_minimal || bytes(&self.best.input) == before {
                return Ok(is_minimal);
            }
        }
    }

    /// Leaves out pieces of a part. Whether all that are left are needed.
    fn shorten(&mut self, part: &Part, unit: Unit) -> bool {
        let content = part.content(&self.best.input).to_vec();
        let pieces = pieces(&content, unit);
        let base = self.best.input.clone();
        self.leave_out(pieces.len(), |candidate| {
            let kept = candidate.iter().flat_map(|index| &content[pieces[index].clone()]);
            let mut input = base.clone();
            part.set(&mut input, kept.copied().collect());
            input
        })
    }

    fn drop_arguments(&mut self) -> bool {
        let base = self.best.input.clone();
        self.leave_out(base.arguments.len(), |candidate| {
            let arguments = candidate.iter().map(|index| base.arguments[index].clone()).collect();
            ConcreteInput { arguments, ..base.clone() }
        })
    }

    fn leave_out(&mut self, count: usize, make: impl Fn(&Subset) -> ConcreteInput) -> bool {
        let Minimum { is_minimal, .. } =
            ddmin(count, 1, |candidates| candidates.iter().map(|candidate| self.test(make(candidate))).collect());
        is_minimal
    }

    fn test(&mut self, input: ConcreteInput) -> TestAnswer {
        let files: Vec<_> = input.files.changed_from(&self.original.files).collect();
        let key = self.hasher.hash_one((&input.arguments, &input.stdin, files));
        if self.failed.contains(&key) {
            return TestAnswer::Fails;
        }
        if self.error.is_some() || (self.stop)() || Instant::now() >= self.deadline {
            return TestAnswer::OutOfTime;
        }
        self.runs += 1;
        match self.runner.count(&input, self.timeout) {
            Ok(counted) if self.will_do(&counted) => {
                self.best = Best { input, counted };
                TestAnswer::Holds
            }
            Err(error) if !error.is_of_the_run() => {
                self.error = Some(error);
                TestAnswer::OutOfTime
            }
            _ => {
                self.failed.insert(key);
                TestAnswer::Fails
            }
        }
    }

    fn will_do(&self, counted: &Counted) -> bool {
        let covered = self.measure.covered(self.keep, &counted.counts);
        class(counted.ending) == self.class && self.required.count_without(&covered) == 0
    }
}

fn bytes(input: &ConcreteInput) -> u64 {
    // An empty argument is one.
    input.bytes() + input.arguments.len() as u64
}

/// The seed that an input near another one is; it says what it was made of.
pub fn made_of(seed: &Seed, input: ConcreteInput, counted: &Counted) -> Seed {
    let mut made = Seed { origin: Some(seed.name.clone()), ..seed.clone() };
    if input == *seed.input {
        return made;
    }
    made.input = Arc::new(input);
    made.ending = Some(counted.ending);
    (made.stdout, made.stderr) = (Vec::new(), Vec::new());
    made.elapsed = counted.elapsed;
    made
}
