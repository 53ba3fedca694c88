//! Random changes until they show nothing new.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_exec::{ExecError, Runner, RunnerConfig};
use byway_input::{ConcreteInput, Ending};
use byway_reduce::{Branches, Keep, SeedMeasure, made_of};
use byway_suite::Seed;

use crate::mutate::Mutator;

/// It goes on at least for this time without showing anything new, or for half the time that it took so far.
const LEAST: Duration = Duration::from_secs(1);

/// How long, how many at once, and what random choices are made of.
#[derive(Debug, Clone, Copy)]
pub struct WarmUpSettings {
    /// It ends after this time at the latest.
    pub time: Duration,
    /// So many inputs run at the same time.
    pub jobs: usize,
    /// With one at a time, the same seed makes the same choices.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct WarmUp {
    /// The inputs that took a new branch, in the order in which they were found; each says which seed it was made of.
    pub seeds: Vec<Seed>,
    /// How many branches the seeds take.
    pub branches_before: u64,
    /// How many they take with the new ones.
    pub branches: u64,
    /// How many inputs were run.
    pub runs: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// What all workers know.
struct Corpus {
    /// Each with the seed that it was made of.
    inputs: Vec<(Arc<Seed>, Arc<ConcreteInput>)>,
    covered: Branches,
    new: Vec<Seed>,
    /// When something new was seen last.
    grown: Instant,
}

/// Changes the seeds of a program at random until that takes no new branch for a while, or time is over, or `stop`.
pub fn warm_up(
    config: &RunnerConfig,
    seeds: &[Arc<Seed>],
    measure: &SeedMeasure,
    settings: WarmUpSettings,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<WarmUp, ExecError> {
    let begun = Instant::now();
    let timeout = config.timeout;
    let count = |runner: &mut Runner, seed: &Arc<Seed>| runner.count(&seed.input, timeout);
    let measured = byway_reduce::each(config, seeds, settings.jobs, stop, count)?;
    let mut covered = Branches::default();
    for counted in measured.iter().flatten().flatten() {
        covered.extend_from(&measure.covered(Keep::Branches, &counted.counts));
    }
    let branches_before = covered.count();
    let inputs = seeds.iter().map(|seed| (Arc::clone(seed), Arc::clone(&seed.input))).collect();
    let corpus = Mutex::new(Corpus { inputs, covered, new: Vec::new(), grown: Instant::now() });
    let runs = AtomicU64::new(seeds.len() as u64);
    let work = |number: usize| -> Result<(), ExecError> {
        let mut mutator = Mutator::new(settings.seed.wrapping_add(number as u64)).of(&config.model);
        let mut runner = Runner::new(config.clone(), seeds.iter().map(|seed| &*seed.input))?;
        while !stop() && begun.elapsed() < settings.time && !is_saturated(&corpus, begun) {
            let Some((base, input)) = next(&corpus, &mut mutator) else { continue };
            runs.fetch_add(1, Ordering::Relaxed);
            match runner.count(&input, timeout) {
                Ok(counted) if !matches!(counted.ending, Ending::TimedOut | Ending::OutOfMemory) => {
                    let branches = measure.covered(Keep::Branches, &counted.counts);
                    let mut corpus = lock(&corpus);
                    if branches.count_without(&corpus.covered) > 0 {
                        corpus.covered.extend_from(&branches);
                        corpus.grown = Instant::now();
                        let number = corpus.new.len() + 1;
                        let mut seed = made_of(&base, input.clone(), &counted);
                        seed.name = format!("{}+{number}", seed.name);
                        corpus.new.push(seed);
                        corpus.inputs.push((base, Arc::new(input)));
                    }
                }
                Err(error) if !error.is_of_the_run() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    };
    if !seeds.is_empty() {
        thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..settings.jobs.max(1)).map(|number| scope.spawn(move || work(number))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
        })?;
    }
    let corpus = corpus.into_inner().unwrap_or_else(PoisonError::into_inner);
    let branches = corpus.covered.count();
    let (runs, elapsed) = (runs.into_inner(), begun.elapsed());
    Ok(WarmUp { seeds: corpus.new, branches_before, branches, runs, elapsed })
}

fn lock(corpus: &Mutex<Corpus>) -> MutexGuard<'_, Corpus> {
    corpus.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_saturated(corpus: &Mutex<Corpus>, begun: Instant) -> bool {
    lock(corpus).grown.elapsed() > LEAST.max(begun.elapsed() / 2)
}

/// An input that was not tried before, most likely.
fn next(corpus: &Mutex<Corpus>, mutator: &mut Mutator) -> Option<(Arc<Seed>, ConcreteInput)> {
    let (base, other) = {
        let corpus = lock(corpus);
        let mut pick = || corpus.inputs[mutator.pick(corpus.inputs.len())].clone();
        (pick(), pick())
    };
    let mut input = ConcreteInput::clone(&base.1);
    mutator.change(&mut input, &other.1).then_some((base.0, input))
}
